#include "core/parts/deliveries.h"

#include <algorithm>

#include "act/gate.h"
#include "act/shown.h"
#include "base/text.h"
#include "core/parts/prompts.h"

namespace pawl::core {
namespace {

constexpr size_t kCookedLine = 4094;                           // with its end, of Linux' 4,095
constexpr Duration kCaughtUp = std::chrono::milliseconds{20};  // when perception has caught up

// Where the kernel edits lines, it drops what is longer.
void fit_lines(act::Order& order, const perceive::Evidence& evidence) {
  if (!evidence.facts || !evidence.facts->canonical) return;
  for (const auto& line : split(order.text, '\n'))
    if (line.size() > kCookedLine)
      order.cannot = "its terminal cuts lines of more than " + std::to_string(kCookedLine) +
                     " bytes: break it into lines";
}

// As the program in front takes texts.
void suit(act::Order& order, const perceive::Tracker* tracker) {
  if (!tracker) return;
  const perceive::Profile& profile = tracker->profile();
  order.burst = profile.deliver.burst;
  const std::string first =
      order.text.substr(0, order.text.find('\n', order.text.find_first_not_of(" \t\r\n")));
  const auto begins = [&](const std::vector<int>& patterns) {
    return std::any_of(patterns.begin(), patterns.end(),
                       [&](int one) { return profile.rows.find(one, first).has_value(); });
  };
  if (order.plain) return fit_lines(order, tracker->evidence());
  if (trim(order.text) == trim(first) && begins(profile.deliver.ends))
    order.cannot = profile.name + " would end at this word: say more than that, or: pawl stop";
  if (!begins(profile.deliver.runs)) return;
  order.lead = profile.deliver.prompts;
  if (order.lead.empty())
    order.cannot = profile.name +
                   " would run it as a command of its shell, not take it as a prompt: begin it "
                   "with another sign";
}

// What an earlier life of the daemon was typing, with the person's draft that it had saved.
Deliveries::Running found(const Ground& ground, MonoTime now, const std::string& agent, Seq intent,
                          act::Order order) {
  const std::string draft = ground.files.kept_draft(agent, intent.value);
  Deliveries::Running running{agent, intent, act::Inject::resumed(std::move(order), now, draft),
                              now};
  if (!draft.empty()) running.draft_file = ground.files.draft_file(agent, intent.value);
  return running;
}

}  // namespace

void Deliveries::begin(const Clock& now, const DeliverText& effect,
                       const perceive::Tracker* tracker, Inputs& out) {
  const auto text = ground_.files.text(effect.agent, effect.item.item);
  if (!text)
    return out.push_back(Delivered{effect.intent, {act::Verdict::stuck, text.error().what}});
  act::Order order{.text = *text, .now = effect.item.eager(), .plain = effect.plain};
  if (const model::Agent* agent = ground_.fleet.find(effect.agent))
    order.limit_over = act::limit_over(*agent, now.wall);
  suit(order, tracker);
  if (!effect.resumed)
    return begin(effect.session,
                 {effect.agent, effect.intent, act::Inject(std::move(order), now.mono), now.mono});
  begin(effect.session, found(ground_, now.mono, effect.agent, effect.intent, std::move(order)));
}

// The text is kept until the next one: when this daemon is killed, the next one looks whether it was taken.
void Deliveries::begin(const Clock& now, const DeliverPrompt& effect,
                       const perceive::Tracker* tracker, const std::optional<std::string>& work,
                       Inputs& out) {
  const model::Agent* agent = ground_.fleet.find(effect.agent);
  if (!agent) return;
  if (effect.resumed) {
    act::Order order{.text = ground_.files.given_text(effect.agent), .now = true};
    return begin(effect.session,
                 found(ground_, now.mono, effect.agent, effect.intent, std::move(order)));
  }
  if (effect.work && !work) {
    out.push_back(Delivered{effect.intent, {act::Verdict::withdrawn, effect.how + " is gone"}});
    return out.push_back(WorkVanished{effect.agent, effect.how});
  }
  const std::string compact = tracker ? tracker->profile().launch.compact : std::string();
  std::string text =
      work ? *work : prompt_text(ground_.files, *agent, model::topic_from(effect.how), compact);
  if (effect.first)
    text = where_it_stands(ground_.files, now.wall, *agent, effect.work) + "\n\n" + text;
  ground_.files.keep_given_text(effect.agent, text);
  act::Order order{.text = text, .now = effect.eager};
  suit(order, tracker);
  begin(effect.session,
        {effect.agent, effect.intent, act::Inject(std::move(order), now.mono), now.mono});
}

void Deliveries::begin(const Clock& now, const TypeCommand& effect, Inputs& out) {
  const model::Agent* agent = ground_.fleet.find(effect.agent);
  if (!agent) return;
  const std::string line = command_again(ground_.options.catalog, *agent, effect.resume);
  if (line.empty())
    return out.push_back(Delivered{
        effect.intent, {act::Verdict::stuck, "it is not known how it was started", false}});
  begin(effect.session, {effect.agent, effect.intent,
                         act::Inject({.text = line, .plain = true}, now.mono), now.mono});
}

void Deliveries::begin(const Clock& now, const PressRow& effect) {
  const model::Agent* agent = ground_.fleet.by_session(effect.session);
  if (!agent) return;
  begin(effect.session, {agent->spec.name, effect.intent,
                         act::Press(effect.row, now.mono, effect.key, effect.dialog), now.mono});
}

void Deliveries::begin(const Clock& now, const LeaveMode& effect) {
  const model::Agent* agent = ground_.fleet.by_session(effect.session);
  if (!agent) return;
  const auto last = last_.find(effect.session);
  if (agent->kind == model::kOwnText && last != last_.end())
    begin(effect.session,
          {agent->spec.name, effect.intent,
           act::Inject::taking_out({.text = last->second.text}, now.mono), now.mono});
  else
    begin(effect.session, {agent->spec.name, effect.intent, act::Leave(now.mono), now.mono});
}

Deliveries::Step Deliveries::step(const Clock& now, SessionId session, const Sight& sight,
                                  Inputs& out) {
  Running* running = find(session);
  const model::Agent* agent = ground_.fleet.find(running->agent);
  if (!agent || !agent->intent || agent->intent->seq != running->intent)
    return release(now, session);
  if (!sight.screen) {  // nobody could see what becomes of it
    out.push_back(Delivered{running->intent, {act::Verdict::stuck, "its terminal is not there"}});
    return release(now, session);
  }
  const uint64_t generation = sight.screen->generation();
  const bool due = looks_.at(session) <= now.mono;
  if (!due && generation == running->seen) return stirred_.erase(session), Step::goes_on;
  if (sight.behind) {  // rows of this screen would be taken for those of the last
    looks_.set(session, now.mono + kCaughtUp);
    stirred_.insert(session);
    return Step::too_early;
  }
  stirred_.erase(session);
  running->seen = generation;
  const act::View seen = view(now, session, sight.tracker, *sight.screen);
  running->refused.clear();
  act::Step step =
      std::visit([&](auto& procedure) { return procedure.look(seen); }, running->procedure);
  if (step.keep && !keep_draft(*running, *step.keep)) {
    step.write.clear();
    step.outcome = act::Outcome{act::Verdict::withdrawn, "the draft in the box cannot be saved"};
  }
  looks_.set(session, step.again.value_or(now.mono + act::kTakenLong));
  if (!step.write.empty()) ground_.host.write(session, step.write);
  if (!step.outcome) return Step::goes_on;
  came_to_end(now, session, *running, *step.outcome, out);
  return release(now, session);
}

void Deliveries::came_to_end(const Clock& now, SessionId session, Running& running,
                             const act::Outcome& outcome, Inputs& out) {
  if (!running.draft_file.empty() && !outcome.draft_lost)
    ground_.files.forget_draft(running.draft_file);
  out.push_back(Delivered{running.intent, outcome, running.draft_file});
  if (const auto* inject = std::get_if<act::Inject>(&running.procedure);
      inject && outcome.verdict != act::Verdict::withdrawn)
    typed_text(now.mono, session, inject->text(), outcome.left);
}

bool Deliveries::keep_draft(Running& running, const std::string& draft) const {
  const auto kept = ground_.files.keep_draft(running.agent, running.intent.value, draft);
  if (!kept) return false;
  running.draft_file = *kept;
  return true;
}

// The person's keys that waited go on their way.
Deliveries::Step Deliveries::release(const Clock& now, SessionId session) {
  const Running* running = find(session);
  if (!running->keys.empty()) {
    ground_.host.write(session, running->keys);
    witnesses_[session].human = now.mono;
    person(session);
  }
  end(session);
  return Step::over;
}

void Deliveries::begin(SessionId session, Running running) {
  looks_.set(session, running.begun);
  running_.insert_or_assign(session, std::move(running));
}

void Deliveries::end(SessionId session) {
  running_.erase(session);
  looks_.drop(session);
  stirred_.erase(session);
}

Done Deliveries::type(const Clock& now, const model::Agent& agent, std::string_view keys) {
  if (Running* running = find(agent.session)) {
    if (running->keys.size() + keys.size() >
        kHeldKeys)  // later ones must not overtake earlier ones
      return fail("too many keys wait for a text to be delivered to '" + agent.spec.name + "'");
    running->keys += keys;
    looks_.set(agent.session, now.mono);
    return {};
  }
  ground_.host.write(agent.session, keys);
  witnesses_[agent.session].human = now.mono;
  person(agent.session);
  return {};
}

bool Deliveries::has_room(SessionId session) const {
  const auto it = running_.find(session);
  return it == running_.end() || it->second.keys.size() < kHeldKeys / 2;
}

bool Deliveries::tell_person(MonoTime now, const std::string& agent) {
  auto& last = told_person_[agent];
  if (last != MonoTime{} && now - last < kHumanEvery) return false;
  last = now;
  return true;
}

Deliveries::Running* Deliveries::find(SessionId session) {
  const auto it = running_.find(session);
  return it == running_.end() ? nullptr : &it->second;
}

std::set<Seq> Deliveries::unsent() const {
  std::set<Seq> out;
  for (const auto& [session, running] : running_)
    if (unsent(session)) out.insert(running.intent);
  return out;
}

bool Deliveries::unsent(SessionId session) const {
  const auto it = running_.find(session);
  if (it == running_.end()) return false;
  const auto* inject = std::get_if<act::Inject>(&it->second.procedure);
  return inject && !inject->sent();
}

std::vector<SessionId> Deliveries::due(MonoTime now) const {
  std::vector<SessionId> out = looks_.due(now);
  out.insert(out.end(), stirred_.begin(), stirred_.end());
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

void Deliveries::prompted(MonoTime now, SessionId session, std::string text) {
  Witnesses& its = witnesses_[session];
  its.prompt = now;
  its.prompt_text.clear();
  auto* running = find(session);
  if (!running) return;
  its.prompt_text = std::move(text);
  looks_.set(session, now);
}

bool Deliveries::refused(MonoTime now, SessionId session, const std::string& why) {
  auto* running = find(session);
  if (!running) return false;
  running->refused = why;
  looks_.set(session, now);
  return true;
}

void Deliveries::typed_text(MonoTime now, SessionId session, const std::string& text, bool left) {
  last_[session] = {now, left || text.size() <= kKnownAgain ? text : std::string(), left};
}

bool Deliveries::knows_text(SessionId session) const {
  const auto it = last_.find(session);
  return it != last_.end() && !it->second.text.empty();
}

bool Deliveries::own_text(const Clock& now, SessionId session, const Sight& sight) const {
  const auto it = last_.find(session);
  if (it == last_.end() || !sight.screen || running_.contains(session)) return false;
  const act::View seen = view(now, session, sight.tracker, *sight.screen);
  if (!seen.draft) return false;
  if (it->second.left) return true;
  return seen.now - it->second.at < kComesBack && !it->second.text.empty() &&
         act::may_be_there(act::shown(seen.rows, seen.pasted, it->second.text));
}

void Deliveries::closed(SessionId session) {
  last_.erase(session);
  end(session);
  witnesses_.erase(session);
}

}  // namespace pawl::core
