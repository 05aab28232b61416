#pragma once
// One kind of agent program: how it draws and words things, and the few ways in which it behaves unlike the others. A table of
// values and pure functions, one for each program, taken from recordings of the real one (test/corpus); likeness_test.cpp holds
// them to these. Program does everything they have in common.

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "sim/world/agents/layout.h"
#include "sim/world/agents/scene.h"

namespace pawl::sim {

// Whose way of telling a supervisor what happens: `pawl hook RUNTIME` gets JSON with these names.
enum class HookStyle : uint8_t { none, claude, codex, gemini };
// What becomes of text typed before it listens.
enum class Early : uint8_t { kept, lost, taken };

struct Patience {
  int attempts = 0;  // 0: it gives up at once
  Duration first{};  // the wait before the second; each further one is twice as long …
  Duration most{};   // … up to this
};

struct Model {
  std::string_view name = {};                 // of its runtime
  std::string_view front = {}, busiest = {};  // processes in front of its terminal
  int front_count = 1;
  std::string_view app = {};     // in its reports
  bool reports = false;          // by OSC 7501, when the terminal answers …
  bool reports_unasked = false;  // … or anyhow
  bool progress = false;         // OSC 9;4 in a terminal it knows by name
  bool alternate = true;         // it has a screen of its own
  HookStyle hooks = HookStyle::none;
  bool own_files = false;       // a session register and a transcript
  Duration drawn{}, listens{};  // after its start
  bool cooked = false;          // until it is drawn the terminal edits lines
  Early early = Early::kept;
  size_t note_lines = 0, note_bytes = 0;  // a paste of so many is shown as a note
  bool gives_back = false;                // Escape puts a prompt back that has no answer yet
  int interrupts = 2;                     // Ctrl-C so often ends it
  bool deny_ends = true;                  // the turn is over when a permission is refused
  bool tells_each = false;                // every request that failed is told, not only the last
  bool limit_asks = false;                // a limit opens its menu in the middle of the turn
  bool bang_paste = false;                // a pasted "!" opens shell mode like a typed one
  bool ends_by_word = false;              // "exit" is no prompt
  bool bang_text = false;                 // it has no such mode: a text that begins so is a command
  std::string_view quit = {};             // the word that ends it
  std::string_view resume = {};           // the argument before a conversation's id
  int unknown_conversation = 0;  // exit code when that does not exist; 0: it begins another
  std::string_view no_conversation = {};  // … and its words then

  Frame (*draw)(const Scene&) = nullptr;
  std::string (*spin)(const Scene&) = nullptr;  // the row that turns, alone: Frame::spin
  std::string (*title)(const Scene&) = nullptr;
  Asked (*ask)(Ask, const About&, const Scene&) = nullptr;
  bool (*has)(Mode) = nullptr;
  std::string (*note)(std::string_view paste, size_t number) = nullptr;
  // When a limit is over, as it writes it; the instant is in UTC, the zone these programs are started with.
  std::string (*until)(WallTime now, WallTime until) = nullptr;
  // What it says when a turn failed of it. `until`: a limit's, in its words.
  std::vector<Said> (*failed)(Trouble, const std::string& until) = nullptr;
  Patience (*patience)(Trouble) = nullptr;
  std::string (*retry)(Trouble, int attempt,
                       int seconds) = nullptr;  // empty: it does not show that
  std::string (*done)(int seconds, WallTime now,
                      unsigned jobs) = nullptr;  // empty: it says nothing
  std::string_view interrupted = {};             // … when Escape ended a turn
  std::string (*farewell)(const std::string& conversation) = nullptr;
};

std::span<const Model* const> models();
// By the name of its runtime; null: there is none.
const Model* find_model(std::string_view name);

extern const Model kClaude, kCodex, kGemini, kPi, kPlain;

// For wordings: "2:26am" or "2:26 AM", "00:34", "Nov 18", "Nov 18th, 2026".
std::string clock12(WallTime time, bool tight);
std::string clock24(WallTime time);
std::string month_day(WallTime time);
std::string long_date(WallTime time);

// What every program shows that opened the person's own editor.
Frame editor_frame(const Scene& scene, std::string_view file);

}  // namespace pawl::sim
