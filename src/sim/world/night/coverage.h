#pragma once
// Which rare meetings a night had: a world that never brings two things together proves nothing about them. An observer beside the
// checkers: it is told the same, counts, and finds fault with nothing. A mark that no night of tools/soak reaches fails CI: either
// draw.cpp does not draw that case any more, or the engine does not come there.
//
// A new mark is a value here, its words in coverage.cpp, and a line where it is seen. What is common needs none.

#include <array>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/world/invariants/checker.h"
#include "sim/world/night/story.h"

namespace pawl::sim {

enum class Mark : uint8_t {
  // A text or work comes, and the agent is not free for it.
  text_while_limited,
  text_while_asked,
  text_while_paused,
  texts_in_a_row,
  wake_on_draft,
  work_on_draft,
  // … and what comes while one is being typed.
  dialog_in_delivery,
  person_in_delivery,
  person_puts_off,
  screen_puts_off,
  pause_in_delivery,
  stop_in_delivery,
  end_in_delivery,
  holder_in_delivery,
  suspend_in_delivery,
  full_in_delivery,
  part_lost,
  part_doubled,
  given_back,
  mode_left,
  // The daemon is killed.
  killed_before_effect,
  killed_before_outcome,
  killed_in_start,
  killed_in_stop,
  killed_in_answer,
  killed_again,
  // Limits and clocks.
  reset_together,
  suspend_over_reset,
  clock_while_limited,
  clock_in_quiet,
  restart_while_limited,
  // Dialogs.
  answer_kept,
  answer_held_back,
  dialog_over_draft,
  // Lives of programs.
  stop_in_restart,
  outage_in_start,
  slow_start,
  crash_loop,
  // The machine.
  reboot_with_texts,
  home_with_texts,
  full_decision,
  full_outcome,
  hook_lost,
  kernel_in_delivery,
  mount_with_work
};
inline constexpr size_t kMarks = static_cast<size_t>(Mark::mount_with_work) + 1;
std::string_view word(Mark mark);  // "a text comes while its agent is limited"

using Reaches = std::array<uint64_t, kMarks>;  // how often each was reached

class Coverage : public Checker {
 public:
  std::string_view name() const override { return "coverage"; }
  const Reaches& reached() const { return reached_; }

  // Somebody or something is about to do this.
  void happens(const Clock& now, const Doing& doing, const model::Fleet& fleet);
  // The journal was full for these.
  void unwritten(const std::vector<model::Event>& events);

  void event(const Clock& now, const model::Event& event, const model::Fleet& before) override;
  void took(const std::string& agent, const Entry& entry) override;
  void wrote(MonoTime at, const std::string& agent, const std::string& bytes) override;
  void person(MonoTime at, const std::string& agent, const std::string& keys) override;
  void died(MonoTime at, MonoTime until) override;
  void turned(const Look& look) override;

 private:
  // A decision under way.
  struct Open {
    model::Action action = model::Action::start;
    MonoTime since{};
    bool wrote = false;  // its effect has begun
    bool types() const;
    bool starts() const;
  };
  struct Desk {
    std::optional<Open> open = {};
    std::optional<std::pair<Open, MonoTime>> last = {};  // the one before, and its end
    std::optional<MonoTime> person = {};                 // his last key
    bool typed(MonoTime at) const;                       // something was typed then
  };
  void reach(Mark mark) { ++reached_[static_cast<size_t>(mark)]; }
  void reach_if(bool there, Mark mark) {
    if (there) reach(mark);
  }
  void clock_changes(const Clock& now, const Doing& doing, const model::Fleet& fleet);
  void queued(const model::Queued& fact, const model::Agent& agent);
  void decided(const Clock& now, const model::Event& event, const model::Decided& fact,
               const model::Agent* agent);
  void finished(const Clock& now, const model::Event& event, const model::Finished& fact);
  void changed(const model::Event& event, const model::StateChanged& fact,
               const model::Fleet& before);
  void settle_deaths();
  template <class Is>
  bool any_open(Is&& is) const {
    for (const auto& [name, desk] : desks_)
      if (desk.open && is(*desk.open)) return true;
    return false;
  }

  Reaches reached_{};
  std::map<std::string, Desk> desks_;
  std::vector<std::pair<std::string, Open>> dying_;  // what a killed daemon had under way
  std::optional<MonoTime> died_;                     // the last time
  bool outage_ = false, slow_ = false, kernel_ = false;
};

}  // namespace pawl::sim
