#include "api/metrics.h"

#include <fmt/core.h>

#include "api/verb.h"

namespace pawl::api {
namespace {

std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '\\' || c == '"') out += '\\';
    out += c == '\n' ? std::string("\\n") : std::string(1, c);
  }
  return out;
}

double seconds(WallTime time) {
  return std::chrono::duration<double>(time.time_since_epoch()).count();
}

// "run docs" → "run": the name is told with the verb while there is no such agent.
std::string verb_of(const std::string& text) {
  return find_verb(text) ? text : text.substr(0, text.rfind(' '));
}

bool delivers(const std::string& action) {
  return action == "send" || action == "wake" || action == "nudge" || action == "answer" ||
         action == "keys";
}

std::string states(const model::Fleet& fleet) {
  std::map<std::string, int> counts;
  for (const auto& state : model::state_words()) counts[state] = 0;
  int paused = 0, parked = 0, queued = 0;
  for (const auto& [name, agent] : fleet.agents) {
    ++counts[std::string(word(agent.state))];
    paused += agent.paused ? 1 : 0;
    parked += agent.parked ? 1 : 0;
    queued += static_cast<int>(agent.outbox.size());
  }
  std::string out = metric_head("pawl_agents", "gauge", "agents by state");
  for (const auto& [state, count] : counts)
    out += metric_line("pawl_agents", {{"state", state}}, count);
  out += metric_head("pawl_agents_paused", "gauge", "agents whose rules are halted") +
         metric_line("pawl_agents_paused", {}, paused);
  out += metric_head("pawl_agents_parked", "gauge", "agents that rules gave up on") +
         metric_line("pawl_agents_parked", {}, parked);
  out += metric_head("pawl_texts_waiting", "gauge", "texts that wait to be typed") +
         metric_line("pawl_texts_waiting", {}, queued);
  return out;
}

std::string agents(const model::Fleet& fleet, WallTime now) {
  std::string state = metric_head("pawl_agent_state", "gauge", "1 for the state an agent is in");
  std::string since = metric_head("pawl_agent_state_since_seconds", "gauge", "when that began");
  std::string limit = metric_head("pawl_agent_limited_until_seconds", "gauge",
                                  "when a usage limit ends, where that is known");
  std::string tokens = metric_head("pawl_agent_tokens_today", "gauge", "used today (UTC)");
  std::string cost = metric_head("pawl_agent_cost_today_usd", "gauge", "spent today (UTC)");
  for (const auto& [name, agent] : fleet.agents) {
    const Labels label{{"agent", name}};
    state += metric_line(
        "pawl_agent_state",
        {{"agent", name}, {"runtime", agent.runtime()}, {"state", std::string(word(agent.state))}},
        1);
    since += metric_line("pawl_agent_state_since_seconds", label, seconds(agent.changed));
    if (agent.limited_until)
      limit +=
          metric_line("pawl_agent_limited_until_seconds", label, seconds(*agent.limited_until));
    if (agent.memory.spending.day.empty()) continue;
    const model::Today today = model::today(agent.memory.spending, now);
    tokens += metric_line("pawl_agent_tokens_today", label, static_cast<double>(today.tokens));
    if (today.cost_usd) cost += metric_line("pawl_agent_cost_today_usd", label, *today.cost_usd);
  }
  return state + since + limit + tokens + cost;
}

}  // namespace

std::string metric_head(std::string_view name, std::string_view type, std::string_view help) {
  return fmt::format("# HELP {} {}\n# TYPE {} {}\n", name, help, name, type);
}

std::string metric_line(std::string_view name, const Labels& labels, double value) {
  std::string text;
  for (const auto& [key, it] : labels)
    text += fmt::format("{}{}=\"{}\"", text.empty() ? "" : ",", key, escaped(it));
  return fmt::format("{}{} {}\n", name, text.empty() ? "" : "{" + text + "}", value);
}

void Metrics::count(const std::vector<model::Event>& events) {
  for (const auto& event : events) count_fact(event.fact);
}

