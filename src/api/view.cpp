#include "api/view.h"

#include <fmt/core.h>

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

}  // namespace

Json view_of(const model::Agent& agent, const Clock& now) {
  const auto& spec = agent.spec;
  const bool alive = agent.running() && agent.process.has_value();
  Json out = Json::object(
      {{"name", spec.name},
       {"runtime", agent.runtime()},
       {"backend", spec.backend},
       {"dir", spec.dir},
       {"mode", spec.effective_mode()},
       {"strategy", spec.strategy},
       {"state", word(agent.state)},
       {"kind", text_or_null(agent.kind)},
       {"since", rfc3339(agent.changed)},
       {"tier", text_or_null(agent.tier)},
       {"because", agent.because},
       {"confidence", agent.confidence},
       {"pid", alive ? Json(agent.process->pid) : Json()},
       {"session_id", text_or_null(agent.session_id)},
       {"last_alive", alive ? Json(rfc3339(now.wall)) : time_or_null(agent.last_alive)},
       {"restarts", agent.restarts},
       {"nudges", agent.nudges},
       {"limited_until", time_or_null(agent.limited_until)},
       {"human_last_seen", time_or_null(agent.human_last_seen)},
       {"paused", agent.paused},
       {"parked", agent.parked},
       {"tokens", agent.tokens > 0 ? Json(agent.tokens) : Json()},
       {"cost_usd", nullptr},
       {"input",
        model::input_word(agent.running() ? agent.state : model::State::exited, agent.input)},
       {"background", agent.state == model::State::busy && agent.kind == model::kBackground},
       {"quarantined", !agent.quarantined.empty()}});
  out.set("spent", spent_of(agent, now.wall));
  out.set("cost_usd", out["spent"]["cost_usd"]);
  out.set("notices", model::to_json(agent.notices));
  out.set("dialog", agent.dialog ? model::to_json(*agent.dialog) : Json());
  out.set("parked_because", text_or_null(agent.parked_because));
  out.set("quarantined_because", text_or_null(agent.quarantined));
  out.set("matter", text_or_null(agent.memory.matter.id));
  out.set("decision", agent.decision ? model::to_json(*agent.decision) : Json());
  out.set("pane", spec.backend == "tmux" ? pane_of(agent) : Json());
  out.set("command", spec.command);
  const bool over = agent.ending && agent.ending->known;
  out.set("exit_code", over && agent.ending->signal == 0 ? Json(agent.ending->exit_code) : Json());
  out.set("signal", over && agent.ending->signal != 0 ? Json(agent.ending->signal) : Json());
  Json outbox = Json::array();
  for (const auto& item : agent.outbox) outbox.push(model::to_json(item));
  out.set("outbox", outbox);
  out.set("inbox",
          Json::object({{"waiting", agent.memory.desk.waiting.size()},
                        {"given", agent.memory.desk.given ? Json(agent.memory.desk.given->work.name)
                                                          : Json()}}));
  out.set("repairs", spec.repairs);
  out.set("permission", spec.permission);
  return out;
}

Json list_view(const model::Fleet& fleet, const Clock& now,
               const std::function<Json(const std::string&)>& last_line) {
  Json agents = Json::array();
  for (const auto& [name, agent] : fleet.agents) {
    Json view = view_of(agent, now);
    view.set("last_line", last_line ? last_line(name) : Json());
    agents.push(std::move(view));
  }
  return Json::object({{"version", 1}, {"agents", std::move(agents)}});
}

}  // namespace pawl::api
