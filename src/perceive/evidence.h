#pragma once
// Everything known about one agent at one instant, each piece with the time it last changed. Gathered by the Tracker, judged
// by the table in rules.cpp, shown by `pawl why`.

#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "model/event.h"
#include "perceive/profile/facts.h"
#include "perceive/profile/profile.h"
#include "perceive/records/transcript.h"
#include "perceive/screen/sight.h"
#include "term/marks.h"
#include "term/status.h"

namespace pawl::perceive {

// A value, since when it is so, and when it was last said.
template <class T>
struct Aged {
  T value{};
  MonoTime since{};
  MonoTime heard{};
  // True when that changed it.
  bool set(T now, MonoTime at) {
    heard = at;
    if (now == value) return false;
    value = std::move(now);
    since = at;
    return true;
  }
};

enum class TitleKind { none, idle, busy, waiting, other };
struct Title {
  std::string text;
  TitleKind kind = TitleKind::none;
  bool operator==(const Title&) const = default;
};

// The program's own reports, all records in one: the most urgent wins (blocked, working, error, done, idle).
struct Status {
  bool any = false;
  term::ProgramState state = term::ProgramState::idle;
  term::BlockedKind kind = term::BlockedKind::none;
  std::string message;
  int working_jobs = 0;  // records with an id of their own that are working
  uint64_t reports = 0;
  bool operator==(const Status&) const = default;
};

// A lifecycle hook of the program, or its own status file: both say one word.
// background: no turn of its own, but sub-agents work on.
enum class Told { nothing, idle, busy, waiting, background };
struct Word {
  Told told = Told::nothing;
  std::string kind;  // of waiting
  std::string detail;
  std::string subject = {};  // … what it is about, in the program's words
  int behind = 0;            // of idle: so much runs behind the prompt, and no turn waits for it
  bool operator==(const Word&) const = default;
};

// What a hook said that a dialog is about, and when.
struct Reported {
  std::string text;
  MonoTime at{};
};
inline constexpr size_t kMaxReported = 16;  // several tools may ask at once; the oldest goes first
inline constexpr Duration kReportedBefore =
    std::chrono::seconds{10};  // a hook speaks, then it is drawn

struct Evidence {
  MonoTime now{};
  model::State said = model::State::starting;  // before this look
  const Profile* profile = nullptr;
  const Sight* sight = nullptr;
  Duration quiet{};         // nothing moves for so long before ready
  Duration after_clear{};   // … and so long after an emptied screen
  Duration stuck_after{};   // work without progress; 0: never
  MonoTime cpu_moved{};     // its processes used CPU
  MonoTime launched{};      // the program in front came up
  MonoTime moved_above{};   // text changed above the box, or anywhere when there is none
  MonoTime moved_box{};     // … in the box
  MonoTime moved_below{};   // … under it
  MonoTime output{};        // anything was written at all
  MonoTime cleared{};       // the screen was emptied or switched
  MonoTime sent{};          // a draft vanished from the box at once
  MonoTime restless{};      // text above the box changed again and again
  MonoTime first_output{};  // of this program
  bool away = false;        // the picture is another one than at its prompt, and no turn was seen
  bool reported_work = false;      // it says itself when a turn begins
  bool turn_open = false;          // it worked, and was not seen to be ready since
  MonoTime worked{};               // the last sign of work on any channel
  MonoTime pictured{};             // the sight last changed its meaning
  Aged<bool> box;                  // there
  Aged<bool> menu;                 // a dialog is
  const ModeRule* mode = nullptr;  // the keyboard does not reach the prompt: by screen or title
  Aged<Title> title;
  Aged<term::Progress::State> progress;
  uint64_t progress_reports = 0;
  Aged<Status> status;
  Aged<Word> hook, file;
  bool hook_void = false;          // the screen outweighed what the hook said
  std::vector<Reported> reported;  // while a dialog is there, or may come
  Aged<Transcript> transcript;     // its own record of the conversation
  std::optional<Facts> facts;
  MonoTime facts_at{};
  Aged<std::string> front;
  term::ShellMark shell_mark;
  bool alternate = false;
  std::optional<model::Ending> ending;
  bool still = false;        // one picture: what comes with time has come
  bool osc = true;           // what it says outside the grid reaches us
  bool batch = false;        // started without an interface
  bool declared = true;      // somebody said what this program is, or it was recognised
  bool seen_work = false;    // a sign of work was on its screen once
  bool up = false;           // it listened once since it was launched
  bool agent_seen = false;   // its interface was there once
  std::string learnt;        // how its box was learnt; empty: a profile describes it
  std::string shell_prompt;  // the prompt last seen, while the cursor is still on its row
  Aged<bool> shell_shown;

  // It tells in its title or by reports what it does, so that the screen need not.
  bool told_outright() const {
    return status.value.any || (profile->title.busy >= 0 && !title.value.text.empty());
  }
  MonoTime moved() const { return std::max(std::max(moved_above, moved_box), moved_below); }
  // Shells and the like behind its prompt that no turn waits for: the screen counts best.
  int running_behind() const {
    if (sight->behind > 0) return sight->behind;
    return file.value.told != Told::nothing ? file.value.behind : hook.value.behind;
  }
  // The last sign of life on any channel.
  MonoTime stirred() const {
    return std::max({output, cpu_moved, status.heard, hook.heard, transcript.since, file.since,
                     title.since, progress.since, sent});
  }
};

// The dialog on the screen, with what its program reports about it; nothing when there is none.
std::optional<model::Dialog> dialog_in(const Evidence& evidence);

}  // namespace pawl::perceive
