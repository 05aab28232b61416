#include "api/look_handlers.h"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <set>

#include "act/gate.h"
#include "api/attach_stream.h"
#include "api/fleet_tasks.h"
#include "api/last_line.h"
#include "api/screen_at.h"
#include "api/view.h"
#include "api/window.h"
#include "base/text.h"
#include "core/parts/live_terminal.h"
#include "core/parts/showings.h"
#include "perceive/opinion.h"
#include "perceive/records/hook.h"
#include "perceive/tracker.h"
#include "policy/decide.h"
#include "store/agent_files.h"
#include "store/journal.h"
#include "store/recording_reader.h"
#include "term/marks.h"
#include "term/utf8.h"

namespace pawl::api {
namespace {

std::vector<std::string> names_of(const model::Fleet& fleet) {
  std::vector<std::string> names;
  for (const auto& [name, agent] : fleet.agents) names.push_back(name);
  return names;
}

// What the rules make of it at this moment.
Json policy_json(const Call& call, const model::Agent& agent) {
  const policy::Decision decision = call.engine.opinion(call.now, agent.spec.name);
  const policy::Choice& choice = decision.choice;
  return Json::object({{"rule", decision.rule.empty() ? Json() : Json(decision.rule)},
                       {"action", choice.action ? Json(word(*choice.action)) : Json()},
                       {"because", choice.because},
                       {"until", choice.until ? Json(rfc3339(*choice.until)) : Json()},
                       {"passed", decision.passed}});
}

// Programs that run and that the journal does not know.
Json strangers_of(const core::Engine& engine) {
  Json list = Json::array();
  for (const auto& one : engine.strangers())
    list.push(Json::object({{"name", one.name}, {"pid", one.process.pid}}));
  return list;
}

char small(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

// Letter cases do not count.
bool shows(const term::Screen& screen, const std::string& text) {
  const std::string all = screen.text();
  const auto same = [](char a, char b) { return small(a) == small(b); };
  return std::search(all.begin(), all.end(), text.begin(), text.end(), same) != all.end();
}

// "names": these agents alone. "on_screen": those whose screens have this text; of other machines nobody knows here.
struct Picked {
  explicit Picked(const Call& call) : on_screen(call.args["on_screen"].as_string()) {
    if (!call.args["names"].is_array()) return;
    const auto list = call.args["names"].as_strings();
    names.emplace(list.begin(), list.end());
  }
  bool has(const std::string& name) const {
    return on_screen.empty() && (!names || names->contains(name));
  }
  bool has(const core::Engine& engine, const std::string& name) const {
    if (names && !names->contains(name)) return false;
    if (on_screen.empty()) return true;
    const auto* live = engine.terminal(name);
    return live && shows(live->terminal().screen(), on_screen);
  }

  std::string on_screen;
  std::optional<std::set<std::string>> names = {};
};

// What the machines told last, and the machines, when there are any: the list never waits for one.
void add_machines(const Call& call, const std::vector<std::string>& keys, const Picked& picked,
                  Json& list) {
  const Places places = call.server.places ? call.server.places() : Places{};
  if (places.empty()) return;
  const auto asked =
      call.server.machines ? call.server.machines("ls", Json::object()) : Result<Json>(Json());
  Json machines = asked && (*asked)["machines"].is_array() ? (*asked)["machines"] : Json::array();
  std::set<std::string> listed;
  for (const auto& machine : machines.items()) listed.insert(machine["name"].as_string());
  Json agents = list["agents"];
  for (const auto& [name, place] : places) {
    if (!listed.contains(name)) machines.push(row_of(name, place->standing()));
    if (!place->standing().online) continue;
    for (const Json& agent : place->agents()) {
      if (!picked.has(name + "/" + agent["name"].as_string())) continue;
      Json row = keys.empty() ? agent : Json::object();
      for (const auto& key : keys) row.set(key, agent[key]);
      agents.push(std::move(row.set("machine", name)));
    }
  }
  list.set("agents", std::move(agents));
  list.set("machines", std::move(machines));
}

}  // namespace

Json last_line_of(const core::Engine& engine, const std::string& name) {
  const auto* live = engine.terminal(name);
  if (!live) return {};
  const model::Agent* agent = engine.fleet().find(name);
  if (agent && agent->dialog && !agent->dialog->question.empty()) {
    const model::Dialog& dialog = *agent->dialog;
    return term::plain_text(dialog.question + (dialog.subject.empty() ? "" : " " + dialog.subject),
                            kLastLineBytes);
  }
  const auto* tracker = engine.tracker(name);
  const perceive::Sight* sight = tracker ? tracker->evidence().sight : nullptr;
  return last_line(live->terminal().screen(), sight ? &sight->box : nullptr);
}

Result<AnyAgent> agent_of(const Call& call) {
  return agent_of(call, call.args["name"].as_string());
}

Result<AnyAgent> agent_of(const Call& call, const std::string& name) {
  auto agent = any_agent(call.engine, name);
  if (!agent || *agent) return agent;
  const auto guess = nearest(name, names_of(call.engine.fleet()));
  return fail("no agent named '" + name + "'",
              guess ? "did you mean '" + *guess + "'?" : "pawl ls shows them all");
}

void note_shown(const Call& call, const model::Agent& agent) {
  call.engine.showings().shown(world_of(call.asker), agent.spec.name,
                               agent.dialog ? agent.dialog->id : std::string());
}

void note_told(core::Showings& showings, const std::string& world, const model::Agent& agent) {
  std::optional<std::string> dialog;
  if (agent.dialog) dialog = agent.dialog->id;
  if (agent.state != model::State::waiting) dialog = "";
  showings.told(world, agent.spec.name, dialog);
}

Outcome ls(const Call& call) {
  const bool all = call.args["machines"].as_bool() && !call.args["here"].as_bool();
  if (all && told_by(call.server, call.now.mono))
    return PlacesTold(call.server, call.request, call.asker);
  return list_now(call);
}

// "fields": the keys that the asker shows; a list of a thousand is made and read the sooner.
Result<Json> list_now(const Call& call) {
  const auto said = [&](const std::string& name) { return last_line_of(call.engine, name); };
  const auto keys = call.args["fields"].as_strings();
  const bool whole = keys.empty() || std::find(keys.begin(), keys.end(), "dialog") != keys.end();
  const Picked picked(call);
  std::set<std::string> shown;
  for (const auto& [name, agent] : call.engine.fleet().agents) {
    if (!picked.has(call.engine, name)) continue;
    shown.insert(name);
    if (whole)
      note_shown(call, agent);
    else
      note_told(call.engine.showings(), world_of(call.asker), agent);
  }
  const auto wanted = [&](const std::string& name) { return shown.contains(name); };
  Json out = list_view(call.engine.fleet(), call.now, said, keys, wanted);
  if (Json strangers = strangers_of(call.engine); !strangers.items().empty())
    out.set("strangers", std::move(strangers));
  if (call.args["machines"].as_bool() && !call.args["here"].as_bool())
    add_machines(call, keys, picked, out);
  return out;
}

Outcome show(const Call& call) {
  const auto agent = agent_of(call);
  if (!agent) return Result<Json>(tl::unexpected(agent.error()));
  note_shown(call, **agent);
  Json view = view_of(**agent, call.now);
  view.set("spec", to_json((*agent)->spec));
  view.set("recordings", call.engine.files().recordings((*agent)->spec.name));
  if (const auto* live = call.engine.terminal((*agent)->spec.name)) {
    const auto& screen = live->terminal().screen();
    view.set("title", term::plain_text(screen.title(), term::kMaxTitleBytes));
    view.set("size", fmt::format("{}x{}", screen.size().cols, screen.size().rows));
  }
  const std::string& transcript = (*agent)->transcript;
  view.set("transcript", transcript.empty() ? Json() : Json(transcript));
  const perceive::HookWord* hook = call.engine.hook_of((*agent)->spec.name);
  view.set("hook", hook ? Json(hook->event) : Json());
  Json out = Json::object({{"version", 1}, {"agent", view}});
  return Result<Json>(out);
}

// The state from its evidence; with a number, what one event said.
Outcome why(const Call& call) {
  const auto agent = agent_of(call);
  if (!agent) return Result<Json>(tl::unexpected(agent.error()));
  Json out = Json::object({{"version", 1}, {"name", (*agent)->spec.name}});
  if (const std::string text = call.args["seq"].as_string(); !text.empty()) {
    uint64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc{} || end != text.data() + text.size() || number == 0)
      return Result<Json>(
          fail("'" + text + "' is not an event number", "pawl events shows them", 2));
    const auto found = call.engine.journal().read(Seq{number - 1}, 1);
    if (!found) return Result<Json>(tl::unexpected(found.error()));
    if (found->empty() || found->front().seq != Seq{number})
      return Result<Json>(fail("no event " + text, "pawl events shows those that are kept"));
    out.set("event", to_json(found->front()));
    return Result<Json>(out);
  }
  note_shown(call, **agent);
  const Json view = view_of(**agent, call.now);
  for (const char* key :
       {"state", "kind", "since", "tier", "because", "confidence", "runtime", "input", "dialog"})
    out.set(key, view[key]);
  out.set("notices", view["notices"]);
  out.set("policy", policy_json(call, **agent));
  out.set("decision", view["decision"]);
  if ((*agent)->task) out.set("left_on", left_on(call.server, **agent));
  const auto* live = call.engine.terminal((*agent)->spec.name);
  out.set("terminal", text_or_null(live ? live->note() : ""));
  if (const auto* tracker = call.engine.tracker((*agent)->spec.name)) {
    const Json explained = perceive::explain(*tracker, call.now.mono);
    for (const char* key : {"profile", "evidence", "passed", "drift"}) out.set(key, explained[key]);
    if (tracker->judged())  // else what was known of it before still stands
      for (const char* key :
           {"state", "kind", "tier", "because", "confidence", "rule", "rule_is", "changes_when"})
        out.set(key, explained[key]);
    if ((*agent)->kind == model::kOwnText && explained["state"].as_string() == "typing")
      for (const char* key : {"kind", "because"}) out.set(key, view[key]);  // whose text it is
  }
  return Result<Json>(out);
}

namespace {

// For pawl ui: as a browser's terminal that never takes control, in frames and sizes.
AttachStream followed_screen(const Call& call, const std::string& name) {
  AttachWish wish;
  wish.read_only = true;
  wish.stay = true;
  wish.only_looks = true;
  return {name, std::move(wish), call.server.seats};
}

}  // namespace

// "follow": the picture goes on as it changes; whoever may look may have it, and nothing of it reaches the agent.
Outcome screen(const Call& call) {
  const auto agent = agent_of(call);
  if (!agent) return Result<Json>(tl::unexpected(agent.error()));
  const bool ansi = call.args["ansi"].as_bool();
  const std::string& name = (*agent)->spec.name;
  if (const std::string text = call.args["at"].as_string(); !text.empty()) {
    const auto at = instant(text, call.now.wall);
    if (!at) return Result<Json>(tl::unexpected(at.error()));
    if (*at > call.now.wall)
      return Result<Json>(
          fail("'" + text + "' has not been yet", "pawl screen " + name + " shows it now", 2));
    // Times are told in milliseconds: one of them means all of it, so that the "at" of an event or a screen shows just that.
    return ScreenAt(name, *at + std::chrono::milliseconds{1} - Duration{1}, ansi);
  }
  if (const auto* live = call.engine.terminal(name)) {
    if (call.args["follow"].as_bool()) return followed_screen(call, name);
    return Result<Json>(screen_json(live->terminal().screen(), ansi));
  }
  // Ended before this daemon started, or a task that is over: its recording still knows.
  std::string damage;
  const auto terminal = last_screen(call.engine, name, &damage);
  if (!terminal) return Result<Json>(tl::unexpected(terminal.error()));
  Json out = screen_json(terminal->screen(), ansi);
  if (!damage.empty()) out.set("notice", damage);
  return Result<Json>(std::move(out));
}

Result<std::optional<size_t>> lines_of(const Call& call) {
  const std::string text = call.args["lines"].as_string();
  if (text.empty()) return std::optional<size_t>{};
  size_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || end != text.data() + text.size())
    return fail("'" + text + "' is not a number of lines", "use -n 100", 2);
  return std::optional(number);
}

