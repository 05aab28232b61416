#pragma once
// The journal of a simulated night: keeps the fold and the last events, not all of them, and can be full, or the last thing a
// daemon ever wrote. Whoever wants all events is told of each (seen).

#include <deque>
#include <functional>

#include "sim/world/host/world_host.h"
#include "store/journal.h"
#include "store/memory_tasks.h"

namespace pawl::sim {

inline constexpr size_t kNightKept = 4096;  // events

class NightJournal : public store::Journal {
 public:
  // Before each event is folded.
  std::function<void(const model::Event&, const model::Fleet& before)> seen = {};
  // They could not be written.
  std::function<void(const std::vector<model::Event>&)> unwritten = {};
  bool full = false;
  // After so many more batches the daemon is killed, right after they were written; 0: it is not.
  void kill_after(size_t batches) { fatal_ = batches; }

  Done append(const std::vector<model::Event>& events) override {
    if (full && !events.empty()) {
      if (unwritten) unwritten(events);
      return fail("cannot write the journal: No space left on device", "free some space");
    }
    for (const auto& event : events) {
      if (seen) seen(event, fleet_);
      model::apply(fleet_, event);
      (void)filed_.forget(store::rows_gone(event));
      kept_.push_back(event);
      if (kept_.size() > kNightKept) kept_.pop_front();
      ++count_;
    }
    if (!events.empty() && fatal_ > 0 && --fatal_ == 0) throw Killed{};
    return {};
  }
  Result<model::Fleet> recover() override { return fleet_; }
  Result<std::vector<model::Event>> read(Seq after, size_t limit) override {
    std::vector<model::Event> out;
    for (const auto& event : kept_)
      if (event.seq > after && out.size() < limit) out.push_back(event);
    return out;
  }
  Result<Seq> seq_at(WallTime time) override {
    Seq last;
    for (const auto& event : kept_)
      if (event.at <= time) last = event.seq;
    return last;
  }
  store::FiledTasks& tasks() override {
    filed_.broken = full;
    return filed_;
  }
  const model::Fleet& fleet() const { return fleet_; }
  uint64_t count() const { return count_; }

 private:
  model::Fleet fleet_;
  store::MemoryTasks filed_;
  std::deque<model::Event> kept_;
  uint64_t count_ = 0;
  size_t fatal_ = 0;
};

}  // namespace pawl::sim
