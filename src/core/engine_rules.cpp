// Where the rules of policy/ meet the world: what they need to know of it.

#include "base/text.h"
#include "core/inside.h"
#include "core/intent.h"
#include "core/plan/situation.h"
#include "store/surroundings.h"
#include "term/utf8.h"

namespace pawl::core {
namespace {

constexpr int kTailRows = 15;  // of the screen, for a person who is told

std::optional<bool> yes_or_no(const std::string& value) {
  if (value == "1" || value == "true" || value == "yes") return true;
  if (value == "0" || value == "false" || value == "no") return false;
  return std::nullopt;
}

std::string tail_of(const term::Screen& screen) {
  std::vector<std::string> rows;
  for (int row = screen.size().rows - 1; row >= 0 && rows.size() < kTailRows; --row) {
    std::string text = screen.row_text(row);
    text = term::plain_text(text, text.size());  // it goes to people's other programs
    if (!trim(text).empty() || !rows.empty()) rows.insert(rows.begin(), std::move(text));
  }
  return join(rows, "\n");
}

}  // namespace

RulesDue Inside::rules_due(const std::string& name) const {
  RulesDue due;
  due.agent = name;
  due.dry_run = options_.dry_run;
  due.draining = draining_;
  const model::Agent* agent = fleet().find(name);
  if (!agent) return due;
  if (!agent->running() || agent->state == model::State::shell)
    if (const auto value = files_.env_value(agent->spec, "CC_AUTO_CONTINUE"))
      due.auto_continue = yes_or_no(*value);
  if (agent->spec.loops() && !agent->running())
    due.before = store::look_around(files_.disk(), *agent, options_.home);
  if (agent->spec.strategy == "scheduled" && options_.zone_of)
    if (const auto zone = options_.zone_of(agent->spec.loop.time_zone)) due.zone = *zone;
  if (agent->task) due.signs = tasks_.runs().signs(agent->session);
  if (!has_interface(*agent)) return due;
  due.own_text = deliveries_.knows_text(agent->session);
  if (const auto* its = tracker(name)) {
    due.compact = its->profile().launch.compact;
    due.leavable = its->evidence().mode && !its->evidence().mode->leave.empty();
  }
  return due;
}

std::string Inside::tail(const std::string& name) const {
  const model::Agent* agent = fleet().find(name);
  const auto* live = terminal(name);
  if (!agent || !live || !has_interface(*agent)) return {};  // … its screen has records on it
  return tail_of(live->terminal().screen());
}

// True: an input waits to be decided. Each agent is looked at again as long as that changes something.
bool Inside::consult(const Clock& now, int round) {
  consult_at_.reset();
  if (round == 0) looked_at_.clear();
  if (retry_at_ || round > options_.rule_rounds) return false;  // the journal refuses
  for (const auto& name : supervisor_.to_consult(now, consult_at_)) {
    if (round == options_.rule_rounds) {  // they disagree for ever
      queue_.push_back(TurnWithoutEnd{name, "its rules did not come to an end"});
      continue;
    }
    if (looked_at_.insert(name).second) {  // files do not change within a turn
      inboxes_.look_for_person(now, name, queue_);
      inboxes_.look_for_unreadable(name, queue_);
    }
    queue_.push_back(rules_due(name));
  }
  return !queue_.empty();
}

policy::Decision Inside::opinion(const Clock& now, const std::string& name) const {
  const model::Agent* agent = fleet().find(name);
  if (!agent) return {};
  const RulesDue due = rules_due(name);
  policy::Situation situation = situation_of(now.wall, *agent, fleet(), due);
  situation.lease = supervisor_.leases().gap(*agent, now.boot);
  return policy::decide(situation);
}

}  // namespace pawl::core
