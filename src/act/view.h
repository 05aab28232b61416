#pragma once
// What a procedure sees of its terminal at one instant. Made by core from what perception read; procedures see no screen and
// no other channel, so that the same procedure works wherever a terminal can be seen and written to.

#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "model/state.h"
#include "term/modes.h"

namespace pawl::act {

struct View {
  MonoTime now{};
  model::State state = model::State::unknown;
  term::Modes modes;
  MonoTime launched{};     // the program in front came up
  bool interface = false;  // it has a box, whether that can be seen now or not

  // The input box. A dim suggestion is no text.
  bool box = false;
  bool draft = false;             // it holds text
  std::vector<std::string> rows;  // … these rows of it, as far as they are on the screen
  std::string blanks;             // … and what follows the last of them up to the cursor
  bool pasted = false;            // one of them is a placeholder for a long paste
  MonoTime box_moved{};           // its text last changed
  std::string mode;               // not empty: what is typed is no prompt; why
  std::string leave;              // … the key that leads back; empty: nobody knows one

  // A dialog is where the box was: the rows that can be chosen, and the one that is.
  bool menu = false;
  std::string dialog;    // its id
  std::string question;  // for people: what it asks
  std::vector<std::string> options;
  int chosen = -1;
  std::string around;  // all the rest of the screen

  // A line editor or a program without an interface: the text left of the cursor, and where the cursor is.
  std::string line;
  bool line_editor = false;  // known: what is echoed was read by a program, not only by the kernel
  int cursor_row = 0;

  // Witnesses: when they last spoke.
  MonoTime worked{};        // a sign of work on any channel
  MonoTime prompt_hook{};   // a hook told that a prompt was submitted
  MonoTime hook{};          // … or of anything
  MonoTime reported{};      // it reported what it does
  std::string prompt_text;  // … this one; empty: it did not say
  bool turning = false;     // a turn of the model's is under way, or was since that hook
  bool submitting = false;  // it works, but not at a turn yet: its hooks look at the prompt
  std::vector<std::string> unknown;  // rows above the box: it knows no such command
  std::vector<std::string> above;    // all that is above it, when Inject::looks_above
  std::optional<std::string> no;  // the last thing it said: a hook of its own refused a prompt; why
  MonoTime transcript_user{};     // a line of the person's came into the program's own record
  MonoTime human{};               // a person's key reached the program
  bool human_waits = false;       // … and others are held back until we are done
  std::string refused;            // not a byte of what was written last got there, because of this
};

}  // namespace pawl::act
