#include "model/fleet.h"

#include <algorithm>

namespace pawl::model {
namespace {

// A terminal is being opened for such an intent, once its agent is said to be starting.
bool opens(Action action) {
  return action == Action::start || action == Action::restart;
}

bool ends(Action action) {
  return action == Action::stop || action == Action::remove || action == Action::restart;
}

void unpark(Agent& agent) {
  agent.parked = false;
  agent.parked_because.clear();
}

// A person takes it in hand: what went wrong before is forgotten.
void start_over(Agent& agent) {
  unpark(agent);
  agent.nudges = 0;
  auto& restarts = agent.memory.restarts;
  if (restarts.size() > 1)
    restarts.erase(restarts.begin(), restarts.end() - 1);  // it still cools down
  agent.memory.matter = {};
  agent.memory.nudged.reset();
}

void fold(Agent& agent, const Event& event, const StateChanged& fact) {
  agent.state = fact.to;
  agent.kind = fact.kind;
  agent.tier = fact.tier;
  agent.because = fact.because;
  agent.confidence = fact.confidence;
  agent.notices = fact.notices;
  agent.limited_until.reset();
  for (const auto& notice : fact.notices)
    if (notice.kind == "limit" && notice.until) agent.limited_until = notice.until;
  agent.since = event.at;
  if (fact.to == State::starting && agent.intent && opens(agent.intent->action)) {
    agent.session = SessionId{agent.intent->seq.value};
    agent.starts += 1;
    if (agent.intent->action == Action::restart) agent.restarts += 1;
    agent.memory.dismissed = false;
    agent.process.reset();
    agent.ending.reset();
  }
  const bool was_alive = !ended(fact.from) && fact.from != State::shell;
  if (was_alive || (!ended(fact.to) && fact.to != State::shell)) agent.last_alive = event.at;
  if (ended(fact.to)) {
    agent.ending = fact.ending;
    agent.memory.dismissed = agent.intent && ends(agent.intent->action);
  }
  agent.dialog = fact.dialog;
  if (fact.tokens != 0) agent.tokens = fact.tokens;
  if (agent.parked && agent.memory.matter.id.starts_with("dialog") && fact.to != State::waiting)
    unpark(agent);
  remember(agent.memory, agent.spec, fact.from, fact.to, event.at);
  if (!agent.memory.nudged) agent.nudges = 0;
}

void decided_by_rule(Agent& agent, WallTime at, const Decided& fact) {
  Memory& memory = agent.memory;
  if (fact.action == Action::nudge) {
    agent.nudges = fact.attempt;
    memory.nudged = memory.rested = at;
  }
  if (fact.action == Action::restart) {
    memory.restarts.push_back(at);
    if (memory.restarts.size() > kRestartsKept) memory.restarts.erase(memory.restarts.begin());
  }
  if (fact.action == Action::park) {
    agent.parked = true;
    agent.parked_because = fact.because;
  }
  if (fact.action == Action::wake) memory.work.clear();
  if (fact.action == Action::wake || fact.action == Action::nudge) memory.told = true;
  if (fact.matter.empty()) return;
  if (memory.matter.id != fact.matter) memory.matter = {fact.matter, 0, {}, false};
  memory.matter.last = at;
  if (fact.action == Action::park || fact.action == Action::escalate)
    memory.matter.told = true;
  else if (fact.action != Action::limit_wait)
    memory.matter.tries = fact.attempt;
}

void drop(Agent& agent, uint64_t item) {
  std::erase_if(agent.outbox, [&](const Queued& one) { return one.item == item; });
}

std::optional<Answer> chosen(const Agent& agent, const std::string& text) {
  if (agent.dialog)
    for (const auto& row : agent.dialog->rows)
      if (row.text == text) return answer_to(agent.kind, *agent.dialog, row);
  return std::nullopt;
}

void fold(Agent& agent, const Event& event, const Decided& fact) {
  agent.intent = Intent{event.seq, fact.action, event.at, fact.item, fact.rule, fact.how};
  agent.decision = LastDecision{event.seq, event.at, fact.action, fact.because, fact.rule, "", ""};
  if (opens(fact.action)) agent.memory.resumed = fact.how == "resume" && !agent.session_id.empty();
  if (opens(fact.action) && fact.rule.empty()) start_over(agent);
  if (fact.action == Action::stop && fact.rule.empty()) agent.memory.dismissed = true;
  if (fact.action == Action::answer && fact.rule.empty())
    agent.memory.answered = chosen(agent, fact.how);
  if (!fact.rule.empty()) decided_by_rule(agent, event.at, fact);
}

void fold(Agent& agent, const Event& event, const Finished& fact) {
  if (agent.decision && agent.decision->seq == fact.decision) {
    agent.decision->result = word(fact.verdict);
    agent.decision->witness = fact.witness;
  }
  if (fact.action == Action::refresh_auth && fact.verdict == Verdict::failed)
    agent.memory.matter.tries += 1;  // nothing to go on with: the next try renews again
  if (agent.intent && agent.intent->seq == fact.decision) {
    if (fact.action == Action::answer && agent.intent->rule.empty() &&
        fact.verdict != Verdict::confirmed)
      agent.memory.answered.reset();  // it was not taken
    if (!fact.kept) drop(agent, agent.intent->item);
    agent.intent.reset();
  }
  if (!fact.process) return;
  agent.process = fact.process;
  agent.last_alive = event.at;
}

void fold(Agent&, const Event&, const Alerted&) {}

// Nothing was alive or idle in that time; a person's quiet time and a limit's end are times of the world and pass.
void skip(Agent& agent, Duration gap) {
  forget_gap(agent.memory, gap);
  if (agent.last_alive) *agent.last_alive += gap;
}

void fold(Agent& agent, const Event& event, const HumanSeen& fact) {
  agent.human_last_seen = fact.seen.value_or(event.at);
}

void fold(Agent& agent, const Event& event, const Registered& fact) {
  if (agent.never_started()) agent.since = event.at;
  agent.spec = fact.spec;
}

void fold(Agent&, const Event&, const Removed&) {}

void fold(Agent& agent, const Event&, const Learned& fact) {
  agent.session_id = fact.session_id;
  agent.transcript = fact.transcript;
}

// What cannot wait goes before what can, in the order it came.
void fold(Agent& agent, const Event&, const Queued& fact) {
  auto at = agent.outbox.end();
  if (fact.eager())
    at = std::find_if(agent.outbox.begin(), agent.outbox.end(),
                      [](const Queued& one) { return !one.eager(); });
  agent.outbox.insert(at, fact);
}

void fold(Agent& agent, const Event&, const Dropped& fact) {
  drop(agent, fact.item);
}

void fold(Agent& agent, const Event&, const Recognised& fact) {
  agent.recognised = fact.runtime;
  agent.seen_command = fact.argv;
}

void fold(Agent&, const Event&, const Gap&) {}

void fold(Agent& agent, const Event&, const Paused& fact) {
  agent.paused = fact.paused;
  agent.paused_by = fact.paused ? fact.by : std::string();
  if (!fact.paused) start_over(agent);
}

void fold(Agent& agent, const Event&, const WorkSeen& fact) {
  take_in(agent.memory, {fact.name, fact.from}, fact.fingerprint);
}

void fold(Agent& agent, const Event&, const AnswerKept& fact) {
  auto& answers = agent.memory.answers;
  if (!fact.kept) return answers.clear();
  std::erase_if(answers, [&](const Answer& one) {
    return one.question == fact.answer.question && one.rows == fact.answer.rows;
  });
  if (answers.size() < kMaxAnswers) answers.push_back(fact.answer);
}

Json time_json(const std::optional<WallTime>& time) {
  return time ? Json(int64_t{time->time_since_epoch().count()}) : Json();
}

std::optional<WallTime> time_from(const Json& json) {
  if (!json.is_integer()) return std::nullopt;
  return WallTime{Duration{json.as_int()}};
}

LastDecision decision_from(const Json& json) {
  WallTime at;
  (void)parse_rfc3339(json["at"].as_string(), at);
  return {Seq{static_cast<uint64_t>(json["seq"].as_int())},
          at,
          action_from(json["action"].as_string()).value_or(Action::start),
          json["because"].as_string(),
          json["rule"].as_string(),
          json["result"].as_string(),
          json["witness"].as_string()};
}

Json agent_json(const Agent& agent) {
  Json out = Json::object({{"spec", to_json(agent.spec)},
                           {"state", word(agent.state)},
                           {"kind", agent.kind},
                           {"tier", agent.tier},
                           {"because", agent.because},
                           {"confidence", agent.confidence},
                           {"notices", to_json(agent.notices)},
                           {"recognised", agent.recognised},
                           {"seen_command", agent.seen_command},
                           {"since", time_json(agent.since)},
                           {"session", agent.session.value},
                           {"starts", agent.starts},
                           {"restarts", agent.restarts},
                           {"nudges", agent.nudges},
                           {"tokens", agent.tokens},
                           {"session_id", agent.session_id},
                           {"transcript", agent.transcript},
                           {"last_alive", time_json(agent.last_alive)},
                           {"human_last_seen", time_json(agent.human_last_seen)},
                           {"limited_until", time_json(agent.limited_until)},
                           {"paused", agent.paused},
                           {"paused_by", agent.paused_by},
                           {"parked", agent.parked},
                           {"parked_because", agent.parked_because},
                           {"memory", to_json(agent.memory)}});
  if (agent.dialog) out.set("dialog", to_json(*agent.dialog));
  if (agent.process)
    out.set("process", Json::object({{"pid", agent.process->pid},
                                     {"start_ticks", agent.process->start_ticks}}));
  if (agent.ending) out.set("ending", to_json(*agent.ending));
  if (agent.intent)
    out.set("intent", Json::object({{"seq", agent.intent->seq.value},
                                    {"action", word(agent.intent->action)},
                                    {"at", time_json(agent.intent->at)},
                                    {"item", agent.intent->item},
                                    {"rule", agent.intent->rule},
                                    {"how", agent.intent->how}}));
  if (agent.decision) out.set("decision", to_json(*agent.decision));
  Json outbox = Json::array();
  for (const auto& one : agent.outbox) outbox.push(to_json(one));
  if (!agent.outbox.empty()) out.set("outbox", outbox);
  return out;
}

void read_nested(Agent& agent, const Json& json) {
  if (const Json& process = json["process"]; process.is_object())
    agent.process =
        Process{process["pid"].as_int(), static_cast<uint64_t>(process["start_ticks"].as_int())};
  if (const Json& ending = json["ending"]; ending.is_object()) agent.ending = ending_from(ending);
  const Json& intent = json["intent"];
  const auto action = action_from(intent["action"].as_string());
  if (intent.is_object() && action)
    agent.intent = Intent{Seq{static_cast<uint64_t>(intent["seq"].as_int())},
                          *action,
                          time_from(intent["at"]).value_or(WallTime{}),
                          static_cast<uint64_t>(intent["item"].as_int()),
                          intent["rule"].as_string(),
                          intent["how"].as_string()};
  if (const Json& dialog = json["dialog"]; dialog.is_object()) agent.dialog = dialog_from(dialog);
  if (const Json& decision = json["decision"]; decision.is_object())
    agent.decision = decision_from(decision);
  for (const Json& one : json["outbox"].items()) agent.outbox.push_back(queued_from(one));
}

Result<Agent> agent_from(const Json& json) {
  const auto state = state_from(json["state"].as_string());
  if (!state || !json["spec"].is_object()) return fail("the snapshot of an agent is damaged");
  Agent agent;
  agent.spec = spec_from_json(json["spec"]);
  agent.state = *state;
  agent.kind = json["kind"].as_string();
  agent.tier = json["tier"].as_string();
  agent.because = json["because"].as_string();
  agent.confidence = json["confidence"].as_double(1);
  agent.notices = notices_from(json["notices"]);
  agent.recognised = json["recognised"].as_string();
  agent.seen_command = json["seen_command"].as_strings();
  agent.since = time_from(json["since"]).value_or(WallTime{});
  agent.session = SessionId{static_cast<uint64_t>(json["session"].as_int())};
  agent.starts = static_cast<int>(json["starts"].as_int());
  agent.restarts = static_cast<int>(json["restarts"].as_int());
  agent.nudges = static_cast<int>(json["nudges"].as_int());
  agent.tokens = json["tokens"].as_int();
  agent.session_id = json["session_id"].as_string();
  agent.transcript = json["transcript"].as_string();
  agent.last_alive = time_from(json["last_alive"]);
  agent.human_last_seen = time_from(json["human_last_seen"]);
  agent.limited_until = time_from(json["limited_until"]);
  agent.paused = json["paused"].as_bool();
  agent.paused_by = json["paused_by"].as_string();
  agent.parked = json["parked"].as_bool();
  agent.parked_because = json["parked_because"].as_string();
  agent.memory = memory_from(json["memory"]);
  read_nested(agent, json);
  return agent;
}

}  // namespace

Json to_json(const LastDecision& one) {
  return Json::object({{"seq", one.seq.value},
                       {"at", rfc3339(one.at)},
                       {"action", word(one.action)},
                       {"because", one.because},
                       {"rule", one.rule},
                       {"result", one.result},
                       {"witness", one.witness}});
}

const Agent* Fleet::find(const std::string& name) const {
  const auto it = agents.find(name);
  return it == agents.end() ? nullptr : &it->second;
}

const Agent* Fleet::by_session(SessionId session) const {
  for (const auto& [name, agent] : agents)
    if (agent.session == session && session.value != 0) return &agent;
  return nullptr;
}

void apply(Fleet& fleet, const Event& event) {
  fleet.last = event.seq;
  if (const auto* gap = std::get_if<Gap>(&event.fact))
    for (auto& [name, agent] : fleet.agents) skip(agent, gap->length);
  if (event.agent.empty()) return;
  if (std::holds_alternative<Removed>(event.fact)) {
    fleet.agents.erase(event.agent);
    return;
  }
  if (std::holds_alternative<Registered>(event.fact)) fleet.agents.try_emplace(event.agent);
  const auto it = fleet.agents.find(event.agent);
  if (it == fleet.agents.end()) return;  // an event after the removal says nothing about the fleet
  std::visit([&](const auto& fact) { fold(it->second, event, fact); }, event.fact);
}

Json to_json(const Fleet& fleet) {
  Json agents = Json::object();
  for (const auto& [name, agent] : fleet.agents) agents.set(name, agent_json(agent));
  return Json::object({{"last", fleet.last.value}, {"agents", agents}});
}

Result<Fleet> fleet_from(const Json& json) {
  if (!json["agents"].is_object()) return fail("the snapshot is damaged");
  Fleet fleet;
  fleet.last = Seq{static_cast<uint64_t>(json["last"].as_int())};
  for (const auto& [name, value] : json["agents"].members()) {
    auto agent = agent_from(value);
    if (!agent) return tl::unexpected(agent.error());
    fleet.agents.emplace(name, std::move(*agent));
  }
  return fleet;
}

}  // namespace pawl::model
