#include "daemon/task_push.h"

#include <fmt/core.h>

#include <cstdio>
#include <cstdlib>

#include "api/task_events.h"
#include "base/sha256.h"
#include "os/clock.h"
#include "os/file.h"
#include "store/journal.h"

namespace pawl::daemon {
namespace {

using Kind = model::Channel::Kind;

Duration pause_after(int tries) {
  Duration pause = kPushAgain;
  for (int i = 1; i < tries && pause < kPushAgainMost; ++i) pause *= 2;
  return std::min(pause, kPushAgainMost);
}

std::optional<Seq> kept_place(const std::string& path) {
  const auto text = os::read_file(path, 64);
  if (!text) return std::nullopt;
  return Seq{std::strtoull(text->c_str(), nullptr, 10)};
}

}  // namespace

TaskPush::Target::Target(os::Loop& loop, core::Engine& engine, TaskPush& all, model::Channel to)
    : channel(std::move(to)),
      teller(api::lookup_in(engine)),
      timer(loop, [this, &all] { all.go_on(*this); }) {}

TaskPush::TaskPush(os::Loop& loop, core::Engine& engine, const std::string& home,
                   const std::vector<std::string>& targets, std::function<void()> wake)
    : loop_(loop), engine_(engine), dir_(home + "/push"), wake_(std::move(wake)), poster_(loop) {
  for (const auto& word : targets) {
    auto channel = model::channel_from(word);
    if (channel && channel->kind != Kind::exec && channel->kind != Kind::webhook)
      channel = fail(name_of(*channel) + " is for people, not for programs",
                     "use webhook:URL or exec:PROGRAM in [tasks] push");
    if (!channel) {
      fmt::print(stderr, "pawl: [tasks] push: {}\n", text_of(channel.error()));
      continue;
    }
    auto target = std::make_unique<Target>(loop, engine, *this, std::move(*channel));
    target->place = dir_ + "/" + sha256_hex(word, 16);
    const Seq last = engine.fleet().last;
    target->sent = std::min(kept_place(target->place).value_or(last), last);
    target->read = target->sent;
    targets_.push_back(std::move(target));
  }
  if (targets_.empty()) return;
  if (auto made = os::make_private_dir(dir_); !made)
    fmt::print(stderr, "pawl: [tasks] push: {}\n", text_of(made.error()));
  for (const auto& target : targets_) keep_place(*target);
}

TaskPush::~TaskPush() = default;

bool TaskPush::busy() const {
  for (const auto& target : targets_)
    if (!target->waiting.empty() || target->under_way) return true;
  return false;
}

void TaskPush::follow() {
  for (const auto& target : targets_) {
    read_on(*target);
    go_on(*target);
  }
}

// Not all of it when much waits: the journal keeps the rest.
void TaskPush::read_on(Target& target) {
  while (target.read < engine_.fleet().last && target.waiting.size() < kPushAhead) {
    const auto events = engine_.journal().read(target.read, kPushAhead);
    if (!events || events->empty()) return;
    for (const auto& event : *events) {
      target.read = event.seq;
      if (const auto told = target.teller.take(event))
        target.waiting.push_back({event.seq, told->dump() + "\n"});
    }
    if (target.waiting.empty()) target.sent = target.read;  // nothing for it: kept with the next
  }
}

void TaskPush::go_on(Target& target) {
  if (target.waiting.empty() || target.under_way || target.timer.armed()) return;
  target.under_way = true;
  push(target);
}

void TaskPush::push(Target& target) {
  const std::string& line = target.waiting.front().line;
  if (target.channel.kind == Kind::webhook) {
    const auto begun =
        poster_.post({target.channel.target, {"Content-Type: application/json"}, line, kPushLimit},
                     [this, &target](const os::Posted& answer) {
                       pushed(target, answer.fine ? "" : answer.how);
                     });
    if (!begun) pushed(target, text_of(begun.error()));
    return;
  }
  os::ChildOrder order{{target.channel.target}};
  order.input = line;
  order.limit = kPushLimit;
  auto child = os::Child::start(loop_, order, [this, &target](const os::ChildEnd& end) {
    target.child.reset();
    const model::Ending ending{end.exit_code, end.signal};
    pushed(target, end.fine() ? ""
                   : end.late ? "it took too long and was killed"
                              : text_of(ending));
  });
  if (!child) return pushed(target, text_of(child.error()));
  target.child = std::move(*child);
}

void TaskPush::pushed(Target& target, const std::string& how) {
  target.under_way = false;
  ++target.tries;
  const bool again = !how.empty() && !target.down && target.tries < kPushTries;
  if (again) return target.timer.start(pause_after(target.tries));
  if (!how.empty()) give_up(target, how);
  target.down = !how.empty();
  target.tries = 0;
  target.sent = target.waiting.front().seq;
  target.waiting.pop_front();
  keep_place(target);
  read_on(target);
  // Not from here: a target that refuses everything at once would never let go.
  if (!target.waiting.empty()) target.timer.start(target.down ? kPushAgain : Duration{0});
}

void TaskPush::give_up(Target& target, const std::string& how) {
  const std::string dead = dir_ + "/dead.jsonl", name = name_of(target.channel);
  if (os::file_size(dead) > kDeadBytes) (void)os::move_file(dead, dead + ".1");
  const auto event = Json::parse(target.waiting.front().line);
  const Json line = Json::object({{"at", rfc3339(os::read_clock().wall)},
                                  {"to", name},
                                  {"why", how},
                                  {"event", event ? *event : Json()}});
  const auto file = os::open_append(dead);
  const Done kept = file ? os::write_all(file->get(), line.dump() + "\n", dead)
                         : Done(tl::unexpected(file.error()));
  if (!kept) fmt::print(stderr, "pawl: [tasks] push: {}\n", text_of(kept.error()));
  if (target.down) return;  // somebody was told
  core::Noted noted;
  noted.alert = {model::Severity::error,
                 fmt::format("what happens to tasks cannot be pushed to {}: {}", name, how),
                 "push " + name,
                 "look at it; what it did not take is in push/dead.jsonl",
                 {}};
  engine_.submit(noted);
  wake_();
}

void TaskPush::keep_place(const Target& target) {
  const std::string text = fmt::format("{:20}\n", target.sent.value);
  Done kept = os::exists(target.place) ? os::write_in_place(target.place, text)
                                       : os::write_atomically(target.place, text);
  if (!kept) fmt::print(stderr, "pawl: [tasks] push: {}\n", text_of(kept.error()));
}

}  // namespace pawl::daemon