Outcome logs(const Call& call) {
  const auto agent = agent_of(call);
  if (!agent) return Result<Json>(tl::unexpected(agent.error()));
  const auto lines = lines_of(call);
  if (!lines) return Result<Json>(tl::unexpected(lines.error()));
  return LogStream((*agent)->spec.name, call.args["follow"].as_bool(), *lines,
                   call.args["raw"].as_bool());
}

Outcome export_recording(const Call& call) {
  const auto agent = agent_of(call);
  if (!agent) return Result<Json>(tl::unexpected(agent.error()));
  return ExportStream((*agent)->spec.name, call.args["all"].as_bool());
}

Outcome events(const Call& call) {
  const auto after = events_since(call);
  if (!after) return Result<Json>(tl::unexpected(after.error()));
  return EventStream(*after, call.args["agent"].as_string(), call.args["follow"].as_bool(),
                     world_of(call.asker));
}

Result<std::optional<MonoTime>> deadline_of(const Call& call) {
  const std::string text = call.args["timeout"].as_string();
  if (text.empty()) return std::optional<MonoTime>{};
  const auto s = parse_duration_s(text);
  if (!s) return fail("'" + text + "' is not a time span", "use 90, 90s, 5m or 2h", 2);
  return std::optional<MonoTime>{call.now.mono + from_seconds(*s)};
}

