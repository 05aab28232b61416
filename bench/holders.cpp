// 1000 terminals with a 10 Hz spinner each, in real holders: what they and the client cost.
// Arguments: SESSIONS SECONDS. The client takes and acknowledges everything but emulates nothing;
// the daemon's own figures are bench/fleet's.

#include <dirent.h>
#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <set>
#include <string>
#include <vector>

#include "base/text.h"
#include "host/pty_host.h"
#include "os/clock.h"
#include "os/file.h"
#include "os/proc.h"

namespace {

using namespace pawl;

double cpu_seconds(pid_t pid) {
  const auto text = os::read_file("/proc/" + std::to_string(pid) + "/schedstat");
  return text ? std::atof(text->c_str()) / 1e9 : 0;
}

double own_cpu_seconds() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

// Private_Dirty + Swap, in KiB.
double private_kib(pid_t pid) {
  const auto rollup = os::read_file("/proc/" + std::to_string(pid) + "/smaps_rollup");
  double sum = 0;
  if (!rollup) return sum;
  for (const auto& line : split(*rollup, '\n'))
    if (line.rfind("Private_Dirty:", 0) == 0 || line.rfind("Swap:", 0) == 0)
      sum += std::atof(line.c_str() + line.find(':') + 1);
  return sum;
}

class Bench {
 public:
  Bench(std::string home, int sessions)
      : sessions_(sessions), spinners_(sessions), host_(loop_, home, [this] { loop_.stop(); }) {}

  double start() {
    const auto begin = os::read_clock().mono;
    for (int i = 1; i <= sessions_; ++i)
      host_.open(SessionId{static_cast<uint64_t>(i)},
                 {{PAWL_SPINNER}, {"PATH=/usr/bin:/bin"}, "/", {}});
    while (opened_ < sessions_) turn();
    return since(begin);
  }

  void run(double seconds) {
    bool over = false;
    os::Timer end(loop_, [&] {
      over = true;
      loop_.stop();
    });
    end.start(Duration(static_cast<int64_t>(seconds * 1e6)));
    while (!over) turn();
  }

  // How long a typed character takes to come back, among the spinners: the samples, sorted, in ms.
  std::vector<double> echoes(int samples) {
    const SessionId typing{static_cast<uint64_t>(++sessions_)};
    host_.open(typing, {{"cat"}, {"PATH=/usr/bin:/bin"}, "/", {}});
    while (opened_ < sessions_) turn();
    std::vector<double> all;
    for (int i = 0; i < samples; ++i) {
      run(0.05);
      const size_t before = typed_back_;
      const auto begin = os::read_clock().mono;
      host_.write(typing, "x");
      while (typed_back_ == before) turn();
      all.push_back(since(begin) * 1000);
    }
    std::sort(all.begin(), all.end());
    return all;
  }

  // A shard more, of children that printed a megabyte and are quiet now: its private memory per
  // session, in KiB.
  double after_burst() {
    const auto before = holders_;
    const int first = sessions_ + 1;
    for (sessions_ += static_cast<int>(2 * host::kShardSize); first + loud_ <= sessions_; ++loud_)
      host_.open(SessionId{static_cast<uint64_t>(first + loud_)},
                 {{"sh", "-c", "head -c 1000000 /dev/zero; exec sleep 1000"},
                  {"PATH=/usr/bin:/bin"},
                  "/",
                  {}});
    while (opened_ < sessions_) turn();
    run(3);
    double worst = 0;
    for (const pid_t pid : holders_)
      if (!before.count(pid))
        worst = std::max(worst, private_kib(pid) / static_cast<double>(host::kShardSize));
    return worst;
  }

  void stop() {
    for (int i = 1; i <= sessions_; ++i) host_.close(SessionId{static_cast<uint64_t>(i)});
  }

  const std::set<pid_t>& holder_pids() const { return holders_; }
  const std::set<pid_t>& keeper_pids() const { return keepers_; }
  static double since(MonoTime begin) {
    return std::chrono::duration<double>(os::read_clock().mono - begin).count();
  }

  size_t bytes = 0;
  size_t turns = 0;

