// The engine's state is the fold of its journal, after every turn.

#include <set>

#include "sim/world/invariants/checker.h"

namespace pawl::sim {
namespace {

class Fold : public Checker {
 public:
  std::string_view name() const override { return "fold"; }
  void event(const Clock&, const model::Event& event, const model::Fleet&) override {
    touched_.insert(event.agent);
  }
  void turned(const Look& look) override {
    if (look.live.last != look.written.last)
      violated(look.now.mono, "", "the engine is not at the end of its journal");
    for (const auto& agent : std::exchange(touched_, {})) {
      const auto* live = look.live.find(agent);
      const auto* written = look.written.find(agent);
      if (!live != !written || (live && !(*live == *written)))
        violated(look.now.mono, agent, "the engine's state is not the fold of its journal");
    }
  }

 private:
  std::set<std::string> touched_;
};

}  // namespace

std::unique_ptr<Checker> check_fold() {
  return std::make_unique<Fold>();
}

}  // namespace pawl::sim
