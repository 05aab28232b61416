#pragma once
// Compresses the finished parts of recordings (store/recording_pack.h), of agents and of tasks that are over. Reading, compressing and
// writing are done on libuv's threads, one part at a time, with a pause after each: a few hundredths of a core at most. The loop only
// puts the file in its place, after a look whether the part may grow again by now.
//
// After a start every folder is looked into, once; then those of which a part was finished. What could not be done (a full disk) is
// tried again. Nothing is kept of agents that have nothing to compress.

#include <map>
#include <set>
#include <string>
#include <vector>

#include "core/face.h"
#include "os/loop.h"
#include "os/work.h"
#include "store/recording_pack.h"

namespace pawl::daemon {

inline constexpr Duration kPackPause = std::chrono::milliseconds{500};
inline constexpr Duration kPackAgain = std::chrono::minutes{5};  // what could not be done
inline constexpr Duration kPackLimit =
    std::chrono::minutes{2};  // then its disk hangs: nothing else is begun until it is back

class Packer {
 public:
  Packer(os::Loop& loop, core::Engine& engine);

  // After a turn: parts that were finished in it.
  void follow();
  bool idle() const { return !busy_ && agents_.empty(); }  // nothing is to be compressed

 private:
  struct Everybody;
  struct OnePart;

  void look_for_all();
  void go_on();
  void begin(const std::string& agent);
  void done(const std::string& agent, const OnePart& part);
  bool grows(const std::string& agent, const store::Part& part) const;
  void later(const std::string& agent, Duration pause);
  void wait();

  core::Engine& engine_;
  std::map<std::string, MonoTime>
      agents_;  // who has something to compress, and when it is looked at
  bool busy_ = false;
  MonoTime next_{};
  os::Timer timer_;
  os::Worker worker_;  // last: what is under way calls back
};

}  // namespace pawl::daemon
