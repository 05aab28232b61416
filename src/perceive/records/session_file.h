#pragma once
// Claude Code's own register: ~/.claude/sessions/PID.json says what the session of that process does. It is rewritten in
// place, so a reader may see half of it, and a process that was killed leaves its file to whoever gets its pid.
// Pure: who reads the file gives its bytes.

#include <optional>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "perceive/evidence.h"

namespace pawl::perceive {

inline constexpr size_t kMaxSessionFileBytes = 64u << 10;

struct SessionFile {
  Word word;
  std::string session_id, cwd, version;
  std::optional<WallTime> updated;  // when the word was last said
};

// Nothing when the file is not whole, is of another process (`process` with its start time from the kernel), or has a status
// nobody knows: a version that says things in another way is not guessed at.
std::optional<SessionFile> read_session_file(std::string_view text, const model::Process& process);

// The pattern with {conversation} and {cwd} filled in; empty when the file named neither.
std::string transcript_path(std::string pattern, const SessionFile& file);

}  // namespace pawl::perceive
