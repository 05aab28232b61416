#include "cli/client.h"

#include <poll.h>
#include <sys/socket.h>

#include <cerrno>

#include "base/text.h"
#include "os/clock.h"
#include "os/file.h"
#include "os/home.h"
#include "os/process.h"
#include "os/socket.h"

namespace pawl::cli {
namespace {

constexpr int kStartTimeoutMs = 10'000;
constexpr int kLookEveryMs = 5;

void pause_ms(int ms) {
  ::poll(nullptr, 0, ms);
}

std::string last_line_of(const std::string& path) {
  const auto text = os::read_file(path);
  if (!text) return {};
  const auto lines = split(trim(*text), '\n');
  return lines.empty() ? "" : lines.back();
}

// A daemon that cannot start says why in its log; a lost race against another one is no failure.
Result<os::Fd> start_daemon(const std::string& home) {
  if (auto fine = os::prepare_home(home); !fine) return tl::unexpected(fine.error());
  const std::string log = home + "/" + os::kLogName;
  const uint64_t log_before = os::file_size(log);
  os::Detached what;
  what.argv = {os::own_executable(), "daemon"};
  what.log = log;
  if (auto started = os::start_detached(what); !started) return tl::unexpected(started.error());
  for (int waited = 0; waited < kStartTimeoutMs; waited += kLookEveryMs) {
    if (auto fd = os::connect_local(home, os::kSocketName)) return fd;
    // It said something and nobody holds the lock: it has ended. (With the lock held, one is still coming up.)
    if (os::file_size(log) > log_before && os::lock_file(home + "/" + os::kLockName)) {
      if (auto fd = os::connect_local(home, os::kSocketName)) return fd;
      const std::string why = last_line_of(log);
      const std::string prefix = "pawl: ";
      return fail("the daemon did not start: " + (why.starts_with(prefix) ? why.substr(prefix.size()) : why));
    }
    pause_ms(kLookEveryMs);
  }
  return fail("the daemon did not answer within 10 s", "look at " + log);
}

}  // namespace

Result<Client> Client::connect(const std::string& home, Start start) {
  if (auto fd = os::connect_local(home, os::kSocketName)) return Client(std::move(*fd));
  if (start == Start::no) return fail("no daemon is running for " + home, "any command that needs it starts it");
  auto fd = start_daemon(home);
  if (!fd) return tl::unexpected(fd.error());
  return Client(std::move(*fd));
}

Json Client::request(const std::string& verb, Json args, bool with_environment) {
  Json json = Json::object({{"version", 1}, {"verb", verb}, {"args", std::move(args)}, {"cwd", os::current_dir()}});
  if (!with_environment) return json;
  json.set("environment", os::own_environment());
  const std::string config = os::config_path();
  if (const auto text = os::read_file(config)) json.set("config", Json::object({{"path", config}, {"text", *text}}));
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
  if (auto sent = send(api::encode(request)); !sent) return tl::unexpected(sent.error());
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
