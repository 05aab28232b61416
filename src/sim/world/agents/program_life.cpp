// The program's start and end, and the shell that is left when it ends.

#include <csignal>

#include "sim/world/agents/program.h"

namespace pawl::sim {
namespace {

using namespace std::chrono_literals;
using What = Entry::What;

constexpr std::string_view kShellPrompt = "dev@devbox:~/proj$ ";
// A program that draws is killed: what it changed of its terminal stays changed.
constexpr std::string_view kLeaves = "\x1b[?2004l\x1b[?25h", kLeavesScreen = "\x1b[?1049l";

std::string uuid(Chance& chance) {
  static constexpr std::string_view kDigits = "0123456789abcdef";
  std::string out;
  for (int i = 0; i < 32; ++i) {
    if (i == 8 || i == 12 || i == 16 || i == 20) out += '-';
    out += i == 12 ? '4' : kDigits[chance.below(16)];
  }
  return out;
}

// What a shell says about a program that was killed.
std::string_view shell_words(int signal) {
  switch (signal) {
    case 0:
      return "";
    case SIGKILL:
      return "Killed\r\n";
    case SIGSEGV:
      return "Segmentation fault (core dumped)\r\n";
    default:
      return "Terminated\r\n";
  }
}

std::string after(const std::vector<std::string>& argv, std::string_view name) {
  for (size_t i = 0; i + 1 < argv.size(); ++i)
    if (argv[i] == name) return argv[i + 1];
  return {};
}

bool any_holds(const std::vector<std::string>& argv, std::string_view text) {
  for (const auto& word : argv)
    if (word.find(text) != std::string::npos) return true;
  return false;
}

}  // namespace

void Program::still() {
  agenda_.clear();
  input_.clear();
  turn_ = {};
  asked_.reset();
  hung_.reset();
  box_.clear();
  mode_ = Mode::prompt;
  vim_ = escaped_ = enter_lost_ = mute_ = false;
  interrupts_ = 0;
  hint_.clear();
  jobs_ = 0;
  frozen_ = {};
}

void Program::start(MonoTime now, Launch launch) {
  still();
  const bool first = launch.shell && (phase_ == Phase::none || phase_ == Phase::gone);
  launch_ = std::move(launch);
  started_ = cpu_since_ = state_since_ = now;
  ended_.reset();
  limit_.reset();
  said_.clear();
  title_.clear();
  spin_row_ = -1;
  canvas_.forget();
  keys_ = {};
  cpu_ = 0.5;
  reports_ = model_->reports_unasked;
  hooked_ =
      model_->hooks != HookStyle::none && (launch_.hooks || any_holds(launch_.argv, "--settings") ||
                                           any_holds(launch_.argv, "notify="));
  phase_ = Phase::starting;
  if (first) put(now, std::string(kShellPrompt) + std::string(model_->name) + "\r\n");
  if (refuse_conversation(now)) return;
  begin_conversation(now);
  if (!chance_.happens(behaviour_.never_opens)) plan(Due::opened, now + model_->drawn);
}

bool Program::refuse_conversation(MonoTime now) {
  const std::string id = model_->resume.empty() ? "" : after(launch_.argv, model_->resume);
  if (id.empty() || launch_.conversation_exists || model_->unknown_conversation == 0) return false;
  gone(now + 400ms, {.exit_code = model_->unknown_conversation},
       std::string(model_->no_conversation) + id + "\r\n");
  return true;
}

void Program::begin_conversation(MonoTime now) {
  const std::string id = model_->resume.empty() ? "" : after(launch_.argv, model_->resume);
  resumed_ = !id.empty() && launch_.conversation_exists;
  const std::string chosen = after(launch_.argv, "--session-id");
  conversation_ = resumed_ ? id : !chosen.empty() ? chosen : uuid(chance_);
  if (!resumed_) {
    transcript_.clear();
    tokens_ = 0;
  }
  log({.at = now, .what = What::began, .text = conversation_, .resumed = resumed_});
}

void Program::opened(MonoTime now) {
  phase_ = Phase::opening;
  put(now, "\x1b[?2004h\x1b[?25l");
  ask_at_start(now);
}

// One question after the other; then its interface.
void Program::ask_at_start(MonoTime now) {
  if (launch_.outdated && show(now, Ask::update, {})) return;
  if (!launch_.logged_in && show(now, Ask::login, {})) return;
  if (!launch_.trusted && show(now, Ask::trust, {})) return;
  open_screen(now);
}

void Program::open_screen(MonoTime now) {
  canvas_.forget();
  if (model_->alternate) put(now, "\x1b[?1049h");
  if (model_->reports) put(now, "\x1b]7501;?\x1b\\");
  changed(now);
  const Duration rest = model_->listens - model_->drawn;
  plan(Due::listens, std::max(now, started_ + model_->drawn) + rest);
}

void Program::listens(MonoTime now) {
  phase_ = Phase::up;
  hook(now, Moment::started, resumed_ ? "resume" : "startup");
  if (model_->reports_unasked) report(now, "idle");
  changed(now);
}

// Its dialog went away with it.
void Program::withdraw(MonoTime now) {
  if (!asked_) return;
  log({.at = now,
       .what = What::withdrawn,
       .text = asked_->question,
       .ask = asked_->ask,
       .subject = asked_->about.subject});
}

void Program::gone(MonoTime now, const model::Ending& ending, const std::string& last_words) {
  withdraw(now);
  still();
  log({.at = now, .what = What::ended, .text = model::text_of(ending)});
  put(now, last_words);
  if (!launch_.shell) {
    phase_ = Phase::gone;
    ended_ = ending;
    return;
  }
  phase_ = Phase::shell;
  shell_text_.clear();
  put(now + 30ms, std::string(shell_words(ending.signal)) + std::string(kShellPrompt));
}

bool Program::leave(MonoTime now, int code) {
  if (phase_ == Phase::gone || phase_ == Phase::shell || phase_ == Phase::none) return false;
  hook(now, Moment::ended, "prompt_input_exit");
  std::string words(kLeaves);
  if (model_->alternate) words += kLeavesScreen;
  if (model_->reports && reports_) words += "\x1b]7501;state=clear\x1b\\";
  if (!model_->alternate) words += "\x1b]0;\a\x1b[" + std::to_string(launch_.size.rows) + ";1H\r\n";
  gone(now, {.exit_code = code}, words + "\r" + model_->farewell(conversation_));
  return true;
}

bool Program::die(MonoTime now, int number) {
  if (phase_ == Phase::gone || phase_ == Phase::shell || phase_ == Phase::none) return false;
  if (number == SIGTERM && model_->name == "claude") return leave(now, 143);
  gone(now, {.exit_code = -1, .signal = number}, "");
  return true;
}

void Program::signal(MonoTime now, int number) {
  if (number == SIGWINCH) return;
  if (number == SIGCONT) {
    if (hung_) hung_ = now;
    return;
  }
  if (number == SIGSTOP || number == SIGTSTP) {
    hang(now, std::nullopt);
    return;
  }
  if (hung_ && number == SIGTERM) return;  // nobody is there to handle it
  if (phase_ == Phase::shell && number != SIGINT) {
    phase_ = Phase::gone;
    ended_ = model::Ending{.exit_code = -1, .signal = number};
  }
  if (number == SIGINT && phase_ == Phase::up) return interrupt_key(now);
  die(now, number);
}

bool Program::update(MonoTime now) {
  if (!up()) return false;
  hook(now, Moment::ended, "other");
  withdraw(now);
  still();
  log({.at = now, .what = What::ended, .text = "restarts itself"});
  put(now, std::string(kLeaves) + (model_->alternate ? std::string(kLeavesScreen) : "") +
               "\rUpdating, then starting again.\r\n");
  launch_.outdated = false;
  launch_.conversation_exists = true;
  // It goes on with the conversation it had, whatever it was started with first.
  if (!model_->resume.empty() && after(launch_.argv, model_->resume).empty()) {
    launch_.argv.emplace_back(model_->resume);
    launch_.argv.push_back(conversation_);
  }
  phase_ = Phase::starting;
  plan(Due::restarts, now + 2s);
  return true;
}

void Program::resize(MonoTime now, Size size) {
  launch_.size = size;
  canvas_.forget();
  if (phase_ == Phase::opening || phase_ == Phase::up) changed(now);
}

void Program::shell_key(MonoTime now, const Key& key) {
  switch (key.kind) {
    case Key::Kind::text:
    case Key::Kind::paste:
      shell_text_ += key.text;
      return put(now, key.text);
    case Key::Kind::backspace:
      if (shell_text_.empty()) return;
      shell_text_.pop_back();
      return put(now, "\b \b");
    case Key::Kind::control:
      if (key.text == "u") {
        put(now, "\r\x1b[K" + std::string(kShellPrompt));
        shell_text_.clear();
      }
      return;
    case Key::Kind::enter:
      return shell_line(now);
    case Key::Kind::newline:
    case Key::Kind::escape:
    case Key::Kind::tab:
    case Key::Kind::up:
    case Key::Kind::down:
    case Key::Kind::left:
    case Key::Kind::right:
    case Key::Kind::reply:
      return;
  }
}

void Program::shell_line(MonoTime now) {
  const std::string line = std::exchange(shell_text_, {});
  put(now, "\r\n");
  if (line == "exit") {
    phase_ = Phase::gone;
    ended_ = model::Ending{.exit_code = 0};
    return;
  }
  if (!line.empty() && line.starts_with(model_->name)) {
    Launch again = launch_;
    again.wall = wall(now);
    again.argv = {line};
    return start(now, std::move(again));
  }
  if (!line.empty()) {
    log({.at = now, .what = What::took, .text = line, .reached = Reached::shell});
    put(now, "bash: " + line.substr(0, line.find(' ')) + ": command not found\r\n");
  }
  put(now + 5ms, std::string(kShellPrompt));
}

}  // namespace pawl::sim
