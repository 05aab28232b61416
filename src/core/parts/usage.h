#pragma once
// What conversations have used, read on from where the journal says that it was counted.

#include <string>
#include <vector>

#include "core/parts/ground.h"
#include "core/parts/usage_looks.h"

namespace pawl::core {

class Usage {
 public:
  explicit Usage(const Ground& ground) : ground_(ground) {}

  void soon(MonoTime now, const model::Agent& agent) { looks_.soon(now, agent); }
  void written(const Clock& now, const std::vector<model::Event>& events);
  void turn(const Clock& now, Inputs& out);
  std::optional<MonoTime> wake_at() const { return earlier(looks_.wake_at(), unfound_.first()); }

  // Something of its may still be counted.
  bool waits(const std::string& agent) const { return looks_.planned(agent); }

 private:
  // A turn ended of one whose conversation nobody told: its file is there now.
  void find(const model::Agent& agent, Inputs& out) const;
  std::string transcript_of(const model::Agent& agent, const perceive::Profile* profile) const;
  // True: there is more to read.
  bool count(const Clock& now, const model::Agent& agent, Inputs& out) const;

  Ground ground_;
  UsageLooks looks_;
  Agenda<std::string, MonoTime> unfound_;  // whose conversation is to be looked for
};

}  // namespace pawl::core