// "name", from a program that waits for one, or "names".
Outcome wait(const Call& call) {
  auto names = call.args["names"].as_strings();
  if (names.empty()) names.push_back(call.args["name"].as_string());
  for (const auto& name : names)
    if (auto agent = agent_of(call, name); !agent)
      return Result<Json>(tl::unexpected(agent.error()));
  std::set<model::State> states;
  for (const auto& text : split(call.args["until"].as_string(), ',')) {
    const auto state = model::state_from(text);
    if (!state)
      return Result<Json>(fail("'" + text + "' is not a state",
                               "use one of: " + join(model::state_words(), ", "), 2));
    states.insert(*state);
  }
  const auto deadline = deadline_of(call);
  if (!deadline) return Result<Json>(tl::unexpected(deadline.error()));
  return WaitStream(std::move(names), std::move(states), *deadline, world_of(call.asker));
}

namespace {

// What the home holds, as of the last look; null: nobody has looked.
Json disk_view(const core::Engine& engine) {
  const auto& held = engine.held();
  if (!held) return {};
  const int64_t limit_mb = engine.keep() ? engine.keep()->total_mb : 0;
  return Json::object({{"recordings", held->recordings},
                       {"tasks", held->tasks},
                       {"archive", held->archive},
                       {"limit", limit_mb > 0 ? Json(limit_mb << 20) : Json()}});
}

}  // namespace

static Json limits_view(const Server::Limits& limits) {
  return Json::object({{"groups", limits.groups},
                       {"memory", limits.memory ? "kernel" : "looks"},
                       {"cpu", limits.cpu},
                       {"scope", limits.scope.empty() ? Json() : Json(limits.scope)},
                       {"why", limits.why.empty() ? Json() : Json(limits.why)}});
}

Outcome status(const Call& call) {
  size_t running = 0;
  for (const auto& [name, agent] : call.engine.fleet().agents) running += agent.running() ? 1 : 0;
  const auto& trouble = call.engine.trouble();
  return Result<Json>(Json::object({{"version", 1},
                                    {"pawl", call.server.version},
                                    {"pid", call.server.pid},
                                    {"started", rfc3339(call.server.started)},
                                    {"agents", call.engine.fleet().agents.size()},
                                    {"running", running},
                                    {"last_event", call.engine.fleet().last.value},
                                    {"unwatched", call.server.unwatched},
                                    {"disk", disk_view(call.engine)},
                                    {"limits", limits_view(call.server.limits())},
                                    {"healthy", !trouble.has_value()},
                                    {"trouble", trouble ? Json(text_of(*trouble)) : Json()}}));
}

}  // namespace pawl::api
