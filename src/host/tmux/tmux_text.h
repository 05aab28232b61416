#pragma once
// What tmux is told and what it says, as text. Pure; tmux_server.h has the conversations.
//
// Commands are for `tmux source-file -`: one a line, words in double quotes. A command that fails does not keep the next line
// from being run. Braces group; nothing here needs more than tmux 3.2.

#include <sys/types.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/units.h"

namespace pawl::host {

// One pane, at one instant.
struct PaneFacts {
  int64_t server = 0;  // the server's process: another one has other panes, with the same numbers
  std::string id;      // "%3"
  pid_t pid = 0;       // of the first process in it
  Size size;
  int cursor_x = 0, cursor_y = 0;
  bool cursor_visible = true;
  bool alternate = false;
  bool in_mode = false;  // copy mode, or another in which keys do not reach the program
  bool piped = false;
  bool dead = false;  // and kept (remain-on-exit)
  int dead_status = -1, dead_signal = 0;
  bool synchronized = false;   // keys of its window's other panes reach it too
  std::string window;          // "@1"
  int64_t session_active = 0;  // when a person last pressed a key in its session, in whole seconds
  std::string place;           // "work:1.0"
  std::string command, title, dir;
  bool operator==(const PaneFacts&) const = default;
};

struct ClientFacts {
  std::string name;
  WallTime active;
  bool control = false;  // a program, not a person
  std::string pane, window;
};

// What list-panes and display-message are to print, and what they printed. Nothing when a line is none of those.
std::string pane_format();
std::optional<PaneFacts> parse_pane(std::string_view line);
std::string client_format();
std::optional<ClientFacts> parse_client(std::string_view line);

// A word of a command; `#` and `%` mean themselves also where tmux expands formats (doubled by expanded()).
std::string tmux_word(std::string_view text);
std::string expanded(std::string_view text);

// `body` (commands, one a line), run only while this pane is still the one with this process; else nothing is printed.
std::string only_for(const std::string& pane, pid_t pid, const std::string& body);
// `body`, unless somebody pressed a key in the pane's session after that second: then kTyped is printed. Nothing comes in between.
inline constexpr std::string_view kTyped = "pawl-typed";
std::string unless_typed(const std::string& pane, int64_t active, const std::string& body);
// Copy mode is left: keys would go to it.
std::string leave_mode(const std::string& pane);
std::string type_bytes(const std::string& pane, std::string_view bytes);
// The text of a file, as a paste: in brackets when the program asked for those (and `bracketed`).
std::string paste_file(const std::string& pane, const std::string& buffer, const std::string& file,
                       bool bracketed);

// Bytes after which an emulator of the pane's size shows what capture-pane -e gave: nothing of before is left.
std::string picture(const PaneFacts& facts, const std::vector<std::string>& rows);

}  // namespace pawl::host
