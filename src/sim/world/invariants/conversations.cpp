// A conversation is gone on with by the agent that began it: two in one folder never change places.

#include <map>

#include "sim/world/invariants/checker.h"

namespace pawl::sim {
namespace {

class Conversations : public Checker {
 public:
  std::string_view name() const override { return "conversations"; }
  void took(const std::string& agent, const Entry& entry) override {
    if (entry.what != Entry::What::began) return;
    if (!entry.resumed) {
      begun_[entry.text] = agent;
      return;
    }
    const auto its = begun_.find(entry.text);
    if (its == begun_.end())
      violated(entry.at, agent, "it goes on with a conversation that nobody began");
    else if (its->second != agent)
      violated(entry.at, agent, "it goes on with the conversation of " + its->second);
  }

 private:
  std::map<std::string, std::string> begun_;  // by their ids
};

}  // namespace

std::unique_ptr<Checker> check_conversations() {
  return std::make_unique<Conversations>();
}

}  // namespace pawl::sim
