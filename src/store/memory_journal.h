#pragma once
// A journal in memory that fails when it is told to. For tests and the simulator.

#include "store/journal.h"
#include "store/memory_tasks.h"

namespace pawl::store {

class MemoryJournal : public Journal {
 public:
  std::vector<model::Event> events;
  std::vector<model::Requested> notes;
  MemoryTasks filed;
  bool broken = false;

  Done append(const std::vector<model::Event>& more) override {
    if (broken) return fail("cannot write the journal: No space left on device", "free some space");
    for (const auto& event : more) {
      CHECK(events.empty() || event.seq.value == events.back().seq.value + 1);
      events.push_back(event);
      (void)filed.forget(rows_gone(event));
    }
    return {};
  }
  Result<model::Fleet> recover() override {
    model::Fleet fleet;
    for (const auto& event : events) model::apply(fleet, event);
    return fleet;
  }
  Result<std::vector<model::Event>> read(Seq after, size_t limit) override {
    std::vector<model::Event> out;
    const uint64_t first = events.empty() ? 1 : events.front().seq.value;
    for (size_t i = after.value < first ? 0 : after.value + 1 - first;
         i < events.size() && out.size() < limit; ++i)
      out.push_back(events[i]);
    return out;
  }
  Result<Seq> seq_at(WallTime time) override {
    Seq last;
    for (const auto& event : events)
      if (event.at <= time) last = event.seq;
    return last;
  }
  FiledTasks& tasks() override {
    filed.broken = broken;
    return filed;
  }
  void note(WallTime, const model::Requested& what) override { notes.push_back(what); }
};

}  // namespace pawl::store
