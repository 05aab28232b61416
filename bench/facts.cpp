// What a look at the processes of a terminal costs (host/facts.h, Host::look). Arguments: TERMINALS ROUNDS.
//
// Every terminal holds a made-up agent: a program of ten threads with a helper of its own group in the background and a
// tool in front beside it, about what a Node program looks like from outside. Measured is the CPU of this whole process
// (loop, libuv's threads, kernel), divided by the number of looks; the rest of the machine only makes it slower.

#include "host/facts.h"

#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

#include "host/pty_host.h"
#include "os/file.h"

namespace {

using namespace pawl;

constexpr int kThreads = 9;  // besides the first

// The agent itself: this program again.
int be_agent() {
  for (const bool behind : {true, false}) {
    if (::fork() != 0) continue;
    if (behind) ::setpgid(0, 0);
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    ::pause();
    return 0;
  }
  for (int i = 0; i < kThreads; ++i) std::thread([] { ::pause(); }).detach();
  (void)!::write(1, "ready", 5);
  ::pause();
  return 0;
}

double own_cpu_us() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  const auto us = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) * 1e6 + static_cast<double>(time.tv_usec);
  };
  return us(usage.ru_utime) + us(usage.ru_stime);
}

class Bench {
 public:
  Bench(const std::string& home, int terminals)
      : terminals_(terminals), host_(loop_, home, [this] { loop_.stop(); }) {
    for (uint64_t i = 1; i <= static_cast<uint64_t>(terminals); ++i)
      host_.open(SessionId{i}, {{os::own_executable(), "agent"}, {"PATH=/bin"}, "/", {}});
    while (ready_ < terminals) turn();
  }
  ~Bench() {
    for (uint64_t i = 1; i <= static_cast<uint64_t>(terminals_); ++i) host_.close(SessionId{i});
    bool over = false;
    os::Timer end(loop_, [&] {
      over = true;
      loop_.stop();
    });
    end.start(std::chrono::milliseconds(300));  // the holders hear of it
    while (!over) turn();
  }

  // All in one turn, as often as said: µs per look.
  double together(int rounds) {
    return per_look(rounds * terminals_, [&] {
      for (int round = 0; round < rounds; ++round) look(1, terminals_);
    });
  }
  // `few` in each turn.
  double spread(int few) {
    const int looks = terminals_ / few * few;
    return per_look(looks, [&] {
      for (int first = 1; first + few - 1 <= looks; first += few) look(first, few);
    });
  }
  // Without loop and threads: one way or the other.
  double survey(host::Way way, int rounds) {
    return per_look(rounds * terminals_, [&] {
      for (int round = 0; round < rounds; ++round) (void)host::survey(processes_, way);
    });
  }
  bool right() const { return wrong_ == 0; }

 private:
  template <class Run>
  static double per_look(int looks, Run run) {
    const double before = own_cpu_us();
    run();
    return (own_cpu_us() - before) / looks;
  }
  void look(int first, int count) {
    const int wanted = answers_ + count;
    for (int i = first; i < first + count; ++i) host_.look(SessionId{static_cast<uint64_t>(i)}, {});
    while (answers_ < wanted) turn();
  }
  void turn() {
    loop_.run();
    for (const auto& event : host_.take()) {
      if (const auto* opened = std::get_if<host::Opened>(&event))
        processes_.push_back(opened->process);
      if (std::get_if<host::Output>(&event)) ++ready_;
      if (const auto* read = std::get_if<host::FactsRead>(&event)) {
        ++answers_;
        if (read->facts.front_count != 2 || read->facts.outside.size() != 1) ++wrong_;
      }
    }
  }

  int terminals_;
  int ready_ = 0;
  int answers_ = 0;
  int wrong_ = 0;
  std::vector<os::ProcessId> processes_;
  os::Loop loop_;
  host::PtyHost host_;
};

int report(const char* what, double measured, double target) {
  std::printf("%-44s %8.1f µs of CPU  target %6.1f  %s\n", what, measured, target,
              measured <= target ? "ok" : "MISSED");
  return measured <= target ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc > 1 && std::strcmp(argv[1], "agent") == 0) return be_agent();
  const int terminals = argc > 1 ? std::atoi(argv[1]) : 1000;
  const int rounds = argc > 2 ? std::atoi(argv[2]) : 5;
  std::string home = "/tmp/pawl-bench-XXXXXX";
  if (!::mkdtemp(home.data())) return 2;
  int missed = 0;
  {
    Bench bench(home, terminals);
    std::printf("%d terminals, 3 processes and 12 threads each; per look:\n", terminals);
    bench.together(
        1);  // settle: the kernel makes its entries of /proc when they are first asked for
    missed += report("all asked in one turn", bench.together(rounds), 100);
    if (terminals >= 64) missed += report("64 in one turn", bench.spread(64), 200);
    missed += report("one in one turn", bench.spread(1), 200);
    if (terminals >= 64)
      missed += report("survey by a scan", bench.survey(host::Way::scan, rounds), 40);
    missed += report("survey by walks", bench.survey(host::Way::walk, rounds), 150);
    if (!bench.right()) std::printf("and some answers were wrong\n");
    missed += bench.right() ? 0 : 1;
  }
  (void)os::remove_tree(home);
  return missed == 0 ? 0 : 1;
}
