#pragma once
// Reads model::Facts of a terminal: who is in front of it, in which mode it is, what its processes cost. Two steps, because
// they differ in what can go wrong:
//
//   survey()    who is there. Reads only what the kernel tells without waiting for anybody, so that many terminals can share
//               one call, and one reading of all of /proc
//   close_up()  the words of the one in front and the terminal's mode. Both may wait for a process that hangs in the kernel:
//               one terminal per call, so that it hangs alone
//
// Called off the loop by looks.h; pure but for /proc and /dev/pts. A terminal that cannot be read completely gives an Error
// and never half of the facts: a mode nobody could read would pass for a raw one. That is so when the child has ended, when its
// pid is somebody else's by now, when it has let go of its terminal, and when the terminal may not be opened.

#include <vector>

#include "base/result.h"
#include "model/facts.h"
#include "os/proc.h"
#include "os/process.h"

namespace pawl::host {

constexpr size_t kProcessesVisited = 512;  // per terminal; those further down the tree are not seen
constexpr size_t kOutsideNames = 32;
constexpr size_t kFrontWatched = 16;  // of those in front, whether they wait for a key
constexpr size_t kArguments = 8;
constexpr size_t kArgumentBytes = 256;
constexpr size_t kStatusFileBytes = 64u << 10;
constexpr size_t kTranscriptBytes = 256u << 10;  // what a program adds besides the talk is large

// What survey() leaves to close_up().
struct Sketch {
  os::ProcessId child;
  os::ProcessId leader;  // pid 0: the group in front has none any more
  uint32_t terminal = 0;
  model::Facts facts;                    // all but argv, the mode and what it does
  std::vector<os::ProcessId> tree = {};  // the child and its descendants
};

// From parent to child, or from one reading of everything. The answer is the same, the cost is not.
enum class Way { walk, scan };

// Whether so many terminals are better scanned than walked one by one. Does not wait: the loop may ask.
bool better_scanned(size_t terminals, const os::Proc& proc = os::Proc());

// One per child, in their order. A kernel that does not list children is scanned anyway.
std::vector<Result<Sketch>> survey(const std::vector<os::ProcessId>& children, Way way,
                                   const os::Proc& proc = os::Proc());
// `files` as in Host::look; they are read after the words: the beginning of the status file, the end of the transcript.
Result<model::Facts> close_up(Sketch sketch, const os::Proc& proc = os::Proc(),
                              const model::OwnFiles& files = {});

// Both steps for one, by a walk.
Result<model::Facts> read_facts(os::ProcessId child, const os::Proc& proc = os::Proc(),
                                const model::OwnFiles& files = {});

}  // namespace pawl::host
