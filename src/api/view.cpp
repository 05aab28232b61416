#include "api/view.h"

#include <fmt/core.h>

#include <algorithm>
#include <iterator>

namespace pawl::api {

Json time_or_null(const std::optional<WallTime>& time) {
  return time ? Json(rfc3339(*time)) : Json();
}

Json text_or_null(const std::string& text) {
  return text.empty() ? Json() : Json(text);
}

namespace {

// Where people who know tmux find it; no server: the one in the Pawl home.
Json pane_of(const model::Agent& agent) {
  const model::AgentSpec& spec = agent.spec;
  const std::string target =
      spec.adopted() ? spec.pane.id : fmt::format("=pawl-{}:", agent.session.value);
  return Json::object({{"server", text_or_null(spec.pane.server)}, {"target", target}});
}

Json cost_of(const model::Agent& agent, WallTime now) {
  const model::Today today = model::today(agent.memory.spending, now);
  return today.cost_usd ? Json(*today.cost_usd) : Json();
}

// Of today (UTC); unknown is null: its program has told nothing, or nobody knows what its model costs.
Json spent_of(const model::Agent& agent, WallTime now) {
  const model::Spending& spending = agent.memory.spending;
  const model::Budget& budget = agent.spec.budget;
  const model::Today today = model::today(spending, now);
  return Json::object(
      {{"day", model::day_of(now)},
       {"tokens", spending.day.empty() ? Json() : Json(today.tokens)},
       {"cost_usd", today.cost_usd ? Json(*today.cost_usd) : Json()},
       {"budget_tokens", budget.tokens_per_day > 0 ? Json(budget.tokens_per_day) : Json()},
       {"budget_usd", budget.cost_per_day_usd > 0 ? Json(budget.cost_per_day_usd) : Json()},
       {"used_up", model::used_of(budget, today) >= 1}});
}

bool alive(const model::Agent& agent) {
  return agent.running() && agent.process.has_value();
}

Json last_alive_of(const model::Agent& agent, const Clock& now) {
  return alive(agent) ? Json(rfc3339(now.wall)) : time_or_null(agent.last_alive);
}

Json input_of(const model::Agent& agent) {
  return model::input_word(agent.running() ? agent.state : model::State::exited, agent.input);
}

// Of a process whose end was seen: one of these two.
Json exit_code_of(const model::Agent& agent) {
  const auto& ending = agent.ending;
  return ending && ending->known && ending->signal == 0 ? Json(ending->exit_code) : Json();
}

Json signal_of(const model::Agent& agent) {
  const auto& ending = agent.ending;
  return ending && ending->known && ending->signal != 0 ? Json(ending->signal) : Json();
}

Json outbox_of(const model::Agent& agent) {
  Json outbox = Json::array();
  for (const auto& item : agent.outbox) outbox.push(model::to_json(item));
  return outbox;
}

Json inbox_of(const model::Desk& desk) {
  return Json::object({{"waiting", desk.waiting.size()},
                       {"given", desk.given ? Json(desk.given->work.name) : Json()}});
}

using Of = const model::Agent&;
using At = const Clock&;

// In the order in which they are printed.
const Field kFields[] = {
    {"name", [](Of agent, At) { return Json(agent.spec.name); }},
    {"runtime", [](Of agent, At) { return Json(agent.runtime()); }},
    {"backend", [](Of agent, At) { return Json(agent.spec.backend); }},
    {"dir", [](Of agent, At) { return Json(agent.spec.dir); }},
    {"mode", [](Of agent, At) { return Json(agent.spec.effective_mode()); }},
    {"strategy", [](Of agent, At) { return Json(agent.spec.strategy); }},
    {"state", [](Of agent, At) { return Json(word(agent.state)); }},
    {"kind", [](Of agent, At) { return text_or_null(agent.kind); }},
    {"since", [](Of agent, At) { return Json(rfc3339(agent.changed)); }},
    {"tier", [](Of agent, At) { return agent.tier ? Json(word(*agent.tier)) : Json(); }},
    {"because",
     [](Of agent, At) { return Json(agent.away() ? model::away_text(agent) : agent.because); }},
    {"confidence", [](Of agent, At) { return Json(agent.confidence); }},
    {"pid", [](Of agent, At) { return alive(agent) ? Json(agent.process->pid) : Json(); }},
    {"session_id", [](Of agent, At) { return text_or_null(agent.session_id); }},
    {"last_alive", [](Of agent, At now) { return last_alive_of(agent, now); }},
    {"restarts", [](Of agent, At) { return Json(agent.restarts); }},
    {"nudges", [](Of agent, At) { return Json(agent.nudges); }},
    {"limited_until", [](Of agent, At) { return time_or_null(agent.limited_until); }},
    {"human_last_seen", [](Of agent, At) { return time_or_null(agent.human_last_seen); }},
    {"paused", [](Of agent, At) { return Json(agent.paused); }},
    {"parked", [](Of agent, At) { return Json(agent.parked); }},
    {"tokens", [](Of agent, At) { return agent.tokens > 0 ? Json(agent.tokens) : Json(); }},
    {"cost_usd", [](Of agent, At now) { return cost_of(agent, now.wall); }},
    {"machine", [](Of, At) { return Json(); }},  // this one
    {"input", [](Of agent, At) { return input_of(agent); }},
    {"background", [](Of agent, At) { return Json(agent.background); }},
    {"quarantined", [](Of agent, At) { return Json(!agent.quarantined.empty()); }},
    {"spent", [](Of agent, At now) { return spent_of(agent, now.wall); }},
    {"notices", [](Of agent, At) { return Json(model::to_json(agent.notices)); }},
    {"dialog", [](Of agent, At) { return agent.dialog ? model::to_json(*agent.dialog) : Json(); }},
    {"parked_because", [](Of agent, At) { return text_or_null(agent.parked_because); }},
    {"quarantined_because", [](Of agent, At) { return text_or_null(agent.quarantined); }},
    {"matter", [](Of agent, At) { return text_or_null(agent.memory.matter.id); }},
    {"decision",
     [](Of agent, At) { return agent.decision ? model::to_json(*agent.decision) : Json(); }},
    {"pane", [](Of agent, At) { return agent.spec.backend == "tmux" ? pane_of(agent) : Json(); }},
    {"command", [](Of agent, At) { return Json(agent.spec.command); }},
    {"exit_code", [](Of agent, At) { return exit_code_of(agent); }},
    {"signal", [](Of agent, At) { return signal_of(agent); }},
    {"outbox", [](Of agent, At) { return outbox_of(agent); }},
    {"inbox", [](Of agent, At) { return inbox_of(agent.memory.desk); }},
    {"repairs", [](Of agent, At) { return Json(agent.spec.repairs); }},
    {"permission", [](Of agent, At) { return Json(agent.spec.permission); }},
    {"move", [](Of agent, At) { return agent.move ? model::to_json(*agent.move) : Json(); }},
};

bool contains(const std::vector<std::string>& keys, std::string_view key) {
  return std::find(keys.begin(), keys.end(), key) != keys.end();
}

}  // namespace

Fields fields_of(const std::vector<std::string>& keys) {
  Fields fields;
  for (const auto& field : kFields)
    if (contains(keys, field.key)) fields.push_back(field);
  return fields;
}

const Fields& all_fields() {
  static const Fields all(std::begin(kFields), std::end(kFields));
  return all;
}

Json view_of(const model::Agent& agent, const Clock& now, const Fields& fields) {
  Json out = Json::object();
  for (const auto& field : fields) out.set(field.key, field.value(agent, now));
  return out;
}

Json list_view(const model::Fleet& fleet, const Clock& now,
               const std::function<Json(const std::string&)>& last_line,
               const std::vector<std::string>& keys,
               const std::function<bool(const std::string&)>& wanted) {
  const Fields fields = keys.empty() ? all_fields() : fields_of(keys);
  const bool speaks = keys.empty() || contains(keys, "last_line");
  Json agents = Json::array();
  for (const auto& [name, agent] : fleet.agents) {
    if (agent.task && model::final(agent.task->status) && !agent.running()) continue;  // task ls
    if (wanted && !wanted(name)) continue;
    Json view = view_of(agent, now, fields);
    if (speaks) view.set("last_line", last_line ? last_line(name) : Json());
    agents.push(std::move(view));
  }
  Json out = Json::object({{"version", 1}});
  out.set("agents", std::move(agents));
  return out;
}

}  // namespace pawl::api
