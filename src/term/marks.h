#pragma once
// What a program says about itself outside the grid: progress, shell marks, notifications,
// clipboard writes. Kept as bounded values, never acted on by term/. All of it is untrusted text
// without control characters.

#include <cstdint>
#include <deque>
#include <optional>
#include <string>

namespace pawl::term {

inline constexpr size_t kMaxTitleBytes = 1024;   // of a title or icon title; the rest is cut
inline constexpr size_t kMaxCwdBytes = 4096;     // of the OSC 7 address; a longer one is ignored
inline constexpr size_t kMaxNotifications = 16;  // kept; the oldest goes first, the counter goes on
inline constexpr size_t kMaxNotificationBytes = 1024;  // of title and of body; the rest is cut
inline constexpr size_t kMaxClipboardBytes =
    4096;  // of the last OSC 52 write, as sent (base64); longer: only counted
inline constexpr size_t kMaxShellMarkBytes = 256;  // of an OSC 133 mark's options; the rest is cut

// OSC 9;4: what a taskbar would show.
struct Progress {
  enum class State : uint8_t { none, normal, error, indeterminate, paused };
  State state = State::none;
  uint8_t percent = 0;
  uint64_t reports = 0;
  bool operator==(const Progress&) const = default;
};

// OSC 133: where the shell is. A prompt starts, B command line starts, C output starts, D command
// finished.
struct ShellMark {
  char kind = 0;  // 'A'..'D', also 'L', 'P', 'N'; 0: never seen
  std::string options;
  std::optional<int> exit_status;      // of the last D
  uint64_t prompts = 0, commands = 0;  // A and C marks so far
  uint16_t row = 0, col = 0;           // of the cursor at the mark
  bool operator==(const ShellMark&) const = default;
};

// OSC 9, OSC 777 and OSC 99.
struct Notification {
  std::string title, body;
  bool operator==(const Notification&) const = default;
};

struct Notifications {
  std::deque<Notification> last;  // the newest at the back
  uint64_t total = 0;
  bool operator==(const Notifications&) const = default;
};

// OSC 52. Queries are counted and never answered.
struct Clipboard {
  std::string target, base64;  // of the last write that fitted
  uint64_t writes = 0, queries = 0;
  bool operator==(const Clipboard&) const = default;
};

// Hostile or unknown input, counted and otherwise ignored.
struct Ignored {
  uint64_t sequences = 0;  // unknown control sequences
  uint64_t strings = 0;    // unknown or malformed OSC and DCS
  uint64_t too_long = 0;   // strings beyond the limit
  bool operator==(const Ignored&) const = default;
};

}  // namespace pawl::term
