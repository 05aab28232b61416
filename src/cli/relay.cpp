#include "cli/relay.h"

#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <string_view>

#include "api/machine_handlers.h"
#include "base/version.h"
#include "cli/client.h"
#include "cli/commands.h"
#include "fleet/link.h"
#include "os/file.h"

namespace pawl::cli {
namespace {

constexpr size_t kPassedAtOnce = 65536;

bool put(int fd, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t n = ::write(fd, bytes.data(), bytes.size());
    if (n > 0) bytes.remove_prefix(static_cast<size_t>(n));
    if (n >= 0 || errno == EINTR) continue;
    if (errno != EAGAIN) return false;
    pollfd room{fd, POLLOUT, 0};
    ::poll(&room, 1, -1);
  }
  return true;
}

// What is there; false: that was all.
bool pass(int from, int to) {
  char buffer[kPassedAtOnce];
  const ssize_t n = ::read(from, buffer, sizeof buffer);
  if (n < 0) return errno == EAGAIN || errno == EINTR;
  return n > 0 && put(to, {buffer, static_cast<size_t>(n)});
}

// What waits for us at one end keeps the other from being read: that is all the back-pressure there is.
void pass_both_ways(int daemon) {
  for (;;) {
    pollfd ends[2] = {{STDIN_FILENO, POLLIN, 0}, {daemon, POLLIN, 0}};
    if (::poll(ends, 2, -1) < 0 && errno != EINTR) return;
    if (ends[1].revents && !pass(daemon, STDOUT_FILENO)) return;
    if (ends[0].revents && !pass(STDIN_FILENO, daemon)) return;
  }
}

}  // namespace

int relay(const std::string& home, const std::vector<std::string>& words) {
  if (words.size() != 3 || words[1] != "--from")
    return complain({"__relay is for other machines", "use pawl machine add", 2});
  if (const char* user_home = ::getenv("HOME"); user_home && ::chdir(user_home) != 0)
    return complain({std::string("cannot go to ") + user_home, "", 1});
  auto client = Client::connect(home, Client::Start::yes);
  if (!client) return complain(client.error());
  const auto reply = client->ask(Client::request(
      api::kRelayVerb, Json::object({{"from", words[2]}}), Client::Environment::given));
  if (!reply) return complain(reply.error());
  const std::string line = std::string(fleet::kRelaySays) + std::string(kVersion) + "\n";
  if (!put(STDOUT_FILENO, line)) return 1;
  pass_both_ways(client->fd());
  return 0;
}

}  // namespace pawl::cli
