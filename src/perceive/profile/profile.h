#pragma once
// What one program looks like, as data: profiles/NAME.toml. A profile names places and patterns, dialogs and limits, command
// lines; it has no conditions. What follows from them is decided in one table (rules.cpp), the same for all programs.
// Adding a program is one file and recordings that test it, no C++.

#include <chrono>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "model/dialog.h"
#include "perceive/profile/patterns.h"
#include "term/width.h"

namespace pawl::perceive {

// Where on the screen a sign counts. Everything is relative to the input box, because that is where programs put what is
// true now; what stands further up is history.
enum class Region {
  above,   // the rows just above the box
  next,    // the one with text that is nearest above it, while nothing is typed
  below,   // the rows under it: hints and modes
  box,     // the box itself
  prompt,  // its first row
  bottom,  // the last rows of the screen that have text
  last,    // the last row that has text
  screen,  // anywhere
};
inline constexpr int kAboveRows = 24;   // with text
inline constexpr int kBottomRows = 26;  // a dialog with what it asks about fits

struct Sign {
  int pattern = -1;  // of Profile::rows
  Region where = Region::bottom;
  std::string means;   // for people: "its spinner turns"
  bool turns = false;  // a picture that moves while it means work: standing still it is decoration
};

// How the input box is drawn.
struct BoxShape {
  enum class Cursor { inside, visible, any };
  int prompt = -1;      // its first row up to where text begins; -1: any row between the borders
  int above = -1;       // the row above it, when it has a border
  int below = -1;       // the row under its last one
  int apart = -1;       // a row right under it that is not of its text, where it has no border
  bool widest = false;  // its borders are the widest such rows: a shorter line is of its text
  bool typed = false;   // drawn so only while it holds text, which begins with the prompt's group
  Cursor cursor = Cursor::inside;
  int footer_rows = 10;  // rows with text that may follow it
};

using model::Cost;
struct DialogRow {
  int pattern = -1;  // of Profile::choices, on what the row says
  Cost cost = Cost::question;
  std::string
      keys;  // the key that chooses it, where it stands beside others in the row that names the dialog
  std::string means;  // … for people
};
struct DialogRule {
  int pattern = -1;
  int question = -1;  // the row that asks, where it is not the nearest one above the rows
  int about = -1;     // a row of the question that goes on with what it is about
  Region where = Region::bottom;
  std::string kind;
  bool numbered = false;  // its rows are; none looks chosen, and a number chooses it
  std::vector<DialogRow> rows;
};

// The keyboard reaches something else than the prompt, though a box may be there: what is typed would be run as a command, start
// another session, search. By a sign on the screen, or by the title.
struct ModeRule : Sign {
  int title = -1;       // of Profile::titles
  std::string input;    // what it reaches: shell, memory, agents, … (interfaces: "input")
  bool absent = false;  // the sign stood there earlier, and is gone
  bool boxless =
      false;  // counts only while no input box is there: with one it is a text that was printed
  bool pastes =
      false;          // a text that is pasted gets into the prompt all the same (vim's normal mode)
  std::string leave;  // the key that leads back to the prompt, while nothing is typed
};

enum class NoticeKind { limit, auth, context, overload, retry, credit };
struct NoticeRule {
  int pattern = -1;
  NoticeKind kind = NoticeKind::limit;
  Region where = Region::above;
};

struct TitleRules {
  int idle = -1, busy = -1, waiting = -1;  // of Profile::titles
};

// Between its first paint and the first key it takes.
struct StartRules {
  bool title = false;  // it sets a title when it listens, not before
  Duration settle = std::chrono::milliseconds{700};
  std::vector<Sign> signs;    // on the screen before it listens
  std::vector<Sign> listens;  // … and when it does: for want of a title
};

// How text is typed into it.
struct DeliverRules {
  Duration burst =
      std::chrono::milliseconds{200};  // Enter sooner after a paste may be a part of it
  std::vector<int> pasted;             // what a box shows in place of a long paste
  std::vector<int> runs;  // a text that begins so is no prompt: it would be run as a command
  std::string prompts;    // … but is one with this before it; empty: nothing helps
  std::vector<int> ends;  // a text that is this and nothing more ends the program
  // Above the box:
  std::vector<int> submitting;  // its own hooks look at a prompt, and may refuse it
  std::vector<int> unknown;     // it says that it knows no such command, and names it
  std::vector<int> refused;     // one of its hooks said no; the rows after this one say why
};

// Files in which it says what it does.
struct FileRules {
  std::string status;  // "~/.x/{pid}.json", as Host::look reads it; its form is Claude Code's
  std::string
      transcript;  // with {conversation} and {cwd} of the status file, the latter with - for what is no letter or digit; or as store/conversation.h finds and plans it
  bool begun = false;  // its first line says where and when it was begun (records/begun.h)
};

struct LaunchLines {
  std::vector<std::string> start, resume, task, task_resume;
  std::vector<std::string> name;  // arguments that give a new conversation its id, or its {file}
  std::vector<std::string> model_names;    // words for no model of their own: it chooses
  std::string task_format = "plain";       // of what a task prints (headless.h)
  std::vector<std::string> resume_unless;  // arguments of the user's own that name a conversation
  std::vector<std::string> batch;          // arguments of a run without an interface
  std::vector<std::string> environment;    // NAME=value in a terminal of ours
  std::vector<std::string>
      login_probe;      // exits with 0 when its login works; empty: it cannot be asked
  std::string server;   // the name of a process that all its windows share; it runs their commands
  std::string compact;  // what is typed to shorten its context; empty: nothing is
  std::vector<std::string> model;         // with {model}
  std::vector<std::string> model_unless;  // arguments of the user's own that choose one
};

// Short names of models, and what they stood for on a day. The user's own [models] goes before.
struct ModelTable {
  std::string date;  // 2026-11-18
  std::map<std::string, std::string> names;
};

// What the program may do without asking, in its own words.
struct PermissionLines {
  std::map<std::string, std::vector<std::string>> modes;  // arguments, by the name of the mode
  std::vector<std::string> unless;  // arguments of the user's own that choose one
};

// What a lifecycle hook of the program says (hook.h). Rows are tried in order; the first that fits speaks.
enum class Means {
  busy,     // a turn began or goes on
  prompt,   // a turn began: a prompt was submitted
  idle,     // a turn ended
  waiting,  // for a person; the kind says for what
  start,    // a conversation began: its id is worth knowing, nothing else
  end,      // … ended: what was said before is void
  failure,  // a turn ended in an error
  note,     // nothing about the prompt
};
struct HookRule {
  std::string event;
  std::string field, value;  // only when this member of the hook has this text
  Means means = Means::note;
  std::string kind;  // of waiting
};
// How the program is made to call us, for one run and without touching anybody's files (launch.h).
struct HookLines {
  std::vector<std::string> arguments;  // added after the program's name
  std::vector<std::string> unless;     // arguments of the user's own that they would collide with
  bool beside =
      false;  // … only beside another of this program in the same folder: they cost something
  std::vector<std::string>
      background;  // lists of an idle hook: not empty means that work goes on behind
  std::vector<std::string> behind;  // … only beside a free prompt, when this is their type or list
  std::string stop_event;  // at the end of a turn, which an answer makes go on; empty: none does
  int stop_cap = 0;        // how often in a row its program lets that happen
  std::map<std::string, NoticeKind> errors;  // what a failure's own word means
  std::vector<std::string>
      aside;  // how prompts begin that it gives itself beside the conversation: their hooks say nothing
};

// What stands on the terminal of a program without an interface, in the generic profile alone (screen/plain.h).
struct PlainRules {
  std::vector<int> asks;     // what is left of the cursor, when it asks
  std::vector<int> crashed;  // a row near its end: something of it broke, and it runs on
  std::vector<int> nags;     // … it would like to be brought up to date
  Patterns rows;
};

struct Recognise {
  std::vector<std::string> processes;  // names
  std::vector<std::string> arguments;  // in the command line of an interpreter
  std::vector<std::string> apps;       // names in program status records
  std::vector<int> titles;             // of Profile::titles
  std::vector<int> screen;             // of Profile::rows
};

struct Profile {
  std::string name;
  std::string about;
  std::vector<std::string> seen;  // versions it was written from
  Recognise recognise;
  LaunchLines launch;
  ModelTable models;
  PermissionLines permission;
  PermissionLines task_permission;  // without an interface; empty: the same
  FileRules files;
  DeliverRules deliver;
  TitleRules title;
  StartRules start;
  HookLines hooks;
  std::vector<HookRule> hook_rules;
  std::vector<std::string> prices;                  // of models (price.h)
  Duration quiet = std::chrono::milliseconds{150};  // nothing moves before ready
  Duration sent = std::chrono::milliseconds{1500};  // … after a draft vanished, unless it works
  bool strict = false;                              // movement under the box is work as well
  term::Counting counts = term::Counting::characters;  // how it counts columns
  bool progress = false;                               // OSC 9;4 tells working from idle
  std::vector<BoxShape> boxes;
  std::vector<int> placeholders;  // texts of the empty box
  std::vector<Sign> busy, background;
  std::vector<Sign> suspended;  // the last it says before it waits for SIGCONT
  std::vector<Sign> behind;     // what its first group counts runs behind a prompt that is free
  std::vector<Sign> done;       // between the last prompt and the box when a turn is over
  std::vector<DialogRule> dialogs;
  std::vector<NoticeRule> notices;
  std::vector<ModeRule> modes;
  std::vector<int> menu_chosen;   // the chosen row of a numbered menu
  std::vector<int> menu_options;  // another row of one
  std::vector<int> menu_pointer;  // the chosen row of a menu without numbers
  std::vector<int> menu_hints;    // "Enter to confirm"
  std::vector<int> menu_edges;    // a rule or a frame's upper side: a dialog begins under it
  std::vector<int> menu_begins;   // … or its own first row
  std::vector<int> menu_hidden;   // a row that says that others are left out
  bool menu_bare = false;         // its dialogs have no edge above: what they are about is below
  PlainRules plain;
  std::vector<int> shells;  // a shell's prompt, up to the cursor

  Patterns rows, titles;
  Patterns choices;  // of dialogs: looked at when there is one
};

// `path` is for complaints, which name the line and the pattern. The patterns of `shared` (menus, shells) come with it.
Result<Profile> parse_profile(const std::string& text, const std::string& path,
                              const std::string& shared = {});

}  // namespace pawl::perceive
