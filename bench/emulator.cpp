// The emulator against libtsm and against the PTY itself, one run, same input. Prints measured,
// target, verdict per row.
//   bench_emulator [--check]     with --check a missed target is exit status 1
// Ratios count, absolute numbers depend on the machine; each ratio takes the best of several rounds
// in turn.

#include <fcntl.h>
#include <libtsm.h>
#include <malloc.h>
#include <pty.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <functional>
#include <memory>
#include <new>
#include <random>
#include <string>

#include "term/terminal.h"

namespace {

size_t g_live = 0;  // bytes from operator new, as the allocator rounds them

void* counted(size_t size) {
  void* p = std::malloc(size ? size : 1);
  if (!p) std::abort();
  g_live += malloc_usable_size(p);
  return p;
}

void uncounted(void* p) {
  if (!p) return;
  g_live -= malloc_usable_size(p);
  std::free(p);
}

}  // namespace

void* operator new(size_t size) {
  return counted(size);
}
void* operator new[](size_t size) {
  return counted(size);
}
void operator delete(void* p) noexcept {
  uncounted(p);
}
void operator delete[](void* p) noexcept {
  uncounted(p);
}
void operator delete(void* p, size_t) noexcept {
  uncounted(p);
}
void operator delete[](void* p, size_t) noexcept {
  uncounted(p);
}

