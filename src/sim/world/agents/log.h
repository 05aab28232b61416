#pragma once
// What a modelled program really took, as it knows itself: the judge of every delivery and every answer. Written by Program, taken
// by the world's checkers. It says what happened, never whether that was right.

#include <optional>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "model/dialog.h"
#include "model/event.h"
#include "sim/world/agents/scene.h"

namespace pawl::sim {

// Where a text went that was sent with Enter.
enum class Reached : uint8_t {
  model,
  command,  // a word to the program itself: /compact
  shell,    // run as a command, in its shell mode or in the shell that was left
  memory,
  agents,  // another session was begun with it
  search,
  refused,  // a hook of its user's gave it back
  nothing   // Enter was pressed, and nobody has it
};
std::string_view word(Reached reached);

struct Entry {
  enum class What : uint8_t {
    began,      // a conversation: `text` is its id
    took,       // a text: `reached` says where it went
    lost,       // `text` was typed and is not in the box
    doubled,    // `text` is in the box twice
    asked,      // a dialog is on the screen: `ask`, `text` is its question
    answered,   // `row` of it was chosen: `choice`, `cost`
    withdrawn,  // it went away without an answer
    ended,    // the program: `text` says how; of a task's also `ending`, where anybody can know it
    unheard,  // it called a hook, and nobody heard it
    // … and of a run of a task
    spoke,  // printed something
    works,  // prints nothing and uses the processor, `until` then
    told    // how it went, in its own last record: `text` is completed, denied, failed, limit, …
  };
  MonoTime at{};
  MonoTime until{};
  std::optional<model::Ending> ending = {};
  WallTime limit{};    // told: when that is over
  MonoTime written{};  // answered: when the key was, which a program that hangs reads later
  What what = What::took;
  std::string text = {};
  Reached reached = Reached::nothing;
  bool working = false;  // a turn was under way
  unsigned jobs = 0;     // that ran behind its prompt
  bool resumed = false;  // the conversation is an earlier one
  bool blind = false;    // by a key that was written before dialog or mode were on the screen
  Ask ask = Ask::command;
  size_t dialog = 0;         // its number, of all that this program showed
  std::string subject = {};  // of the dialog
  size_t row = 0;            // ended: so many lines a task has printed
  std::string choice = {};
  model::Cost cost = model::Cost::question;
};
std::string_view word(Entry::What what);

// How a program ends whose terminal goes away with it.
inline constexpr std::string_view kHolderKilled = "its holder was killed";

}  // namespace pawl::sim
