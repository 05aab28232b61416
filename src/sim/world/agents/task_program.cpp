#include "sim/world/agents/task_program.h"

#include <fmt/core.h>

#include <algorithm>
#include <csignal>

#include "base/json.h"

namespace pawl::sim {
namespace {

using namespace std::chrono_literals;

constexpr double kWaits = 0.001;  // of a processor, for one that waits for its model
constexpr double kComputes = 0.5;
constexpr size_t kFloodLines = 500;
constexpr std::string_view kPadding =
    " ................................................................";

std::string after(const std::vector<std::string>& argv, std::string_view name) {
  const auto it = std::find(argv.begin(), argv.end(), name);
  return it == argv.end() || it + 1 == argv.end() ? std::string() : *(it + 1);
}

}  // namespace

void TaskProgram::start(MonoTime now, Launch launch) {
  launch_ = std::move(launch);
  started_ = cpu_since_ = now;
  processor_ = kWaits;
  log_.push_back(Entry{.at = now, .what = Entry::What::began, .text = "a run"});
  const std::string resumed = after(launch_.argv, "--resume");
  conversation_ = resumed.empty() ? fmt::format("c-{}", launch_.process.pid) : resumed;
  deaf_ = chance_.happens(ways_.deaf);
  if (prints_ == Prints::records && !resumed.empty() && chance_.happens(ways_.forgets)) {
    how_ = "session";
    return plan(Due::ends, now + 1s);
  }
  plan(Due::begins, now + chance_.between(200ms, 3s));
}

// Which way this run goes.
void TaskProgram::draw_lots(MonoTime now) {
  const MonoTime end = now + chance_.between(ways_.works_from, ways_.works_to);
  const auto amid = [&] { return now + chance_.between(Duration{0}, end - now); };
  if (chance_.happens(ways_.floods)) plan(Due::floods, amid());
  if (chance_.happens(ways_.silent)) plan(Due::goes_silent, amid());
  if (chance_.happens(ways_.hangs)) return plan(Due::hangs, amid());
  if (prints_ == Prints::lines && ways_.asks > 0 && chance_.happens(ways_.asks))
    return plan(Due::asks, amid());
  if (chance_.happens(ways_.crashes)) return plan(Due::dies, amid());
  draw_end(end);
}

void TaskProgram::draw_end(MonoTime end) {
  const auto becomes = [&](double rate, const char* how) {
    if (chance_.happens(rate) && how_ == "completed") how_ = how;
  };
  becomes(ways_.fails, "failed");
  if (prints_ == Prints::records) {
    becomes(ways_.overload, "overload");
    becomes(ways_.limits, "limit");
    becomes(ways_.auth, "auth");
    becomes(ways_.vanishes, "nothing");
    becomes(ways_.denied, "denied");
    lingers_ = chance_.happens(ways_.lingers);
    if (how_ == "limit") limit_ = wall(end) + chance_.between(1min, 120min);
  }
  plan(Due::ends, end);
}

void TaskProgram::forget(Due due) {
  std::erase_if(agenda_, [&](const Plan& one) { return one.due == due; });
}

std::optional<MonoTime> TaskProgram::wake_at() const {
  if (ended_ || agenda_.empty()) return std::nullopt;
  return std::min_element(agenda_.begin(), agenda_.end(),
                          [](const Plan& a, const Plan& b) { return a.at < b.at; })
      ->at;
}

std::string TaskProgram::print(MonoTime now) {
  while (!ended_ && !agenda_.empty()) {
    const auto next =
        std::min_element(agenda_.begin(), agenda_.end(), [](const Plan& a, const Plan& b) {
          return std::pair(a.at, a.due) < std::pair(b.at, b.due);
        });
    if (next->at > now) break;
    const Plan one = *next;
    agenda_.erase(next);
    step(one.at, one.due);
  }
  return std::exchange(output_, {});
}

void TaskProgram::step(MonoTime now, Due due) {
  switch (due) {
    case Due::begins:
      if (prints_ == Prints::records) {
        Json begun = record("system");
        begun.set("subtype", "init");
        put(now, begun.dump());
      }
      says(now);
      return draw_lots(now);
    case Due::says:
      return says(now);
    case Due::floods:
      for (size_t i = 0; i < kFloodLines; ++i) put(now, line());
      return;
    case Due::goes_silent:
      return goes_silent(now);
    case Due::speaks_again:
      settle(now, kWaits);
      return says(now);
    case Due::hangs:
      return hang(now);
    case Due::asks:
      return ask(now);
    case Due::dies:
      return finish(now, {-1, chance_.happens(0.5) ? SIGSEGV : SIGKILL, true});
    case Due::ends:
      return comes_to_end(now);
    case Due::obeys:
      return finish(now, {-1, SIGTERM, true});
  }
}

Json TaskProgram::record(const char* type) const {
  return Json::object({{"type", type}, {"session_id", conversation_}});
}

// One thing it prints, as a line of its own.
std::string TaskProgram::line() {
  std::string text = fmt::format("line {}.{}", launch_.process.pid, ++lines_);
  if (prints_ == Prints::lines) return text + std::string(kPadding);
  Json part = Json::object({{"type", "text"}, {"text", std::move(text)}});
  Json content = Json::array();
  content.push(std::move(part));
  Json said = record("assistant");
  said.set("message",
           Json::object({{"content", std::move(content)},
                         {"usage", Json::object({{"input_tokens", 40}, {"output_tokens", 9}})}}));
  return said.dump();
}

void TaskProgram::put(MonoTime now, const std::string& text) {
  output_ += text + "\r\n";
  if (log_.empty() || log_.back().what != Entry::What::spoke || log_.back().at != now)
    log_.push_back(Entry{.at = now, .what = Entry::What::spoke});
}

void TaskProgram::says(MonoTime now) {
  put(now, line());
  plan(Due::says, now + chance_.between(ways_.says_every / 2, ways_.says_every));
}

// What is still to come comes later by so much.
void TaskProgram::goes_silent(MonoTime now) {
  const Duration lasts = chance_.between(3min, 30min);
  forget(Due::says);
  for (Plan& one : agenda_) one.at += lasts;
  if (limit_ != WallTime{}) limit_ += lasts;
  settle(now, kComputes);
  plan(Due::speaks_again, now + lasts);
  log_.push_back(Entry{.at = now, .until = now + lasts, .what = Entry::What::works});
}

void TaskProgram::hang(MonoTime now) {
  agenda_.clear();
  settle(now, 0);
}

void TaskProgram::ask(MonoTime now) {
  hang(now);
  asks_ = true;
  output_ += "Overwrite it? [y/N] ";
  log_.push_back(Entry{.at = now, .what = Entry::What::spoke});
  log_.push_back(Entry{.at = now, .what = Entry::What::told, .text = "asks"});
}

void TaskProgram::comes_to_end(MonoTime now) {
  agenda_.clear();
  if (how_ == "session") {
    put(now, "No conversation found with session ID: " + conversation_);
    log_.push_back(Entry{.at = now, .what = Entry::What::told, .text = how_});
    return finish(now, {1, 0, true});
  }
  const bool fine = how_ == "completed" || how_ == "denied" || how_ == "nothing";
  if (prints_ == Prints::lines) {
    put(now, line());
    return finish(now, {fine ? 0 : 1 + static_cast<int>(chance_.below(100)), 0, true});
  }
  if (how_ != "nothing") tells(now, how_);
  if (lingers_) return settle(now, 0);
  finish(now, {fine ? 0 : 1, 0, true});
}

// Its last record.
void TaskProgram::tells(MonoTime now, const std::string& how) {
  const bool fine = how == "completed" || how == "denied";
  if (how == "limit") {
    Json event = record("rate_limit_event");
    const auto ends =
        std::chrono::duration_cast<std::chrono::seconds>(limit_.time_since_epoch()).count();
    event.set("rate_limit_info", Json::object({{"status", "rejected"}, {"resetsAt", ends}}));
    put(now, event.dump());
  }
  Json result = record("result");
  result.set("subtype", "success");
  result.set("is_error", !fine);
  result.set("result", fine                ? "it is done"
                       : how == "limit"    ? "You have hit your limit"
                       : how == "overload" ? "API Error: overloaded"
                       : how == "auth"     ? "Invalid API key, please run /login"
                                           : "I give up");
  if (how == "denied") {
    Json denials = Json::array();
    denials.push(Json::object({{"tool_name", "Bash"}}));
    result.set("permission_denials", std::move(denials));
  }
  put(now, result.dump());
  log_.push_back(Entry{.at = now, .limit = limit_, .what = Entry::What::told, .text = how});
}

void TaskProgram::finish(MonoTime now, model::Ending ending) {
  agenda_.clear();
  settle(now, 0);
  ended_ = ending;
  log_.push_back(Entry{.at = now,
                       .ending = ending,
                       .what = Entry::What::ended,
                       .text = model::text_of(ending),
                       .row = lines_});
}

void TaskProgram::signal(MonoTime now, int number) {
  output_ += print(now);  // what came before it
  if (ended_) return;
  if (number == SIGKILL) return finish(now, {-1, SIGKILL, true});
  if (number == SIGTERM && !deaf_) plan(Due::obeys, now + chance_.between(Duration{0}, 4s));
}

void TaskProgram::settle(MonoTime now, double processor) {
  cpu_ += processor_ * std::chrono::duration<double>(now - cpu_since_).count();
  cpu_since_ = now;
  if (processor_ == kComputes)  // it does not any more
    log_.push_back(Entry{.at = now, .until = now, .what = Entry::What::works});
  processor_ = processor;
}

model::Facts TaskProgram::facts(MonoTime now) const {
  model::Facts out;
  out.canonical = out.echo = out.signals = true;
  out.front = out.busiest = prints_ == Prints::records ? "claude" : "work";
  out.front_count = 1;
  out.processes = {launch_.process};
  out.effort = model::Effort{.reads_terminal = asks_};
  out.cpu_s = cpu_ + processor_ * std::chrono::duration<double>(now - cpu_since_).count();
  return out;
}

bool TaskProgram::order(MonoTime now, std::string_view words) {
  output_ += print(now);
  if (ended_) return false;
  if (words == "oom") return finish(now, {-1, SIGKILL, true}), true;
  if (words == "crash") return finish(now, {-1, SIGSEGV, true}), true;
  if (words == "hang") return hang(now), true;
  if (words != "leave" || agenda_.empty()) return false;
  return comes_to_end(now), true;
}

// Its run ends of it.
bool TaskProgram::fail(MonoTime now, Trouble trouble, WallTime until) {
  output_ += print(now);
  if (ended_ || agenda_.empty() || prints_ != Prints::records) return false;
  switch (trouble) {
    case Trouble::none:
    case Trouble::context:
      return false;
    case Trouble::limit:
      how_ = "limit";
      limit_ = until;
      break;
    case Trouble::auth:
      how_ = "auth";
      break;
    case Trouble::overload:
      how_ = "overload";
      break;
  }
  return comes_to_end(now), true;
}

}  // namespace pawl::sim
