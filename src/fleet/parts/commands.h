#pragma once
// Verbs between nodes: `cmd.<to>.<from>`. A question that is not answered in its time was carried out or not, and says so.

#include <map>
#include <string>

#include "fleet/parts/desk.h"
#include "fleet/parts/presence.h"

namespace pawl::fleet {

inline constexpr size_t kMostQuestions = 256;         // of ours, without an answer
inline constexpr size_t kMostAsked = 256;             // by others, without ours
inline constexpr size_t kMostVerbBytes = 512u << 10;  // of a question or an answer
inline constexpr Duration kAnswersAsked =
    std::chrono::minutes{10};  // then nobody waits for our answer any more

class Commands {
 public:
  Commands(Desk& desk, const Presence& presence) : desk_(desk), presence_(presence) {}

  void ask(uint64_t ticket, const std::string& node, std::string verb, Duration limit);
  void answered(const std::string& token, std::string value);
  void asked(const BusAsked& asked);
  void reply(const Question& question, const BusReply& reply);
  void link_changed() { asked_.clear(); }
  void step();
  std::optional<MonoTime> wake_at() const { return late_.first(); }

 private:
  void refuse(const std::string& token, const std::string& because);

  Desk& desk_;
  const Presence& presence_;
  size_t open_ = 0;
  std::map<std::string, MonoTime> asked_;  // tokens, since when
  Agenda<std::string, MonoTime> late_;
};

}  // namespace pawl::fleet
