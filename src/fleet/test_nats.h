#pragma once
// For tests: a real nats-server on loopback with a folder of its own, nodes that speak to it through pawl-bus, and a client that says what
// it likes. One loop turns all of it.

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>

#include <csignal>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/json.h"
#include "base/test_dir.h"
#include "base/test_sanitized.h"
#include "base/text.h"
#include "fleet/bus_process.h"
#include "fleet/nkey.h"
#include "os/clock.h"
#include "os/digest.h"
#include "os/file.h"

namespace pawl::fleet {

using std::chrono::milliseconds;
using std::chrono::seconds;

// Why these tests cannot run here; empty: they can.
inline std::string no_real_bus() {
  if (!find_pawl_bus()) return "pawl-bus was not built: no libnats (tools/setup build)";
  if (os::find_program("nats-server", "/usr/bin:/usr/sbin:/usr/local/bin").empty())
    return "no nats-server (tools/setup test)";
  return "";
}

inline int free_port() {
  const os::Fd fd(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  ::bind(fd.get(), reinterpret_cast<sockaddr*>(&address), size);
  ::getsockname(fd.get(), reinterpret_cast<sockaddr*>(&address), &size);
  return ntohs(address.sin_port);
}

inline os::Fd connect_to_port(int port) {
  os::Fd fd(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<uint16_t>(port));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (::connect(fd.get(), reinterpret_cast<sockaddr*>(&address), sizeof address) != 0) fd.reset();
  return fd;
}

// Turns the loop until something is so.
inline bool turn(os::Loop& loop, const std::function<bool()>& until, Duration limit = seconds{30}) {
  const MonoTime end = os::read_clock().mono + limit;
  bool so = until();
  os::Timer* again = nullptr;
  os::Timer timer(loop, [&] {
    so = until();
    if (so || os::read_clock().mono > end) return loop.stop();
    again->start(milliseconds{5});
  });
  again = &timer;
  if (so) return true;
  timer.start(milliseconds{1});
  loop.run();
  return so;
}

class NatsServer {
 public:
  NatsServer(os::Loop& loop, std::string more = "jetstream { store_dir: \"STORE\" }\n")
      : loop_(loop), port_(free_port()), more_(std::move(more)) {}
  ~NatsServer() { end(SIGKILL); }

  void begin() {
    std::string config = "listen: 127.0.0.1:" + std::to_string(port_) + "\n" + more_;
    if (const size_t at = config.find("STORE"); at != std::string::npos)
      config.replace(at, 5, dir_ / "store");
    ASSERT_TRUE(os::write_atomically(dir_ / "server.conf", config));
    os::ChildOrder order{{"nats-server", "-c", dir_ / "server.conf"},
                         {"PATH=/usr/bin:/usr/sbin:/usr/local/bin", "HOME=" + dir_.path()},
                         dir_.path()};
    order.limit = Duration{0};
    auto child = os::Child::start(loop_, order, [this](const os::ChildEnd& its) {
      said_ = its.output;
      child_.reset();
    });
    ASSERT_TRUE(child);
    child_ = std::move(*child);
    ASSERT_TRUE(turn(loop_, [&] { return !child_ || connect_to_port(port_); })) << said_;
    ASSERT_TRUE(child_) << said_;
  }
  void end(int signal_number) {
    if (!child_) return;
    signal(signal_number);
    signal(SIGCONT);
    turn(loop_, [&] { return !child_; });
  }
  void signal(int number) const {
    if (child_) ::kill(child_->pid(), number);
  }
  void configure(std::string more) { more_ = std::move(more); }
  void reload() {
    ASSERT_TRUE(os::write_atomically(
        dir_ / "server.conf",
        "listen: 127.0.0.1:" + std::to_string(port_) + "\n" +
            std::string(more_).replace(more_.find("STORE"), 5, dir_ / "store")));
    signal(SIGHUP);
  }
  int port() const { return port_; }
  std::string url() const { return "nats://127.0.0.1:" + std::to_string(port_); }
  const TestDir& dir() const { return dir_; }

 private:
  os::Loop& loop_;
  TestDir dir_;
  int port_;
  std::string more_, said_;
  std::unique_ptr<os::Child> child_;
};

// One node: what it hears, and asks that are waited for.
struct Node {
  os::Loop& loop;
  Parting parting;
  std::vector<BusNews> news;
  std::unique_ptr<BusProcess> bus;
  uint64_t ids = 0;

  Node(os::Loop& on, const BusJoin& join) : loop(on) {
    bus = std::make_unique<BusProcess>(loop, parting, join,
                                       [this](const BusNews& one) { news.push_back(one); });
  }
  ~Node() {
    bus.reset();
    turn(loop, [&] { return parting.size() == 0; });
  }
  template <class One>
  std::vector<One> all() const {
    std::vector<One> found;
    for (const auto& one : news)
      if (const auto* it = std::get_if<One>(&one)) found.push_back(*it);
    return found;
  }
  bool up() const { return bus->up() && caught_up() == 5; }
  size_t caught_up() const {
    size_t count = 0;
    for (const auto& one : news) {
      if (std::holds_alternative<BusLink>(one)) count = 0;
      count += std::holds_alternative<BusCaughtUp>(one) ? 1 : 0;
    }
    return count;
  }
  std::string because() const {
    const auto links = all<BusLink>();
    return links.empty() ? "" : links.back().because;
  }
  bool comes_up() {
    const bool so = turn(loop, [&] { return up(); });
    EXPECT_TRUE(so) << because();
    return so;
  }
  // It says why it is down, with these words in it.
  bool says(const std::string& words, Duration limit = seconds{20}) {
    const bool so = turn(
        loop, [&] { return !bus->up() && because().find(words) != std::string::npos; }, limit);
    EXPECT_TRUE(so) << "wanted: " << words << "\nsays: " << because();
    return so;
  }
  uint64_t send(BusAsk ask) {
    ask.id = ++ids;
    bus->ask(ask);
    return ask.id;
  }
  const BusReply* reply_to(uint64_t id) const {
    for (const auto& one : news)
      if (const auto* reply = std::get_if<BusReply>(&one); reply && reply->id == id) return reply;
    return nullptr;
  }
  BusReply wait_for(uint64_t id) {
    EXPECT_TRUE(turn(
        loop, [&] { return reply_to(id) != nullptr; }, seconds{60}))
        << "no reply";
    return reply_to(id) ? *reply_to(id) : BusReply{};
  }
  BusReply ask(const BusAsk& what) { return wait_for(send(what)); }
  BusReply key(BusOp op, Bucket bucket, const std::string& name, const std::string& value = {},
               uint64_t revision = 0) {
    BusAsk what{0, op, bucket, "", name, value, revision};
    return ask(what);
  }
  BusReply publish(const std::string& subject, const std::string& value,
                   const std::string& message_id = {}) {
    BusAsk what{0, BusOp::publish};
    what.subject = subject;
    what.value = value;
    what.message_id = message_id;
    return ask(what);
  }
  BusReply on(BusOp op, const std::string& subject, Duration limit = seconds{5},
              const std::string& value = {}) {
    BusAsk what{0, op};
    what.subject = subject;
    what.limit = limit;
    what.value = value;
    return ask(what);
  }
  BusReply token(BusOp op, const std::string& name, const std::string& value = {}) {
    BusAsk what{0, op};
    what.key = name;
    what.value = value;
    return ask(what);
  }
  // The newest that was told of a key since the link came up.
  std::optional<BusEntry> entry(Bucket bucket, const std::string& name) const {
    std::optional<BusEntry> found;
    for (const auto& one : news) {
      if (std::holds_alternative<BusLink>(one)) found.reset();
      if (const auto* it = std::get_if<BusEntry>(&one);
          it && it->bucket == bucket && it->key == name)
        found = *it;
    }
    return found;
  }
};

// Says what it likes to the server, in NATS's own words, and keeps what it hears.
class RawClient {
 public:
  RawClient(int port, const NKey* key = nullptr) : fd_(connect_to_port(port)) {
    const std::string info = until("\r\n");
    std::string more;
    if (key) {
      const auto json = Json::parse(info.substr(5));
      const std::string nonce = json ? (*json)["nonce"].as_string() : "";
      more = R"(,"nkey":")" + key->key + R"(","sig":")" + os::base64url(key->sign(nonce)) + "\"";
    }
    say(R"(CONNECT {"verbose":false,"headers":true,"no_responders":true)" + more + "}\r\n");
    flush();
  }
  void say(const std::string& words) {
    (void)!::send(fd_.get(), words.data(), words.size(), MSG_NOSIGNAL);
  }
  void publish(const std::string& subject, const std::string& value,
               const std::string& reply = {}) {
    say("PUB " + subject + (reply.empty() ? "" : " " + reply) + " " + std::to_string(value.size()) +
        "\r\n" + value + "\r\n");
  }
  // What came until the server has read everything that was said.
  std::string flush() {
    say("PING\r\n");
    return until("PONG\r\n");
  }
  std::string until(const std::string& words) {
    while (heard_.find(words) == std::string::npos) {
      pollfd one{fd_.get(), POLLIN, 0};
      if (::poll(&one, 1, 5000) <= 0) break;
      char buffer[65536];
      const ssize_t n = ::recv(fd_.get(), buffer, sizeof buffer, 0);
      if (n <= 0) break;
      heard_.append(buffer, static_cast<size_t>(n));
    }
    return std::exchange(heard_, {});
  }

 private:
  os::Fd fd_;
  std::string heard_;
};

}  // namespace pawl::fleet
