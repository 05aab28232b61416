#pragma once
// Runs the commands that rules ask for (core::RunCommand: renewing an agent's login) and tells the engine how each ended.
// In the agent's folder and environment, without a terminal, with nothing to read; nobody waits for them.

#include <functional>
#include <map>
#include <memory>
#include <string>

#include "core/face.h"
#include "os/child.h"
#include "os/loop.h"

namespace pawl::daemon {

inline constexpr size_t kCommandsAtOnce = 16;  // more fail at once; their rules try again

class Commands {
 public:
  // `wake` asks for a turn soon.
  Commands(os::Loop& loop, core::Engine& engine, std::string home, std::function<void()> wake);

  // After a turn: those it asked for are begun.
  void follow();

 private:
  void run(const core::RunCommand& command);
  void ended(Seq intent, bool fine, std::string how, std::string output = {});

  os::Loop& loop_;
  core::Engine& engine_;
  std::string home_;
  std::function<void()> wake_;
  std::map<Seq, std::unique_ptr<os::Child>> running_;  // by their intents
};

}  // namespace pawl::daemon
