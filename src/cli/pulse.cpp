#include "cli/pulse.h"

#include <fmt/format.h>
#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>

#include "api/frame.h"
#include "cli/machine.h"
#include "os/file.h"
#include "os/home.h"
#include "os/proc.h"
#include "os/socket.h"

namespace pawl::cli {
namespace {

using std::chrono::milliseconds;

constexpr Duration kStep = milliseconds{500};
constexpr milliseconds kConnectsIn{20};  // for the connection of a question
constexpr Duration kNewSocket =
    std::chrono::seconds{12};  // a daemon whose socket was removed makes another

}  // namespace

void Pulse::asked() {
  owed_ = true;
}

void Pulse::heard() {
  owed_ = unreachable_ = silent_ = false;
  quiet_ = Duration{0};
  question_.reset();
}

bool starting(const std::string& home) {
  const auto begun = os::plain_file(home + "/" + os::kLockName);
  const auto ready = os::plain_file(home + "/" + os::kAliveName);
  return begun && (!ready || ready->modified < begun->modified);
}

// Of quiet. Without a request of ours the question came later than the quiet did.
Duration Pulse::limit() const {
  return silence_ + (owed_ ? Duration{0} : kAskAfter) + (unreachable_ ? kNewSocket : Duration{0});
}

int Pulse::wait_ms() const {
  const Duration left = question_ || quiet_ >= kAskAfter ? kStep : kAskAfter - quiet_;
  return static_cast<int>(std::chrono::ceil<milliseconds>(left).count());
}

// Time in which we were stopped, or the machine slept, is no silence of the daemon's.
void Pulse::go_on(MonoTime now) {
  if (last_) quiet_ += std::min(now - *last_, planned_ + kStep);
  last_ = now;
  if (question_ && answered()) heard();
  if (!question_ && quiet_ >= kAskAfter) ask();
  if (!silent_ && quiet_ >= limit()) silent_ = quiet_ >= kStartSilence || !starting(home_);
  planned_ = milliseconds{wait_ms()};
}

void Pulse::ask() {
  auto fd = os::connect_local(home_, os::kSocketName, kConnectsIn);
  unreachable_ = !fd && !os::exists(home_ + "/" + os::kSocketName);
  if (!fd) return;
  question_ = std::move(*fd);
  const std::string status =
      api::encode(Json::object({{"version", 1}, {"verb", "status"}, {"args", Json::object()}}));
  (void)::send(question_.get(), status.data(), status.size(), MSG_NOSIGNAL);
}

// Also by hanging up: who turns us away is awake.
bool Pulse::answered() {
  char byte = 0;
  return ::recv(question_.get(), &byte, 1, MSG_DONTWAIT) >= 0 || errno != EAGAIN;
}

Error Pulse::complaint() const {
  if (const std::string machine = machine_at(home_); !machine.empty())
    return {"machine " + machine + " does not answer", "pawl machine ls says why", 1};
  return silent_daemon(home_, daemon_);
}

Error silent_daemon(const std::string& home, pid_t daemon) {
  const auto process = os::Proc().stat(daemon);
  if (process && (process->state == 'T' || process->state == 't'))
    return {fmt::format("the daemon (pid {}) does not answer: it is stopped", daemon),
            fmt::format("let it go on: kill -CONT {}; agents keep running", daemon), 1};
  return {fmt::format("the daemon (pid {}) does not answer", daemon),
          fmt::format("see {}/{}; if it stays silent, end it: kill -9 {} (agents keep running, the "
                      "next command starts another daemon)",
                      home, os::kLogName, daemon),
          1};
}

}  // namespace pawl::cli
