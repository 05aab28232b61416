#pragma once
// What PAWL_HOME/agents holds: one folder per agent with its environment and its recordings. The one place that knows
// these names; the engine asks here and touches no file itself.

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "base/units.h"
#include "model/spec.h"
#include "store/disk.h"

namespace pawl::store {

inline constexpr const char* kWakeupName = "wakeup_pending";
inline constexpr const char* kPauseName = "PAUSE";
inline constexpr const char* kModeName = "claude_mode.json";
inline constexpr const char* kSeenName = "seen_pending_work";
inline constexpr const char* kHumanName = "last_human_interaction";
inline constexpr const char* kKeyName = "last_key";
inline constexpr const char* kShownName = "shown";  // in the home: dialogs that people were told of
inline constexpr const char* kDefaultEnvName = ".env";
inline constexpr size_t kEnvBytes = 1u << 20;

class AgentFiles {
 public:
  AgentFiles(Disk& disk, const std::string& home)
      : disk_(&disk), home_(home), agents_(home + "/agents"), archives_(home + "/archive") {}

  Disk& disk() const { return *disk_; }
  const std::string& home() const { return home_; }
  std::string dir(const std::string& agent) const { return agents_ + "/" + agent; }
  std::string recordings(const std::string& agent) const { return dir(agent) + "/rec"; }
  std::string inbox(const std::string& agent) const { return dir(agent) + "/inbox"; }
  std::string crash_log(const std::string& agent) const { return dir(agent) + "/crash.log"; }
  // Not in its folder: it stays when the agent is removed.
  std::string archive(const std::string& agent) const { return archives_ + "/" + agent; }
  std::string outbox(const std::string& agent) const { return dir(agent) + "/outbox"; }

  Done save_environment(const std::string& agent,
                        const std::vector<std::string>& environment) const;
  // What its program gets: the saved environment (the daemon's own when there is none), as far as its `env` wants it …
  std::vector<std::string> environment(const model::AgentSpec& spec) const;
  // What its `env` does not want any more is not kept any longer.
  void narrow_environment(const model::AgentSpec& spec) const;
  // Of what is kept for all together, the parts that no agent needs.
  void drop_unused_environments() const;
  // … and on top of it the entries of its env file.
  Result<std::vector<std::string>> env_file(const model::AgentSpec& spec) const;

  // One entry of its env file, or of the .env in its folder when it has none; nothing when it is not there.
  std::optional<std::string> env_value(const model::AgentSpec& spec, const std::string& name) const;
  // What it is to be told again and again, read anew; empty: nothing. Cut at `limit`.
  std::string standing_prompt(const model::AgentSpec& spec, size_t limit) const;

  // The outbox: texts that wait to be typed, one file each.
  Done put_text(const std::string& agent, uint64_t item, const std::string& text) const;
  Result<std::string> text(const std::string& agent, uint64_t item) const;
  void forget_text(const std::string& agent, uint64_t item) const;
  std::vector<uint64_t> texts(const std::string& agent) const;
  // Removes what a kill left behind: texts before anybody was told that they wait, drafts half written.
  void tidy(const std::string& agent, const std::set<uint64_t>& waiting) const;
  // A person's draft, while it is out of its box. Gives the file's name.
  Result<std::string> keep_draft(const std::string& agent, uint64_t number,
                                 const std::string& draft) const;
  // One that an earlier life kept; empty: none.
  std::string kept_draft(const std::string& agent, uint64_t number) const;
  std::string draft_file(const std::string& agent, uint64_t number) const;
  void forget_draft(const std::string& path) const;

  // A file that others leave to wake the agent, `wakeup_pending`. Claimed, it is out of everybody's reach and has an item's
  // number: it outlives a kill until the item is in the journal. False: there is none.
  bool claim_wakeup(const std::string& agent, uint64_t item) const;
  std::vector<uint64_t> claims(const std::string& agent) const;
  // … or it becomes work for an agent that sleeps between two sessions.
  void wakeup_to_inbox(const std::string& agent, uint64_t item) const;
  struct Claimed {
    std::string text;   // empty as well when it cannot be read
    std::string aside;  // larger than the limit: the name it will have, for whoever reads it there
  };
  Claimed claimed(const std::string& agent, uint64_t item, uint64_t limit) const;
  void forget_claim(const std::string& agent, uint64_t item, uint64_t limit) const;
  // Another program's word that a person is there, `last_human_interaction`: the time in it, or else of it. Or ours, below.
  std::optional<WallTime> last_human(const std::string& agent) const;
  // Of all agents.
  std::string shown() const;
  Done keep_shown(const std::string& text) const;
  // A person presses a key, and the journal cannot be written: an empty file takes no room.
  void mark_key(const std::string& agent) const;

  // The ledger of work that woke the agent, `seen_pending_work`: a line each, "name:mtime:size". A person may take lines out of
  // it, or all of it away: then that work is new again. Nothing: there is no such file.
  std::optional<std::set<std::string>> seen_work(const std::string& agent) const;
  Done keep_seen_work(const std::string& agent,
                      const std::map<std::string, std::string>& ledger) const;

  // The text of the work it was given last.
  void keep_given_text(const std::string& agent, const std::string& text) const;
  std::string given_text(const std::string& agent) const;

  // What `claude_mode.json` there says; nothing: there is none.
  std::optional<std::string> permission(const std::string& agent) const;
  // It says this from now on, if it is there.
  Done keep_permission(const std::string& agent, const std::string& mode) const;

  // Somebody put the file `PAUSE` there.
  bool paused(const std::string& agent) const;

  // Whose recording has this session.
  std::optional<std::string> owner_of(SessionId session) const;
  // Work that waits in its inbox is kept, beside its archive.
  Done keep_inbox(const std::string& agent) const;
  Done remove(const std::string& agent) const;

 private:
  std::string claim(const std::string& agent, uint64_t item) const;
  std::string aside(const std::string& agent, uint64_t item) const;

  Disk* disk_;
  std::string home_, agents_, archives_;
};

}  // namespace pawl::store
