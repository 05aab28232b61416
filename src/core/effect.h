#pragma once
// What should be done to the world. Performed by the engine only after the events of the same turn are in the journal.

#include <string>
#include <variant>
#include <vector>

#include "base/clock.h"
#include "base/units.h"
#include "model/event.h"

namespace pawl::core {

struct SaveEnvironment {
  std::string agent;
  std::vector<std::string> environment;
};
struct OpenTerminal {
  std::string agent;
  SessionId session;
  bool resume = false;  // its conversation, when its program can
};
struct WriteTerminal {
  SessionId session;
  std::string bytes;
};
struct SignalProgram {
  SessionId session;
  int signal = 0;
};
// Its holder ends it then, with everything it started, unless it hears of another time before.
struct ExtendProgram {
  SessionId session;
  BootTime until;
};
// KILL to it and everything it started, at once.
struct KillProgram {
  SessionId session;
};
// The program is gone: end what it left running, finish the recording, forget the terminal.
struct CloseTerminal {
  std::string agent;
  SessionId session;
  bool end_leftovers = false;
  int exit_code = 0;
};
// What a shell would say of it.
int shell_code(const model::Ending& ending);
// A pane is given back as it is: nobody looks at it any more.
struct ReleaseTerminal {
  std::string agent;
  SessionId session;
};
// What a program that ended by itself left running.
struct EndLeftovers {
  SessionId session;
};
// Delete the agent's folder, and its task's.
struct RemoveFiles {
  std::string agent;
  std::string task_dir = {};
};

// Type what waits in the outbox; its end comes back as Delivered.
struct DeliverText {
  std::string agent;
  SessionId session;
  Seq intent;
  model::Queued item;
  bool plain = false;
  bool resumed = false;  // an earlier life of the daemon began it
};
// A rule's text to an agent; its end comes back as Delivered.
struct DeliverPrompt {
  std::string agent;
  SessionId session;
  Seq intent;
  std::string how;     // which text: a model::Topic or a mode; or, with `work`, its name
  bool work = false;   // what it was just given
  bool first = false;  // of its session: it is told where it stands as well
  bool eager = false;
  bool resumed = false;  // an earlier life of the daemon began it
};
// A command line for the shell in its terminal; its end comes back as Delivered.
struct TypeCommand {
  std::string agent;
  SessionId session;
  Seq intent;
  bool resume = false;
};
struct PressKey {
  SessionId session;
  std::string key;
};
// What the agent was given goes to where done things are, or back to where it waits.
struct SettleWork {
  std::string agent;
  std::string name;
  bool done = true;
};
// Put conversations out of the way; its end comes back as CommandEnded.
struct ArchiveFiles {
  std::string agent;
  Seq intent;
  bool all = false;  // not only the one it was in
};
// Its end comes back as CommandEnded.
struct RunCommand {
  std::string agent;
  Seq intent;
  std::vector<std::string> argv;
  Duration limit = std::chrono::seconds{60};  // then its process group is killed
};
// Choose a row of the dialog on the screen.
struct PressRow {
  SessionId session;
  Seq intent;
  std::string row;          // its number, or how it begins
  std::string key = {};     // that chooses it; empty: it is gone to
  std::string dialog = {};  // only of this one, by its id; empty: whichever is there
};
// Press the key that leads from a shell mode or a page back to the prompt; or take a text of ours out of the box.
struct LeaveMode {
  SessionId session;
  Seq intent;
};
// The text of an item that is done with.
struct ForgetText {
  std::string agent;
  uint64_t item = 0;
};
// It is in the journal that these are gone.
struct RemoveForgotten {
  std::vector<model::Going> going;
};

using Effect =
    std::variant<SaveEnvironment, OpenTerminal, WriteTerminal, SignalProgram, ExtendProgram,
                 KillProgram, CloseTerminal, ReleaseTerminal, EndLeftovers, RemoveFiles,
                 TypeCommand, DeliverText, DeliverPrompt, PressKey, SettleWork, ArchiveFiles,
                 RunCommand, PressRow, LeaveMode, ForgetText, RemoveForgotten>;

}  // namespace pawl::core
