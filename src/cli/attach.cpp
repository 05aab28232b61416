#include "cli/attach.h"

#include <fmt/core.h>
#include <poll.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstdio>
#include <cstdlib>

#include "api/roles.h"
#include "api/stream.h"
#include "cli/client.h"
#include "cli/detach.h"
#include "cli/next_daemon.h"
#include "cli/status_link.h"
#include "cli/style.h"
#include "cli/terminal_guard.h"
#include "os/clock.h"
#include "os/home.h"
#include "os/socket.h"

namespace pawl::cli {
namespace {

constexpr std::string_view kTitleBack = "\x1b[23;2t";
constexpr int kLookForNextMs = 50;
constexpr size_t kTypedAhead = 256u << 10;  // that the daemon does not take; then nothing is read
constexpr Duration kNotTaken = std::chrono::seconds{10};  // … and then it is thrown away, and said

void show(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t n = ::write(STDOUT_FILENO, bytes.data(), bytes.size());
    if (n < 0 && errno == EAGAIN) {
      pollfd wanted{STDOUT_FILENO, POLLOUT, 0};
      ::poll(&wanted, 1, -1);
    } else if (n < 0 && errno != EINTR) {
      return;
    } else if (n > 0) {
      bytes.remove_prefix(static_cast<size_t>(n));
    }
  }
}

Json size_json() {
  const Look look = look_of(STDOUT_FILENO);
  return Json::object({{"cols", look.width}, {"rows", look.height}});
}

// The inside of the raw terminal: bytes both ways until something ends it. The farewell is printed outside.
class Sitting {
 public:
  Sitting(Client& client, const Attach& what) : client_(client), what_(what) {}

  Farewell run(int winch_fd) {
    const char* term = std::getenv("TERM");
    show(status_.ask(now(), term ? term : ""));
    for (;;) {
      lost_ = false;
      Farewell end = sit(winch_fd);
      const End over = lost_ ? wait_for_next() : End(std::move(end));
      if (!over) continue;
      give_title_back();
      return *over;
    }
  }

 private:
  using End = std::optional<Farewell>;  // nothing: go on

  // Until it is over; lost_: because the daemon has gone.
  Farewell sit(int winch_fd) {
    Json args = size_json();
    args.set("name", what_.agent).set("read-only", what_.read_only).set("states", true);
    args.set("calls", true).set("progress", shows_progress());
    if (!client_.send(api::encode(Client::request("attach", args)))) return *lost();
    ahead_.clear();
    dropped_ = 0;
    for (;;) {
      const bool full = ahead_.size() >= kTypedAhead && !stuck();
      pollfd fds[4] = {
          {full ? -1 : STDIN_FILENO, POLLIN, 0},
          {client_.fd(), static_cast<short>(ahead_.empty() ? POLLIN : POLLIN | POLLOUT), 0},
          {winch_fd, POLLIN, 0},
          {client_.pulse().fd(), POLLIN, 0}};
      if (::poll(fds, 4, wait_ms()) < 0 && errno != EINTR) return {1};
      if (fds[2].revents && !resized(winch_fd)) return *lost();
      if (!pass_on()) return *lost();
      if (fds[1].revents)
        if (const auto end = from_daemon()) return *end;
      if (fds[0].revents)
        if (const auto end = from_person()) return *end;
      if (const auto end = typed(status_.held_keys(now()))) return *end;
      if (!watch_the_daemon()) return *lost();
      report();
    }
  }

