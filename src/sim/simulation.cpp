#include "sim/simulation.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <csignal>

#include "perceive/learn/still.h"
#include "perceive/profile/launch.h"
#include "perceive/screen/sight.h"

namespace pawl::sim {
namespace {

constexpr int kRounds = 64;
const Clock kBegin{MonoTime{std::chrono::hours{1}}, WallTime{std::chrono::hours{24 * 365 * 56}}};

Duration of_seconds(double s) {
  return std::chrono::duration_cast<Duration>(std::chrono::duration<double>(s));
}

// A picture of the right size for the text.
perceive::Still still_of(const std::string& text) {
  perceive::Still still;
  still.shown = perceive::Shown::dialog;
  for (const char c : text) still.ansi += c == '\n' ? "\r\n" : std::string(1, c);
  still.visible = false;
  return still;
}

// Without a picture: the rows its profile knows for a dialog of this kind.
std::optional<model::Dialog> usual_dialog(const perceive::Profile& profile,
                                          const std::string& kind) {
  for (const auto& rule : profile.dialogs) {
    if (rule.kind != kind || rule.rows.empty()) continue;
    model::Dialog dialog{kind, {}, true};
    for (const auto& row : rule.rows)
      dialog.rows.push_back({profile.choices.text(row.pattern), row.cost, row.keys});
    return dialog;
  }
  return std::nullopt;
}

std::optional<model::Dialog> dialog_in(const perceive::Profile& profile,
                                       const model::Happening& it) {
  if (it.screen.empty()) return usual_dialog(profile, it.kind);
  perceive::Eye eye(profile);
  const term::Terminal terminal = perceive::terminal_of(still_of(it.screen));
  eye.look(terminal.screen());
  if (!eye.sight().menu) return model::Dialog{it.screen.substr(0, 200), {}, false};
  return perceive::dialog_of(profile, *eye.sight().menu);
}

}  // namespace

Simulation::Simulation(model::Scenario story, const perceive::Catalog& catalog)
    : story_(std::move(story)), catalog_(catalog), supervisor_(model::Fleet{}), now_(kBegin) {}

double Simulation::seconds(const model::Event& event) const {
  return times_.at(event.seq);
}

void Simulation::feed(const core::Input& input) {
  later_.push_back(input);
  while (!later_.empty()) {
    const core::Input next = std::move(later_.front());
    later_.erase(later_.begin());
    core::Plan plan = supervisor_.plan(now_, next);
    journal_.insert(journal_.end(), plan.events.begin(), plan.events.end());
    const Duration passed = now_.mono - kBegin.mono + slept_;
    for (const auto& event : plan.events)
      times_[event.seq] = std::chrono::duration<double>(passed).count();
    supervisor_.commit(now_, plan);
    for (const auto& effect : plan.effects) perform(effect);
  }
}

void Simulation::perform(const core::Effect& effect) {
  std::visit([this](const auto& one) { doing(one); }, effect);
}

void Simulation::doing(const core::OpenTerminal& effect) {
  later_.push_back(core::TerminalOpened{effect.session, {1, 1}, true});
}

void Simulation::doing(const core::SignalProgram& effect) {
  if (effect.signal == SIGTERM)
    later_.push_back(core::ProgramEnded{effect.session, {-1, SIGTERM, true}});
}

void Simulation::doing(const core::ArchiveFiles& effect) {
  later_.push_back(core::CommandEnded{effect.intent, true, "as the story goes"});
}

void Simulation::doing(const core::RunCommand& effect) {
  later_.push_back(core::CommandEnded{effect.intent, true, "exit code 0"});
}

// Everything that is typed arrives. The others change nothing that the rules see.
template <class Other>
void Simulation::doing(const Other& effect) {
  if constexpr (requires { effect.intent; })
    later_.push_back(
        core::Delivered{effect.intent, {act::Verdict::confirmed, "as the story goes", false}});
}

void Simulation::see(const model::Happening& it) {
  if (!agent()->running()) return;
  core::Perceived seen;
  seen.session = agent()->session;
  seen.state = *it.state;
  seen.kind = it.kind;
  seen.tier = model::Tier::screen;
  seen.because = "as the story goes";
  if (it.input != "prompt") seen.input = it.input;
  seen.background = it.background;
  const auto* profile = perceive::profile_of(catalog_, story_.spec.runtime, story_.spec.command);
  if (*it.state == model::State::waiting)
    seen.dialog = dialog_in(profile ? *profile : catalog_.generic(), it);
  if (*it.state == model::State::limited) {
    model::Notice notice{"limit", "limited", {}};
    if (it.until_s) notice.until = kBegin.wall + of_seconds(*it.until_s) + set_;
    seen.notices.push_back(notice);
  }
  if (!it.notice.empty()) seen.notices.push_back({it.notice, it.notice, {}});
  feed(seen);
  stuck_at_.reset();
  if (!it.progress) stuck_at_ = it.at_s + story_.spec.ready.stuck_s;
}

void Simulation::happen(const model::Happening& it) {
  const std::string& name = story_.spec.name;
  if (it.human) feed(core::HumanTyped{name, "attach"});
  if (it.pause) feed(core::PauseAsked{{}, name, *it.pause, "the file PAUSE"});
  if (it.work) feed(core::WorkFound{name, *it.work});
  if (it.spent) {
    model::Spent spent = *it.spent;
    spent.day = model::day_of(now_.wall);
    feed(core::UsageSeen{name, 0, {spent}});
  }
  if (it.exit && agent()->running()) feed(core::ProgramEnded{agent()->session, *it.exit});
  if (it.state) see(it);
  if (!it.text.empty()) send(it.text);
  away(it);
}

void Simulation::send(const std::string& text) {
  core::SendAsked ask;
  ask.agent = story_.spec.name;
  ask.item.item = ++texts_;
  ask.item.bytes = text.size();
  feed(ask);
}

void Simulation::away(const model::Happening& it) {
  if (it.sleep_s > 0) {
    const Duration length = of_seconds(it.sleep_s);
    now_.wall += length;
    slept_ += length;
    feed(core::Slept{length, "the machine slept", {}});
  }
  if (it.clock_s != 0) {
    const Duration step = of_seconds(it.clock_s);
    now_.wall += step;
    set_ += step;
    feed(core::Slept{step, "the clock was set", step});
  }
}

// What may be typed now is. True: something was.
bool Simulation::type_due() {
  std::optional<MonoTime> later;
  const auto due = supervisor_.due(now_, later);
  for (const auto& name : due) feed(core::DeliveryDue{name});
  return !due.empty();
}

// Rules look until they have nothing to do now.
void Simulation::settle() {
  for (int round = 0; round < kRounds; ++round) {
    std::optional<MonoTime> later;
    const bool typed = type_due();
    const auto names = supervisor_.to_consult(now_, later);
    if (names.empty() && !typed) return;
    for (const auto& name : names) {
      core::RulesDue due{name, story_.auto_continue};
      due.leavable = leavable();
      feed(due);
    }
  }
}

// Its program has a key that leads back from what its keyboard reaches.
bool Simulation::leavable() const {
  const auto* profile = perceive::profile_of(catalog_, story_.spec.runtime, story_.spec.command);
  if (!profile || !agent()) return false;
  return std::any_of(profile->modes.begin(), profile->modes.end(), [&](const auto& mode) {
    return mode.input == agent()->input && !mode.leave.empty();
  });
}

// From deadline to deadline.
void Simulation::advance(double to_s) {
  const MonoTime end = std::max(kBegin.mono + of_seconds(to_s) - slept_, now_.mono);
  for (;;) {
    settle();
    std::optional<MonoTime> next;
    (void)supervisor_.to_consult(now_, next);
    (void)supervisor_.due(now_, next);
    if (const auto tick = supervisor_.wake_at(); tick && (!next || *tick < *next)) next = tick;
    if (stuck_at_)
      if (const MonoTime stuck = kBegin.mono + of_seconds(*stuck_at_); !next || stuck < *next)
        next = stuck;
    if (!next || *next > end) break;
    const Duration step = std::max(*next - now_.mono, Duration{0});
    now_ = {now_.mono + step, now_.wall + step};
    if (stuck_at_ && now_.mono >= kBegin.mono + of_seconds(*stuck_at_)) {
      model::Happening stuck;
      stuck.at_s = *stuck_at_;
      stuck.state = model::State::stuck;
      see(stuck);
    }
    feed(core::Tick{});
  }
  now_ = {end, kBegin.wall + (end - kBegin.mono) + slept_ + set_};
}

const std::vector<model::Event>& Simulation::run() {
  core::RunAsked run;
  run.spec = story_.spec;
  run.because = "the story begins";
  feed(run);
  if (!story_.session_id.empty())
    feed(core::ConversationTold{agent()->session, story_.session_id, ""});
  for (const auto& it : story_.happenings) {
    if (it.at_s > story_.until_s) break;
    advance(it.at_s);
    happen(it);
  }
  advance(story_.until_s);
  return journal_;
}

namespace {

// What becomes of its conversation is the stage of recovery (O4).
std::string action_word(const model::Decided& fact) {
  const bool stage = fact.rule == "loop" && fact.action == model::Action::restart;
  return stage ? fact.how : std::string(word(fact.action));
}

}  // namespace

std::vector<std::string> Simulation::surprises() const {
  std::vector<std::string> out;
  if (!story_.expected) return out;
  size_t next = 0;
  for (const auto& event : journal_) {
    const auto* fact = std::get_if<model::Decided>(&event.fact);
    if (!fact || fact->rule.empty()) continue;
    const std::string line = decision_line(*this, event).dump();
    if (next == story_.expected->size()) {
      out.push_back("not expected: " + line);
      continue;
    }
    const model::Expected& wanted = (*story_.expected)[next++];
    const bool same = std::abs(wanted.at_s - seconds(event)) < 1e-3 &&
                      wanted.action == action_word(*fact) &&
                      (wanted.how.empty() || wanted.how == fact->how) &&
                      (wanted.rule.empty() || wanted.rule == fact->rule) &&
                      (!wanted.attempt || *wanted.attempt == fact->attempt);
    if (!same) out.push_back(fmt::format("line {}: not as expected: {}", wanted.line, line));
  }
  for (; next < story_.expected->size(); ++next)
    out.push_back(fmt::format("line {}: this did not happen", (*story_.expected)[next].line));
  return out;
}

Json decision_line(const Simulation& simulation, const model::Event& event) {
  const auto& fact = std::get<model::Decided>(event.fact);
  const double t = std::round(simulation.seconds(event) * 1000) / 1000;
  Json out = Json::object({{"t", t},
                           {"action", action_word(fact)},
                           {"attempt", fact.attempt},
                           {"because", fact.because},
                           {"rule", fact.rule}});
  if (!fact.how.empty()) out.set("how", fact.how);
  if (!fact.matter.empty()) out.set("matter", fact.matter);
  if (fact.until) {
    const std::chrono::duration<double> ahead = *fact.until - event.at;
    out.set("until_s", simulation.seconds(event) + ahead.count());
  }
  if (fact.dry) out.set("dry_run", true);
  return out;
}

}  // namespace pawl::sim
