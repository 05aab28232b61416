#include "os/work.h"

#include <uv.h>

#include <algorithm>
#include <optional>

#include "base/result.h"

namespace pawl::os {

struct Worker::Slot {
  uv_work_t uv{};
  Worker* worker = nullptr;  // nobody: it is gone
  std::unique_ptr<Job> job;
  std::optional<Timer> limit;
  bool late = false;
};

Worker::Worker(Loop& loop) : loop_(loop) {}

Worker::~Worker() {
  for (Slot* slot : running_) {
    slot->worker = nullptr;
    slot->limit.reset();
  }
}

bool Worker::add(std::unique_ptr<Job> job, Duration limit) {
  if (waiting_.size() >= kTasksWaiting) return false;
  waiting_.push_back(std::make_unique<Slot>());
  Slot* slot = waiting_.back().get();
  slot->worker = this;
  slot->job = std::move(job);
  slot->uv.data = slot;
  slot->limit.emplace(loop_, [this, slot] { give_up(*slot); });
  slot->limit->start(limit);
  start_waiting();
  return true;
}

void Worker::start_waiting() {
  while (running_.size() < kTasksAtOnce && !waiting_.empty()) {
    Slot* slot = waiting_.front().release();  // comes back in finish()
    waiting_.pop_front();
    running_.push_back(slot);
    const int queued = uv_queue_work(
        loop_.raw(), &slot->uv, [](uv_work_t* uv) { static_cast<Slot*>(uv->data)->job->run(); },
        [](uv_work_t* uv, int) { finish(std::unique_ptr<Slot>(static_cast<Slot*>(uv->data))); });
    CHECK(queued == 0);
  }
}

void Worker::finish(std::unique_ptr<Slot> slot) {
  if (!slot->worker) return;
  slot->limit.reset();
  std::erase(slot->worker->running_, slot.get());
  slot->worker->start_waiting();
  slot->job->tell(slot->late ? Answer::back : Answer::in_time);  // may destroy the worker
}

void Worker::give_up(Slot& slot) {
  const auto waits = std::find_if(waiting_.begin(), waiting_.end(),
                                  [&](const auto& other) { return other.get() == &slot; });
  if (waits == waiting_.end()) {
    slot.late = true;
    slot.job->tell(Answer::late);  // only calls back: what it is about belongs to the other thread
    return;
  }
  const auto dropped = std::move(*waits);
  waiting_.erase(waits);
  dropped->job->tell(Answer::dropped);
}

}  // namespace pawl::os
