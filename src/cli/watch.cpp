#include "cli/watch.h"

#include <poll.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include "base/text.h"
#include "cli/client.h"
#include "cli/machine.h"
#include "cli/status_link.h"
#include "cli/style.h"
#include "cli/table.h"
#include "cli/terminal_guard.h"
#include "os/clock.h"

namespace pawl::cli {
namespace {

constexpr int kRefreshMs = 1000;                             // the FOR column counts on
constexpr int kCoalesceMs = 30;                              // many events, one repaint
constexpr Duration kRetry = std::chrono::milliseconds{500};  // for a daemon known to be silent

// Every line rewritten in place and cleared to its end, inside one synchronized update.
std::string frame(const Json& list, const Look& look, const std::string& note) {
  std::string out = "\x1b[?2026h\x1b[H";
  const auto lines = split(agent_table(list, os::read_clock().wall, look) + unreached(list), '\n');
  const size_t room = static_cast<size_t>(std::max(2, look.height)) - 2;
  for (size_t i = 0; i < lines.size() && i < room; ++i)
    if (!lines[i].empty()) out += lines[i] + "\x1b[K\r\n";
  if (lines.size() > room + 1) out += "…\x1b[K\r\n";
  out += "\x1b[K\r\n" +
         paint(look, "2", fit(note.empty() ? summary(list) + "   q quits" : note, look.width - 1));
  return out + "\x1b[J\x1b[?2026l";
}

class Watching {
 public:
  Watching(const std::string& home, bool machines) : home_(home), machines_(machines) {}

  Farewell run(int winch_fd) {
    print("\x1b[?1049h\x1b[?25l\x1b[2J");
    const char* term = std::getenv("TERM");
    print(status_.ask(now(), term ? term : ""));
    connect();
    for (;;) {
      refresh();
      report();
      pollfd fds[3] = {
          {STDIN_FILENO, POLLIN, 0}, {winch_fd, POLLIN, 0}, {feed_ ? feed_->fd() : -1, POLLIN, 0}};
      ::poll(fds, 3, wait_ms());
      if ((fds[0].revents && quits()) || quit_key(status_.held_keys(now()))) return {};
      if (fds[1].revents) drain_winch(winch_fd);
      if (fds[2].revents) drain_feed();
    }
  }

 private:
  static void print(const std::string& text) {
    (void)!::write(STDOUT_FILENO, text.data(), text.size());
  }

  void connect() {
    auto client = Client::connect(home_, Client::Start::no);
    auto feed = Client::connect(home_, Client::Start::no);
    client_.reset();
    feed_.reset();
    if (!client || !feed) return;
    client_.emplace(std::move(*client));
    if (!silence_.empty()) client_->pulse().expect(kRetry);
    const auto status = client_->ask(Client::request("status", Json::object()));
    const std::string since = status ? std::to_string((*status)["last_event"].as_int()) : "0";
    if (feed->send(api::encode(
            Client::request("events", Json::object({{"follow", true}, {"since", since}})))))
      feed_.emplace(std::move(*feed));
  }

  void refresh() {
    if (!client_ || !feed_) connect();
    auto list =
        client_ ? client_->ask(Client::request("ls", table_request().set("machines", machines_)))
                : Result<Json>(fail("no daemon"));
    std::string note;
    if (list) {
      last_ = *list;
      silence_.clear();
    } else {
      silence_ = client_ && client_->pulse().silent() ? list.error().what : "";
      note = (silence_.empty() ? "the daemon is not running" : silence_) +
             "; agents keep running.   q quits";
      client_.reset();
    }
    print(frame(last_, look_of(STDOUT_FILENO), note));
  }

  static MonoTime now() { return os::read_clock().mono; }
  int wait_ms() const {
    const auto wake = status_.wake_at();
    if (!wake) return kRefreshMs;
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(*wake - now()).count();
    return static_cast<int>(std::clamp<int64_t>(left, 0, kRefreshMs));
  }

  // To the person's own terminal, if it reads such things.
  void report() {
    status_.want(picture_.list(last_));
    if (status_.speaks()) reports_to_terminal();
    print(status_.due(now()));
  }

  static bool quit_key(std::string_view keys) {
    return keys.find_first_of("q\x03\x1c") != std::string_view::npos;
  }
  bool quits() {
    char keys[256];
    const ssize_t n = ::read(STDIN_FILENO, keys, sizeof keys);
    return n <= 0 || quit_key(status_.keys({keys, static_cast<size_t>(n)}, now()));
  }

  static void drain_winch(int fd) {
    signalfd_siginfo info{};
    while (::read(fd, &info, sizeof info) > 0) {
    }
  }

  void drain_feed() {
    ::poll(nullptr, 0, kCoalesceMs);
    for (;;) {
      const auto frame = feed_->receive(Client::Wait::no);
      if (!frame) return feed_.reset();
      if (!*frame) return;
    }
  }

  std::string home_;
  bool machines_;        // all of them
  std::string silence_;  // what is said about a daemon that does not answer
  std::optional<Client> client_, feed_;
  StatusLink status_;
  StatusPicture picture_;
  Json last_ = Json::object({{"version", 1}, {"agents", Json::array()}});
};

}  // namespace

int watch(const std::string& home, bool machines) {
  if (!::isatty(STDIN_FILENO) || !::isatty(STDOUT_FILENO)) {
    std::fprintf(stderr, "pawl: ls -w needs a terminal: use pawl ls, or pawl events -f\n");
    return 2;
  }
  auto client =
      Client::connect(home, Client::Start::yes);  // starts the daemon, and says why when it cannot
  if (!client) {
    std::fprintf(stderr, "pawl: %s\n", text_of(client.error()).c_str());
    return 1;
  }
  return with_raw_terminal([&](int winch_fd) { return Watching(home, machines).run(winch_fd); });
}

}  // namespace pawl::cli
