#pragma once
// What the kernel says about processes and terminals: /proc and /dev/pts. Used by host/ for the facts of a terminal.
//
// Everything here is true for an instant only: whoever was listed may be gone, or be somebody else, by the next call.
// Gone is no error: it is an empty answer. stat(), children() and all() never wait for the process they are about;
// command_line() may (for a process that hangs inside the kernel with its memory locked), terminal_mode() may in theory:
// call those two where waiting harms nobody (os/work.h).

#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "os/process.h"

namespace pawl::os {

// One line of /proc/PID/stat, as far as anybody here needs it.
struct Stat {
  ProcessId id;
  std::string name;  // at most 15 bytes, of any value
  char state = '?';
  pid_t parent = 0;
  pid_t group = 0;
  pid_t session = 0;
  uint32_t terminal = 0;  // device number of the controlling terminal; 0: none
  pid_t front = 0;        // that terminal's foreground group; 0 or less: none, or one we cannot see
  uint64_t ticks = 0;     // of CPU, used by itself
  uint64_t reaped = 0;    // … and by children that are gone
  int threads = 0;
  bool dying = false;  // it closes its files right now, and is still listed as running

  // Ended, and not yet asked for. A process whose first thread alone has ended is none.
  bool zombie() const { return (state == 'Z' || state == 'X') && threads <= 1; }
};

// The name may hold blanks, newlines and ')'. Nothing when the line is none.
std::optional<Stat> parse_stat(std::string_view line);

struct TerminalMode {
  bool canonical = false;
  bool echo = false;
  bool signals = false;
};

constexpr size_t kThreadsVisited =
    256;  // per process, by children(): those of later threads are not seen
constexpr size_t kProcessesScanned = 65536;  // by all(): later ones are not seen
constexpr size_t kReadersVisited = 32;       // threads per process, by reads_terminal()

// The folders are arguments so that tests can show it processes that vanish at the wrong moment.
class Proc {
 public:
  explicit Proc(std::string processes = "/proc", std::string terminals = "/dev/pts");

  std::optional<Stat> stat(pid_t pid) const;
  // Whether this kernel has the lists that children() reads.
  bool lists_children() const;
  std::vector<pid_t> children(pid_t pid) const;
  std::vector<Stat> all() const;
  size_t count() const;  // about how many all() would give, without reading them
  // The first words, cut to so many bytes each; of the first 4 KiB. Empty for a zombie.
  std::vector<std::string> command_line(pid_t pid, size_t words, size_t bytes) const;
  // The file it runs, whatever it calls itself; empty: that cannot be seen.
  std::string program(pid_t pid) const;
  // Of the environment it was started with; empty when there is none. May wait, like command_line().
  std::string variable(pid_t pid, std::string_view name) const;
  // Bytes it and its children that are gone read and wrote, of anything; 0: that cannot be seen. May wait.
  uint64_t moved(pid_t pid) const;
  // One of its threads waits in read() for that terminal. False also when it waits in another way (poll), and when the
  // kernel does not say: nobody is thought to ask who may only compute. May wait.
  bool reads_terminal(pid_t pid, uint32_t device) const;
  // Opens the terminal for a moment: not as ours, without waiting, and without its holder noticing.
  Result<TerminalMode> terminal_mode(uint32_t device) const;

 private:
  bool thread_reads(const std::string& thread, pid_t pid, const std::string& terminal) const;
  std::string of(pid_t pid, const char* name) const;

  std::string processes_;
  std::string terminals_;
};

}  // namespace pawl::os
