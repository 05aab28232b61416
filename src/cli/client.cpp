#include "cli/client.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>

#include "base/text.h"
#include "os/clock.h"
#include "os/file.h"
#include "os/home.h"
#include "os/openers.h"
#include "os/process.h"
#include "os/socket.h"

namespace pawl::cli {
namespace {

constexpr int kStartTimeoutMs = 30'000;  // a large journal on a slow disk
constexpr int kLookEveryMs = 5;
constexpr int kStartTries = 3;  // daemons killed while they start
constexpr int kLookForLivingMs = 50;
constexpr Duration kNewSocket = std::chrono::seconds{12};  // a daemon looks after its own every 5 s
constexpr Duration kSayStarting = std::chrono::seconds{2};
constexpr Duration kSayRemoved = std::chrono::milliseconds{300};
constexpr const char* kProgram = "pawl";
constexpr int kTimedOut = 124;
constexpr Duration kGrace =
    std::chrono::seconds{1};  // for the daemon's own answer that time is over

// What the daemon says on its pipe: the word, a reason, or nothing (it was killed).
Result<std::string> said(int pipe) {
  std::string text;
  char buffer[4096];
  for (;;) {
    pollfd wanted{pipe, POLLIN, 0};
    const int ready = ::poll(&wanted, 1, kStartTimeoutMs);
    if (ready == 0) return fail("the daemon did not answer within 30 s");
    const ssize_t n = ready < 0 ? -1 : ::read(pipe, buffer, sizeof buffer);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return text;
    text.append(buffer, static_cast<size_t>(n));
  }
}

Result<std::string> start_once(const std::string& home) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return fail_errno("cannot make a pipe", errno);
  const os::Fd read_end(ends[0]);
  os::Fd write_end(ends[1]);
  os::Detached what;
  what.argv = {os::own_executable(), kBackgroundDaemon};
  what.log = home + "/" + os::kLogName;
  what.keep = write_end.get();
  if (auto started = os::start_detached(what); !started) return tl::unexpected(started.error());
  write_end.reset();
  return said(read_end.get());
}

// Another daemon is coming up, started by somebody at the same time: its socket, or nothing when it gave up.
std::optional<os::Fd> wait_for_other(const std::string& home) {
  for (int waited = 0; waited < kStartTimeoutMs; waited += kLookEveryMs) {
    if (auto fd = os::connect_local(home, os::kSocketName)) return std::move(*fd);
    if (!os::locked(home + "/" + os::kLockName)) return std::nullopt;
    ::poll(nullptr, 0, kLookEveryMs);
  }
  return std::nullopt;
}

Result<os::Fd> start_daemon(const std::string& home) {
  if (auto fine = os::prepare_home(home); !fine) return tl::unexpected(fine.error());
  const std::string log = home + "/" + os::kLogName;
  if (os::is_link(log))
    fmt::print(stderr, "pawl: {} is a link and is not followed: remove it to have a log\n", log);
  std::string why = "it was killed";
  for (int i = 0; i < kStartTries; ++i) {
    const auto word = start_once(home);
    if (!word) return tl::unexpected(Error{word.error().what, "look at " + log});
    if (auto fd = wait_for_other(home))
      return std::move(*fd);                             // ours, or the one that won the race
    if (word->empty() || *word == kReadyWord) continue;  // killed this very moment
    why = *word;
    break;
  }
  return fail("the daemon did not start: " + why);
}

Error out_of_reach(const std::string& home, const Unreachable& daemon) {
  if (daemon.why == Unreachable::Why::silent) return silent_daemon(home, daemon.pid);
  return {daemon.text() + ", and it does not come back", silent_daemon(home, daemon.pid).fix, 1};
}

Duration patience_for(Unreachable::Why why) {
  if (why == Unreachable::Why::starting) return kStartSilence;
  return why == Unreachable::Why::silent ? kSilence : kNewSocket;
}

// One that lives gets its time; nothing when it is gone.
Result<std::optional<os::Fd>> wait_for_living(const std::string& home) {
  bool told = false;
  for (const MonoTime begun = os::read_clock().mono;;) {
    if (auto fd = os::connect_local(home, os::kSocketName)) return std::optional(std::move(*fd));
    const auto daemon = unreachable_daemon(home);
    if (!daemon) return std::optional<os::Fd>();
    const Duration waited = os::read_clock().mono - begun;
    if (waited >= patience_for(daemon->why)) return tl::unexpected(out_of_reach(home, *daemon));
    const bool removed =
        daemon->why == Unreachable::Why::socket_gone || daemon->why == Unreachable::Why::home_gone;
    if (!told && waited >= (removed ? kSayRemoved : kSayStarting)) {
      std::fprintf(stderr, "pawl: %s; waiting for it\n", daemon->text().c_str());
      told = true;
    }
    ::poll(nullptr, 0, kLookForLivingMs);
  }
}

}  // namespace

std::string Unreachable::text() const {
  const std::string name = "the daemon (pid " + (pid ? std::to_string(pid) : "unknown") + ")";
  switch (why) {
    case Why::starting:
      return name + " is starting";
    case Why::socket_gone:
      return "the socket of " + name + " was removed; it makes another within 10 s";
    case Why::home_gone:
      return "PAWL_HOME was removed while " + name + " runs; it makes it again within 10 s";
    case Why::silent:
      break;
  }
  return name + " does not answer";
}