namespace {

using pawl::Size;
using pawl::term::Options;
using pawl::term::Terminal;

constexpr size_t kMixedBytes = 8 << 20, kYesBytes = 12 << 20;
constexpr int kRounds = 5;

// Truecolor, palette colours, attributes, CJK, boxes, cursor movement: what an agent's screen is
// made of.
std::string mixed_ansi(size_t size) {
  std::mt19937 random(1);
  std::string out;
  char text[64];
  while (out.size() < size) {
    switch (random() % 8) {
      case 0:
      case 1:
        std::snprintf(text, sizeof text, "\x1b[38;2;%u;%u;%um", unsigned(random() % 256),
                      unsigned(random() % 256), unsigned(random() % 256));
        out += text;
        break;
      case 2:
        std::snprintf(text, sizeof text, "\x1b[48;5;%um", unsigned(random() % 256));
        out += text;
        break;
      case 3:
        out += "\x1b[1;4mbold\x1b[0m";
        break;
      case 4:
        out += "\xe6\xbc\xa2\xe5\xad\x97\xe3\x81\x8b\xe3\x81\xaa";
        break;
      case 5:
        out += "\xe2\x94\x80\xe2\x94\x82\xe2\x95\xad const auto value = compute(input, options);";
        break;
      case 6:
        out += "The quick brown fox jumps over the lazy dog 0123456789";
        break;
      default:
        out += random() % 4 ? "\r\n" : "\x1b[12;10H\x1b[K";
    }
  }
  return out;
}

// CPU seconds of this thread: another process on the machine does not count.
double cpu_seconds() {
  timespec t{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_nsec) * 1e-9;
}

double wall_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

double ours(const std::string& input, Size size) {
  Terminal terminal(size);
  const double start = cpu_seconds();
  for (size_t at = 0; at < input.size(); at += 4096) {
    terminal.feed(std::string_view(input).substr(at, 4096));
    terminal.take_answers();
  }
  return static_cast<double>(input.size()) / (cpu_seconds() - start) / 1e6;
}

double theirs(const std::string& input, Size size) {
  tsm_screen* screen = nullptr;
  tsm_vte* vte = nullptr;
  tsm_screen_new(&screen, nullptr, nullptr);
  tsm_screen_set_max_sb(screen, 1000);  // as many lines of scrollback as ours
  tsm_screen_resize(screen, size.cols, size.rows);
  tsm_vte_new(
      &vte, screen, [](tsm_vte*, const char*, size_t, void*) {}, nullptr, nullptr, nullptr);
  const double start = cpu_seconds();
  for (size_t at = 0; at < input.size(); at += 4096)
    tsm_vte_input(vte, input.data() + at, std::min<size_t>(4096, input.size() - at));
  const double rate = static_cast<double>(input.size()) / (cpu_seconds() - start) / 1e6;
  tsm_vte_unref(vte);
  tsm_screen_unref(screen);
  return rate;
}

// `yes` in a PTY, read until kYesBytes; MB/s of wall time.
double yes_rate(const std::function<void(std::string_view)>& use) {
  int master = -1;
  winsize size{24, 80, 0, 0};
  const pid_t child = forkpty(&master, nullptr, nullptr, &size);
  if (child == 0) {
    execlp("yes", "yes", nullptr);
    _exit(127);
  }
  static char buffer[65536];
  size_t total = 0;
  const double start = wall_seconds();
  while (total < kYesBytes) {
    const ssize_t n = read(master, buffer, sizeof buffer);
    if (n <= 0) break;
    use({buffer, static_cast<size_t>(n)});
    total += static_cast<size_t>(n);
  }
  const double rate = static_cast<double>(total) / (wall_seconds() - start) / 1e6;
  kill(child, SIGKILL);
  close(master);
  waitpid(child, nullptr, 0);
  return rate;
}

double yes_emulated() {
  Terminal terminal({80, 24});
  return yes_rate([&](std::string_view bytes) { terminal.feed(bytes); });
}

// Both screens full of coloured text, without scrollback.
double memory_kib() {
  const std::string input = mixed_ansi(64 << 10);
  const size_t before = g_live;
  auto terminal = std::make_unique<Terminal>(Size{80, 24}, Options{true, 0});
  terminal->feed(input);
  terminal->feed("\x1b[?1049h");
  terminal->feed(input);
  return static_cast<double>(g_live - before) / 1024;
}

double scrollback_kib() {
  const std::string input = mixed_ansi(1 << 20);
  Terminal terminal({80, 24});
  const size_t before = g_live;
  terminal.feed(input);
  return static_cast<double>(g_live - before) / 1024;
}

bool g_missed = false;

void report(const char* what, double measured, const char* unit, double target, bool at_least) {
  const bool ok = at_least ? measured >= target : measured <= target;
  g_missed |= !ok;
  std::printf("%-52s %9.2f %-4s target %s %7.2f  %s\n", what, measured, unit,
              at_least ? ">=" : "<=", target, ok ? "ok" : "MISS");
}

void note(const char* what, double measured, const char* unit) {
  std::printf("%-52s %9.2f %s\n", what, measured, unit);
}

void against_libtsm(const std::string& input, Size size, double target) {
  double mine = 0, other = 0;
  for (int i = 0; i < kRounds; ++i) {
    mine = std::max(mine, ours(input, size));
    other = std::max(other, theirs(input, size));
  }
  char name[64];
  std::snprintf(name, sizeof name, "mixed ANSI %ux%u, pawl", size.cols, size.rows);
  note(name, mine, "MB/s");
  std::snprintf(name, sizeof name, "mixed ANSI %ux%u, libtsm", size.cols, size.rows);
  note(name, other, "MB/s");
  std::snprintf(name, sizeof name, "mixed ANSI %ux%u, times libtsm", size.cols, size.rows);
  report(name, mine / other, "x", target, true);
}

void against_pty() {
  double raw = 0, emulated = 0;
  for (int i = 0; i < kRounds; ++i) {
    raw = std::max(raw, yes_rate([](std::string_view) {}));
    emulated = std::max(emulated, yes_emulated());
  }
  note("yes through a PTY, read only", raw, "MB/s");
  note("yes through a PTY, emulated 80x24 with scrollback", emulated, "MB/s");
  report("yes: read only / emulated", raw / emulated, "x", 2, false);
}

}  // namespace

int main(int argc, char** argv) {
  const std::string input = mixed_ansi(kMixedBytes);
  against_libtsm(input, {80, 24}, 4);
  against_libtsm(input, {200, 50}, 3);
  against_pty();
  report("memory, main + alternate 80x24", memory_kib(), "KiB", 64, false);
  note("memory, 1000 lines of scrollback (coloured text)", scrollback_kib(), "KiB");
  return g_missed && argc > 1 && std::strcmp(argv[1], "--check") == 0;
}
