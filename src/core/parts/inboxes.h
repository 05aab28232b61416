#pragma once
// Files that people and other programs leave in an agent's folder: one wakes it, one pauses it, one says that a person is there,
// and its inbox is a folder of work. What is news becomes inputs.

#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "core/effect.h"
#include "core/parts/ground.h"
#include "store/unreadable.h"

namespace pawl::core {

class Inboxes {
 public:
  explicit Inboxes(const Ground& ground) : ground_(ground) {}

  // What an earlier life left behind is put in order.
  void recover(const model::Agent& agent);

  // Somebody may have left something there: looked at in this turn.
  void look_at(const std::string& agent) { to_look_.insert(agent); }
  // What could not be taken is tried again at its time.
  bool waits() const { return again_at_.has_value(); }
  std::set<std::string> take_looks();
  void look(const Clock& now, const std::string& agent, Inputs& out);
  // What was claimed becomes a text of its outbox …
  void take_wakeups(const Clock& now, const std::string& agent, Inputs& out);
  // … and its claim is forgotten when it is in the journal. What cannot be queued now (no room, a full disk) stays where it is.
  void taken(const Clock& now, const std::string& agent);

  // Another program's word that a person is there.
  void look_for_person(const Clock& now, const std::string& agent, Inputs& out) const;
  void look_for_unreadable(const std::string& agent, Inputs& out);

  // The ledger of its work, for people, who may change it.
  void written(const std::vector<model::Event>& events);
  void keep_ledgers();

  // What it was given, in words: claimed before it is typed, so that nobody else gets it. Nothing: it is gone.
  std::optional<std::string> work_text(const std::string& agent) const;
  // What it was given goes to where done things are, or back.
  void settle(const SettleWork& effect);

  // The number of a new text.
  uint64_t next_item(const Clock& now);
  // Agents whose folder is new since the last call.
  void new_folder(const std::string& agent) { folders_.push_back(agent); }
  std::vector<std::string> take_folders() { return std::exchange(folders_, {}); }
  void forget(const std::string& agent);
  std::optional<MonoTime> wake_at() const { return again_at_; }

 private:
  void look_for_pause(const model::Agent& agent, Inputs& out) const;
  void look_for_work(const model::Agent& agent, Inputs& out);
  std::set<std::string> heed_ledger(const model::Agent& agent, Inputs& out) const;
  void tell_unreadable(const std::string& agent, const char* where,
                       const std::vector<store::Unreadable>& found, Inputs& out);

  Ground ground_;
  std::set<std::string> to_look_;
  std::optional<MonoTime> again_at_;
  std::vector<std::string> folders_;
  std::set<std::string> ledgers_;  // agents whose ledger is not on disk as the journal has it
  std::map<std::pair<std::string, std::string>, std::set<std::string>> unreadable_;  // told already
  uint64_t last_item_ = 0;
};

}  // namespace pawl::core
