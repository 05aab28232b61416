// Where the rules of policy/ meet the world: what they need to know of it, and the texts they send.

#include "base/text.h"
#include "core/engine.h"
#include "core/rule_planner.h"
#include "core/wakeups.h"
#include "perceive/profile/launch.h"

namespace pawl::core {
namespace {

constexpr int kTailRows = 15;  // of the screen, for a person who is told
constexpr int kRounds = 32;    // of one turn: rules settle after two or three
constexpr size_t kPromptBytes = 256u << 10;
constexpr const char* kGoOn =
    "Go on with your work. If everything is done, say so; if something blocks you, say what.";

std::optional<bool> yes_or_no(const std::string& value) {
  if (value == "1" || value == "true" || value == "yes") return true;
  if (value == "0" || value == "false" || value == "no") return false;
  return std::nullopt;
}

std::string tail_of(const term::Screen& screen) {
  std::vector<std::string> rows;
  for (int row = screen.size().rows - 1; row >= 0 && rows.size() < kTailRows; --row) {
    std::string text = screen.row_text(row);
    if (!trim(text).empty() || !rows.empty()) rows.insert(rows.begin(), std::move(text));
  }
  return join(rows, "\n");
}

}  // namespace

RulesDue Engine::rules_due(const std::string& name) const {
  RulesDue due;
  due.agent = name;
  due.dry_run = options_.dry_run;
  due.draining = draining_;
  const model::Agent* agent = fleet().find(name);
  if (!agent) return due;
  if (!agent->running() || agent->state == model::State::shell)
    if (const auto value = files_.env_value(agent->spec, "CC_AUTO_CONTINUE"))
      due.auto_continue = yes_or_no(*value);
  due.before = before(*agent);
  if (agent->spec.strategy == "scheduled" && options_.zone_of)
    if (const auto zone = options_.zone_of(agent->spec.loop.time_zone)) due.zone = *zone;
  if (agent->task) due.signs = task_runs_.signs(agent->session);
  if (agent->task && !agent->task->order.interactive) return due;  // its screen has records on it
  if (const auto* live = terminal(name)) due.screen = tail_of(live->terminal().screen());
  if (const auto* its = tracker(name)) due.compact = its->profile().launch.compact;
  return due;
}

// True: an input waits to be decided. Each agent is looked at again as long as that changes something.
bool Engine::consult(const Clock& now, int round) {
  consult_at_.reset();
  if (retry_at_ || round == kRounds)
    return false;  // the journal refuses, or rules disagree for ever
  for (const auto& name : supervisor_.to_consult(now, consult_at_)) {
    look_for_person(now, name);
    look_for_unreadable(name);
    queue_.push_back(rules_due(name));
  }
  return !queue_.empty();
}

void Engine::keep_alerts(const std::vector<model::Event>& written) {
  for (const auto& event : written) {
    const auto* alert = std::get_if<model::Alerted>(&event.fact);
    if (!alert) continue;
    alerts_.push_back(event);
    const model::Agent* agent = fleet().find(event.agent);
    if (agent && agent->dialog && !agent->spec.notify.empty() &&
        alert->matter == agent->dialog->matter())
      shown(event.agent);  // a message with it goes out
  }
}

policy::Decision Engine::opinion(const Clock& now, const std::string& name) const {
  const model::Agent* agent = fleet().find(name);
  if (!agent) return {};
  return policy::decide(situation_of(now.wall, *agent, fleet(), rules_due(name)));
}

// The text of work is kept until the next one: when this daemon is killed, the next one looks whether it was taken.
void Engine::begin_prompt(const Clock& now, const DeliverPrompt& effect) {
  if (effect.resumed) {
    act::Order order{files_.given_text(effect.agent), true, false};
    return deliveries_.begin(
        effect.session,
        {effect.agent, effect.intent, act::Inject::resumed(std::move(order), now.mono), now.mono});
  }
  const auto work = effect.work ? work_text(effect.agent) : std::nullopt;
  if (effect.work && !work) {
    queue_.push_back(Delivered{effect.intent, {act::Verdict::withdrawn, effect.how + " is gone"}});
    return queue_.push_back(WorkVanished{effect.agent, effect.how});
  }
  std::string text = work ? *work : prompt_text(effect);
  if (effect.first) text = where_it_stands(now, effect.agent, effect.work) + "\n\n" + text;
  if (effect.work) files_.keep_given_text(effect.agent, text);
  act::Order order{text, effect.eager, false};
  if (const auto* its = perception_.tracker(effect.session))
    order.burst = its->profile().deliver.burst;
  deliveries_.begin(effect.session, {effect.agent, effect.intent,
                                     act::Inject(std::move(order), now.mono), now.mono});
}

// The command line that was seen there, for the shell that is there now.
void Engine::begin_command(const Clock& now, const TypeCommand& effect) {
  const model::Agent* agent = fleet().find(effect.agent);
  if (!agent) return;
  std::vector<std::string> argv = agent->seen_command;
  if (argv.empty() && agent->spec.adopted()) argv = agent->spec.command;
  if (argv.empty())
    return queue_.push_back(Delivered{
        effect.intent, {act::Verdict::stuck, "it is not known how it was started", false}});
  const auto* profile = options_.catalog ? options_.catalog->find(agent->runtime()) : nullptr;
  if (effect.resume && profile && !agent->session_id.empty())
    argv = perceive::resuming(*profile, std::move(argv), agent->session_id);
  std::string line;
  for (const auto& word : argv) line += (line.empty() ? "" : " ") + shell_quoted(word);
  deliveries_.begin(effect.session, {effect.agent, effect.intent,
                                     act::Inject({line, false, true}, now.mono), now.mono});
}

std::string Engine::prompt_text(const DeliverPrompt& effect) const {
  const model::Agent* agent = fleet().find(effect.agent);
  if (!agent) return kGoOn;
  if (effect.how == "limit") return "Your usage limit is over. Go on where you stopped.";
  if (effect.how == "auth") return "Your login works again. Go on where you stopped.";
  if (effect.how == "compact")
    if (const auto* its = tracker(effect.agent)) return its->profile().launch.compact;
  const std::string prompt = files_.standing_prompt(agent->spec, kPromptBytes);
  return prompt.empty() ? kGoOn : prompt;
}

}  // namespace pawl::core
