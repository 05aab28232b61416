#pragma once
// All that the full-screen interface knows, as a value. press() changes it by a key (press.h), take…() by what the daemon says
// (take.h), draw() makes a screen of it (draw.h). It holds no descriptor and knows no clock; the program is cli/ui.

#include <array>
#include <optional>
#include <set>
#include <string>
#include <variant>
#include <vector>

#include "base/json.h"
#include "base/units.h"
#include "term/terminal.h"
#include "ui/edit.h"
#include "ui/fleet.h"

namespace pawl::ui {

inline constexpr size_t kMaxPageLines = 20'000;  // of a text; the first ones go

// What the program is to do; nothing here acts.
struct Wish {
  enum class Kind {
    quit,
    suspend,    // as Ctrl-Z does
    attach,     // to `agent`, and come back
    run,        // `pawl WORDS…`
    cancel,     // what runs and writes the page
    moments,    // the events of `agent`, for the timeline
    screen_at,  // the screen of `agent` at that time
  };
  Kind kind = Kind::quit;
  std::string agent = {}, at = {};
  std::vector<std::string> words = {};
  std::string input = {};  // what it reads
  bool page = false;       // its output is a page of its own; else its last line is told
  bool operator==(const Wish&) const = default;
};
using Wishes = std::vector<Wish>;

// The screen of the agent that is looked at, in cells. Bytes come from the daemon's painter and pass through our own emulator.
struct Picture {
  std::string of = {};  // an agent's id
  std::optional<term::Terminal> terminal = {};
  std::string note = {};  // said in its place
};

struct Typing {
  enum class What { send, wake, filter, command };
  What what = What::filter;
  LineEdit line = {};
  std::vector<std::string> to = {};      // agents
  std::vector<std::string> offers = {};  // completions that Tab goes through
  size_t offered = 0;
  std::string before = {};  // the filter that Escape brings back
};

// y does it.
struct Question {
  std::string text;
  Wishes yes;
};

// The dialog as it was when `a` was pressed: the answer is bound to its id.
struct Answering {
  std::string agent;
  Json dialog;
  size_t row = 0;
  bool warned = false;  // the row permits or costs something, and that was said
};

struct Form {
  enum Field : size_t { what, name, runtime, command, dir, prompt, fields };
  std::array<LineEdit, fields> values = {};
  size_t field = name;
  std::string wrong = {};
  bool task() const { return values[what].text() == "task"; }
};

using Overlay = std::variant<std::monostate, Typing, Question, Answering, Form>;

enum class Page { agents, keys, text, moments };

struct Text {
  std::string title = {};
  std::vector<std::string> lines = {};
  size_t top = 0;
  bool running = false;
};

struct Moment {
  std::string at, text;
};
struct Moments {
  std::string agent = {};
  std::vector<Moment> list = {};
  size_t chosen = 0;
  bool known = false;
  std::string note = {};
  std::optional<term::Terminal> then = {};
  std::string then_at = {};  // the time asked for
};

struct State {
  Size size = {};
  Fleet fleet = {};
  bool known = false;  // the fleet was told at all
  Order order = Order::urgency;
  std::string filter = {};
  std::set<std::string> found = {};    // whose screens have the filter's text
  std::vector<std::string> rows = {};  // ids as they are listed
  std::string selected = {};
  size_t top = 0;  // the first row to be seen
  std::set<std::string> marked = {};
  std::string detail_of = {};
  Json detail = {};              // what `show` says of the selected one
  std::string answer_soon = {};  // of this one, when `a` was pressed before that was there
  Picture picture = {};
  Page page = Page::agents;
  Overlay overlay = {};
  Text text = {};
  Moments moments = {};
  std::string notice = {};
  bool bad = false;       // the notice is an error
  std::string lost = {};  // what is said about a daemon that is not there

  const Agent* agent() const { return fleet.find(selected); }
};

}  // namespace pawl::ui
