#pragma once
// A fresh clone of a git remote at one commit, as the folder of a task that the fleet gave us: PAWL_HOME/checkouts/UNIT.XXXXXX. Made by git
// in a process of its own, off the loop, with a time limit: it asks nobody anything, runs nothing of what it fetches, and speaks with
// https, ssh, git and folders alone. What did not become whole is removed.
//
// tidy() removes a clone when nothing is in it that is nowhere else; one with changes, commits or a stash that were not pushed stays, and
// when kMostClones are there no further one is made.

#include <list>
#include <memory>
#include <optional>
#include <string>

#include "model/git_place.h"
#include "os/child.h"

namespace pawl::daemon {

inline constexpr size_t kMostClones = 64;
inline constexpr Duration kCloneWithin = std::chrono::minutes{10};
inline constexpr Duration kTidyWithin = std::chrono::minutes{2};

class Checkout {
 public:
  // `soon`: it is over.
  static Result<std::unique_ptr<Checkout>> begin(os::Loop& loop, const std::string& home,
                                                 const std::string& unit,
                                                 const model::GitPlace& place,
                                                 std::function<void()> soon);

  // None: it is not over. Then nothing of git runs any more.
  const std::optional<Result<std::string>>& folder() const { return folder_; }
  void give_up() { child_->end_within(Duration{1000}); }
  // What there may be of it when it did not become whole.
  const std::string& half_made() const { return making_; }

 private:
  Checkout(std::string dir, std::string making, model::GitPlace place)
      : dir_(std::move(dir)), making_(std::move(making)), place_(std::move(place)) {}
  void ended(const os::ChildEnd& end);

  std::string dir_, making_;
  model::GitPlace place_;
  std::unique_ptr<os::Child> child_;
  std::optional<Result<std::string>> folder_;
};

// Clones that are looked at when their tasks are over, and what did not become one.
class Tidying {
 public:
  Tidying(os::Loop& loop, std::string home) : loop_(loop), home_(std::move(home)) {}

  void begin();  // what an earlier life left half made
  void remove(const std::string& dir);
  bool idle() const { return children_.empty(); }
  void look(const std::string& dir);  // a task's folder; when it is no clone of ours: nothing

 private:
  void start(const os::ChildOrder& order);

  os::Loop& loop_;
  std::string home_;
  std::list<std::unique_ptr<os::Child>> children_;
};

}  // namespace pawl::daemon
