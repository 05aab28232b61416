// A fold remembered: the snapshot of a fleet, and back.

#include "model/fleet.h"
#include "model/time_json.h"

namespace pawl::model {
namespace {

LastDecision decision_from(const Json& json) {
  WallTime at;
  (void)parse_rfc3339(json["at"].as_string(), at);
  at = time_from(json["at_us"]).value_or(at);  // older snapshots have only the other one
  return {Seq{static_cast<uint64_t>(json["seq"].as_int())},
          at,
          action_from(json["action"].as_string()).value_or(Action::start),
          json["because"].as_string(),
          json["rule"].as_string(),
          json["result"].as_string(),
          json["witness"].as_string(),
          json["rule"].as_string().empty() ? asker_from(json["by"]) : Asker{}};
}

}  // namespace

Json to_json(const Agent& agent) {
  Json out = Json::object({{"spec", to_json(agent.spec)},
                           {"state", word(agent.state)},
                           {"kind", agent.kind},
                           {"tier", agent.tier ? word(*agent.tier) : ""},
                           {"because", agent.because},
                           {"confidence", agent.confidence},
                           {"notices", to_json(agent.notices)},
                           {"recognised", agent.recognised},
                           {"seen_command", agent.seen_command},
                           {"since", time_json(agent.since)},
                           {"changed", time_json(agent.changed)},
                           {"session", agent.session.value},
                           {"starts", agent.starts},
                           {"restarts", agent.restarts},
                           {"nudges", agent.nudges},
                           {"tokens", agent.tokens},
                           {"input", agent.input},
                           {"background", agent.background},
                           {"session_id", agent.session_id},
                           {"transcript", agent.transcript},
                           {"last_alive", time_json(agent.last_alive)},
                           {"human_last_seen", time_json(agent.human_last_seen)},
                           {"limited_until", time_json(agent.limited_until)},
                           {"paused", agent.paused},
                           {"paused_by", agent.paused_by},
                           {"parked", agent.parked},
                           {"parked_because", agent.parked_because},
                           {"quarantined", agent.quarantined},
                           {"memory", to_json(agent.memory)}});
  if (agent.task) out.set("task", to_json(*agent.task));
  if (agent.move) out.set("move", to_json(*agent.move));
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
  if (agent.decision) {
    Json decision = to_json(*agent.decision);
    decision.set("at_us", time_json(agent.decision->at));
    out.set("decision", std::move(decision));
  }
  Json outbox = Json::array();
  for (const auto& one : agent.outbox) outbox.push(to_json(one));
  if (!agent.outbox.empty()) out.set("outbox", outbox);
  return out;
}

namespace {

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
  if (const Json& task = json["task"]; task.is_object()) agent.task = task_from(task);
  if (const Json& dialog = json["dialog"]; dialog.is_object()) agent.dialog = dialog_from(dialog);
  if (const Json& decision = json["decision"]; decision.is_object())
    agent.decision = decision_from(decision);
  if (const Json& move = json["move"]; move.is_object()) agent.move = moved_from(move);
  for (const Json& one : json["outbox"].items()) agent.outbox.push_back(queued_from(one));
}

}  // namespace

Result<Agent> agent_from(const Json& json) {
  const auto state = state_from(json["state"].as_string());
  if (!state || !json["spec"].is_object()) return fail("the snapshot of an agent is damaged");
  Agent agent;
  agent.spec = spec_from_json(json["spec"]);
  agent.state = *state;
  agent.kind = json["kind"].as_string();
  agent.tier = tier_from(json["tier"].as_string());
  agent.because = json["because"].as_string();
  agent.confidence = json["confidence"].as_double(1);
  agent.notices = notices_from(json["notices"]);
  agent.recognised = json["recognised"].as_string();
  agent.seen_command = json["seen_command"].as_strings();
  agent.since = time_from(json["since"]).value_or(WallTime{});
  agent.changed = time_from(json["changed"]).value_or(agent.since);
  agent.session = SessionId{static_cast<uint64_t>(json["session"].as_int())};
  agent.starts = static_cast<int>(json["starts"].as_int());
  agent.restarts = static_cast<int>(json["restarts"].as_int());
  agent.nudges = static_cast<int>(json["nudges"].as_int());
  agent.tokens = json["tokens"].as_int();
  agent.input = json["input"].as_string();
  agent.background = static_cast<int>(json["background"].as_int());
  agent.session_id = json["session_id"].as_string();
  agent.transcript = json["transcript"].as_string();
  agent.last_alive = time_from(json["last_alive"]);
  agent.human_last_seen = time_from(json["human_last_seen"]);
  agent.limited_until = time_from(json["limited_until"]);
  agent.paused = json["paused"].as_bool();
  agent.paused_by = json["paused_by"].as_string();
  agent.parked = json["parked"].as_bool();
  agent.parked_because = json["parked_because"].as_string();
  agent.quarantined = json["quarantined"].as_string();
  agent.memory = memory_from(json["memory"]);
  if (!json["memory"].has("human"))
    agent.memory.human = agent.human_last_seen;  // an older snapshot
  read_nested(agent, json);
  return agent;
}

Json to_json(const LastDecision& one) {
  return Json::object({{"seq", one.seq.value},
                       {"at", rfc3339(one.at)},
                       {"action", word(one.action)},
                       {"because", one.because},
                       {"rule", one.rule},
                       {"result", one.result},
                       {"witness", one.witness},
                       {"by", to_json(one.rule.empty() ? one.by : Asker{kRule, one.rule, 0})}});
}

Json to_json(const Fleet& fleet) {
  Json agents = Json::object();
  for (const auto& [name, agent] : fleet.agents) agents.set(name, to_json(agent));
  Json out = Json::object({{"last", fleet.last.value}, {"agents", agents}});
  if (fleet.last_word)
    out.set("last_word", Json::object({{"told", time_json(fleet.last_word->told)},
                                       {"upto", time_json(fleet.last_word->upto)}}));
  if (fleet.accounts.empty()) return out;
  Json accounts = Json::object();
  for (const auto& [name, limit] : fleet.accounts)
    accounts.set(name, Json::object({{"node", limit.node},
                                     {"until", limit.until ? time_json(*limit.until) : Json()},
                                     {"turn", limit.turn ? time_json(*limit.turn) : Json()}}));
  out.set("accounts", accounts);
  return out;
}

Result<Fleet> fleet_from(const Json& json) {
  if (!json["agents"].is_object()) return fail("the snapshot is damaged");
  Fleet fleet;
  fleet.last = Seq{static_cast<uint64_t>(json["last"].as_int())};
  const auto told = time_from(json["last_word"]["told"]);
  const auto upto = time_from(json["last_word"]["upto"]);
  if (told && upto) fleet.last_word = LastWord{*told, *upto};
  for (const auto& [name, value] : json["accounts"].members())
    fleet.accounts[name] = {value["node"].as_string(), time_from(value["until"]),
                            time_from(value["turn"])};
  for (const auto& [name, value] : json["agents"].members()) {
    auto agent = agent_from(value);
    if (!agent) return tl::unexpected(agent.error());
    fleet.agents.emplace(name, std::move(*agent));
  }
  return fleet;
}

}  // namespace pawl::model
