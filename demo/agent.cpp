#include "agent.h"

#include <poll.h>
#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <clocale>
#include <cstdlib>
#include <optional>

#include "scenes.h"
#include "stream.h"

namespace demo {
namespace {

using Steady = std::chrono::steady_clock;
using Seconds = std::chrono::duration<double>;

constexpr auto kFrame = std::chrono::milliseconds{100};
constexpr auto kEscapeWait = std::chrono::milliseconds{40};
constexpr size_t kBoxRows = 12;
constexpr double kPause = 5;  // between two rounds of --loop
constexpr std::array<const char*, 6> kSpinner = {"◜", "◝", "◞", "◟", "◞", "◝"};

volatile sig_atomic_t resized = 0;
volatile sig_atomic_t ended_by = 0;

class Agent {
 public:
  Agent(const Options& options, Panel& panel) : options_(options), panel_(panel) {}
  int run();

 private:
  enum class Phase { idle, busy, asking, limited };

  void enter(Phase phase, const std::string& message = "");
  void report(const std::string& record);
  void begin(const std::vector<Step>& steps);
  void play();
  void start_step();
  void finish_step();
  void on_press(const Press& press);
  void on_answer(const Press& press);
  void edit(const Press& press);
  void submit();
  void interrupt();
  void answer(size_t row);
  void draw();
  void add_dialog(Live& live) const;
  void add_box(Live& live) const;
  std::string status_line() const;
  std::optional<Steady::duration> until_wake() const;
  void wait();
  [[noreturn]] void crash();