void Metrics::count_fact(const model::Fact& fact) {
  if (const auto* done = std::get_if<model::Finished>(&fact))
    ++outcomes_[{std::string(word(done->action)), std::string(word(done->verdict))}];
  if (const auto* alert = std::get_if<model::Alerted>(&fact))
    ++alerts_[std::string(word(alert->severity))];
  if (const auto* asked = std::get_if<model::Requested>(&fact);
      asked && asked->by.kind == model::kWeb)
    ++requests_[verb_of(asked->verb)];
  if (const auto* state = std::get_if<model::StateChanged>(&fact))
    limits_ += state->to == model::State::limited && state->from != state->to ? 1 : 0;
  if (const auto* spent = std::get_if<model::Spent>(&fact)) {
    tokens_ += spent->tokens;
    cost_usd_ += spent->cost_usd.value_or(0);
  }
}

std::string Metrics::counters() const {
  std::map<std::string, uint64_t> deliveries;
  for (const auto& [key, count] : outcomes_)
    if (delivers(key.first)) deliveries[key.second] += count;
  std::string out =
      metric_head("pawl_actions_total", "counter", "what was done to agents, and what came of it");
  for (const auto& [key, count] : outcomes_)
    out += metric_line("pawl_actions_total", {{"action", key.first}, {"result", key.second}},
                       static_cast<double>(count));
  const auto of = [&](const char* action) {
    double sum = 0;
    for (const auto& [key, count] : outcomes_)
      if (key.first == action) sum += static_cast<double>(count);
    return sum;
  };
  out += metric_head("pawl_restarts_total", "counter", "agents started again") +
         metric_line("pawl_restarts_total", {}, of("restart"));
  out += metric_head("pawl_nudges_total", "counter", "idle agents told to go on") +
         metric_line("pawl_nudges_total", {}, of("nudge"));
  out +=
      metric_head("pawl_deliveries_total", "counter", "texts and keys, by what was seen of them");
  for (const char* verdict : {"confirmed", "failed", "unverified"})
    out += metric_line("pawl_deliveries_total", {{"verdict", verdict}},
                       static_cast<double>(deliveries[verdict]));
  out += metric_head("pawl_limits_total", "counter", "usage limits that were met") +
         metric_line("pawl_limits_total", {}, static_cast<double>(limits_));
  out += metric_head("pawl_alerts_total", "counter", "what people were told");
  for (const auto& [severity, count] : alerts_)
    out += metric_line("pawl_alerts_total", {{"severity", severity}}, static_cast<double>(count));
  out += metric_head("pawl_requests_total", "counter", "verbs asked for over the network");
  for (const auto& [verb, count] : requests_)
    out += metric_line("pawl_requests_total", {{"verb", verb}}, static_cast<double>(count));
  out += metric_head("pawl_tokens_total", "counter", "tokens that agents have used") +
         metric_line("pawl_tokens_total", {}, static_cast<double>(tokens_));
  out += metric_head("pawl_cost_usd_total", "counter", "what they cost, where that is known") +
         metric_line("pawl_cost_usd_total", {}, cost_usd_);
  return out;
}

std::string Metrics::text(const core::Engine& engine, const Server& server,
                          const Clock& now) const {
  std::string out = metric_head("pawl_info", "gauge", "which pawl this is") +
                    metric_line("pawl_info", {{"version", server.version}}, 1);
  out += metric_head("pawl_healthy", "gauge", "0: the journal or a recording cannot be written") +
         metric_line("pawl_healthy", {}, engine.trouble() ? 0 : 1);
  out += metric_head("pawl_events_total", "counter", "events in the journal, ever") +
         metric_line("pawl_events_total", {}, static_cast<double>(engine.fleet().last.value));
  out += metric_head("process_start_time_seconds", "gauge", "when the daemon began") +
         metric_line("process_start_time_seconds", {}, seconds(server.started));
  return out + states(engine.fleet()) + counters() + agents(engine.fleet(), now.wall);
}

}  // namespace pawl::api
