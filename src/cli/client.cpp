#include "cli/client.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>

#include "base/text.h"
#include "os/clock.h"
#include "os/file.h"
#include "os/home.h"
#include "os/process.h"
#include "os/socket.h"

namespace pawl::cli {
namespace {

constexpr int kStartTimeoutMs = 30'000;  // a large journal on a slow disk
constexpr int kLookEveryMs = 5;
constexpr int kStartTries = 3;  // daemons killed while they start

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
    if (os::lock_file(home + "/" + os::kLockName)) return std::nullopt;
    ::poll(nullptr, 0, kLookEveryMs);
  }
  return std::nullopt;
}

Result<os::Fd> start_daemon(const std::string& home) {
  if (auto fine = os::prepare_home(home); !fine) return tl::unexpected(fine.error());
  std::string why = "it was killed";
  for (int i = 0; i < kStartTries; ++i) {
    const auto word = start_once(home);
    if (!word)
      return tl::unexpected(Error{word.error().what, "look at " + home + "/" + os::kLogName});
    if (auto fd = wait_for_other(home))
      return std::move(*fd);                             // ours, or the one that won the race
    if (word->empty() || *word == kReadyWord) continue;  // killed this very moment
    why = *word;
    break;
  }
  return fail("the daemon did not start: " + why);
}

}  // namespace

Result<Client> Client::connect(const std::string& home, Start start) {
  if (auto fd = os::connect_local(home, os::kSocketName)) return Client(std::move(*fd));
  if (start == Start::no)
    return fail("no daemon is running for " + home, "any command that needs it starts it");
  auto fd = start_daemon(home);
  if (!fd) return tl::unexpected(fd.error());
  return Client(std::move(*fd));
}

Json Client::request(const std::string& verb, Json args, bool with_environment) {
  Json json = Json::object(
      {{"version", 1}, {"verb", verb}, {"args", std::move(args)}, {"cwd", os::current_dir()}});
  if (const char* session = std::getenv("PAWL_SESSION")) json.set("session", session);
  if (!with_environment) return json;
  json.set("environment", os::own_environment());
  const std::string config = os::config_path();
  if (const auto text = os::read_file(config))
    json.set("config", Json::object({{"path", config}, {"text", *text}}));
  return json;
}

Done Client::send(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t n = ::send(fd_.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0 && errno == EAGAIN) {
      pollfd wanted{fd_.get(), POLLOUT, 0};
      ::poll(&wanted, 1, -1);
      continue;
    }
    if (n < 0) return fail(kDaemonGone, "try again; agents keep running without it");
    bytes.remove_prefix(static_cast<size_t>(n));
  }
  return {};
}

Result<std::optional<api::Frame>> Client::receive(bool wait) {
  for (;;) {
    auto frame = reader_.next();
    if (!frame || *frame) return frame;
    char buffer[65536];
    const ssize_t n = ::recv(fd_.get(), buffer, sizeof buffer, 0);
    if (n > 0) {
      reader_.feed({buffer, static_cast<size_t>(n)});
      continue;
    }
    if (n == 0 || (errno != EAGAIN && errno != EINTR))
      return fail(kDaemonGone, "try again; agents keep running without it");
    if (!wait) return std::nullopt;
    pollfd wanted{fd_.get(), POLLIN, 0};
    ::poll(&wanted, 1, -1);
  }
}

Result<Json> Client::ask(const Json& request, const Sinks& sinks) {
  (void)send(api::encode(
      request));  // a daemon that refuses a request in the middle has said why before it hung up
  for (;;) {
    const auto frame = receive(true);
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
