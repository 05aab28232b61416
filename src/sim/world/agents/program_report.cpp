// What the program lets others know: its picture, its hooks, its reports, its processes and its files.

#include <algorithm>

#include "sim/world/agents/program.h"
#include "term/status.h"

namespace pawl::sim {
namespace {

using namespace std::chrono_literals;

constexpr double kBusyCpu = 0.06, kIdleCpu = 0.008;  // of a second, for each second

term::ProgramState state_of(std::string_view state) {
  using term::ProgramState;
  if (state == "working") return ProgramState::working;
  if (state == "blocked") return ProgramState::blocked;
  if (state == "done") return ProgramState::done;
  if (state == "error") return ProgramState::error;
  return ProgramState::idle;
}

term::BlockedKind kind_of(std::string_view kind) {
  return kind == "permission" ? term::BlockedKind::permission
         : kind == "auth"     ? term::BlockedKind::auth
                              : term::BlockedKind::question;
}

// With the whole path of a file.
std::string whole_subject(const Asked& asked, const std::string& dir) {
  const bool file = asked.ask == Ask::write || asked.ask == Ask::edit;
  const std::string& subject = asked.about.subject;
  return file && !subject.starts_with("/") ? dir + "/" + subject : subject;
}

bool modal(const Asked* asked) {
  return asked && asked->ask != Ask::survey;
}

}  // namespace

Scene Program::scene(MonoTime now) const {
  Scene scene;
  scene.size = launch_.size;
  scene.dir = launch_.dir.starts_with(launch_.home) ? "~" + launch_.dir.substr(launch_.home.size())
                                                    : launch_.dir;
  scene.opening = phase_ != Phase::up;
  scene.working = turn_.on;
  scene.compacting = turn_.compacting;
  scene.worked = turn_.on ? now - turn_.since : Duration{};
  scene.spin = spin_;
  scene.tool = turn_.tool;
  scene.retry = turn_.retry;
  scene.jobs = jobs_;
  scene.said = &said_;
  if (!mute_) {
    scene.draft = box_.shown();
    scene.cursor = box_.shown_cursor();
  }
  scene.mode = mode_;
  scene.vim = vim_;
  scene.asked = asked_.get();
  if (limit_ && !turn_.on) scene.limit = model_->until(wall(now), *limit_);
  scene.reports = reports_;
  scene.asks = true;
  for (const auto& word : launch_.argv)
    if (word == "--dangerously-skip-permissions" || word == "--yolo" || word == "auto")
      scene.asks = false;
  scene.hint = hint_;
  return scene;
}

void Program::changed(MonoTime now) {
  if (phase_ != Phase::opening && phase_ != Phase::up) return;
  if (odd(Oddity::slow_echo, behaviour_.slow_echo))
    frozen_ = std::max(frozen_, now + chance_.between(100ms, 1500ms));
  const MonoTime at = std::max(frozen_, now + chance_.between(1ms, 20ms));
  const auto before = planned(Due::draws);
  if (!before || frozen_ > *before) plan(Due::draws, at);
}

// The next picture of its turning line: one row, and in the same wake-up.
void Program::spun(MonoTime now) {
  ++spin_;
  if (const auto again = planned(Due::retries); again && !turn_.retry.empty()) {
    const auto left = std::chrono::ceil<std::chrono::seconds>(*again - now).count();
    turn_.retry = model_->retry(turn_.trouble, turn_.attempt, static_cast<int>(left));
    return paint(now);
  }
  if (now < frozen_ || planned(Due::draws)) return changed(now);
  if (spin_row_ < 0 || behaviour_.halves + behaviour_.clears + behaviour_.garbage > 0)
    return paint(now);
  const Scene seen = scene(now);
  std::string bytes = new_title(seen) + canvas_.paint_row(spin_row_, model_->spin(seen));
  if (!bytes.empty()) draw(now, std::move(bytes));
}

// One picture after the other: the second half of one is never printed into the next.
void Program::draw(MonoTime at, std::string bytes, std::optional<Picture> whole) {
  drawn_ = std::max(drawn_, at);
  put(drawn_, std::move(bytes), whole);
}

std::string Program::new_title(const Scene& seen) {
  std::string title = model_->title(seen);
  if (title == title_) return {};
  title_ = std::move(title);
  return "\x1b]0;" + title_ + "\a";
}

void Program::paint(MonoTime now) {
  if (phase_ != Phase::opening && phase_ != Phase::up) return;
  const Scene seen = scene(now);
  if (chance_.happens(behaviour_.clears)) {
    draw(now, "\x1b[H\x1b[2J");
    canvas_.forget();
    return plan(Due::draws, now + chance_.between(5ms, 120ms));
  }
  std::string bytes;
  if (chance_.happens(behaviour_.garbage)) bytes = "\x1b[38;5;\xff\xfe\x1b]9999;\x01\a\x1b[?9z";
  bytes += new_title(seen);
  const Frame frame = model_->draw(seen);
  spin_row_ = frame.spin;
  bytes += canvas_.paint(frame, launch_.size);
  if (bytes.empty()) return;
  const Picture whole{asked_ ? asked_->number : 0, mode_};
  const size_t cut =
      chance_.happens(behaviour_.halves) ? chance_.below(bytes.size()) : bytes.size();
  draw(now, bytes.substr(0, cut), cut == bytes.size() ? std::optional(whole) : std::nullopt);
  if (cut < bytes.size()) draw(now + chance_.between(1ms, 50ms), bytes.substr(cut), whole);
}

void Program::hook(MonoTime now, Moment moment, std::string source, std::string subject) {
  if (!hooked_) return;
  HookFacts facts;
  facts.conversation = conversation_;
  facts.dir = launch_.dir;
  facts.transcript = transcript_path(launch_.home, launch_.dir, conversation_);
  facts.prompt = turn_.prompt;
  facts.trouble = turn_.trouble;
  facts.answer = moment == Moment::turn_fails ? source : "All is well here.";
  facts.source = std::move(source);
  facts.tool = asked_ && !asked_->tool.empty() ? asked_->tool : "Bash";
  facts.subject = std::move(subject);
  facts.jobs = jobs_;
  std::string text = hook_text(model_->hooks, moment, facts);
  if (text.empty()) return;
  if (odd(Oddity::lose_hook, behaviour_.hook_lost))
    return log({.at = now, .what = Entry::What::unheard, .text = std::move(text)});
  MonoTime at = now + chance_.between(10ms, 100ms);
  if (odd(Oddity::late_hook, behaviour_.hook_late)) at += chance_.between(1s, 20s);
  if (odd(Oddity::double_hook, behaviour_.hook_doubled))
    hooks_.push_back({at + chance_.between(1ms, 500ms), text});
  hooks_.push_back({at, std::move(text)});
}

// `more`: what it does while it works, or the kind of what it is blocked by.
void Program::report(MonoTime now, std::string_view state, std::string_view more) {
  if (launch_.ghostty && model_->progress &&
      (state == "working" || state == "done" || state == "error" || state == "idle"))
    put(now, state == "working" ? "\x1b]9;4;3;\a" : "\x1b]9;4;0;\a");
  if (!reports_) return;
  if (odd(Oddity::no_status, behaviour_.status_absent)) return;
  term::StatusRecord record;
  record.app = model_->app;
  record.state = state_of(state);
  if (odd(Oddity::wrong_status, behaviour_.status_wrong))
    record.state = record.state == term::ProgramState::working ? term::ProgramState::idle
                                                               : term::ProgramState::working;
  if (record.state == term::ProgramState::blocked) {
    record.kind = kind_of(more);
    if (model_ == &kClaude && asked_)
      record.message = record.kind == term::BlockedKind::permission
                           ? "approve " + asked_->tool + ": " + whole_subject(*asked_, launch_.dir)
                           : "answer: " + asked_->question;
  } else if (state == "working" && model_ == &kClaude) {
    record.message = more;
  }
  MonoTime at = now + chance_.between(1ms, 20ms);
  if (odd(Oddity::late_status, behaviour_.status_late)) at += chance_.between(500ms, 5s);
  put(at, term::status_report(record));
}

double Program::cpu(MonoTime now) const {
  if (phase_ == Phase::shell || phase_ == Phase::gone || hung_) return cpu_;
  const double seconds = std::chrono::duration<double>(now - cpu_since_).count();
  return cpu_ + seconds * (turn_.on && !asked_ ? kBusyCpu : kIdleCpu);
}

void Program::settle(MonoTime now) {
  cpu_ = cpu(now);
  cpu_since_ = state_since_ = now;
}

model::Facts Program::facts(MonoTime now) const {
  model::Facts facts;
  facts.cpu_s = cpu(now);
  if (phase_ == Phase::gone || phase_ == Phase::none) {
    facts.zombie = phase_ == Phase::gone;
    return facts;
  }
  if (phase_ == Phase::shell) {
    facts.front = facts.busiest = "bash";
    facts.front_count = 1;
    facts.signals = true;
    return facts;
  }
  facts.front = model_->front;
  facts.busiest = model_->busiest;
  facts.front_count = model_->front_count;
  facts.argv = launch_.argv;
  facts.processes = {launch_.process};
  facts.canonical = facts.echo = facts.signals = model_->cooked && phase_ == Phase::starting;
  if (mode_ == Mode::editor) facts.front = facts.busiest = "vim";
  if (!turn_.tool.empty()) facts.outside.emplace_back("bash");
  for (unsigned i = 0; i < jobs_; ++i) facts.outside.emplace_back("sleep");
  return facts;
}

std::vector<OwnFile> Program::files(MonoTime now) const {
  if (!model_->own_files || phase_ != Phase::up) return {};
  SessionState state{launch_.process, conversation_, launch_.dir, "idle", "", wall(now)};
  state.since = wall(state_since_);
  if (modal(asked_.get())) {
    state.status = "waiting";
    state.waiting_for = asked_->tool.empty()                ? "dialog open"
                        : asked_->tool == "AskUserQuestion" ? "input needed"
                                                            : "permission prompt";
  } else if (turn_.on) {
    state.status = "busy";
  } else if (jobs_ > 0) {
    state.status = "shell";
  }
  std::string text = session_file(state);
  const uint64_t size = text.size();
  const std::string pid = std::to_string(launch_.process.pid);
  return {{launch_.home + "/.claude/sessions/" + pid + ".json", std::move(text), size},
          {transcript_path(launch_.home, launch_.dir, conversation_), transcript_.tail(),
           transcript_.size()}};
}

size_t Program::weight() const {
  size_t bytes = sizeof *this;
  for (const auto& word : launch_.argv) bytes += sizeof word + word.capacity();
  bytes += agenda_.capacity() * sizeof(Plan) + input_.capacity() * sizeof(Typed);
  bytes += output_.capacity() * sizeof(Piece) + hooks_.capacity() * sizeof(Hook);
  bytes += log_.capacity() * sizeof(Entry);
  for (const Said& said : said_) bytes += sizeof said + said.text.capacity();
  bytes += transcript_.tail().capacity() + title_.capacity();
  return bytes + launch_.size.rows * sizeof(uint64_t);
}

}  // namespace pawl::sim
