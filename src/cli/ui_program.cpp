#include "cli/ui_program.h"

#include <poll.h>
#include <signal.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <utility>

#include "cli/style.h"
#include "os/clock.h"
#include "ui/press.h"
#include "ui/take.h"

namespace pawl::cli {
namespace {

// False: the terminal has gone.
bool put_out(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t n = ::write(STDOUT_FILENO, bytes.data(), bytes.size());
    if (n < 0 && errno == EAGAIN) {
      pollfd wanted{STDOUT_FILENO, POLLOUT, 0};
      ::poll(&wanted, 1, -1);
    } else if (n < 0 && errno != EINTR) {
      return false;
    } else if (n > 0) {
      bytes.remove_prefix(static_cast<size_t>(n));
    }
  }
  return true;
}

int fd_of_stops() {
  sigset_t stops;
  ::sigemptyset(&stops);
  ::sigaddset(&stops, SIGTSTP);
  ::sigaddset(&stops, SIGCONT);
  ::sigprocmask(SIG_BLOCK, &stops, nullptr);
  return ::signalfd(-1, &stops, SFD_CLOEXEC | SFD_NONBLOCK);
}

}  // namespace

UiProgram::UiProgram(std::string home, ui::Colours colours)
    : home_(std::move(home)), colours_(colours) {}

MonoTime UiProgram::now() const {
  return os::read_clock().mono;
}

void UiProgram::changed() {
  dirty_ = true;
}

Farewell UiProgram::run(int winch_fd) {
  winch_fd_ = winch_fd;
  stops_fd_ = fd_of_stops();
  resize();
  const char* term = std::getenv("TERM");
  if (!put_out(status_.ask(now(), term ? term : ""))) gone_ = true;
  connect();
  while (!quit_ && !gone_) {
    due();
    repaint();
    report();
    look(winch_fd);
  }
  if (!gone_) (void)put_out(painter_.leave());
  return {gone_ ? 1 : 0};
}

void UiProgram::resize() {
  const Look seen = look_of(STDOUT_FILENO);
  const Size size{static_cast<uint16_t>(std::clamp<int>(seen.width, 1, term::kMaxCols)),
                  static_cast<uint16_t>(std::clamp<int>(seen.height, 1, term::kMaxRows))};
  if (size == state_.size) return;
  state_.size = size;
  ui::settle(state_);
  changed();
}

// The next of all times; -1: only what comes from outside wakes it.
int UiProgram::wait_ms() const {
  When next;
  for (const When& at :
       {retry_at_, list_at_, some_at_, watch_at_, search_at_, then_at_, escape_at_, stale_at_})
    next = earlier(next, at);
  next = earlier(next, status_.wake_at());
  if (dirty_) next = earlier(next, last_frame_ + kUiFrame);
  if (const auto since = asks_.waiting_since(); since && state_.lost.empty())
    next = earlier(next, *since + kUiLate);
  if (!next) return -1;
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(*next - now()).count();
  return static_cast<int>(std::clamp<int64_t>(left, 0, 60'000));
}

void UiProgram::look(int winch_fd) {
  std::array<pollfd, 8> fds{{{STDIN_FILENO, POLLIN, 0},
                             {winch_fd, POLLIN, 0},
                             {stops_fd_, POLLIN, 0},
                             {asks_.fd(), POLLIN, 0},
                             {feed_.fd(), POLLIN, 0},
                             {picture_.fd(), POLLIN, 0},
                             {verb_ ? verb_->fd() : -1, POLLIN, 0},
                             {page_ ? page_->fd() : -1, POLLIN, 0}}};
  ::poll(fds.data(), fds.size(), wait_ms());
  signalfd_siginfo info{};
  if (fds[1].revents) {
    while (::read(winch_fd, &info, sizeof info) > 0) {
    }
    resize();
  }
  if (fds[2].revents)
    while (::read(stops_fd_, &info, sizeof info) > 0) {
      if (info.ssi_signo == SIGTSTP) suspend();
      if (info.ssi_signo == SIGCONT) come_back();
    }
  if (fds[3].revents || fds[4].revents || fds[5].revents) hear();
  if (fds[6].revents) hear_verb();
  if (fds[7].revents) hear_page();
  if (fds[0].revents && !read_keys()) gone_ = true;
}

bool UiProgram::read_keys() {
  char bytes[4096];
  const ssize_t n = ::read(STDIN_FILENO, bytes, sizeof bytes);
  if (n < 0 && (errno == EINTR || errno == EAGAIN)) return true;
  if (n <= 0) return false;
  typed(status_.keys({bytes, static_cast<size_t>(n)}, now()));
  return true;
}

void UiProgram::typed(const std::string& bytes) {
  if (bytes.empty()) return;
  pressed(keys_.read(bytes));
  escape_at_.reset();
  if (keys_.holding()) escape_at_ = now() + ui::kEscapeWait;
}

void UiProgram::pressed(const std::vector<ui::Key>& keys) {
  for (const auto& key : keys) {
    for (const auto& wish : ui::press(state_, key)) grant(wish);
    if (quit_) return;
  }
  if (!keys.empty()) changed();
  watch_selected();
  search();
  ask_then();
}

void UiProgram::repaint() {
  if (!dirty_ || now() - last_frame_ < kUiFrame) return;
  const Clock clock = os::read_clock();
  const ui::Frame frame = ui::draw(state_, {colours_, clock.wall});
  dirty_ = false;
  last_frame_ = clock.mono;
  stale_at_.reset();
  if (frame.stale_in) stale_at_ = clock.mono + *frame.stale_in;
  if (!put_out(painter_.frame(frame.screen, state_.size))) gone_ = true;
}

void UiProgram::report() {
  if (status_.speaks() && !std::exchange(reported_, true)) {
    Json rows = Json::array();
    for (const auto& [id, agent] : state_.fleet.all())
      rows.push(Json::object({{"name", id}, {"state", agent.state}, {"kind", agent.kind}}));
    status_.want(status_picture_.list(Json::object({{"agents", std::move(rows)}})));
    reports_to_terminal();
  }
  if (!put_out(status_.due(now()))) gone_ = true;
}

void UiProgram::come_back() {
  if (!put_out(terminal_reset())) gone_ = true;
  lend_terminal([] {});
  painter_ = {};
  resize();
  changed();
}

}  // namespace pawl::cli
