#pragma once
// What `timeline` answers: folds of the events between two times. Pure; api/journal_search reads for them. They are also shown what
// happened after the end, up to now: the first change after a time says what was before it.

#include <deque>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/json.h"
#include "model/event.h"
#include "model/fleet.h"

namespace pawl::api {

inline constexpr size_t kChangesKept = 2000;        // of one agent; then the shortest older ones go
inline constexpr size_t kChangesInAll = 200'000;    // … fewer of each when there are many agents
inline constexpr size_t kFewestChanges = 20;        // … but not fewer than these
inline constexpr size_t kHistoryEvents = 5000;      // the newest of one agent
inline constexpr size_t kHistoryBytes = 16u << 20;  // … as JSON

// Every agent's states, one after the other.
class TimelineFold {
 public:
  TimelineFold(WallTime since, WallTime until) : since_(since), until_(until) {}
  void take(const model::Event& event);
  // `fleet`: as it is after the last event taken.
  Json finish(const model::Fleet& fleet) const;

 private:
  using Shown = std::optional<model::State>;  // none: it was not there
  struct Change {
    WallTime at;
    Shown state;
  };
  struct Line {
    std::optional<WallTime> born;  // registered, before anything else was heard of it
    std::optional<Shown> first;    // at since_; none: not known yet
    std::vector<Change> changes;   // after it
    bool thinned = false;
  };
  void add(Line& line, WallTime at, Shown state);
  void took_state(Line& line, const model::Event& event, const model::StateChanged& fact);
  Line whole(Line line, const model::Agent* agent) const;
  size_t limit() const;

  WallTime since_, until_;
  std::map<std::string, Line> lines_;
};

// Everything that happened to one agent.
class HistoryFold {
 public:
  HistoryFold(std::string name, WallTime since, WallTime until)
      : name_(std::move(name)), since_(since), until_(until) {}
  void take(const model::Event& event);
  Json finish(const model::Fleet& fleet) const;

 private:
  struct Kept {
    Json event;
    size_t bytes = 0;
  };
  std::string name_;
  WallTime since_, until_;
  std::deque<Kept> events_;
  size_t bytes_ = 0;
  bool cut_ = false;
};

}  // namespace pawl::api
