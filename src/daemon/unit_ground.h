#pragma once
// What a unit of the fleet's work needs on this machine before its task can begin: its prompt as a file, which may have to be fetched from
// the fleet, and its folder, when that is a git remote and a commit. Both come while its lease is renewed; nothing of the task runs yet.

#include <memory>
#include <optional>
#include <string>

#include "daemon/checkout.h"
#include "fleet/member_values.h"

namespace pawl::daemon {

class UnitGround {
 public:
  // `task`: of the unit. `soon`: something of it is there.
  UnitGround(os::Loop& loop, std::string home, const std::string& unit, const Json& task,
             const std::function<void()>& soon);
  ~UnitGround();  // with the prompt's file, when nobody took it
  UnitGround(const UnitGround&) = delete;
  UnitGround& operator=(const UnitGround&) = delete;

  // The prompt that is to be fetched (Member::fetch); null: none.
  const Json& blob() const { return blob_; }
  void prompt_came(const fleet::BlobCame& came);
  void give_up();

  bool ready() const { return !trouble_ && prompt_there_ && folder_there(); }
  // Why it cannot begin here. Not said before git has ended.
  std::optional<fleet::Ended> trouble() const;
  bool resting() const { return !checkout_ || checkout_->folder(); }  // git runs no more
  const std::string& prompt() const { return prompt_; }               // the file
  std::string folder() const;                                         // empty: as the task says
  std::string half_made() const;                                      // to be removed

 private:
  bool folder_there() const { return !checkout_ || (checkout_->folder() && *checkout_->folder()); }
  void fail_with(fleet::Came came, std::string because);
  void keep_prompt(const std::string& text);
  void inline_prompt(const std::string& coded);
  void clone(os::Loop& loop, const std::string& unit, const std::string& git,
             const std::function<void()>& soon);

  std::string home_, prompt_;
  Json blob_;
  bool prompt_there_ = false;
  std::unique_ptr<Checkout> checkout_;
  std::optional<fleet::Ended> trouble_;
};

}  // namespace pawl::daemon
