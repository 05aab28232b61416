#include "stream.h"

#include <fcntl.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <string>
#include <string_view>

namespace demo {
namespace {

constexpr size_t kChunk = 4096;
constexpr int64_t kSecond = 1'000'000'000;

bool write_all(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t n = ::write(STDOUT_FILENO, bytes.data(), bytes.size());
    if (n < 0 && errno != EINTR) return false;
    if (n > 0) bytes.remove_prefix(static_cast<size_t>(n));
  }
  return true;
}

int64_t now() {
  timespec t = {};
  ::clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * kSecond + t.tv_nsec;
}

void sleep_until(int64_t when) {
  const timespec t = {when / kSecond, when % kSecond};
  while (::clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, nullptr) == EINTR) {
  }
}

// A terminal that turns \n into \r\n would change the number of bytes: off while we print.
class PlainOutput {
 public:
  PlainOutput() {
    is_tty_ = ::tcgetattr(STDOUT_FILENO, &saved_) == 0;
    if (!is_tty_) return;
    termios plain = saved_;
    plain.c_oflag &= ~static_cast<tcflag_t>(OPOST);
    ::tcsetattr(STDOUT_FILENO, TCSANOW, &plain);
  }
  ~PlainOutput() {
    if (is_tty_) ::tcsetattr(STDOUT_FILENO, TCSANOW, &saved_);
  }
  PlainOutput(const PlainOutput&) = delete;
  PlainOutput& operator=(const PlainOutput&) = delete;

 private:
  bool is_tty_ = false;
  termios saved_ = {};
};

// splitmix64: the same numbers everywhere for one seed.
class Dice {
 public:
  explicit Dice(uint64_t seed) : state_(seed) {}
  uint64_t roll(uint64_t sides) {
    uint64_t z = (state_ += 0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return (z ^ (z >> 31)) % sides;
  }
  std::string number(uint64_t sides) { return std::to_string(roll(sides)); }

 private:
  uint64_t state_;
};

std::string token(Dice& dice) {
  static constexpr std::array<std::string_view, 24> words = {
      "read",  "the",    "tests", "again",   "before",      "merging", "parser", "keeps",
      "every", "offset", "naïve", "größe",   "проверка",    "端末",    "記録",   "한글",
      "✓",     "└─",     "👍",     "e\u0301", "🧑‍🚀", "⠋",       "—",      "queue"};
  switch (dice.roll(16)) {
    case 0:
      return "\r\n";
    case 1:
      return "\x1b[3" + dice.number(8) + "m";
    case 2:
      return "\x1b[38;5;" + dice.number(256) + "m";
    case 3:
      return "\x1b[38;2;" + dice.number(256) + ";" + dice.number(256) + ";" + dice.number(256) +
             "m";
    case 4:
      return std::array<std::string_view, 4>{"\x1b[0m", "\x1b[1m", "\x1b[2m",
                                             "\x1b[7m"}[dice.roll(4)]
          .data();
    case 5:
      switch (dice.roll(12)) {
        case 0:
          return "\x1b[" + dice.number(24) + ";" + dice.number(80) + "H";
        case 1:
          return "\x1b[K";
        case 2:
          return "\x1b[" + dice.number(5) + "A";
        case 3:
          return "\x1b[J";
        case 4:
          return "\x1b]2;title " + dice.number(100) + "\x1b\\";
        case 5:
          return "\t";
        case 6:
          return "\x1b[" + dice.number(4) + "P";
        default:
          return "\r\n";
      }
    default:
      return std::string(words[dice.roll(words.size())]) + " ";
  }
}

}  // namespace

bool print_stream(const PrintOptions& options) {
  const PlainOutput plain;
  Dice dice(options.seed);
  const int64_t start = now();
  uint64_t printed = 0;
  std::string chunk;
  while (printed < options.bytes) {
    const uint64_t left = options.bytes - printed;
    while (chunk.size() < kChunk && chunk.size() < left) {
      std::string next = token(dice);
      // Nothing is cut in the middle: the last bytes are dots.
      if (chunk.size() + next.size() > left) next.assign(left - chunk.size(), '.');
      chunk += next;
    }
    if (!write_all(chunk)) return false;
    printed += chunk.size();
    chunk.clear();
    if (options.rate > 0)
      sleep_until(start + static_cast<int64_t>(static_cast<double>(printed) * 1e9 /
                                               static_cast<double>(options.rate)));
  }
  return true;
}

bool spin(double hz, double seconds) {
  static constexpr std::array<std::string_view, 10> frames = {"⠋", "⠙", "⠹", "⠸", "⠼",
                                                              "⠴", "⠦", "⠧", "⠇", "⠏"};
  const auto step = static_cast<int64_t>(1e9 / std::clamp(hz, 0.001, 1000.0));
  const int64_t start = now();
  const int64_t end = seconds > 0 ? start + static_cast<int64_t>(seconds * 1e9) : INT64_MAX;
  int64_t next = start;
  for (size_t i = 0; next < end; ++i, next += step) {
    sleep_until(next);
    const auto elapsed = std::to_string((next - start) / kSecond);
    std::string frame = "\r\x1b[36m";
    frame.append(frames[i % frames.size()])
        .append("\x1b[0m Working (")
        .append(elapsed)
        .append("s)");
    if (!write_all(frame)) return false;
  }
  return write_all("\r\n");
}

bool echo_lines() {
  std::string line;
  while (std::getline(std::cin, line))
    if (!write_all("echo: " + line + "\n")) return false;
  return true;
}

// In one write: nobody reads half of one.
void note_prompt(const std::string& prompt) {
  const char* path = std::getenv("PAWL_DEMO_PROMPTS");
  if (!path) return;
  const int fd = ::open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  if (fd < 0) return;
  const std::string line = prompt + "\n";
  if (::write(fd, line.data(), line.size()) < 0) std::perror(path);
  ::close(fd);
}

}  // namespace demo
