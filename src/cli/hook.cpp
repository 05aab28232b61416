#include "cli/hook.h"

#include <poll.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <optional>

#include "api/frame.h"
#include "model/dialog.h"
#include "os/clock.h"
#include "os/home.h"
#include "os/socket.h"
#include "perceive/records/hook.h"

namespace pawl::cli {
namespace {

constexpr Json::Limits kTop{2, 64,
                            4096};  // the daemon is not bothered with files and outputs of tools
constexpr Json::Limits kWhole{1, 64, perceive::kMaxHookBytes};
constexpr const char* kAsks = "PermissionRequest";  // people decide by what stands in it: all of it
constexpr size_t kMaxInput = 8u << 20;
constexpr Json::Limits kAsked{8, 256, kMaxInput};

// The one deadline that covers everything: a folder on a dead network disk, a full socket, a busy machine.
void leave_in(std::chrono::milliseconds patience) {
  constexpr int kMillisecond = 1000;
  std::signal(SIGALRM, [](int) { ::_exit(0); });
  itimerval timer{};
  timer.it_value.tv_sec = patience.count() / kMillisecond;
  timer.it_value.tv_usec = patience.count() % kMillisecond * kMillisecond;
  ::setitimer(ITIMER_REAL, &timer, nullptr);
}

// Everything up to its end or our patience's, so that nobody writes into a closed pipe. Too much is nothing.
std::optional<std::string> standard_input() {
  const MonoTime until = os::read_clock().mono + kHookInputPatience;
  std::string text;
  bool too_much = false;
  char buffer[65536];
  for (;;) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(until - os::read_clock().mono);
    pollfd wanted{STDIN_FILENO, POLLIN, 0};
    if (left.count() <= 0 || ::poll(&wanted, 1, static_cast<int>(left.count())) == 0) break;
    const ssize_t n = ::read(STDIN_FILENO, buffer, sizeof buffer);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) break;
    too_much = too_much || text.size() + static_cast<size_t>(n) > kMaxInput;
    if (!too_much) text.append(buffer, static_cast<size_t>(n));
  }
  if (too_much) return std::nullopt;
  return text;
}

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value ? value : "";
}

bool send_all(int socket, std::string_view rest) {
  while (!rest.empty()) {
    const ssize_t n = ::send(socket, rest.data(), rest.size(), MSG_NOSIGNAL);
    if (n > 0) {
      rest.remove_prefix(static_cast<size_t>(n));
      continue;
    }
    if (n < 0 && errno == EAGAIN) {
      pollfd wanted{socket, POLLOUT, 0};
      ::poll(&wanted, 1, -1);
    } else if (n == 0 || errno != EINTR) {
      return false;
    }
  }
  return true;
}

// What the daemon says goes to the program as it is.
void pass_on_the_answer(int socket) {
  api::FrameReader reader(api::kMaxRequest);
  char buffer[65536];
  for (;;) {
    pollfd wanted{socket, POLLIN, 0};
    ::poll(&wanted, 1, -1);
    const ssize_t n = ::recv(socket, buffer, sizeof buffer, 0);
    if (n < 0 && (errno == EINTR || errno == EAGAIN)) continue;
    if (n <= 0) return;
    reader.feed({buffer, static_cast<size_t>(n)});
    const auto frame = reader.next();
    if (!frame) return;
    if (!*frame) continue;
    const auto reply = Json::parse((*frame)->payload);
    const auto result = reply ? api::result_of(*reply) : Result<Json>(Json());
    if (result && (*result)["decision"].is_string()) std::printf("%s\n", result->dump().c_str());
    std::fflush(stdout);
    return;
  }
}

// What a tool is called with. Of a long text the middle is left out; its fingerprint is of all of it.
Json tool_input(const Json& input) {
  Json out = Json::object({});
  for (const auto& [key, value] : input.members())
    out.set(key, model::without_middle(value.is_string() ? value.as_string() : value.dump()));
  return out;
}

void tell(const std::string& runtime, const std::string& said) {
  const std::string agent = variable("PAWL_AGENT");
  auto json = Json::parse_shallow(said, kTop);
  if (agent.empty() || !json || !json->is_object()) return;
  if ((*json)["prompt"].is_string())  // compared with what was sent: whole
    if (const auto whole = Json::parse_shallow(said, kWhole))
      json->set("prompt", (*whole)["prompt"]);
  if ((*json)["hook_event_name"].as_string() == kAsks)
    if (const auto whole = Json::parse_shallow(said, kAsked))
      json->set("tool_input", tool_input((*whole)["tool_input"]));
  const auto socket = os::connect_local(os::home_dir(), os::kSocketName);
  if (!socket) return;
  const std::string stop = variable("PAWL_STOP_HOOK");
  const bool wait = !stop.empty() && (*json)["hook_event_name"].as_string() == stop;
  if (wait) leave_in(kStopPatience);
  const std::string frame =
      api::encode(Json::object({{"version", 1},
                                {"verb", "hook"},
                                {"args", Json::object({{"runtime", runtime},
                                                       {"agent", agent},
                                                       {"session", variable("PAWL_SESSION")},
                                                       {"secret", variable("PAWL_HOOK")},
                                                       {"wait", wait},
                                                       {"json", json->dump()}})}}));
  if (send_all(socket->get(), frame) && wait) pass_on_the_answer(socket->get());
}

}  // namespace

int hook(const std::vector<std::string>& words) {
  leave_in(kHookPatience);
  try {
    const auto said = words.size() > 2 ? std::optional(words.back()) : standard_input();
    if (said && words.size() > 1) tell(words[1], *said);
  } catch (...) {  // no memory: no reason to fail the agent
  }
  return 0;
}

}  // namespace pawl::cli
