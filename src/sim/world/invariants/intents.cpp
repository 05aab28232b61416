// Every effect has exactly one decision before it and one outcome after it; an agent has one decision under way at a time, none
// is under way for ever, and nothing is tried again and again without a pause.

#include <fmt/core.h>

#include <deque>
#include <map>

#include "sim/world/invariants/checker.h"

namespace pawl::sim {
namespace {

constexpr Duration kLongest =
    std::chrono::minutes{45};  // of an action: a text that waits for an echo, a stop with its grace

constexpr size_t kMostInAnHour = 300;  // decisions about one agent

class Intents : public Checker {
 public:
  std::string_view name() const override { return "intents"; }
  void event(const Clock& now, const model::Event& event, const model::Fleet& before) override {
    if (const auto* decided = std::get_if<model::Decided>(&event.fact)) {
      open_[event.seq] = {now.mono, event.agent, decided->action};
      rests(now.mono, event.agent);
      const auto* agent = before.find(event.agent);
      if (agent && agent->intent)
        violated(now.mono, event.agent,
                 fmt::format("{} is decided while {} is under way", word(decided->action),
                             word(agent->intent->action)));
    } else if (const auto* finished = std::get_if<model::Finished>(&event.fact)) {
      if (open_.erase(finished->decision) == 0)
        violated(now.mono, event.agent,
                 fmt::format("{} has an outcome and no decision", word(finished->action)));
    } else if (std::holds_alternative<model::Removed>(event.fact) ||
               std::holds_alternative<model::TaskFiled>(event.fact)) {
      std::erase_if(open_, [&](const auto& one) { return one.second.agent == event.agent; });
    }
  }
  void died(MonoTime, MonoTime until) override { nobody_ = until; }
  void turned(const Look& look) override {
    if (look.full) nobody_ = look.now.mono;
    while (!open_.empty() &&
           std::max(open_.begin()->second.since, nobody_) + kLongest < look.now.mono) {
      const auto& one = open_.begin()->second;
      violated(look.now.mono, one.agent,
               fmt::format("{} was decided and has no outcome after {} min", word(one.action),
                           std::chrono::duration_cast<std::chrono::minutes>(kLongest).count()));
      open_.erase(open_.begin());
    }
  }

 private:
  void rests(MonoTime now, const std::string& agent) {
    auto& times = decided_[agent];
    times.push_back(now);
    while (times.front() + std::chrono::hours{1} < now) times.pop_front();
    if (times.size() <= kMostInAnHour) return;
    violated(now, agent, fmt::format("{} decisions within an hour", times.size()));
    times.clear();
  }
  struct Open {
    MonoTime since;
    std::string agent;
    model::Action action = model::Action::start;
  };
  std::map<Seq, Open> open_;
  std::map<std::string, std::deque<MonoTime>> decided_;
  MonoTime nobody_{};  // until then there was no daemon, or nothing could be written
};

}  // namespace

std::unique_ptr<Checker> check_intents() {
  return std::make_unique<Intents>();
}

}  // namespace pawl::sim
