#pragma once
// The end of a Claude Code transcript (one JSON object a line): when somebody last said something, whether the last answer is
// an error of the service, how full the context is. Given are the file's last bytes: the first line may be cut, the last one
// half written, and a file that is being rewritten may hold anything. Pure: who reads the file gives its bytes.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "model/spending.h"
#include "perceive/profile/profile.h"

namespace pawl::perceive {

inline constexpr size_t kTranscriptTail = 256u << 10;  // of more, only the end is looked at

using model::Usage;

struct ApiError {
  std::string error;                 // the program's own word
  std::optional<NoticeKind> notice;  // what it means, when it is known
  int status = 0;                    // of HTTP; 0: there was no answer
  std::string text;
  bool operator==(const ApiError&) const = default;
};

// Of the main conversation; sub-agents have lines of their own, which are left out.
struct Transcript {
  std::optional<WallTime> user;       // the last line of the person, a tool's result included
  std::optional<WallTime> assistant;  // … of the model
  std::optional<ApiError> error;      // when that is the last word: nobody has said anything since
  bool interrupted = false;           // the last word is that a person pressed Esc
  Usage usage;                        // of the last answer
  std::string session_id, version;
  bool operator==(const Transcript&) const = default;
};

Transcript read_transcript(const Profile& profile, std::string_view tail);

}  // namespace pawl::perceive
