// Any bytes on a screen, looked at with every built-in profile: no crash, nothing ready that has no box, and no look that
// costs more than a screen of that size may. Input: columns, rows, chunk size, flags, then output of a hostile program;
// 0xfe 0xfe C R resizes, 0xfd N lets time pass.

#include <cstdint>
#include <cstdlib>
#include <ctime>
#include <string_view>

#include "perceive/tracker.h"
#include "term/terminal.h"

namespace {

using pawl::Duration;
using pawl::MonoTime;
using pawl::Size;
using pawl::model::State;
using pawl::perceive::Catalog;
using pawl::perceive::Tracker;
using pawl::perceive::TrackerOptions;
using pawl::term::Terminal;

constexpr int kMostCols = 120, kMostRows = 40, kMostLooks = 100;
// A whole screen read anew by one profile. Patterns are linear and sanitizers slow; what is looked for is an explosion.
constexpr double kMostSecondsPerLook = 0.5;

void require(bool condition) {
  if (!condition) std::abort();
}

double cpu_seconds() {
  timespec t{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_nsec) * 1e-9;
}

const Catalog& catalog() {
  static const Catalog all = Catalog::built_in();
  return all;
}

TrackerOptions options_of(const std::string& runtime, bool osc) {
  TrackerOptions options;
  options.runtime = runtime;
  options.channels.osc = osc;
  return options;
}

class Watcher {
 public:
  Watcher(const std::string& runtime, bool osc)
      : tracker_(catalog(), options_of(runtime, osc), now_) {}

  void look(const Terminal& terminal, MonoTime now) {
    now_ = now;
    const double start = cpu_seconds();
    tracker_.screen(now_, terminal.screen());
    require(cpu_seconds() - start < kMostSecondsPerLook);
    read();
  }
  void facts(MonoTime now, const pawl::perceive::Facts& facts) {
    now_ = now;
    tracker_.facts(now_, facts);
    read();
  }
  // Wakes as often as it wants, which must come to an end.
  void pass(MonoTime until) {
    for (int turns = 0; tracker_.wake_at() && *tracker_.wake_at() <= until; ++turns) {
      require(turns < 1000);
      now_ = std::max(now_, *tracker_.wake_at());
      read();
    }
    now_ = until;
    read();
  }

 private:
  void read() {
    tracker_.read(now_);
    const auto& verdict = tracker_.verdict();
    require(!verdict.because.empty() && verdict.confidence > 0 && verdict.confidence <= 1);
    if (verdict.state == State::ready && !tracker_.wake_at())
      require(tracker_.evidence().sight->box.there);
  }
  MonoTime now_{};
  Tracker tracker_;
};

Size size_of(uint8_t cols, uint8_t rows) {
  return {static_cast<uint16_t>(cols % kMostCols + 1), static_cast<uint16_t>(rows % kMostRows + 1)};
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size < 4) return 0;
  const size_t step = data[2] * 8u + 1u;
  const auto names = catalog().names();
  Watcher one(names[data[3] % names.size()], (data[3] & 0x80) == 0),
      any("auto", (data[3] & 0x40) == 0);
  Terminal terminal(size_of(data[0], data[1]), {.answers = false, .scrollback_lines = 0});
  std::string_view bytes(reinterpret_cast<const char*>(data) + 4, size - 4);
  MonoTime now{};
  for (int looks = 0; !bytes.empty() && looks < kMostLooks; ++looks) {
    now += std::chrono::milliseconds{20};
    if (bytes.starts_with("\xfe\xfe") && bytes.size() >= 4) {
      terminal.resize(size_of(static_cast<uint8_t>(bytes[2]), static_cast<uint8_t>(bytes[3])));
      bytes.remove_prefix(4);
    } else if (bytes[0] == '\xfd' && bytes.size() >= 2) {
      now += std::chrono::milliseconds{50 * static_cast<uint8_t>(bytes[1])};
      one.pass(now);
      any.pass(now);
      bytes.remove_prefix(2);
    } else if (bytes[0] == '\xfc' && bytes.size() >= 2) {
      pawl::perceive::Facts facts;
      facts.front = facts.busiest = (bytes[1] & 1) ? "bash" : "claude";
      facts.front_count = bytes[1] >> 4 & 3;
      facts.canonical = (bytes[1] & 2) != 0;
      facts.signals = (bytes[1] & 4) != 0;
      one.facts(now, facts);
      any.facts(now, facts);
      bytes.remove_prefix(2);
    } else {
      const size_t n =
          std::min(step, std::min(bytes.find_first_of("\xfc\xfd\xfe", 1), bytes.size()));
      terminal.feed(bytes.substr(0, n));
      bytes.remove_prefix(n);
    }
    one.look(terminal, now);
    any.look(terminal, now);
  }
  one.pass(now + std::chrono::seconds{60});
  any.pass(now + std::chrono::seconds{60});
  return 0;
}
