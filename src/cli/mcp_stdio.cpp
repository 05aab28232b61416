#include "cli/mcp_stdio.h"

#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstdio>
#include <vector>

#include "api/frame.h"
#include "cli/arguments.h"
#include "cli/machine.h"
#include "os/clock.h"

namespace pawl::cli {
namespace {

constexpr int kLastWordsMs = 1000;  // for what is to be said when standard input has ended
constexpr size_t kSlice = 65536;

bool set(short revents) {
  return revents != 0;
}

// What a name like gpu/docs means is known here: that machine's door is asked.
Result<std::string> place_of(const std::string& home, const mcp::Ask& ask, Json& args) {
  Parsed parsed{api::find_verb(ask.verb), ask.args};
  const auto machine = machine_of(home, parsed);
  if (!machine) return tl::unexpected(machine.error());
  args = parsed.args;
  return *machine ? door_of(home, **machine) : Result<std::string>(home);
}

Error gone(const Error& error) {
  if (error.what != kDaemonGone) return error;
  return {"the daemon ended while it was at this",
          "look at what was done, then try again; agents keep running"};
}

}  // namespace

int McpStdio::run() {
  while (go_on()) {
  }
  const MonoTime end = os::read_clock().mono + std::chrono::milliseconds{kLastWordsMs};
  while (!unread_.empty() && os::read_clock().mono < end) {
    pollfd out{STDOUT_FILENO, POLLOUT, 0};
    if (::poll(&out, 1, kLastWordsMs) <= 0 || !write_some()) break;
  }
  return 0;
}

bool McpStdio::go_on() {
  std::vector<pollfd> fds;
  const short in = unread_.size() < kMaxUnread ? POLLIN : 0;
  fds.push_back({STDIN_FILENO, in, 0});
  fds.push_back({unread_.empty() ? -1 : STDOUT_FILENO, POLLOUT, 0});
  std::vector<uint64_t> asks;
  for (auto& [ask, client] : clients_) {
    asks.push_back(ask);
    fds.push_back({client.fd(), POLLIN, 0});
    fds.push_back({client.pulse().fd(), POLLIN, 0});
  }
  ::poll(fds.data(), fds.size(), wait_ms(os::read_clock().mono));
  if (set(fds[1].revents) && !write_some()) return false;
  if (set(fds[0].revents) && (in == 0 || !read_some())) return false;
  for (size_t i = 0; i < asks.size(); ++i)
    if (const auto it = clients_.find(asks[i]); it != clients_.end() && set(fds[2 + 2 * i].revents))
      hear(asks[i], it->second);
  const MonoTime now = os::read_clock().mono;
  look_after(now);
  server_.tick(now);
  carry_out(server_.todo());
  return true;
}

int McpStdio::wait_ms(MonoTime now) {
  int ms = INT_MAX;
  if (const auto at = server_.wake_at())
    ms = static_cast<int>(std::clamp<int64_t>(
        (*at - now + std::chrono::milliseconds{1}) / std::chrono::milliseconds{1}, 0, INT_MAX));
  for (auto& [ask, client] : clients_) {
    const int its = client.pulse().wait_ms();
    if (its >= 0) ms = std::min(ms, its);
  }
  return ms == INT_MAX ? -1 : ms;
}

bool McpStdio::read_some() {
  char buffer[kSlice];
  const ssize_t n = ::read(STDIN_FILENO, buffer, sizeof buffer);
  if (n < 0 && (errno == EINTR || errno == EAGAIN)) return true;
  if (n <= 0) return false;
  lines_.feed({buffer, static_cast<size_t>(n)});
  const MonoTime now = os::read_clock().mono;
  while (auto line = lines_.next()) {
    if (line->too_long)
      server_.take_too_long();
    else
      server_.take(line->text, now);
    carry_out(server_.todo());
  }
  return true;
}

// So much that a pipe which can take anything takes it at once.
bool McpStdio::write_some() {
  const ssize_t n =
      ::write(STDOUT_FILENO, unread_.data(), std::min<size_t>(unread_.size(), PIPE_BUF));
  if (n < 0) return errno == EINTR || errno == EAGAIN;
  unread_.erase(0, static_cast<size_t>(n));
  return true;
}

void McpStdio::carry_out(mcp::Todo todo) {
  while (!todo.messages.empty() || !todo.asks.empty() || !todo.drops.empty()) {
    for (const auto& message : todo.messages) unread_ += message + "\n";
    for (const uint64_t ask : todo.drops) clients_.erase(ask);
    for (const auto& ask : todo.asks) begin(ask);
    todo = server_.todo();  // those that could not be asked were answered
  }
}

Result<Client> McpStdio::connected(const mcp::Ask& ask) const {
  Json args;
  const auto place = place_of(home_, ask, args);
  if (!place) return tl::unexpected(place.error());
  auto client = Client::connect(*place, ask.starts_daemon ? Client::Start::yes : Client::Start::no);
  if (!client) return client;
  const auto environment =
      ask.environment ? Client::Environment::given : Client::Environment::left_out;
  client->pulse().go_on(os::read_clock().mono);
  client->pulse().asked();
  // A daemon that refuses a request in the middle has said why before it hung up.
  (void)client->send(api::encode(Client::request(ask.verb, args, environment)));
  return client;
}

void McpStdio::begin(const mcp::Ask& ask) {
  auto client = connected(ask);
  if (client)
    clients_.emplace(ask.id, std::move(*client));
  else
    server_.answered(ask.id, tl::unexpected(gone(client.error())), os::read_clock().mono);
}

// Everything that is there.
void McpStdio::hear(uint64_t ask, Client& client) {
  const auto over = [&](const Result<Json>& reply) {
    clients_.erase(ask);
    server_.answered(ask, reply, os::read_clock().mono);
  };
  for (;;) {
    const auto frame = client.receive(Client::Wait::no);
    if (!frame) return over(tl::unexpected(gone(frame.error())));
    if (!*frame) return;
    if ((*frame)->kind == api::Kind::output) {
      server_.heard(ask, std::string_view((*frame)->payload));
      continue;
    }
    const auto json = Json::parse((*frame)->payload);
    if (!json) return over(tl::unexpected(json.error()));
    if (!(*json)["event"].is_object()) return over(api::result_of(*json));
    server_.heard(ask, (*json)["event"]);
  }
}

// A daemon that gives no sign of life is not waited for.
void McpStdio::look_after(MonoTime now) {
  std::vector<std::pair<uint64_t, Error>> silent;
  for (auto& [ask, client] : clients_) {
    client.pulse().go_on(now);
    if (client.pulse().silent()) silent.emplace_back(ask, client.pulse().complaint());
  }
  for (const auto& [ask, error] : silent) {
    clients_.erase(ask);
    server_.answered(ask, tl::unexpected(error), now);
  }
}

}  // namespace pawl::cli
