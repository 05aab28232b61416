#pragma once
// The supervisor in a made-up world, in virtual time: agents that do what a story says, terminals that open at once, texts
// that arrive. What it decides is what the daemon would decide (`pawl simulate`, and the tests of the rules).

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/supervisor.h"
#include "model/scenario.h"
#include "perceive/profile/catalog.h"

namespace pawl::sim {

class Simulation {
 public:
  // With the story's own dialogs read by these profiles.
  Simulation(model::Scenario story, const perceive::Catalog& catalog);

  // Everything that was written down, in order. Decisions of rules have a rule's name.
  const std::vector<model::Event>& run();
  // Where the decisions are not those the story expects; empty: they are, or it expects none.
  std::vector<std::string> surprises() const;

  double seconds(const model::Event& event) const;  // since the story began
  const model::Fleet& fleet() const { return supervisor_.fleet(); }

 private:
  void feed(const core::Input& input);
  void perform(const core::Effect& effect);
  void doing(const core::OpenTerminal& effect);
  void doing(const core::SignalProgram& effect);
  void doing(const core::ArchiveFiles& effect);
  void doing(const core::RunCommand& effect);
  template <class Other>
  void doing(const Other& effect);
  void happen(const model::Happening& it);
  void see(const model::Happening& it);
  void send(const std::string& text);
  void away(const model::Happening& it);
  bool type_due();
  void settle();
  void advance(double to_s);
  const model::Agent* agent() const { return fleet().find(story_.spec.name); }
  bool leavable() const;

  model::Scenario story_;
  const perceive::Catalog& catalog_;
  core::Supervisor supervisor_;
  Clock now_;
  std::vector<core::Input> later_;  // what follows from an effect, at once
  std::vector<model::Event> journal_;
  std::map<Seq, double> times_;  // of events: a clock that is set does not tell
  Duration slept_{}, set_{};  // so far: time that did not pass, and by how much the clock is wrong
  uint64_t texts_ = 0;
  std::optional<double> stuck_at_;  // work that gets nowhere is called stuck then
};

// A rule's decision as `pawl simulate` prints it.
Json decision_line(const Simulation& simulation, const model::Event& event);

}  // namespace pawl::sim
