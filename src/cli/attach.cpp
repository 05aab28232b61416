#include "cli/attach.h"

#include <fmt/core.h>
#include <poll.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstdlib>

#include "api/roles.h"
#include "cli/client.h"
#include "cli/status_link.h"
#include "cli/style.h"
#include "cli/terminal_guard.h"
#include "os/clock.h"

namespace pawl::cli {
namespace {

constexpr std::array<std::string_view, 3> kDetach{"\x1c", "\x1b[92;5u", "\x1b[27;5;92~"};

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
    Json args = size_json();
    args.set("name", what_.agent).set("read-only", what_.read_only).set("states", true);
    if (!client_.send(api::encode(Client::request("attach", args)))) return *lost();
    const char* term = std::getenv("TERM");
    show(status_.ask(now(), term ? term : ""));
    for (;;) {
      pollfd fds[4] = {{STDIN_FILENO, POLLIN, 0},
                       {client_.fd(), POLLIN, 0},
                       {winch_fd, POLLIN, 0},
                       {client_.pulse().fd(), POLLIN, 0}};
      if (::poll(fds, 4, wait_ms()) < 0 && errno != EINTR) return {1};
      if (fds[2].revents && !resized(winch_fd)) return *lost();
      if (fds[1].revents)
        if (const auto end = from_daemon()) return *end;
      if (fds[0].revents)
        if (const auto end = from_person()) return *end;
      if (const auto end = typed(status_.held_keys(now()))) return *end;
      if (!watch_the_daemon()) return *lost();
      report();
    }
  }

 private:
  using End = std::optional<Farewell>;  // nothing: go on

  static MonoTime now() { return os::read_clock().mono; }
  int wait_ms() const {
    const auto wake = status_.wake_at();
    const int pulse = client_.pulse().wait_ms();
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
    if (!silent_)
      return client_.send(api::encode(Json::object({{"resize", size_json()}}))).has_value();
    const Look look = look_of(STDOUT_FILENO);
    const std::string text =
        pulse.complaint().what + "; the agent keeps running; " + "Ctrl-\\ detaches";
    show(
        fmt::format("\x1b"
                    "7\x1b[{};1H\x1b[0;7m{}\x1b[0m\x1b"
                    "8",
                    look.height, fit(text, look.width)));
    return true;
  }

  // To the person's own terminal, if it reads such things.
  void report() {
    if (status_.speaks()) reports_to_terminal();
    show(status_.due(now()));
  }

  static End farewell(int code, std::string text) { return Farewell{code, std::move(text)}; }
  static End lost() { return farewell(1, "[the daemon has gone; the agent keeps running]"); }

  bool resized(int winch_fd) {
    signalfd_siginfo info{};
    while (::read(winch_fd, &info, sizeof info) > 0) {
    }
    return client_.send(api::encode(Json::object({{"resize", size_json()}}))).has_value();
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
    held_ += text;
    std::string keys;
    const bool detach = cut_at_detach(held_, keys);
    if (!keys.empty() && !client_.send(api::encode(api::Kind::input, keys))) return lost();
    if (!detach) return {};
    return farewell(0, fmt::format("[detached from {}; it keeps running]", what_.agent));
  }

  End from_daemon() {
    for (;;) {
      const auto frame = client_.receive(Client::Wait::no);
      if (!frame) return lost();
      if (!*frame) return {};
      if ((*frame)->kind == api::Kind::output) {
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
      if (!result) return farewell(result.error().exit_code, "pawl: " + text_of(result.error()));
      const std::string state = (*result)["state"].as_string();
      return farewell(state == "exited" ? 0 : 1, fmt::format("[{} has {}: {}]", what_.agent, state,
                                                             (*result)["because"].as_string()));
    }
  }

  Client& client_;
  const Attach& what_;
  std::string held_;
  bool silent_ = false;  // the daemon, and it was said
  StatusLink status_;
  StatusPicture picture_;
};

}  // namespace

bool cut_at_detach(std::string& held, std::string& keys) {
  size_t first = std::string::npos;
  for (const auto sequence : kDetach) first = std::min(first, held.find(sequence));
  if (first != std::string::npos) {
    keys = held.substr(0, first);
    held.clear();
    return true;
  }
  // An Escape alone must not wait: only what is longer than a key press and could still become the sequence is held.
  size_t keep = 0;
  for (const auto sequence : kDetach)
    for (size_t length = 3; length < sequence.size(); ++length)
      if (held.size() >= length &&
          std::string_view(held).substr(held.size() - length) == sequence.substr(0, length))
        keep = std::max(keep, length);
  keys = held.substr(0, held.size() - keep);
  held.erase(0, held.size() - keep);
  return false;
}

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
