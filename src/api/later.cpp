#include "api/later.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <charconv>

#include "api/conversation.h"
#include "base/text.h"
#include "os/file.h"

namespace pawl::api {
namespace {

using std::chrono::seconds;

constexpr std::array<std::string_view, 5> kCanWait{"mode", "pause", "resume", "wake", "inbox add"};
constexpr Duration kLaterLooks = seconds{1};
constexpr Duration kLaterAgain = seconds{10};

// Twice is as once.
bool repeatable(const std::string& verb) {
  return verb == "mode" || verb == "pause" || verb == "resume";
}

// "mode docs active"
std::string words_of(const Json& request) {
  const Json& args = request["args"];
  auto names = args["names"].as_strings();
  if (const std::string name = args["name"].as_string(); !name.empty()) names.push_back(name);
  std::string out = request["verb"].as_string() + " " + join(names, " ");
  if (const std::string mode = args["mode"].as_string(); !mode.empty()) out += " " + mode;
  return out;
}

}  // namespace

bool can_wait(const Verb& row) {
  return std::find(kCanWait.begin(), kCanWait.end(), row.name) != kCanWait.end();
}

Later::Later(core::Engine& engine, Server& server, std::string home)
    : engine_(engine), server_(server), home_(std::move(home)) {}

void Later::begin_again() {
  const std::string all = home_ + "/later";
  for (const auto& machine : os::list_dir(all)) {
    for (const auto& name : os::list_dir(all + "/" + machine)) {
      const std::string path = all + "/" + machine + "/" + name;
      uint64_t number = 0;
      (void)std::from_chars(name.data(), name.data() + name.size(), number);
      last_ = std::max(last_, number);
      const auto text = os::read_file(path);
      const auto json = text ? Json::parse(*text) : Result<Json>(tl::unexpected(text.error()));
      WallTime at;
      if (!json || !valid_name(machine) || !parse_rfc3339((*json)["at"].as_string(), at)) continue;
      desks_[machine].all.push_back({path, (*json)["request"], (*json)["from"].as_string(),
                                     (*json)["by"].as_string(), at, (*json)["sent"].as_bool()});
    }
  }
}

size_t Later::waiting(const std::string& machine) const {
  const auto it = desks_.find(machine);
  return it == desks_.end() ? 0 : it->second.all.size();
}

Result<Json> Later::keep(const Clock& now, const std::string& machine, const Json& request,
                         const model::Asker& by, const Error& why) {
  if (waiting(machine) >= kMaxLater)
    return fail(fmt::format("{}; {} requests wait for it already", why.what, kMaxLater), why.fix);
  One one{"", request, from_of(by), text_of(by), now.wall};
  if (one.request.dump().size() > kMaxLaterBytes)
    return fail(why.what + ", and this is too large to be kept for it", why.fix);
  const std::string dir = home_ + "/later/" + machine;
  if (auto made = os::make_private_dir(dir); !made) return tl::unexpected(made.error());
  one.path = fmt::format("{}/{:012}.json", dir, ++last_);
  const Json text = Json::object(
      {{"request", request}, {"from", one.from}, {"by", one.by}, {"at", rfc3339(one.at)}});
  if (auto kept = os::write_atomically(one.path, text.dump()); !kept)
    return tl::unexpected(kept.error());
  desks_[machine].all.push_back(std::move(one));
  return Json::object({{"version", 1},
                       {"kept", true},
                       {"machine", machine},
                       {"because", why.what},
                       {"until", rfc3339(now.wall + kLaterKept)}});
}

void Later::tell(bool fine, const std::string& text) {
  core::Noted noted;
  noted.alert = {fine ? model::Severity::info : model::Severity::warning, text, "later", "", {}};
  engine_.submit(std::move(noted));
}

void Later::over(const std::string& machine, Desk& desk, bool fine, const std::string& what) {
  const One one = std::move(desk.all.front());
  desk.all.pop_front();
  (void)os::remove_file(one.path);
  tell(fine, fmt::format("{}: '{}', which {} asked for at {}, {}", machine, words_of(one.request),
                         one.by, rfc3339(one.at), what));
}

void Later::lost(const Clock& now, const std::string& machine, Desk& desk, const std::string& why) {
  desk.line.reset();
  desk.next = now.mono + kLaterAgain;
  if (repeatable(desk.all.front().request["verb"].as_string())) return;
  over(machine, desk, false, "may or may not have arrived: " + why);
}

void Later::heard(const Clock& now, const std::string& machine, Desk& desk, const Json& reply) {
  desk.line.reset();
  desk.next = now.mono;
  const auto result = result_of(reply);
  std::string wrong = result ? "" : text_of(result.error());
  if (result)
    for (const auto& one : (*result)["results"].items())
      if (!one["ok"].as_bool()) wrong = one["error"].as_string();
  over(machine, desk, wrong.empty(), wrong.empty() ? "is done" : "was refused: " + wrong);
}

void Later::go_on(const Clock& now, const std::string& machine, Desk& desk) {
  One& one = desk.all.front();
  if (!desk.line && now.wall - one.at > kLaterKept)
    return over(machine, desk, false, "is given up: it was never reached");
  Place* place = place_named(server_.places, machine);
  if (!desk.line && !place) return over(machine, desk, false, "is given up: nobody knows it");
  if (!desk.line && one.sent && !repeatable(one.request["verb"].as_string()))
    return over(machine, desk, false, "may or may not have arrived: the daemon ended meanwhile");
  if (!desk.line) {
    if (now.mono < desk.next || !place->standing().online) return;
    one.sent = true;
    const Json text = Json::object({{"request", one.request},
                                    {"from", one.from},
                                    {"by", one.by},
                                    {"at", rfc3339(one.at)},
                                    {"sent", true}});
    if (!os::write_atomically(one.path, text.dump())) {
      desk.next = now.mono + kLaterAgain;
      return;
    }
    desk.line.emplace(machine, place->talk(one.from));
    desk.line->say(now, one.request);
    desk.answer_by = now.mono + kLaterAnswers;
  }
  const auto frame = desk.line->next();
  if (!frame) return lost(now, machine, desk, text_of(frame.error()));
  if (!*frame && now.mono >= desk.answer_by) return lost(now, machine, desk, "no answer came");
  if (!*frame) return;
  const auto json = Json::parse((*frame)->payload);
  if (json && json->has("ok")) heard(now, machine, desk, *json);
}

void Later::turn(const Clock& now) {
  for (auto& [machine, desk] : desks_)
    if (!desk.all.empty()) go_on(now, machine, desk);
  std::erase_if(desks_, [](const auto& one) { return one.second.all.empty(); });
  wake_at_ = now.mono + kLaterLooks;
}

std::optional<MonoTime> Later::wake_at() const {
  return desks_.empty() ? std::nullopt : std::optional(wake_at_);
}

}  // namespace pawl::api