 private:
  void turn() {
    loop_.run();
    ++turns;
    for (const auto& event : host_.take()) {
      if (const auto* output = std::get_if<host::Output>(&event)) {
        bytes += output->bytes.size();
        if (output->session.value > static_cast<uint64_t>(spinners_)) ++typed_back_;
        host_.acknowledge(output->session, Offset{output->offset.value + output->bytes.size()});
      } else if (const auto* opened = std::get_if<host::Opened>(&event)) {
        ++opened_;
        note_parents(opened->process.pid);
      } else if (const auto* failed = std::get_if<host::OpenFailed>(&event)) {
        std::fprintf(stderr, "cannot start: %s\n", text_of(failed->error).c_str());
        std::exit(1);
      }
    }
  }

  // Between a program and its holder is its keeper.
  void note_parents(pid_t pid) {
    const auto program = os::Proc().stat(pid);
    const auto keeper = program ? os::Proc().stat(program->parent) : std::nullopt;
    if (!keeper) return;
    keepers_.insert(keeper->id.pid);
    holders_.insert(keeper->parent);
  }

  int sessions_;
  int spinners_;
  size_t typed_back_ = 0;
  int opened_ = 0;
  int loud_ = 0;
  std::set<pid_t> holders_, keepers_;
  os::Loop loop_;
  host::PtyHost host_;
};

int report(const char* what, double measured, double target, const char* unit) {
  const bool ok = measured <= target;
  std::printf("%-44s %10.2f %-6s  target %8.2f  %s\n", what, measured, unit, target,
              ok ? "ok" : "MISSED");
  return ok ? 0 : 1;
}

double holders_cpu(const Bench& bench) {
  double sum = 0;
  for (const pid_t pid : bench.holder_pids()) sum += cpu_seconds(pid);
  return sum;
}

double memory_of(const std::set<pid_t>& pids) {
  double sum = 0;
  for (const pid_t pid : pids) sum += private_kib(pid);
  return sum;
}

}  // namespace

int main(int argc, char** argv) {
  const int sessions = argc > 1 ? std::atoi(argv[1]) : 1000;
  const double seconds = argc > 2 ? std::atof(argv[2]) : 10;
  std::string home = "/tmp/pawl-bench-XXXXXX";
  if (!::mkdtemp(home.data())) return 2;
  Bench bench(home, sessions);
  const double start = bench.start();
  bench.run(1);  // settle
  const double holders_before = holders_cpu(bench);
  const double own_before = own_cpu_seconds();
  const size_t bytes_before = bench.bytes;
  const size_t turns_before = bench.turns;
  bench.run(seconds);
  const double holders = (holders_cpu(bench) - holders_before) / seconds * 1000;
  const double own = (own_cpu_seconds() - own_before) / seconds * 1000;
  const double rate = static_cast<double>(bench.bytes - bytes_before) / seconds / 1000;
  const double memory = memory_of(bench.holder_pids()) / sessions;
  std::printf("%d sessions in %zu holders, %.0f kB/s, client turns %.0f/s\n", sessions,
              bench.holder_pids().size(), rate,
              static_cast<double>(bench.turns - turns_before) / seconds);
  int missed = 0;
  missed += report("start of all sessions", start, 10.0 * sessions / 1000, "s");
  missed += report("CPU of the holders", holders, 100.0 * sessions / 1000, "ms/s");
  missed += report("CPU of the client", own, 30.0 * sessions / 1000, "ms/s");
  missed += report("private memory in the holders per session", memory, 10, "KiB");
  missed +=
      report("private memory of a keeper", memory_of(bench.keeper_pids()) / sessions, 80, "KiB");
  missed +=
      report("shortfall of spinner output", 52 * 10 * sessions / 1000.0 * 0.95 - rate, 0, "kB/s");
  const auto echoes = bench.echoes(100);
  missed += report("echo of a keystroke, median", echoes[50], 10, "ms");
  missed += report("echo of a keystroke, worst of 100", echoes[99], 50, "ms");
  missed += report("private memory per session after 1 MB each", bench.after_burst(), 10, "KiB");
  bench.stop();
  bench.run(0.3);
  (void)os::remove_tree(home);
  return missed == 0 ? 0 : 1;
}
