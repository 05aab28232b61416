#include "api/report.h"

#include "api/view.h"

namespace pawl::api {
namespace {

Json agent_json(const std::string& name, const Tally& tally, const model::Agent* agent,
                const Spell& spell) {
  Json out = Json::object({{"machine", Json()},
                           {"name", name},
                           {"runtime", agent ? agent->runtime() : tally.runtime()},
                           {"state", agent ? Json(word(agent->state)) : Json()},
                           {"kind", agent ? text_or_null(agent->kind) : Json()},
                           {"because", agent ? agent->because : tally.gone()}});
  put(out, spell);
  return out;
}

// What only a person can answer, as it stands now.
Json questions_of(const model::Fleet& fleet) {
  Json list = Json::array();
  for (const auto& [name, agent] : fleet.agents) {
    if (agent.state != model::State::waiting) continue;
    const Json dialog = agent.dialog ? model::to_json(*agent.dialog) : Json();
    const std::string question = dialog["question"].as_string();
    list.push(Json::object({{"machine", Json()},
                            {"agent", name},
                            {"since", rfc3339(agent.changed)},
                            {"kind", text_or_null(agent.kind)},
                            {"text", question.empty() ? agent.because : question},
                            {"subject", text_or_null(dialog["subject"].as_string())},
                            {"rows", dialog.is_null() ? Json::array() : dialog["rows"]}}));
  }
  return list;
}

}  // namespace

ReportFold::ReportFold(WallTime since, WallTime until, const model::Fleet& fleet)
    : since_(since), until_(until), alerts_(since, until) {
  for (const auto& [name, agent] : fleet.agents) tallies_.try_emplace(name, since, until);
}

void ReportFold::take(const model::Event& event) {
  alerts_.take(event);
  if (event.agent.empty()) {  // a gap is everybody's
    for (auto& [name, tally] : tallies_) tally.take(event);
    return;
  }
  tallies_.try_emplace(event.agent, since_, until_).first->second.take(event);
  if (event.at > until_) return;
  if (const auto* decided = std::get_if<model::Decided>(&event.fact)) intervene(event, *decided);
  if (const auto* finished = std::get_if<model::Finished>(&event.fact)) settle(*finished);
}

void ReportFold::intervene(const model::Event& event, const model::Decided& fact) {
  if (fact.rule.empty()) return;
  open_[event.seq] = fact.dry;
  interventions_[event.seq] = {event.seq, event.at, event.agent, fact, std::nullopt};
  if (interventions_.size() > kInterventionsKept) interventions_.erase(interventions_.begin());
}

void ReportFold::settle(const model::Finished& fact) {
  const auto open = open_.find(fact.decision);
  if (open == open_.end()) return;  // somebody asked for it, or it was decided before
  if (!open->second) verdicts_[fact.verdict] += 1;
  open_.erase(open);
  if (const auto it = interventions_.find(fact.decision); it != interventions_.end())
    it->second.finished = fact;
}

Json ReportFold::interventions() const {
  Json list = Json::array();
  for (auto it = interventions_.rbegin(); it != interventions_.rend(); ++it) {
    const Intervention& one = it->second;
    const auto& end = one.finished;
    Json json = Json::object({{"machine", Json()},
                              {"seq", one.seq.value},
                              {"at", rfc3339(one.at)},
                              {"agent", one.agent},
                              {"action", word(one.decided.action)},
                              {"because", one.decided.because},
                              {"rule", one.decided.rule},
                              {"result", end ? Json(word(end->verdict)) : Json()},
                              {"witness", end ? Json(end->witness) : Json()},
                              {"took_ms", end ? Json(end->took_ms) : Json()}});
    if (one.decided.dry) json.set("dry_run", true);
    list.push(std::move(json));
  }
  return list;
}

Json ReportFold::finish(const model::Fleet& fleet) const {
  Json agents = Json::array();
  Spell all;
  for (const auto& [name, tally] : tallies_) {
    const model::Agent* agent = fleet.find(name);
    const Spell spell = tally.finish(agent);
    if (!agent && spell.time.empty()) continue;  // it came and went later
    all.add(spell);
    agents.push(agent_json(name, tally, agent, spell));
  }
  Json totals = Json::object();
  put(totals, all);
  Json counts = Json::object();
  for (const auto verdict : model::kVerdicts) {
    const auto it = verdicts_.find(verdict);
    counts.set(word(verdict), it == verdicts_.end() ? int64_t{0} : it->second);
  }
  totals.set("interventions", std::move(counts));
  return Json::object({{"version", 1},
                       {"since", rfc3339(since_)},
                       {"until", rfc3339(until_)},
                       {"agents", std::move(agents)},
                       {"totals", std::move(totals)},
                       {"interventions", interventions()},
                       {"questions", questions_of(fleet)},
                       {"alerts", alerts_.list()}});
}

}  // namespace pawl::api
