#pragma once
// What the agents did while nobody looked, and what it was lost to: the fold behind `report` (doc/http.md has the shape). Pure;
// api/journal_search reads for it. Remembers one tally per agent, the newest interventions and alerts, and no event.

#include <deque>
#include <map>
#include <string>

#include "api/alerts.h"
#include "api/tally.h"

namespace pawl::api {

inline constexpr size_t kInterventionsKept = 500;  // the newest; the totals count them all

class ReportFold {
 public:
  // `fleet`: who is there; it may change while the events are read.
  ReportFold(WallTime since, WallTime until, const model::Fleet& fleet);
  void take(const model::Event& event);
  // `fleet`: as it is after the last event taken.
  Json finish(const model::Fleet& fleet) const;

 private:
  // A decision of a rule, and what came of it.
  struct Intervention {
    Seq seq;
    WallTime at;
    std::string agent;
    model::Decided decided;
    std::optional<model::Finished> finished;
  };
  void intervene(const model::Event& event, const model::Decided& fact);
  void settle(const model::Finished& fact);
  Json interventions() const;

  WallTime since_, until_;
  std::map<std::string, Tally> tallies_;
  std::map<Seq, Intervention> interventions_;  // the newest last
  std::map<Seq, bool> open_;                   // without outcome → dry; one of each agent at most
  std::map<model::Verdict, int64_t> verdicts_;
  AlertFold alerts_;
};

}  // namespace pawl::api
