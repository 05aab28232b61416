#pragma once
// PtyHost's looks at the processes of its terminals (facts.h), off the loop. When many are asked for in one turn they share
// one survey of the processes; what may hang is read for each alone.
//
// A look takes at most kLookLimit, waiting included, or there is no answer. A session whose look hangs is not looked at again
// until it came back; at most os::kTasksAtOnce can hang, then no session is looked at until one of them comes back.

#include <functional>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

#include "base/units.h"
#include "host/facts.h"
#include "model/facts.h"
#include "os/loop.h"
#include "os/proc.h"
#include "os/process.h"
#include "os/work.h"

namespace pawl::host {

constexpr Duration kLookLimit = std::chrono::seconds(2);

class Looks {
 public:
  using Seen = std::function<void(SessionId, model::Facts)>;

  // `seen` is called from the loop, at most once for each ask(). looks_test.cpp makes up its own processes, some of which
  // hang, and has less time.
  Looks(os::Loop& loop, Seen seen, os::Proc proc = os::Proc(), Duration limit = kLookLimit);

  // Nothing new while the last one is unanswered.
  void ask(SessionId session, os::ProcessId child, const model::OwnFiles& files = {});
  // No answer any more.
  void forget(SessionId session) { open_.erase(session); }

  size_t unanswered() const { return open_.size(); }

 private:
  struct Asked {
    SessionId session;
    os::ProcessId child;
    model::OwnFiles files;
  };

  void start();
  void survey_all(const std::vector<Asked>& batch);
  void surveyed(const std::vector<Asked>& batch, std::vector<Result<Sketch>> sketches);
  void drop(const std::vector<Asked>& batch);
  template <class Task>
  void read_one(SessionId session, Task task, Duration limit);

  os::Worker worker_;
  os::Soon soon_;
  Seen seen_;
  os::Proc proc_;
  Duration limit_;
  std::vector<Asked> asked_;  // in this turn
  std::unordered_set<SessionId> open_;
  bool surveying_ = false;  // those asked meanwhile wait for the next one
};

}  // namespace pawl::host
