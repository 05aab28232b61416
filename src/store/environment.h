#pragma once
// The environment a child gets: that of the command which asked for it, and on top of it the agent's env file.
//
// It is kept for restarts, 0600, never in the journal, and can hold secrets. In the agent's folder is only what differs from the
// daemon's own at that time. What both had is kept once for all agents, in PAWL_HOME/environments/DIGEST, so that an agent gets
// what it had from a daemon that was started with other variables. What only the daemon had is never written.
//
// The agent's file: NUL-separated entries. A first one without a name says what is below the others: "=DIGEST" one of those files,
// "=" the daemon's own of whichever daemon starts it. Without it (also: as older versions wrote it) nothing is below.

#include <string>
#include <vector>

#include "base/result.h"
#include "model/spec.h"
#include "store/disk.h"

namespace pawl::store {

inline constexpr const char* kEnvironmentName = "environment";
inline constexpr const char* kCommonName = "environments";  // in the home
// An environment that is the daemon's own, whichever it is then: nothing of it is kept.
inline constexpr const char* kDaemonsOwn = "=";

// "KEY=value" lines, `#` comments, an optional `export `, quotes around the value removed. Bad lines are an error with their number.
Result<std::vector<std::string>> parse_env_file(const std::string& text, const std::string& path);

// Later entries win.
std::vector<std::string> merge_environment(const std::vector<std::string>& base,
                                           const std::vector<std::string>& over);

// What an agent gets of it: all, or with env = "minimal" the names every program needs and those of env_keep.
std::vector<std::string> selected_environment(const model::AgentSpec& spec,
                                              const std::vector<std::string>& environment);

// What is kept for the agents of one home.
class Environments {
 public:
  Environments(Disk& disk, const std::string& home)
      : disk_(disk), agents_(home + "/agents"), common_(home + "/" + kCommonName) {}

  Done save(const std::string& agent, const std::vector<std::string>& environment) const;
  // An error: nothing is kept, or what was common has gone.
  Result<std::vector<std::string>> load(const std::string& agent) const;
  // Its `env` may want less than when it was saved: the rest is not kept any longer.
  void narrow(const model::AgentSpec& spec) const;
  // After its folder is gone, or keeps something else: a common part that nobody needs any more goes, too.
  std::string common_of(const std::string& agent) const;  // empty: none
  void drop_unused(const std::string& digest) const;
  // All of them: what a kill left behind. Once for each life of the daemon.
  void drop_all_unused() const;

 private:
  std::string file_of(const std::string& agent) const;

  Disk& disk_;
  std::string agents_, common_;
};

}  // namespace pawl::store
