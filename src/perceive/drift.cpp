#include "perceive/drift.h"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "base/text.h"
#include "perceive/rules.h"
#include "perceive/say.h"

namespace pawl::perceive {
namespace {

using model::State;

constexpr std::string_view kGeneric = "generic";  // written from no version: cannot drift

bool better(Tier tier) {
  return tier == Tier::status || tier == Tier::hook || tier == Tier::file || tier == Tier::osc;
}

std::string who_says(Tier tier) {
  switch (tier) {
    case Tier::status:
      return "the program reported";
    case Tier::hook:
      return "its hooks said";
    case Tier::file:
      return "its status file said";
    case Tier::process:
    case Tier::osc:
    case Tier::screen:
    case Tier::silence:
    case Tier::pattern:
      break;
  }
  return "its title or progress said";
}

// Signs of work that are looked for beside the box only are invisible while there is none.
bool signs_need_box(const Profile& profile) {
  return std::all_of(profile.busy.begin(), profile.busy.end(), [](const Sign& sign) {
    return sign.where != Region::bottom && sign.where != Region::screen;
  });
}

std::optional<Tier> tier_that_says_blocked(const Evidence& e) {
  if (e.status.value.any && e.status.value.state == term::ProgramState::blocked)
    return Tier::status;
  if (e.hook.value.told == Told::waiting) return Tier::hook;
  if (e.file.value.told == Told::waiting) return Tier::file;
  if (e.title.value.kind == TitleKind::waiting) return Tier::osc;
  return std::nullopt;
}

std::optional<Tier> says_idle(const Evidence& e) {
  const Status& s = e.status.value;
  if (s.any) {
    const bool idle = s.state == term::ProgramState::idle || s.state == term::ProgramState::done;
    return idle ? std::optional(Tier::status) : std::nullopt;
  }
  if (e.hook.value.told == Told::idle) return Tier::hook;
  if (e.file.value.told == Told::idle) return Tier::file;
  if (e.title.value.kind == TitleKind::idle) return Tier::osc;
  return std::nullopt;
}

std::string turns(int count) {
  return count == 1 ? "1 turn" : fmt::format("{} turns", count);
}

}  // namespace

void Drift::look(const Evidence& e, const Verdict& verdict, std::string_view rule) {
  if (e.profile->name == kGeneric) return;
  look_at_work(e, verdict, rule);
  look_at_question(e, verdict);
  look_at_prompt(e, rule);
  look_at_row(e, verdict);
}

void Drift::look_at_work(const Evidence& e, const Verdict& verdict, std::string_view rule) {
  const Profile& profile = *e.profile;
  const bool works = verdict.state == State::busy && better(verdict.tier) && rule == kWorkingRule;
  if (viewed_) in_view_ += e.now - *viewed_;
  viewed_.reset();
  if (works) {
    if (!work_.open) {
      work_ = {true, e.now, {}};
      in_view_ = {};
      sign_seen_ = title_seen_ = false;
    }
    work_.who = who_says(verdict.tier);
    if (e.sight->box.there || !signs_need_box(profile)) viewed_ = e.now;
    sign_seen_ = sign_seen_ || e.sight->busy.has_value();
    work_title_ = e.title.value.text;
    title_seen_ = title_seen_ || e.title.value.kind == TitleKind::busy;
    return;
  }
  const bool told_idle = std::exchange(titled_, e.title.value.kind == TitleKind::idle);
  if (!work_.lasted(e.now, kDriftWork)) {
    work_ = {};
    return;
  }
  if (!profile.busy.empty() && (sign_seen_ || in_view_ >= kDriftWork))
    judge(profile, busy, sign_seen_, work_.who);
  if (profile.title.busy >= 0 && told_idle) judge(profile, title, title_seen_, work_title_);
  work_ = {};
  worked_ = true;
}

void Drift::look_at_question(const Evidence& e, const Verdict& verdict) {
  const auto tier = tier_that_says_blocked(e);
  if (tier && verdict.state == State::waiting) {
    if (!asks_.open) {
      asks_ = {true, e.now, who_says(*tier)};
      dialog_seen_ = false;
    }
    dialog_seen_ = dialog_seen_ || (e.sight->menu && e.sight->menu->known);
    return;
  }
  if (!e.profile->dialogs.empty() && asks_.lasted(e.now, kDriftAsks))
    judge(*e.profile, dialog, dialog_seen_, asks_.who);
  asks_ = {};
}

// Only the first moments after a turn count: later a person may open, type and leave what they like.
void Drift::look_at_prompt(const Evidence& e, std::string_view rule) {
  const bool at_rest = rule == kPromptRule || rule == kDraftRule || rule == kLostRule;
  const auto tier = says_idle(e);
  if (!worked_ || work_.open || !tier || !at_rest || e.profile->boxes.empty()) {
    idle_ = {};
    return;
  }
  if (!idle_.open) {
    idle_ = {true, e.now, who_says(*tier)};
    box_seen_ = false;
  }
  const Box& seen = e.sight->box;
  box_seen_ = box_seen_ || seen.there;
  if (!idle_.lasted(e.now, kDriftIdle)) return;
  judge(*e.profile, box, box_seen_, idle_.who);
  // Nobody leaves the same unsent text behind every turn: then it is the program's own.
  if (seen.there) {
    const std::string text = seen.draft ? seen.text : std::string();
    judge(*e.profile, placeholder, text.empty() || text != left_, text);
    left_ = text;
  }
  worked_ = false;
  idle_ = {};
}

// At rest, by what it says itself, under a row that only looks like work (row_void_from).
void Drift::look_at_row(const Evidence& e, const Verdict& verdict) {
  if (verdict.state != State::ready || !says_idle(e)) {
    rests_ = {};
    return;
  }
  const bool there = e.sight->busy && !looks_busy(e);
  if (!rests_.open || there != row_there_) {
    rests_ = {true, e.now, {}};
    row_there_ = there;
    row_judged_ = false;
  }
  if (row_judged_ || !rests_.lasted(e.now, kDriftIdle)) return;
  judge(*e.profile, row, !there, there ? e.sight->busy->text : std::string());
  row_judged_ = true;
}

void Drift::judge(const Profile& profile, Rule rule, bool agreed, std::string detail) {
  Streak& streak = streaks_[rule];
  if (agreed) {
    streak.turns = 0;
    return;
  }
  ++streak.turns;
  streak.detail = std::move(detail);
  const int enough = rule == row ? 1 : rule == dialog ? kDriftDialogs : kDriftTurns;
  if (streak.told || streak.turns < enough) return;
  streak.told = true;
  const std::string seen = profile.seen.empty()
                               ? std::string()
                               : " (profile written from " + join(profile.seen, ", ") + ")";
  const std::string text = fmt::format("profile {}: {}{}: run pawl calibrate, or update Pawl",
                                       profile.name, text_of(profile, rule), seen);
  alarm_ = alarm_ ? *alarm_ + "; " + text : text;
}

std::string Drift::text_of(const Profile& profile, Rule rule) const {
  const Streak& streak = streaks_[rule];
  const int count = streak.turns;
  switch (rule) {
    case busy:
      return fmt::format("none of its [[busy]] signs was seen in {} in which {} that it works",
                         turns(count), streak.detail);
    case title:
      return fmt::format("its [title] busy = '{}' matched no title in {}; the last was '{}'",
                         profile.titles.text(profile.title.busy), turns(count), streak.detail);
    case dialog:
      return fmt::format("none of its [[dialog]] patterns was seen {} when {} that it asks",
                         count == 1 ? "once" : fmt::format("{} times in a row", count),
                         streak.detail);
    case box:
      return fmt::format("no [[box]] of it was seen after {} when {} that it is ready",
                         turns(count), streak.detail);
    case placeholder:
      return fmt::format(
          "the box holds the same text after {}, so none of its placeholders fits: '{}'",
          turns(count + 1), streak.detail);
    case row:
      return fmt::format(
          "a row fits a sign of work, and the program, its session file and its title say that it "
          "rests: '{}'",
          streak.detail);
    case kRules:
      break;
  }
  return {};
}

std::optional<std::string> Drift::take_alarm() {
  return std::exchange(alarm_, std::nullopt);
}

std::vector<std::string> Drift::disagreements(const Profile& profile) const {
  std::vector<std::string> out;
  for (int rule = 0; rule < kRules; ++rule)
    if (streaks_[static_cast<size_t>(rule)].turns > 0)
      out.push_back(text_of(profile, static_cast<Rule>(rule)));
  return out;
}

}  // namespace pawl::perceive