  // The picture stands still meanwhile, and keys go nowhere. Nothing: there is another one.
  End wait_for_next() {
    next_.lost(now(), announced_);
    say(next_.waiting());
    for (;;) {
      pollfd typing{STDIN_FILENO, POLLIN, 0};
      if (::poll(&typing, 1, kLookForNextMs) > 0)
        if (const auto end = from_person()) return end;
      const auto what = next_.what(now());
      if (what == NextDaemon::Do::give_up) return farewell(1, next_.given_up());
      const bool there = os::connect_local(what_.home, os::kSocketName).has_value();
      if (!there && what == NextDaemon::Do::wait) continue;
      auto fresh = Client::connect(what_.home, there ? Client::Start::no : Client::Start::yes);
      if (!fresh && there) continue;  // it went again
      if (!fresh) return farewell(1, "pawl: " + text_of(fresh.error()));
      client_ = std::move(*fresh);
      announced_ = silent_ = false;
      give_title_back();
      show(terminal_reset());
      return {};
    }
  }

  // Others take such a report for a message to show.
  static bool shows_progress() {
    const char* program = std::getenv("TERM_PROGRAM");
    const std::string_view name = program ? program : "";
    return name == "ghostty" || name == "WezTerm" || std::getenv("WT_SESSION") ||
           std::getenv("ConEmuANSI");
  }

  static MonoTime now() { return os::read_clock().mono; }
  int wait_ms() const {
    const auto wake = status_.wake_at();
    const int pulse = std::min(client_.pulse().wait_ms(), ahead_.empty() ? INT_MAX : 1000);
    if (!wake) return pulse;
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(*wake - now()).count();
    return static_cast<int>(std::clamp<int64_t>(left, 0, pulse));
  }

  // A picture that stands still because nobody paints it says so, in its last line. The agent's own comes back with the daemon.
  bool watch_the_daemon() {
    Pulse& pulse = client_.pulse();
    pulse.go_on(now());
    if (pulse.silent() == silent_) return true;
    silent_ = pulse.silent();
    if (!silent_) {
      ahead_ += api::encode(Json::object({{"resize", size_json()}}));
      return pass_on();
    }
    say(pulse.complaint().what + "; the agent keeps running; Ctrl-\\ detaches");
    return true;
  }

  // In the last line of the picture.
  static void say(const std::string& text) {
    const Look look = look_of(STDOUT_FILENO);
    show(
        fmt::format("\x1b"
                    "7\x1b[{};1H\x1b[0;7m{}\x1b[0m\x1b"
                    "8",
                    look.height, fit(text, look.width)));
  }

  // The daemon's painter puts the person's own title away, and gives it back when it comes to that.
  void note_title(std::string_view shown) {
    const size_t away = shown.rfind("\x1b[22;2t"), back = shown.rfind(kTitleBack);
    constexpr auto kNowhere = std::string_view::npos;
    if (away != back) titled_ = away != kNowhere && (back == kNowhere || away > back);
  }
  void give_title_back() {
    if (std::exchange(titled_, false)) show(kTitleBack);
  }

  // To the person's own terminal, if it reads such things.
  void report() {
    if (status_.speaks()) reports_to_terminal();
    show(status_.due(now()));
  }

  static End farewell(int code, std::string text) { return Farewell{code, std::move(text)}; }
  End lost() {
    lost_ = true;
    return Farewell{1};
  }

  bool resized(int winch_fd) {
    signalfd_siginfo info{};
    while (::read(winch_fd, &info, sizeof info) > 0) {
    }
    ahead_ += api::encode(Json::object({{"resize", size_json()}}));
    return pass_on();
  }

  End from_person() {
    char buffer[4096];
    const ssize_t n = ::read(STDIN_FILENO, buffer, sizeof buffer);
    if (n < 0 && errno == EINTR) return {};
    if (n <= 0) return farewell(0, "[detached: the terminal has gone]");
    return typed(status_.keys({buffer, static_cast<size_t>(n)}, now()));
  }

  End typed(const std::string& text) {
    if (text.empty()) return {};
    const auto seen = detach_.typed(text, now());
    if (!lost_ && !type(seen.keys)) return lost();
    if (!seen.detach) return {};
    return farewell(0, fmt::format("[detached from {}; it keeps running]", what_.agent));
  }