std::optional<Unreachable> unreachable_daemon(const std::string& home) {
  using Why = Unreachable::Why;
  const std::string lock = home + "/" + os::kLockName;
  if (!os::locked(lock)) {
    const auto others = os::openers_of_removed(lock, kProgram);
    if (others.empty()) return std::nullopt;
    return Unreachable{others.front(), Why::home_gone};
  }
  const auto holder = os::read_file(lock);
  const auto pid = static_cast<pid_t>(holder ? std::strtol(holder->c_str(), nullptr, 10) : 0);
  if (os::exists(home + "/" + os::kSocketName))
    return Unreachable{pid, starting(home) ? Why::starting : Why::silent};
  return Unreachable{pid, starting(home) ? Why::starting : Why::socket_gone};
}

Client::Client(const std::string& home, os::Fd fd)
    : fd_(std::move(fd)),
      reader_(api::kMaxReply),
      pulse_(home, os::peer_of(fd_.get()).value_or(os::Peer{}).pid) {}

Result<Client> Client::connect(const std::string& home, Start start) {
  auto living = wait_for_living(home);
  if (!living) return tl::unexpected(living.error());
  if (*living) return Client(home, std::move(**living));
  if (start == Start::no)
    return fail("no daemon is running for " + home, "any command that needs it starts it");
  auto fd = start_daemon(home);
  if (!fd) return tl::unexpected(fd.error());
  return Client(home, std::move(*fd));
}

Json Client::request(const std::string& verb, Json args, Environment environment) {
  Json json = Json::object(
      {{"version", 1}, {"verb", verb}, {"args", std::move(args)}, {"cwd", os::current_dir()}});
  if (const char* session = std::getenv("PAWL_SESSION")) json.set("session", session);
  if (environment == Environment::left_out) return json;
  json.set("environment", os::own_environment());
  const std::string config = os::config_path();
  if (const auto text = os::read_file(config))
    json.set("config", Json::object({{"path", config}, {"text", *text}}));
  return json;
}

// Says it once to whoever waits by a clock of his own; an error to everybody else.
Done Client::note_silence(MonoTime now, const Patience& patience) {
  if (!pulse_.silent()) {
    if (std::exchange(told_, false)) std::fprintf(stderr, "pawl: the daemon answers again\n");
    return {};
  }
  Error error = pulse_.complaint();
  if (!patience.own_clock) return tl::unexpected(std::move(error));
  if (until_ && now >= *until_) {
    error.exit_code = kTimedOut;
    return tl::unexpected(std::move(error));
  }
  if (!std::exchange(told_, true))
    std::fprintf(stderr, "pawl: %s; still waiting\n", text_of(error).c_str());
  return {};
}

// Until the socket is ready for `events`, or something is to be said about the daemon.
Done Client::wait(short events, const Patience& patience) {
  pollfd fds[2] = {{fd_.get(), events, 0}, {pulse_.fd(), POLLIN, 0}};
  ::poll(fds, 2, pulse_.wait_ms());
  const MonoTime now = os::read_clock().mono;
  pulse_.go_on(now);
  return fds[0].revents ? Done() : note_silence(now, patience);
}

Done Client::send(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t n = ::send(fd_.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0 && errno == EAGAIN) {
      if (auto waited = wait(POLLOUT, {}); !waited) return waited;
      continue;
    }
    if (n < 0) return fail(kDaemonGone, "try again; agents keep running without it");
    bytes.remove_prefix(static_cast<size_t>(n));
  }
  return {};
}

bool Client::send_some(std::string& bytes) {
  return os::send_some(fd_.get(), bytes);
}

Result<std::optional<api::Frame>> Client::receive(Wait until_some, const Patience& patience) {
  for (;;) {
    auto frame = reader_.next();
    if (!frame || *frame) return frame;
    char buffer[65536];
    const ssize_t n = ::recv(fd_.get(), buffer, sizeof buffer, 0);
    if (n > 0) {
      pulse_.heard();
      (void)note_silence({}, patience);
      reader_.feed({buffer, static_cast<size_t>(n)});
      continue;
    }
    if (n == 0 || (errno != EAGAIN && errno != EINTR))
      return fail(kDaemonGone, "try again; agents keep running without it");
    if (until_some == Wait::no) return std::nullopt;
    if (auto waited = wait(POLLIN, patience); !waited) return tl::unexpected(waited.error());
  }
}

Result<Json> Client::ask(const Json& request, const Sinks& sinks, const Patience& patience) {
  const MonoTime begun = os::read_clock().mono;
  if (patience.at_most) until_ = begun + *patience.at_most + kGrace;
  pulse_.go_on(begun);
  pulse_.asked();
  (void)send(api::encode(
      request));  // a daemon that refuses a request in the middle has said why before it hung up
  for (;;) {
    const auto frame = receive(Wait::yes, patience);
    if (!frame) return tl::unexpected(frame.error());
    if ((*frame)->kind == api::Kind::output) {
      if (sinks.output) sinks.output((*frame)->payload);
      continue;
    }
    const auto json = Json::parse((*frame)->payload);
    if (!json) return tl::unexpected(json.error());
    if (!(*json)["event"].is_object()) return api::result_of(*json);
    if (sinks.event) sinks.event((*json)["event"]);
  }
}

}  // namespace pawl::cli