  Options options_;
  Panel& panel_;
  Phase phase_ = Phase::idle;
  const std::vector<Step>* steps_ = nullptr;
  size_t at_ = 0;                   // the step being played
  Steady::time_point step_began_;   // of that step
  Steady::time_point turn_began_;   // for the seconds shown
  Steady::time_point phase_began_;  // for the pause of --loop
  Steady::time_point started_ = Steady::now();
  std::string box_;
  size_t row_ = 0;  // chosen row of the dialog
  size_t frame_ = 0;
  bool reports_ = false;  // the terminal understands OSC 7501
  std::string record_;    // the last report, sent or not
  bool leaving_warned_ = false;
  std::optional<int> exit_;
};

double since(Steady::time_point time) {
  return Seconds(Steady::now() - time).count();
}

void Agent::report(const std::string& record) {
  record_ = record;
  if (reports_) panel_.raw("\x1b]7501;" + record + ":app=pawl-demo\x1b\\");
}

void Agent::enter(Phase phase, const std::string& message) {
  const bool was_busy = phase_ != Phase::idle;
  phase_ = phase;
  phase_began_ = Steady::now();
  const std::string text = message.empty() ? "" : ":msg=" + base64(message);
  switch (phase) {
    case Phase::idle:
      panel_.title("demo · ready");
      report(was_busy ? "state=done" : "state=idle");
      break;
    case Phase::busy:
      panel_.title("demo · working");
      report("state=working" + text);
      break;
    case Phase::asking:
      panel_.title("demo · needs you");
      report("state=blocked:kind=" + std::string(question((*steps_)[at_].what).kind) + text);
      break;
    case Phase::limited:
      panel_.title("demo · limit");
      report("state=error" + text);
      break;
  }
}

void Agent::begin(const std::vector<Step>& steps) {
  if (steps.empty()) return;
  steps_ = &steps;
  at_ = 0;
  turn_began_ = Steady::now();
  enter(Phase::busy);
  start_step();
}

void Agent::start_step() {
  step_began_ = Steady::now();
  const Step& step = (*steps_)[at_];
  if (step.what == Do::tool) {
    panel_.say("\x1b[32m▸\x1b[39m " + step.text);
    report("state=working:msg=" + base64(step.text));
  } else if (step.what == Do::ask || step.what == Do::choose) {
    row_ = 0;
    enter(Phase::asking, step.text);
  }
}

void Agent::finish_step() {
  const Step& step = (*steps_)[at_];
  switch (step.what) {
    case Do::prose:
      for (const auto& line : wrap(step.text, panel_.width() - 3)) panel_.say("  " + line);
      panel_.say("");
      break;
    case Do::result:
      panel_.say("  " + dim("└ " + step.text));
      break;
    case Do::limit: {
      const std::string text = "Usage limit reached · resets " + step.text;
      panel_.say("\x1b[33m■ " + text + "\x1b[39m");
      enter(Phase::limited, text);
      return;
    }
    case Do::crash:
      crash();
    case Do::leave:
      panel_.say("Goodbye.");
      exit_ = options_.exit_code;
      return;
    case Do::tool:
    case Do::ask:
    case Do::choose:
      break;
  }
  if (++at_ < steps_->size())
    start_step();
  else
    enter(Phase::idle);
}

void Agent::play() {
  if (phase_ == Phase::busy) {
    ++frame_;
    if (since(step_began_) * options_.speed >= (*steps_)[at_].seconds) finish_step();
  } else if (phase_ == Phase::idle && options_.loop && box_.empty() &&
             since(phase_began_) * options_.speed >= kPause) {
    begin(*scene(options_.scene));
  }
}

void Agent::crash() {
  panel_.say("\x1b[31mfatal: index 812 is past the end of a table of 812\x1b[39m");
  for (const char* line : {"count_lines (walk.c:88)", "each_module (walk.c:41)",
                           "run_tool (tools.c:207)", "turn (loop.c:63)", "main (main.c:19)"})
    panel_.say(std::string("    at ") + line);
  panel_.draw({{""}, 0, 0, true});
  const rlimit no_core = {0, 0};
  ::setrlimit(RLIMIT_CORE, &no_core);
  std::abort();  // the terminal stays as it is, as after any crash
}

void Agent::interrupt() {
  panel_.say("\x1b[33m■ Interrupted\x1b[39m");
  enter(Phase::idle);
}

void Agent::answer(size_t row) {
  const std::string command = (*steps_)[at_].text;
  if (row == 2) {
    panel_.say("\x1b[33m■ Not allowed: " + command + "\x1b[39m");
    enter(Phase::idle);
    return;
  }
  panel_.say(dim(question((*steps_)[at_].what).said[row] + command));
  enter(Phase::busy);
  finish_step();
}

void Agent::on_answer(const Press& press) {
  if (press.key == Key::up && row_ > 0) --row_;
  if (press.key == Key::down && row_ < 2) ++row_;
  if (press.key == Key::enter) return answer(row_);
  if (press.key == Key::escape || press.key == Key::interrupt) return answer(2);
  if (press.key == Key::text && press.text.size() == 1 && press.text[0] >= '1' &&
      press.text[0] <= '3')
    answer(static_cast<size_t>(press.text[0] - '1'));
}

void Agent::submit() {
  if (box_.empty()) return;
  note_prompt(box_);
  panel_.say("\x1b[1m❯ " + box_ + "\x1b[22m");
  const auto& turn = box_ == "remove the old build" ? *scene("dialog") : reply();
  box_.clear();
  if (phase_ == Phase::limited) {
    panel_.say("\x1b[33m■ Still at the usage limit\x1b[39m");
  } else if (phase_ == Phase::busy) {
    panel_.say(dim("  read, after this turn"));
  } else {
    begin(turn);
  }
}

void Agent::edit(const Press& press) {
  if (press.key == Key::text) box_ += press.text;
  if (press.key == Key::clear) box_.clear();
  if (press.key == Key::backspace) {
    while (!box_.empty() && (static_cast<unsigned char>(box_.back()) & 0xc0) == 0x80)
      box_.pop_back();
    if (!box_.empty()) box_.pop_back();
  }
}

void Agent::on_press(const Press& press) {
  if (press.key == Key::status_reply) {
    reports_ = true;
    return report(record_);
  }
  if (phase_ == Phase::asking) return on_answer(press);
  const bool stop = press.key == Key::interrupt || (press.key == Key::end && box_.empty());
  if (phase_ == Phase::busy && (press.key == Key::escape || stop)) return interrupt();
  if (stop && leaving_warned_) exit_ = 0;
  leaving_warned_ = stop;
  if (press.key == Key::enter) return submit();
  edit(press);
}

std::string Agent::status_line() const {
  const auto seconds = std::to_string(static_cast<int>(since(turn_began_)));
  return "\x1b[36m" + std::string(kSpinner[frame_ % kSpinner.size()]) + "\x1b[39m Working " +
         dim("(" + seconds + "s · esc to interrupt)");
}

void Agent::add_dialog(Live& live) const {
  const Step& step = (*steps_)[at_];
  const Question& asked = question(step.what);
  live.lines.push_back(asked.words);
  live.lines.push_back("    \x1b[1m" + step.text + "\x1b[22m");
  for (size_t i = 0; i < std::size(asked.rows); ++i) {
    if (i == row_) live.cursor_line = live.lines.size();
    live.lines.push_back((i == row_ ? "\x1b[36m❯ " : "  ") + std::string(asked.rows[i]) +
                         "\x1b[39m");
  }
  live.lines.push_back(dim("  enter chooses · esc refuses"));
  live.cursor_col = 0;
  live.cursor_visible = false;
}

void Agent::add_box(Live& live) const {
  std::string rule;
  for (size_t i = 0; i + 1 < panel_.width(); ++i) rule += "─";
  live.lines.push_back(dim(rule));
  const bool fits = columns(box_) + 3 < panel_.width();
  const auto rows = fits ? std::vector{box_} : wrap(box_, std::max<size_t>(panel_.width(), 8) - 4);
  live.cursor_col = std::min(columns(rows.back()) + 2, panel_.width() - 1);
  for (size_t i = rows.size() > kBoxRows ? rows.size() - kBoxRows : 0; i < rows.size(); ++i)
    live.lines.push_back((i == 0 ? "❯ " : "  ") + rows[i]);
  live.cursor_line = live.lines.size() - 1;
  if (box_.empty()) live.lines.back() += dim("ask for something, for example: explain the queue");
  live.lines.push_back(dim(rule));
  live.lines.push_back(
      dim(leaving_warned_ ? "  once more leaves" : "  enter sends · ctrl-c twice leaves"));
}

void Agent::draw() {
  Live live;
  if (phase_ == Phase::busy) {
    const Step& step = (*steps_)[at_];
    if (step.what == Do::prose) {  // the part that has been "received" so far
      const double share = std::min(1.0, since(step_began_) * options_.speed / step.seconds);
      const auto bytes = static_cast<size_t>(share * static_cast<double>(step.text.size()));
      const size_t whole_words = std::min(step.text.rfind(' ', bytes), step.text.size());
      for (const auto& line : wrap(step.text.substr(0, whole_words), panel_.width() - 3))
        live.lines.push_back("  " + line);
    }
    live.lines.push_back(status_line());
  }
  if (phase_ == Phase::asking)
    add_dialog(live);
  else
    add_box(live);
  panel_.draw(std::move(live));
}

std::optional<Steady::duration> Agent::until_wake() const {
  std::optional<Steady::duration> wake;
  const auto sooner = [&wake](Steady::duration d) { wake = wake ? std::min(*wake, d) : d; };
  const auto left = [](Steady::time_point start, double seconds) {
    return std::chrono::duration_cast<Steady::duration>(
        Seconds(std::max(0.001, seconds - since(start))));
  };
  if (panel_.escape_pending()) sooner(kEscapeWait);
  if (phase_ == Phase::busy) sooner(kFrame);
  if (phase_ == Phase::idle && options_.loop && box_.empty())
    sooner(left(phase_began_, kPause / options_.speed));
  if (options_.seconds > 0) sooner(left(started_, options_.seconds));
  return wake;
}

void Agent::wait() {
  sigset_t none;
  sigemptyset(&none);
  pollfd input = {panel_.closed() ? -1 : STDIN_FILENO, POLLIN, 0};
  const auto wake = until_wake();
  timespec timeout = {};
  if (wake) {
    const auto ns = std::chrono::nanoseconds(*wake).count();
    timeout = {ns / 1'000'000'000, ns % 1'000'000'000};
  }
  const int ready = ::ppoll(&input, 1, wake ? &timeout : nullptr, &none);
  const auto presses = ready > 0 ? panel_.read_keys() : panel_.flush_escape();
  for (const auto& press : presses)
    if (!exit_) on_press(press);
}

int Agent::run() {
  panel_.say("\x1b[1mPawl demo agent\x1b[22m " +
             dim("· scene " + options_.scene + " · no model behind it"));
  panel_.say("");
  // Programs stay silent unless the terminal answers the first question; every terminal answers the
  // second.
  panel_.raw("\x1b]7501;?\x1b\\\x1b[c");
  enter(Phase::idle);
  begin(*scene(options_.scene));
  while (!exit_ && ended_by == 0) {
    draw();
    wait();
    if (resized != 0) {
      resized = 0;
      draw();
      panel_.redraw_all();
    }
    play();
    if (options_.seconds > 0 && since(started_) >= options_.seconds) exit_ = options_.exit_code;
  }
  if (reports_) report("state=clear");
  panel_.draw({{""}, 0, 0, true});
  return exit_.value_or(0);
}

void catch_signals() {
  struct sigaction action = {};
  sigset_t blocked;
  sigemptyset(&blocked);
  for (const int signal : {SIGWINCH, SIGTERM, SIGINT, SIGHUP}) {
    if (signal == SIGWINCH)
      action.sa_handler = [](int) { resized = 1; };
    else
      action.sa_handler = [](int number) { ended_by = number; };
    ::sigaction(signal, &action, nullptr);
    sigaddset(&blocked, signal);
  }
  ::sigprocmask(SIG_BLOCK, &blocked, nullptr);  // they arrive in ppoll only
}

}  // namespace

int play_scene(const Options& options) {
  catch_signals();
  int code = 0;
  {
    Panel panel(options.panel);
    code = Agent(options, panel).run();
  }
  if (ended_by != 0) {  // die of it, so that whoever waits for us sees what happened
    ::signal(ended_by, SIG_DFL);
    ::raise(ended_by);
    sigset_t none;
    sigemptyset(&none);
    ::sigprocmask(SIG_SETMASK, &none, nullptr);
  }
  return code;
}

}  // namespace demo
