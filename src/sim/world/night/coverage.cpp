#include "sim/world/night/coverage.h"

#include <algorithm>

namespace pawl::sim {
namespace {

using model::Action;
using model::State;

constexpr Duration kSameReset = std::chrono::minutes{5};  // of two agents of an account
constexpr Duration kAgain = std::chrono::minutes{1};      // from one kill of the daemon to the next
constexpr size_t kInARow = 3;

constexpr std::array<std::string_view, kMarks> kMarkWords{
    "a text comes while its agent is limited",
    "a text comes while its agent asks something",
    "a text comes while its agent is paused",
    "three texts wait for one agent",
    "a wake-up comes while a draft is in the box",
    "work comes while a draft is in the box",
    "a dialog comes up while a text is typed",
    "a person types while a text is typed",
    "a text is put off because a person types",
    "a text is put off because of what is on the screen",
    "an agent is paused while a text is typed",
    "an agent is stopped while a text is typed",
    "a program ends while a text is typed",
    "a holder is killed while a text is typed",
    "the machine sleeps while a text is typed",
    "the disk fills up while a text is typed",
    "a part of a text is lost on its way into the box",
    "a text is in the box twice",
    "a text is given back by its user's hook",
    "a mode that nobody came back to is left",
    "the daemon is killed between a decision and its effect",
    "the daemon is killed between an effect and its outcome",
    "the daemon is killed while a program is started",
    "the daemon is killed while a program is stopped",
    "the daemon is killed while a dialog is answered",
    "the daemon is killed again within a minute",
    "two agents of an account come to its reset",
    "the machine sleeps through the end of a limit",
    "the clock is set while an agent is limited",
    "the clock is set while nothing is typed because of a person",
    "an agent is restarted while it is limited",
    "a kept answer is used",
    "an answer is held back because its dialog is gone",
    "a dialog comes up over a draft",
    "an agent is stopped while it is restarted",
    "the service fails while a program is started",
    "a program is started on a slow host",
    "a crash loop ends in parking",
    "the machine is rebooted while texts wait",
    "the daemon's folder is removed while texts wait",
    "the disk is full when something is decided",
    "the disk is full when an outcome is known",
    "a hook call is lost",
    "the kernel says nothing while a text is typed",
    "a folder hangs while work is in it"};

bool texts_wait(const model::Fleet& fleet) {
  return std::any_of(fleet.agents.begin(), fleet.agents.end(),
                     [](const auto& one) { return !one.second.outbox.empty(); });
}

Duration patience_of(double s) {
  return std::chrono::duration_cast<Duration>(std::chrono::duration<double>(s));
}

}  // namespace

std::string_view word(Mark mark) {
  return kMarkWords[static_cast<size_t>(mark)];
}

bool Coverage::Open::types() const {
  return action == Action::send || action == Action::wake || action == Action::nudge;
}

bool Coverage::Open::starts() const {
  return action == Action::start || action == Action::restart;
}

// What programs did is told after what was written in that turn.
bool Coverage::Desk::typed(MonoTime at) const {
  if (open && open->types() && open->since <= at) return true;
  return last && last->first.types() && last->first.since <= at && at <= last->second;
}

void Coverage::happens(const Clock& now, const Doing& doing, const model::Fleet& fleet) {
  const bool typed = any_open([](const Open& open) { return open.types(); });
  const bool started = any_open([](const Open& open) { return open.starts(); });
  const auto& its = desks_[doing.agent].open;
  const auto* agent = fleet.find(doing.agent);
  const Does does = doing.does;
  if (does == Does::service_fails || does == Does::service_works)
    outage_ = does == Does::service_fails;
  if (does == Does::slows_host || does == Does::quickens_host) slow_ = does == Does::slows_host;
  if (does == Does::hangs_kernel || does == Does::wakes_kernel)
    kernel_ = does == Does::hangs_kernel;
  if (does == Does::calms) outage_ = slow_ = kernel_ = false;
  if (does == Does::pauses) reach_if(its && its->types(), Mark::pause_in_delivery);
  if (does == Does::stops) {
    reach_if(its && its->types(), Mark::stop_in_delivery);
    reach_if(its && its->starts(), Mark::stop_in_restart);
  }
  if (does == Does::fills_disk) reach_if(typed, Mark::full_in_delivery);
  if (does == Does::service_fails) reach_if(started, Mark::outage_in_start);
  if (does == Does::hangs_kernel) reach_if(typed, Mark::kernel_in_delivery);
  if (does == Does::reboots) reach_if(texts_wait(fleet), Mark::reboot_with_texts);
  if (does == Does::deletes_home) reach_if(texts_wait(fleet), Mark::home_with_texts);
  if (does == Does::hangs_mount && agent)
    reach_if(!agent->memory.desk.waiting.empty() || agent->memory.desk.given,
             Mark::mount_with_work);
  if (does == Does::suspends) reach_if(typed, Mark::suspend_in_delivery);
  if (does == Does::suspends || does == Does::sets_clock) clock_changes(now, doing, fleet);
}

void Coverage::clock_changes(const Clock& now, const Doing& doing, const model::Fleet& fleet) {
  for (const auto& [name, agent] : fleet.agents) {
    const bool limited = agent.state == State::limited;
    if (doing.does == Does::suspends) {
      const auto& until = agent.limited_until;
      reach_if(limited && until && *until > now.wall && *until < now.wall + doing.length,
               Mark::suspend_over_reset);
      continue;
    }
    const auto& human = agent.human_last_seen;
    reach_if(limited, Mark::clock_while_limited);
    reach_if(human && now.wall - *human < patience_of(agent.spec.human_quiet_s),
             Mark::clock_in_quiet);
  }
}

void Coverage::unwritten(const std::vector<model::Event>& events) {
  for (const auto& event : events) {
    reach_if(std::holds_alternative<model::Decided>(event.fact), Mark::full_decision);
    reach_if(std::holds_alternative<model::Finished>(event.fact), Mark::full_outcome);
  }
}

void Coverage::event(const Clock& now, const model::Event& event, const model::Fleet& before) {
  settle_deaths();
  const auto* agent = before.find(event.agent);
  if (const auto* fact = std::get_if<model::Decided>(&event.fact))
    return decided(now, event, *fact, agent);
  if (const auto* fact = std::get_if<model::Finished>(&event.fact))
    return finished(now, event, *fact);
  if (const auto* fact = std::get_if<model::StateChanged>(&event.fact))
    return changed(event, *fact, before);
  if (const auto* fact = std::get_if<model::Queued>(&event.fact); fact && agent)
    return queued(*fact, *agent);
  if (std::holds_alternative<model::WorkSeen>(event.fact) && agent)
    reach_if(agent->state == State::typing, Mark::work_on_draft);
  if (std::holds_alternative<model::Removed>(event.fact)) desks_.erase(event.agent);
}

void Coverage::queued(const model::Queued& fact, const model::Agent& agent) {
  reach_if(agent.state == State::limited, Mark::text_while_limited);
  reach_if(agent.state == State::waiting, Mark::text_while_asked);
  reach_if(agent.paused, Mark::text_while_paused);
  reach_if(agent.outbox.size() + 1 == kInARow, Mark::texts_in_a_row);
  reach_if(agent.state == State::typing && fact.action == Action::wake, Mark::wake_on_draft);
}

void Coverage::decided(const Clock& now, const model::Event& event, const model::Decided& fact,
                       const model::Agent* agent) {
  const Open open{fact.action, now.mono};
  desks_[event.agent].open = open;
  reach_if(open.types() && kernel_, Mark::kernel_in_delivery);
  reach_if(open.starts() && outage_, Mark::outage_in_start);
  reach_if(open.starts() && slow_, Mark::slow_start);
  reach_if(fact.action == Action::park && fact.matter == "crash loop", Mark::crash_loop);
  if (!agent) return;
  reach_if(open.starts() && agent->limited_until && *agent->limited_until > event.at,
           Mark::restart_while_limited);
  const auto& kept = agent->memory.answers;
  if (fact.action == Action::answer && !fact.rule.empty() && agent->dialog)
    reach_if(std::any_of(kept.begin(), kept.end(),
                         [&](const auto& one) { return one.fits(*agent->dialog); }),
             Mark::answer_kept);
}

void Coverage::finished(const Clock& now, const model::Event& event, const model::Finished& fact) {
  Desk& its = desks_[event.agent];
  const auto open = std::exchange(its.open, std::nullopt);
  if (open) its.last = {*open, now.mono};
  reach_if(fact.action == Action::leave && fact.verdict == model::Verdict::confirmed,
           Mark::mode_left);
  if (!open || !fact.kept) return;
  if (open->types())
    reach(its.person && *its.person >= open->since ? Mark::person_puts_off : Mark::screen_puts_off);
  reach_if(fact.action == Action::answer, Mark::answer_held_back);
}

void Coverage::changed(const model::Event& event, const model::StateChanged& fact,
                       const model::Fleet& before) {
  const auto* agent = before.find(event.agent);
  reach_if(fact.from == State::typing && fact.to == State::waiting, Mark::dialog_over_draft);
  if (!agent || fact.from != State::limited || fact.to == State::limited || !agent->limited_until)
    return;
  for (const auto& [name, other] : before.agents) {
    if (name == event.agent || other.account() != agent->account() || !other.limited_until)
      continue;
    const Duration apart = *other.limited_until - *agent->limited_until;
    reach_if(other.state == State::limited && std::max(apart, -apart) <= kSameReset,
             Mark::reset_together);
  }
}

void Coverage::took(const std::string& agent, const Entry& entry) {
  const bool typed = desks_[agent].typed(entry.at);
  switch (entry.what) {
    case Entry::What::asked:
      return reach_if(typed, Mark::dialog_in_delivery);
    case Entry::What::lost:
      return reach_if(typed, Mark::part_lost);
    case Entry::What::doubled:
      return reach_if(typed, Mark::part_doubled);
    case Entry::What::took:
      return reach_if(typed && entry.reached == Reached::refused, Mark::given_back);
    case Entry::What::unheard:
      return reach(Mark::hook_lost);
    case Entry::What::ended:
      return reach_if(
          typed, entry.text == kHolderKilled ? Mark::holder_in_delivery : Mark::end_in_delivery);
    case Entry::What::began:
    case Entry::What::answered:
    case Entry::What::withdrawn:
    case Entry::What::spoke:
    case Entry::What::works:
    case Entry::What::told:
      return;
  }
}

void Coverage::wrote(MonoTime at, const std::string& agent, const std::string&) {
  if (auto& open = desks_[agent].open; open && open->since <= at) open->wrote = true;
  for (auto& [name, open] : dying_)
    if (name == agent && open.since <= at) open.wrote = true;
}

void Coverage::person(MonoTime at, const std::string& agent, const std::string&) {
  Desk& its = desks_[agent];
  its.person = at;
  reach_if(its.open && its.open->types(), Mark::person_in_delivery);
}

// What it wrote to terminals in its last turn is told after this.
void Coverage::died(MonoTime at, MonoTime) {
  reach_if(died_ && at - *died_ < kAgain, Mark::killed_again);
  died_ = at;
  for (const auto& [name, desk] : desks_)
    if (desk.open) dying_.emplace_back(name, *desk.open);
}

void Coverage::settle_deaths() {
  for (const auto& [name, open] : std::exchange(dying_, {})) {
    if (open.types()) reach(open.wrote ? Mark::killed_before_outcome : Mark::killed_before_effect);
    reach_if(open.starts(), Mark::killed_in_start);
    reach_if(open.action == Action::stop, Mark::killed_in_stop);
    reach_if(open.action == Action::answer, Mark::killed_in_answer);
  }
}

void Coverage::turned(const Look&) {
  if (!dying_.empty()) settle_deaths();
}

}  // namespace pawl::sim
