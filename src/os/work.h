#pragma once
// Work that may take a while or hang inside the kernel: done on libuv's own threads, answered on the loop. For host/, whose
// looks at processes may wait for one that is stuck.
//
//   struct Sum { std::vector<int> in; int out = 0; void run() { ... } };
//   worker.run(Sum{{1, 2}}, limit, [](Answer answer, Sum* sum) { if (sum) use(sum->out); });
//
// run() of a task is on another thread: it touches what it was given by value and nothing else. The callback is on the loop
// and hears, for each task, exactly one of
//   in_time            with the task, its result in it
//   late, then back    the limit passed while it ran. Nobody can stop it: its thread stays lost until it comes back by itself;
//                      what it then says is dropped
//   dropped            the limit passed before it began: it never ran
// or nothing at all once the Worker is gone: then waiting tasks are forgotten and the results of running ones dropped.
// A callback may destroy the Worker.
//
// Limits: kTasksAtOnce run at the same time (a hanging one counts: when all hang, the others are dropped one by one), one
// less than libuv has threads. kTasksWaiting wait; run() then refuses.

#include <deque>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "os/loop.h"

namespace pawl::os {

constexpr size_t kTasksAtOnce = 3;
constexpr size_t kTasksWaiting = 4096;

enum class Answer { in_time, late, back, dropped };

class Worker {
 public:
  explicit Worker(Loop& loop);
  ~Worker();
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  // False, and no callback, when too many wait already. The limit counts from now.
  template <class Task>
  bool run(Task task, Duration limit, std::function<void(Answer, Task*)> callback) {
    return add(std::make_unique<Typed<Task>>(std::move(task), std::move(callback)), limit);
  }

  size_t running() const { return running_.size(); }
  size_t waiting() const { return waiting_.size(); }

 private:
  struct Job {
    virtual ~Job() = default;
    virtual void run() = 0;
    virtual void tell(Answer answer) = 0;
  };
  template <class Task>
  struct Typed final : Job {
    Typed(Task t, std::function<void(Answer, Task*)> c)
        : task(std::move(t)), callback(std::move(c)) {}
    void run() override { task.run(); }
    void tell(Answer answer) override {
      callback(answer, answer == Answer::in_time ? &task : nullptr);
    }
    Task task;
    std::function<void(Answer, Task*)> callback;
  };
  struct Slot;

  bool add(std::unique_ptr<Job> job, Duration limit);
  void start_waiting();
  void give_up(Slot& slot);
  static void finish(std::unique_ptr<Slot> slot);

  Loop& loop_;
  std::deque<std::unique_ptr<Slot>> waiting_;
  std::vector<Slot*> running_;  // libuv has them
};

}  // namespace pawl::os