  bool type(const std::string& keys) {
    if (keys.empty()) return true;
    if (ahead_.size() >=
        kTypedAhead) {  // a program that reads nothing: Ctrl-\ is looked for all the same
      dropped_ += keys.size();
      say(fmt::format("{} does not read what is typed: {} bytes of it are lost; Ctrl-\\ detaches",
                      what_.agent, dropped_));
      return true;
    }
    if (ahead_.empty()) taken_at_ = now();
    ahead_ += api::encode(api::Kind::input, keys);
    return pass_on();
  }

  // What the daemon takes now. False: it has gone.
  bool pass_on() {
    if (ahead_.empty()) return true;
    const size_t before = ahead_.size();
    if (!client_.send_some(ahead_)) return false;
    if (ahead_.size() < before) taken_at_ = now();
    return true;
  }
  bool stuck() const { return !ahead_.empty() && now() - taken_at_ >= kNotTaken; }

  End from_daemon() {
    for (;;) {
      const auto frame = client_.receive(Client::Wait::no);
      if (!frame) return lost();
      if (!*frame) return {};
      if ((*frame)->kind == api::Kind::output) {
        note_title((*frame)->payload);
        show((*frame)->payload);
        continue;
      }
      const auto json = Json::parse((*frame)->payload);
      if (json && (*json)["state"].is_object()) {
        const Json& state = (*json)["state"];
        const auto record =
            picture_.agent(what_.agent, state["state"].as_string(), state["kind"].as_string());
        status_.want(record ? std::vector{*record} : std::vector<term::StatusRecord>{});
        continue;
      }
      const auto result = json ? api::result_of(*json) : Result<Json>(tl::unexpected(json.error()));
      if (!result && result.error().what == api::kDaemonEnds) {
        announced_ = true;
        return lost();
      }
      if (!result) return farewell(result.error().exit_code, "pawl: " + text_of(result.error()));
      const std::string state = (*result)["state"].as_string();
      return farewell(state == "exited" ? 0 : 1, fmt::format("[{} has {}: {}]", what_.agent, state,
                                                             (*result)["because"].as_string()));
    }
  }

  Client& client_;
  const Attach& what_;
  DetachWatch detach_;
  NextDaemon next_;
  std::string ahead_;       // typed, and not taken by the daemon yet
  MonoTime taken_at_{};     // … some of it, or there was nothing
  size_t dropped_ = 0;      // bytes of what was typed
  bool lost_ = false;       // the daemon
  bool announced_ = false;  // … which had said so
  bool titled_ = false;     // the person's own title is put away
  bool silent_ = false;     // the daemon, and it was said
  StatusLink status_;
  StatusPicture picture_;
};

}  // namespace

int attach(const Attach& what) {
  auto client = Client::connect(what.home, Client::Start::yes);
  if (!client) {
    std::fprintf(stderr, "pawl: %s\n", text_of(client.error()).c_str());
    return 1;
  }
  if (!::isatty(STDIN_FILENO) || !::isatty(STDOUT_FILENO)) {
    const Json wish = Json::object({{"name", what.agent}, {"elsewhere", true}});
    const auto may = client->ask(Client::request("attach", wish));
    const Error error =
        !may && may.error().exit_code == api::kNotAllowed
            ? may.error()
            : Error{"attach needs a terminal", "use pawl screen, pawl logs or pawl send", 2};
    std::fprintf(stderr, "pawl: %s\n", text_of(error).c_str());
    return error.exit_code;
  }
  // Asked before the terminal changes: an error reads as any other.
  const auto shown = client->ask(Client::request("show", Json::object({{"name", what.agent}})));
  if (!shown) {
    std::fprintf(stderr, "pawl: %s\n", text_of(shown.error()).c_str());
    return shown.error().exit_code;
  }
  return with_raw_terminal([&](int winch_fd) { return Sitting(*client, what).run(winch_fd); });
}

}  // namespace pawl::cli
