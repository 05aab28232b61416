// Starts the daemon, kills it, starts it again, and compares what it recorded with what was
// printed.

#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>

#include "noise.h"
#include "os/clock.h"
#include "os/file.h"
#include "survive.h"

namespace pawl::host::survive {
namespace {

constexpr int kLimitS = 90;  // for the last run of the daemon

pid_t start_daemon(const std::string& program, const std::string& home) {
  const pid_t pid = ::fork();
  if (pid == 0) {
    ::execl(program.c_str(), program.c_str(), "daemon", home.c_str(), nullptr);
    ::_exit(127);
  }
  return pid;
}

size_t ended(const std::string& home) {
  size_t count = 0;
  for (uint64_t number = 1; number <= kPrinters; ++number)
    count += os::exists(end_path(home, number)) ? 1 : 0;
  return count;
}

size_t spill_files(const std::string& home) {
  size_t count = 0;
  for (const auto& name : os::list_dir(home + "/holders"))
    count += name.rfind("spill-", 0) == 0 ? 1 : 0;
  return count;
}

void pause_ms(uint64_t ms) {
  ::poll(nullptr, 0, static_cast<int>(ms));
}

// Returns false when the daemon ended by itself before its time: it found something wrong.
bool kill_at_random(const std::string& program, const std::string& home, Noise& chance) {
  const pid_t pid = start_daemon(program, home);
  pause_ms(1 + chance.below(400));
  int status = 0;
  if (::waitpid(pid, &status, WNOHANG) == pid) return WIFEXITED(status) && WEXITSTATUS(status) == 0;
  ::kill(pid, SIGKILL);
  ::waitpid(pid, &status, 0);
  pause_ms(chance.below(120));
  return true;
}

bool last_run(const std::string& program, const std::string& home) {
  const pid_t pid = start_daemon(program, home);
  for (int i = 0; i < kLimitS * 20; ++i) {
    int status = 0;
    if (::waitpid(pid, &status, WNOHANG) == pid) return status == 0;
    pause_ms(50);
  }
  ::kill(pid, SIGKILL);
  ::waitpid(pid, nullptr, 0);
  return false;
}

bool compare(const std::string& home, uint64_t number) {
  const auto output = os::read_file(output_path(home, number));
  const auto end = os::read_file(end_path(home, number));
  const bool same = output && *output == Noise(number).bytes(kBytesEach);
  const bool right = end && *end == expected_end(number);
  if (!same) std::printf("printer %d: the recording differs\n", static_cast<int>(number));
  if (!right)
    std::printf("printer %d: ended by \"%s\", not \"%s\"\n", static_cast<int>(number),
                end ? end->c_str() : "", expected_end(number).c_str());
  return same && right;
}

}  // namespace

int run_driver(const std::string& program, uint64_t seed) {
  std::string home = (std::getenv("TMPDIR") ? std::string(std::getenv("TMPDIR")) : "/tmp") +
                     "/pawl-survive-XXXXXX";
  if (!::mkdtemp(home.data())) return 2;
  const auto begin = os::read_clock().mono;
  Noise chance(seed);
  int kills_while_printing = 0;
  size_t spills = 0;  // seen while the daemon was dead
  bool good = true;
  for (int i = 0; i < kKills && good; ++i) {
    good = kill_at_random(program, home, chance);
    if (ended(home) < kPrinters) ++kills_while_printing;
    spills += spill_files(home);
  }
  if (!good) std::printf("the daemon gave up\n");
  good = good && last_run(program, home);
  for (uint64_t number = 1; number <= kPrinters; ++number) good = compare(home, number) && good;
  const auto seconds = std::chrono::duration<double>(os::read_clock().mono - begin).count();
  std::printf(
      "%s: seed %llu, %d of %d kills while printing, %llu bytes in %d recordings, "
      "%zu spill files, %.1f s\n",
      good ? "byte-identical" : "FAILED", static_cast<unsigned long long>(seed),
      kills_while_printing, kKills, static_cast<unsigned long long>(kBytes), kPrinters, spills,
      seconds);
  good = good && kills_while_printing >= kKills - 2 && spills > 0;
  if (good) (void)os::remove_tree(home);
  return good ? 0 : 1;
}

}  // namespace pawl::host::survive
