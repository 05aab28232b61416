#pragma once
// What happens to tasks is pushed to the programs that gave them (R14): one JSON object for each event (api/task_teller.h), at once,
// in order, to every target of [tasks] push: webhook:URL, exec:PROGRAM. Apart from what people are told: nothing is put together,
// held back or left out.
//
// Each target has its place in the journal, kept in PAWL_HOME/push: what happened while no daemon ran, or the target did not answer,
// is pushed later. What it does not take in kTries tries goes to push/dead.jsonl, somebody is told, and the next event's turn comes;
// until it takes one again, each has one try. A task never waits for a push, nor fails with it.

#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "api/task_teller.h"
#include "core/face.h"
#include "model/channel.h"
#include "os/child.h"
#include "os/loop.h"
#include "os/post.h"

namespace pawl::daemon {

inline constexpr int kPushTries = 8;
inline constexpr Duration kPushAgain = std::chrono::seconds{1};  // doubled with each try
inline constexpr Duration kPushAgainMost = std::chrono::seconds{60};
inline constexpr Duration kPushLimit = std::chrono::seconds{10};
inline constexpr size_t kPushAhead = 256;  // events that wait in memory
inline constexpr uint64_t kDeadBytes =
    16u << 20;  // of the file; then it is begun anew, the old one kept

class TaskPush {
 public:
  // `wake` asks for a turn soon.
  TaskPush(os::Loop& loop, core::Engine& engine, const std::string& home,
           const std::vector<std::string>& targets, std::function<void()> wake);
  ~TaskPush();
  TaskPush(const TaskPush&) = delete;
  TaskPush& operator=(const TaskPush&) = delete;

  // After a turn: what it wrote is pushed.
  void follow();
  bool busy() const;  // something is under way or waits: for tests

 private:
  struct Event {
    Seq seq;
    std::string line;  // empty: there is nothing to push, only to be counted
  };
  struct Target {
    Target(os::Loop& loop, core::Engine& engine, TaskPush& all, model::Channel to);
    model::Channel channel;
    std::string place;  // the file
    Seq read, sent;     // up to these
    api::TaskTeller teller;
    std::deque<Event> waiting = {};
    int tries = 0;  // of the first of them
    bool under_way = false;
    bool down = false;  // it did not take the last one
    std::unique_ptr<os::Child> child = {};
    os::Timer timer;
  };

  void read_on(Target& target);
  void go_on(Target& target);
  void push(Target& target);
  void pushed(Target& target, const std::string& how);
  void give_up(Target& target, const std::string& how);
  void keep_place(const Target& target);

  os::Loop& loop_;
  core::Engine& engine_;
  std::string dir_;
  std::function<void()> wake_;
  std::vector<std::unique_ptr<Target>> targets_;
  os::Poster poster_;  // last: what is under way belongs to a target
};

}  // namespace pawl::daemon
