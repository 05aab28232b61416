#pragma once
// What a modelled program has on its screen, as values: made by Program, drawn by its Model. The words below are those of the
// world, of stories and of the log. Nothing here draws, decides or remembers.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/units.h"
#include "model/dialog.h"

namespace pawl::sim {

// What the keyboard reaches.
enum class Mode : uint8_t { prompt, shell, memory, agents, view, search, picker, editor, vim };
// What it can ask. Which of them a program really has, its model knows.
enum class Ask : uint8_t {
  command,
  write,
  edit,
  trust,
  login,
  limit,
  update,
  survey,
  question,
  plan,
  resume,
  strange  // what no profile describes: of its next version, of a plugin
};
// What a turn can fail of.
enum class Trouble : uint8_t { none, limit, auth, overload, context };

std::string_view word(Mode mode);
std::string_view word(Ask ask);
std::string_view word(Trouble trouble);

// What is asked about; empty: the model has something of its own to ask.
struct About {
  std::string subject = {};  // the command, the path, the question
  std::string content = {};  // lines of a file or a diff; the rows of a question, one a line
  std::string reason = {};
};

struct AskRow {
  std::string text;
  model::Cost cost = model::Cost::question;  // the truth, whatever a profile takes it for
  std::string detail = {};                   // drawn under it
  char key = 0;                              // that chooses it at once, besides its number
};

// A dialog in its model's words.
struct Asked {
  Ask ask = Ask::command;
  std::string tool;  // "Bash"
  About about;
  std::string question;
  std::vector<std::string> lines;  // above the rows, the question among them
  std::vector<AskRow> rows;        // none: the program does not ask that
  std::vector<std::string> under;  // hints
  bool numbered = true;
  size_t chosen = 0;
  bool deaf = false;   // takes no key
  size_t number = 0;   // of its program's dialogs
  size_t esc = kEnds;  // the row that Escape means
  MonoTime shown{};    // when its picture was printed; none yet: MonoTime{}
  static constexpr size_t kEnds = static_cast<size_t>(-1);  // Escape ends the program
};

// One thing of the conversation that is still on the screen.
struct Said {
  enum class By : uint8_t { prompt, answer, tool, refused, note, error, done, notice };
  By by = By::answer;
  std::string text;
};

struct Scene {
  Size size;
  std::string dir;       // "~/proj"
  bool opening = false;  // its box is drawn, and it does not listen yet
  bool working = false;
  bool compacting = false;
  Duration worked{};  // of the turn
  unsigned spin = 0;  // counts its pictures
  std::string tool;   // that runs: a command
  std::string retry;  // it tries again: in the model's words
  unsigned jobs = 0;  // that outlive their turn
  const std::vector<Said>* said = nullptr;
  std::string draft;
  size_t cursor = 0;  // a byte of it
  Mode mode = Mode::prompt;
  bool vim = false;  // its box knows vim's modes
  const Asked* asked = nullptr;
  std::string limit;     // reached: when it is over, in the model's words
  bool reports = false;  // by OSC 7501
  bool asks = true;      // for permission; else it was started so that it does not
  std::string hint;      // "Press Ctrl-C again to exit"
};

}  // namespace pawl::sim
