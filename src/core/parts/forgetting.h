#pragma once
// Keeping and forgetting: every hour, and soon after a start, somebody looks at what PAWL_HOME holds (off the loop: take_survey,
// surveyed), the journal's rows of finished tasks are read page by page, and what policy/forget.h says is let go a few at a time, so
// that no turn takes long. Everything that goes is in the journal before (model::Forgotten); a task's row goes with that event, so
// there is no task without its row, and folders that a kill left are taken away by the next life (core/engine_forget.cpp).

#include <deque>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "core/parts/ground.h"
#include "policy/forget.h"
#include "store/filed_tasks.h"

namespace pawl::core {

inline constexpr size_t kRowsAtOnce = 500;                              // read in one turn
inline constexpr size_t kGoingAtOnce = 32;                              // let go in one turn
inline constexpr Duration kForgetPace = std::chrono::milliseconds{20};  // between two such turns
inline constexpr Duration kFirstLook = std::chrono::minutes{1};         // after a start, at most
inline constexpr Duration kBinEvery = std::chrono::seconds{10};  // emptied, while it is filled
inline constexpr Duration kDoubt = std::chrono::hours{24};  // the clock was set: nothing is old yet

class Forgetting {
 public:
  explicit Forgetting(const Ground& ground) : ground_(ground) {}

  // A life begins.
  void begin(MonoTime now);
  // Somebody is to look at the home; true once for each look.
  bool take_survey() { return std::exchange(wants_survey_, false); }
  // Nothing: nobody could.
  void surveyed(MonoTime now, std::optional<model::Holdings> held);
  // `in_use`: agents whose files are not touched.
  void turn(const Clock& now, store::FiledTasks& tasks, const std::set<std::string>& in_use,
            Inputs& out);
  // It does something in this turn, and wants to know who is in use.
  bool due(MonoTime now) const { return at_ && *at_ <= now; }
  // It could not be taken away: not tried again in this life.
  void failed(const model::Held& held) { failed_.insert(held.agent + "/" + held.name); }
  void clock_was_set(MonoTime now);
  // Somebody removed tasks: what is left of them is taken off the disk soon, after the look that is under way.
  void bin_filled() { filled_ = true; }
  // Once a turn, before due().
  void empty_bin_soon(MonoTime now) {
    if (step_ == Step::idle && at_ && std::exchange(filled_, false))
      at_ = std::min(*at_, now + kBinEvery);
  }

  std::optional<MonoTime> wake_at() const { return at_; }
  // What there is, as of the last look.
  const std::optional<model::HeldBytes>& bytes() const { return bytes_; }

 private:
  enum class Step { idle, looking, listing, removing };
  void look();
  void list(const Clock& now, store::FiledTasks& tasks, const std::set<std::string>& in_use,
            Inputs& out);
  void decide(const Clock& now, const std::set<std::string>& in_use, Inputs& out);
  void remove(MonoTime now, store::FiledTasks& tasks, const std::set<std::string>& in_use,
              Inputs& out);
  void rest(MonoTime now);

  Ground ground_;
  Step step_ = Step::idle;
  std::optional<MonoTime> at_;
  bool wants_survey_ = false;
  bool again_ = false;  // this look only sees what is left
  bool filled_ = false;
  model::Holdings held_;
  std::optional<model::HeldBytes> bytes_;
  std::vector<model::TaskRow> rows_;
  std::deque<model::Going> going_;
  std::set<std::string> failed_;
};

}  // namespace pawl::core
