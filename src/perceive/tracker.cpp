#include "perceive/tracker.h"

#include <algorithm>

#include "base/text.h"
#include "perceive/rules_hook.h"

namespace pawl::perceive {
namespace {

Status summary(const term::StatusRecords& records) {
  const auto urgency = [](term::ProgramState state) {
    switch (state) {
      case term::ProgramState::blocked:
        return 5;
      case term::ProgramState::working:
        return 4;
      case term::ProgramState::error:
        return 3;
      case term::ProgramState::done:
        return 2;
      case term::ProgramState::idle:
        return 1;
    }
    return 0;
  };
  Status out;
  out.reports = records.reports();
  int most = 0;
  for (const auto& record : records.all()) {
    out.any = true;
    const bool job = !record.id.empty();
    if (job && record.state == term::ProgramState::working) ++out.working_jobs;
    // A job that works is work behind the prompt, not the program's own.
    const int urgent =
        job && record.state != term::ProgramState::blocked ? 0 : urgency(record.state);
    if (urgent <= most) continue;
    most = urgent;
    out.state = record.state;
    out.kind = record.kind;
    out.message = record.message;
  }
  return out;
}

bool batch_run(const Profile& profile, const std::vector<std::string>& argv) {
  return argv.size() > 1 && std::any_of(argv.begin() + 1, argv.end(), [&](const auto& word) {
           const auto& batch = profile.launch.batch;
           return std::find(batch.begin(), batch.end(), word) != batch.end();
         });
}

const Profile& first_profile(const Catalog& catalog, const TrackerOptions& options) {
  if (const Profile* given = catalog.find(options.runtime)) return *given;
  if (const Profile* known = catalog.by_command(options.argv)) return *known;
  return catalog.generic();
}

}  // namespace

Tracker::Tracker(const Catalog& catalog, TrackerOptions options, MonoTime now)
    : catalog_(&catalog),
      options_(std::move(options)),
      eye_(std::make_unique<Eye>(first_profile(catalog, options_))) {
  evidence_.launched = evidence_.now = now;
  evidence_.moved_above = evidence_.moved_box = evidence_.moved_below = evidence_.cleared = now;
  evidence_.worked = now;
  evidence_.osc = options_.channels.osc;
  evidence_.still = options_.still;
  use(eye_->profile());
  evidence_.up = evidence_.agent_seen = options_.running;
  evidence_.seen_work = options_.rested;
  verdict_ = {model::State::starting, "", Tier::process, "it was just started", 1};
}

void Tracker::use(const Profile& profile) {
  eye_ = std::make_unique<Eye>(profile);
  if (&profile != learnt_.get()) {
    learnt_.reset();
    evidence_.learnt.clear();
  }
  evidence_.profile = &eye_->profile();
  evidence_.sight = &eye_->sight();
  evidence_.mode = nullptr;
  evidence_.quiet = std::max(profile.quiet, options_.quiet.value_or(Duration{}));
  evidence_.stuck_after = options_.stuck;
  evidence_.after_clear = options_.cleared.value_or(kAfterClear);
  evidence_.batch = batch_run(profile, options_.argv);
  evidence_.declared = options_.runtime != "auto" || !nobody_described();
  drift_.restart();
}

void Tracker::relaunched(MonoTime now) {
  evidence_.launched = now;
  evidence_.first_output = {};
  evidence_.up = false;
  evidence_.title = {};
  evidence_.progress = {};
  evidence_.status = {};
  evidence_.hook = evidence_.file = {};
  evidence_.hook_void = false;
  evidence_.reported.clear();
  evidence_.box = evidence_.menu = {};
  evidence_.mode = nullptr;
  evidence_.turn_open = false;
  evidence_.restless = {};
  drift_.restart();
}

bool Tracker::screen(MonoTime now, const term::Screen& screen) {
  if (screen.modes().synchronized) {
    if (!drawing_since_) drawing_since_ = now;
    if (now - *drawing_since_ < kDrawingLong) return false;
  } else {
    drawing_since_.reset();
  }
  if (guesses()) recognise(screen);
  const Eye::Moved moved = eye_->look(screen);
  if (nobody_described() && !learnt_ && !eye_->sight().box.there) apprentice_.look(now, screen);
  if (const Box& box = eye_->sight().box; box.there) {
    if (!box.draft && draft_bytes_ >= kSentBytes) {
      evidence_.sent = now;
      sent_once_ = sent_since_home_ = true;
    }
    draft_bytes_ = box.draft ? box.typed : 0;
  }
  evidence_.output = now;
  if (evidence_.first_output == MonoTime{}) evidence_.first_output = now;
  if (moved.above) evidence_.moved_above = now;
  const bool silent_work = profile().strict && !moved.box;  // written, whatever it was
  if (moved.near || silent_work) moved_near(now);
  if (moved.box) evidence_.moved_box = now;
  if (moved.below) evidence_.moved_below = now;
  if (moved.cleared) evidence_.cleared = now;
  if (screen.size() != size_) home_.clear();  // everything is wrapped anew
  size_ = screen.size();
  if (moved.any()) evidence_.pictured = now;
  if (profile().strict && (moved.any() || evidence_.away)) compare_with_home();
  evidence_.box.set(eye_->sight().box.there, now);
  if (eye_->sight().busy && evidence_.up) evidence_.seen_work = true;
  evidence_.alternate = screen.alternate();
  if (options_.channels.osc) read_osc(now, screen);
  read_shell_prompt(now, screen);
  if (eye_->sight().box.there || eye_->sight().menu) evidence_.agent_seen = true;
  evidence_.menu.set(eye_->sight().menu.has_value(), now);
  forget_reported(now);
  evidence_.mode = eye_->sight().mode ? eye_->sight().mode : titled_mode();
  return true;
}

const ModeRule* Tracker::titled_mode() const {
  for (const ModeRule& rule : profile().modes)
    if (rule.title >= 0 && profile().titles.find(rule.title, evidence_.title.value.text))
      return &rule;
  return nullptr;
}

void Tracker::moved_near(MonoTime now) {
  const bool explained =
      !evidence_.up || (verdict_.state == model::State::busy && rule_ != kMovingRule);
  if (explained || eye_->sight().busy) {
    moves_ = {};
    return;
  }
  std::rotate(moves_.begin(), moves_.begin() + 1, moves_.end());
  moves_.back() = now;
  if (moves_.front() != MonoTime{} && now - moves_.front() < kRestlessWithin)
    evidence_.restless = now;
}

// A person opens a page that has a box as well: where most of what stood above it is gone and no turn was seen, nobody knows what
// that box is.
void Tracker::compare_with_home() {
  const Duration turn = sent_since_home_ ? kShortTurn : kOwnTurn;
  evidence_.away = false;
  if (home_.size() < kLeastHome || worked_for_ >= turn || !eye_->sight().box.there) return;
  const auto now = eye_->rows_above();
  std::vector<size_t> both;
  std::set_intersection(home_.begin(), home_.end(), now.begin(), now.end(),
                        std::back_inserter(both));
  evidence_.away = both.size() * 5 < home_.size() * 2;
}

void Tracker::remember_home(MonoTime now) {
  const bool works = verdict_.state == model::State::busy && rule_ != kPromptRule;
  if (work_from_) worked_for_ += now - *work_from_;
  work_from_ = works ? std::optional(now) : std::nullopt;
  if (verdict_.state != model::State::ready) return;
  home_ = eye_->rows_above();
  worked_for_ = {};
  sent_since_home_ = false;
}

// The box of a program nobody described, when a whole turn of it was seen. It is taken back when the program then goes on by itself
// where it was called ready.
void Tracker::learn_box(MonoTime now) {
  const bool contradicted = learnt_ && verdict_.state == model::State::ready &&
                            evidence_.restless == now && evidence_.sent < evidence_.box.since;
  if (contradicted) {
    use(catalog_->generic());
    apprentice_.mistaken();
  }
  if (learnt_ || !nobody_described() || !apprentice_.finished(now)) return;
  const auto box = apprentice_.learn();
  if (!box) return;
  auto profile = catalog_->generic_with(box->placeholders, box->rows);
  if (!profile) return;
  learnt_ = std::make_unique<Profile>(std::move(*profile));
  use(*learnt_);
  eye_->look(terminal_of(box->idle).screen());  // nothing is written: nobody else would look
  eye_->forget_generation();
  evidence_.box.set(eye_->sight().box.there, now);
  evidence_.learnt = "from its first turn: where text was typed, sent, and the empty row came back";
  evidence_.seen_work = evidence_.up = true;
}

// Of a program nobody described: what looks like a sign of work and stays while the program writes not one byte is a part of its
// picture. That it goes on by itself then, with nothing sent, is the proof of the contrary.
void Tracker::doubt_sign(MonoTime now) {
  doubt_at_.reset();
  if (!profile().strict) return;
  if (eye_->overlooks() && verdict_.state == model::State::ready && evidence_.restless == now &&
      evidence_.sent < evidence_.box.since) {
    eye_->look_again();
    believes_ = true;
  }
  while (eye_->sight().busy && !believes_) {
    const Seen& sign = *eye_->sight().busy;
    if (!sent_once_ && standing_.size() < kMaxStanding) standing_.insert(sign.text);
    const Duration patience = sign.sign->turns                ? evidence_.quiet
                              : standing_.contains(sign.text) ? kStandingSign
                                                              : kFrozenSign;
    doubt_at_ = evidence_.output + patience;
    if (now < *doubt_at_) return;
    doubt_at_.reset();
    if (!eye_->overlook(sign.text)) return;
  }
}

TitleKind Tracker::kind_of(const std::string& title) const {
  const Profile& p = profile();
  const auto is = [&](int pattern) { return pattern >= 0 && p.titles.find(pattern, title); };
  if (trim(title).empty()) return TitleKind::none;
  if (is(p.title.waiting)) return TitleKind::waiting;
  if (is(p.title.idle)) return TitleKind::idle;
  if (is(p.title.busy)) return TitleKind::busy;
  return TitleKind::other;
}

void Tracker::read_osc(MonoTime now, const term::Screen& screen) {
  if (screen.title() != evidence_.title.value.text &&
      !(evidence_.title.value.text.empty() && screen.title() == stale_title_))
    evidence_.title.set({screen.title(), kind_of(screen.title())}, now);
  if (screen.progress().reports != evidence_.progress_reports) {
    evidence_.progress_reports = screen.progress().reports;
    evidence_.progress.set(screen.progress().state, now);
  }
  if (screen.status().reports() != status_reports_) {
    status_reports_ = screen.status().reports();
    evidence_.status.set(summary(screen.status()), now);
    if (evidence_.up && evidence_.status.value.state == term::ProgramState::working)
      evidence_.reported_work = true;
  }
  evidence_.shell_mark = screen.shell_mark();
}

// While text is typed after it, a prompt is still a prompt.
void Tracker::read_shell_prompt(MonoTime now, const term::Screen& screen) {
  const std::string& shown = eye_->sight().shell;
  if (!shown.empty())
    evidence_.shell_prompt = shown;
  else if (!screen.row_text(screen.cursor().row).starts_with(trim(evidence_.shell_prompt)))
    evidence_.shell_prompt.clear();
  const bool was = evidence_.shell_shown.value;
  evidence_.shell_shown.set(!evidence_.shell_prompt.empty(), now);
  if (was && !evidence_.shell_shown.value && verdict_.state == model::State::shell &&
      !evidence_.facts) {
    stale_title_ = screen.title();
    relaunched(now);
  }
}

void Tracker::facts(MonoTime now, const Facts& facts) {
  if (!options_.channels.process) return;
  const bool was_shell = evidence_.facts && shell_in_front(*evidence_.facts);
  const double passed = std::chrono::duration<double>(now - evidence_.facts_at).count();
  if (!evidence_.facts || facts.cpu_s - evidence_.facts->cpu_s > kCpuProgress * passed)
    evidence_.cpu_moved = now;
  evidence_.facts = facts;
  evidence_.facts_at = now;
  evidence_.front.set(facts.front, now);
  const bool shell = shell_in_front(facts);
  if (was_shell != shell) {
    stale_title_ = evidence_.title.value.text.empty() ? stale_title_ : evidence_.title.value.text;
    relaunched(now);
  }
  if (guesses())
    if (const Profile* found = catalog_->by_process(facts); found && found != &profile())
      use(*found);
}

void Tracker::ended(MonoTime, const model::Ending& ending) {
  evidence_.ending = ending;
}

void Tracker::told(MonoTime now, bool by_hook, const Word& word) {
  (by_hook ? evidence_.hook : evidence_.file).set(word, now);
  if (by_hook) evidence_.hook_void = false;
  if (word.told != Told::waiting || word.subject.empty()) return;
  auto& reported = evidence_.reported;
  if (reported.size() == kMaxReported) reported.erase(reported.begin());
  reported.push_back({word.subject, now});
}

// A dialog that is drawn anew is gone for a moment: what was said of it holds until no dialog was there for a while.
void Tracker::forget_reported(MonoTime now) {
  if (evidence_.menu.value || now - evidence_.menu.since < kDialogGone) return;
  std::erase_if(evidence_.reported,
                [&](const Reported& one) { return one.at + kReportedBefore < now; });
}

void Tracker::recognise(const term::Screen& screen) {
  if (!nobody_described()) return;
  const Profile* found = nullptr;
  if (options_.channels.osc) {
    if (const auto* root = screen.status().root()) found = catalog_->by_app(root->app);
    if (!found) found = catalog_->by_title(screen.title());
  }
  for (const int row : screen.rows_changed_since(recognised_))
    if (!found) found = catalog_->by_row(screen.row_text(row));
  recognised_ = screen.generation();
  if (found && found != &profile()) use(*found);
}

std::optional<Verdict> Tracker::read(MonoTime now) {
  evidence_.now = now;
  evidence_.said = verdict_.state;
  doubt_sign(now);
  learn_box(now);
  if (!evidence_.up && listening(evidence_)) evidence_.up = true;
  evidence_.hook_void = hook_outweighed(evidence_);
  Reading reading = judge(evidence_);
  if (evidence_.mode) reading.verdict.input = evidence_.mode->input;
  reading.verdict.background = evidence_.running_behind();
  if (!reading.hold) {
    if (reading.verdict.state == model::State::busy && reading.rule != kPromptRule) {
      evidence_.worked = now;
      evidence_.turn_open = true;
    } else if (reading.verdict.state == model::State::ready) {
      evidence_.turn_open = false;
      evidence_.sent = {};  // nothing came of it: removing a draft looks like sending it
    }
  }
  again_ = reading.again;
  if (const auto then = apprentice_.wake_at(); then && *then > now && (!again_ || *then < *again_))
    again_ = then;
  if (doubt_at_ && (!again_ || *doubt_at_ < *again_)) again_ = doubt_at_;
  if (!reading.hold && reading.verdict.state == model::State::busy &&
      evidence_.stuck_after > Duration{}) {
    const MonoTime stuck =
        now + evidence_.stuck_after;  // at the latest, look whether it still moves
    if (!again_ || stuck < *again_) again_ = stuck;
  }
  if (reading.hold) {
    drift_.look(evidence_, verdict_, rule_);
    return std::nullopt;
  }
  rule_ = reading.rule;
  const bool edge =
      reading.verdict.state != verdict_.state || reading.verdict.kind != verdict_.kind ||
      reading.verdict.input != verdict_.input || reading.verdict.background != verdict_.background;
  verdict_ = reading.verdict;
  drift_.look(evidence_, verdict_, rule_);
  if (profile().strict) remember_home(now);
  if (!edge) return std::nullopt;
  return verdict_;
}

}  // namespace pawl::perceive
