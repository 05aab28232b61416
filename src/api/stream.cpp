#include "api/stream.h"

#include <fmt/core.h>

#include "api/frame.h"
#include "api/look_handlers.h"
#include "api/view.h"
#include "core/parts/showings.h"
#include "policy/decide.h"
#include "store/agent_files.h"
#include "store/recording_reader.h"

namespace pawl::api {
namespace {

constexpr Duration kFollowEvery = std::chrono::milliseconds{100};
constexpr size_t kLogSlice = 256u << 10;  // bytes of file read at once
constexpr size_t kTailBytes = 4u << 20;   // how far back `logs -n` looks

}  // namespace

tl::unexpected<Error> no_agent(const std::string& name) {
  return fail("no agent named '" + name + "'", "pawl ls shows them all");
}

StreamEnd EventStream::pump(StreamContext& context) {
  const size_t limit = context.out.size() + context.room;
  const auto over = reader_.read(
      context.engine, context.now, [&] { return context.out.size() < limit; },
      [&](const model::Event& event) {
        if (!agent_.empty() && event.agent != agent_) return;
        context.out += encode(Json::object({{"event", to_json(event).set("machine", Json())}}));
        // Who reads along sees it now; who reads up on a night does not.
        if (const auto* state = std::get_if<model::StateChanged>(&event.fact); follow_ && state)
          context.engine.showings().shown(world_, event.agent,
                                          state->dialog ? state->dialog->id : std::string());
      });
  if (!over) return Result<Json>(tl::unexpected(over.error()));
  if (!*over || follow_) return std::nullopt;
  return Result<Json>(Json::object());
}

// A rule waits for the time to start it again, or is about to.
static bool comes_back(const StreamContext& context, const model::Agent& agent) {
  const policy::Decision decision = context.engine.opinion(context.now, agent.spec.name);
  return decision.choice.action == model::Action::restart ||
         (decision.rule == "restart" && decision.choice.until &&
          agent.spec.restart != model::Restart::never) ||
         (decision.rule == "human" && agent.spec.restart != model::Restart::never);
}

// Why one of them ends the wait; nothing: it is where it should be, or it may still come there.
StreamEnd WaitStream::look(const StreamContext& context, const std::string& name) {
  const model::Agent* agent = context.engine.fleet().find(name);
  if (!agent) return Result<Json>(no_agent(name));
  if (states_.contains(agent->state)) {
    note_told(context.engine.showings(), world_, *agent);
    reached_[name] = view_of(*agent, context.now);
    return std::nullopt;
  }
  if (deadline_ && context.now.mono >= *deadline_)
    return Result<Json>(fail(fmt::format("'{}' is still {}", name, word(agent->state)),
                             "wait longer with --timeout", 124));
  if (ended(agent->state) && !agent->intent && !comes_back(context, *agent))
    return Result<Json>(fail(fmt::format("'{}' has {} ({}) and will not change by itself", name,
                                         word(agent->state), agent->because),
                             "start it with: pawl restart " + name));
  return std::nullopt;
}

StreamEnd WaitStream::pump(StreamContext& context) {
  for (const auto& name : agents_)
    if (!reached_.contains(name))
      if (auto end = look(context, name)) return end;
  if (reached_.size() < std::set(agents_.begin(), agents_.end()).size()) return std::nullopt;
  if (agents_.size() == 1) return Result<Json>(reached_.begin()->second);
  Json views = Json::array();
  for (const auto& name : agents_) views.push(reached_[name]);
  return Result<Json>(Json::object({{"version", 1}, {"agents", std::move(views)}}));
}

std::string LogStream::shown(std::string_view bytes) {
  return raw_ ? std::string(bytes) : stripper_.feed(bytes);
}

// With -n: the tail first, from the last parts; following then goes on at their end.
void LogStream::begin(store::Disk& disk, const std::string& dir) {
  begun_ = true;
  const auto parts = store::parts_in(disk, dir);
  if (!parts.empty() && !lines_) go_to(disk, parts.front().path);
}

void LogStream::go_to(store::Disk& disk, const std::string& part) {
  if (damage_.empty()) damage_ = part_.damage();
  part_ = store::PartFile(disk, part);
  at_ = 0;
}

namespace {

std::string last_lines(const std::string& text, size_t lines) {
  if (lines == 0) return {};
  size_t at = text.size();
  if (at > 0 && text[at - 1] == '\n') --at;
  for (size_t i = 0; i < lines; ++i) {
    if (at == 0) return text;
    const size_t newline = text.rfind('\n', at - 1);
    if (newline == std::string::npos) return text;
    at = newline;
  }
  return text.substr(at + 1);
}

}  // namespace

StreamEnd LogStream::pump(StreamContext& context) {
  const auto found = any_agent(context.engine, agent_);
  if (!found) return Result<Json>(tl::unexpected(found.error()));
  const AnyAgent& agent = *found;
  if (!agent) return Result<Json>(no_agent(agent_));
  const std::string dir = context.engine.files().recordings(agent_);
  store::Disk& disk = context.engine.files().disk();
  if (context.now.mono >= next_flush_) {
    context.engine.flush_agent(context.now, agent_);
    next_flush_ = context.now.mono + kFollowEvery;
  }
  if (!begun_ && lines_) {
    const auto recent = store::recent_output(disk, dir, kTailBytes, &damage_);
    if (!recent) return Result<Json>(tl::unexpected(recent.error()));
    context.out += encode(Kind::output, last_lines(shown(*recent), *lines_));
    begin(disk, dir);
    if (const auto parts = store::parts_in(disk, dir); !parts.empty()) {
      go_to(disk, parts.back().path);
      at_ = part_.size();
    }
  } else if (!begun_) {
    begin(disk, dir);
  }
  const size_t limit = context.out.size() + context.room;
  while (context.out.size() < limit)
    if (!read_more(context, dir)) break;
  if (context.out.size() >= limit) return std::nullopt;
  const bool over = ended(agent->state) && !agent->intent;
  if (follow_ && !over) return std::nullopt;
  const std::string& damage = damage_.empty() ? part_.damage() : damage_;
  return Result<Json>(damage.empty() ? Json::object() : Json::object({{"notice", damage}}));
}

// One slice of whole lines; at the end of a part, the next one. False when there is nothing new.
bool LogStream::read_more(StreamContext& context, const std::string& dir) {
  store::Disk& disk = context.engine.files().disk();
  if (part_.path().empty()) {
    const auto parts = store::parts_in(disk, dir);
    if (parts.empty()) return false;
    go_to(disk, parts.front().path);
  }
  const std::string slice = part_.read(at_, kLogSlice);
  const size_t whole = slice.rfind('\n');
  if (whole == std::string::npos) {
    // A line longer than the slice cannot be: output lines are at most 6 x 64 KiB, keyframes less than 1 MiB …
    const std::string longer = slice.empty() ? slice : part_.read(at_, kLogSlice * 32);
    if (longer.find('\n') == std::string::npos) {
      for (const auto& part : store::parts_in(disk, dir)) {
        if (part.path <= part_.path()) continue;
        go_to(disk, part.path);
        return true;
      }
      return false;
    }
    return take_lines(context, std::string_view(longer).substr(0, longer.find('\n') + 1));
  }
  return take_lines(context, std::string_view(slice).substr(0, whole + 1));
}

bool LogStream::take_lines(StreamContext& context, std::string_view lines) {
  std::string bytes;
  size_t from = 0;
  while (from < lines.size()) {
    const size_t end = lines.find('\n', from);
    const std::string_view line = lines.substr(from, end - from);
    if (at_ + from == 0) {
      const auto header = term::parse_cast_header(line);
      skip_repaint_ = header && header->extra["repaint"].as_bool();
    } else if (const auto event = term::parse_cast_event(line);
               event && !std::exchange(skip_repaint_, false)) {
      if (auto more = decoder_.output(*event)) bytes += *more;
    }
    from = end + 1;
  }
  at_ += lines.size();
  const std::string text = shown(bytes);
  if (!text.empty()) context.out += encode(Kind::output, text);
  return true;
}

}  // namespace pawl::api
