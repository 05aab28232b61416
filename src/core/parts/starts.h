#pragma once
// Before an agent's program is started: what is asked, looked at and put away first, and the command line that comes of it.
// The engine opens the terminal.

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/effect.h"
#include "core/parts/ground.h"

namespace pawl::perceive {
struct Profile;
}

namespace pawl::core {

inline constexpr Duration kAskLimit =
    std::chrono::seconds{10};  // for a program to say whether its login works

// A terminal that is to be opened now.
struct Opening {
  std::string agent;
  SessionId session;
  host::Launch launch;
};

class Starts {
 public:
  explicit Starts(const Ground& ground) : ground_(ground) {}

  // It begins at once, or when its program has said whether its login works.
  void begin(const Clock& now, const OpenTerminal& effect, Inputs& out);
  // True: a start waited for this command.
  bool heard(const Clock& now, const CommandEnded& seen, Inputs& out);
  // Told to end before it began: true.
  bool withdrawn(SessionId session, Inputs& out);
  // The file in its folder that narrows what it may do.
  void look_for_permission(const std::string& agent, Inputs& out);
  void forget(const std::string& agent) { mode_trouble_.erase(agent); }

  std::vector<Opening> take_openings() { return std::exchange(openings_, {}); }
  std::vector<RunCommand> take_commands() { return std::exchange(commands_, {}); }

 private:
  // A start that waits for what its program says about its login; the command has a time limit.
  struct Asked {
    OpenTerminal order;
    std::string said = {};  // that it does not work: it is being renewed
  };
  bool ask_first(const model::Agent& agent, const OpenTerminal& effect);
  std::string permission_now(const model::Agent& agent, model::Check& check) const;
  void prepare(const Clock& now, const OpenTerminal& effect, std::optional<model::Check> login,
               Inputs& out);
  void launch(const OpenTerminal& order, const model::Agent& agent, Inputs& out);
  // A conversation that its program begins, under a name of ours where it takes one.
  std::vector<std::string> named(const perceive::Profile& profile, const model::Agent& agent,
                                 const OpenTerminal& run, std::vector<std::string> argv,
                                 Inputs& out) const;
  bool lost(model::Agent& agent, Inputs& out) const;
  void find_transcript(model::Agent& task) const;
  Result<host::Launch> launch_of(const model::Agent& agent, const OpenTerminal& order, Inputs& out);

  Ground ground_;
  std::map<SessionId, Asked> asked_;
  std::map<std::string, std::string> mode_trouble_;  // of a permission file, told already
  std::vector<Opening> openings_;
  std::vector<RunCommand> commands_;
};

}  // namespace pawl::core
