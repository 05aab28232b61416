#pragma once
// What a modelled program tells a supervisor besides its picture: the JSON of its hooks, as it hands that to `pawl hook RUNTIME`,
// and the files it keeps (Claude Code: the register of live sessions and the transcript). Texts only, made from values; whether a
// hook is late, lost or doubled is Program's business, and the world decides what stands on its disk.

#include <cstdint>
#include <string>
#include <vector>

#include "base/clock.h"
#include "model/event.h"
#include "sim/world/agents/model.h"

namespace pawl::sim {

enum class Moment : uint8_t {
  started,
  ended,
  prompt,
  tool_begins,
  tool_ends,
  asks,
  asks_still,  // some seconds later, nobody has answered
  idle_still,  // a minute after its turn
  turn_ends,
  turn_fails,
  compacts,
  compacted
};

// Of the program, at the moment.
struct HookFacts {
  std::string conversation, dir, transcript;
  std::string source =
      {};  // of a start: startup, resume; of an end: its reason; of compacting: its trigger
  std::string prompt = {};  // the person's
  std::string answer = {};  // the model's last words
  std::string tool = {}, subject = {};
  Trouble trouble = Trouble::none;
  unsigned jobs = 0;
};
// Empty: this kind of program has no such hook.
std::string hook_text(HookStyle style, Moment moment, const HookFacts& facts);

struct OwnFile {
  std::string path;
  std::string text;   // of a file that only grows: its end
  uint64_t size = 0;  // of all of it
};

// The conversation on disk: only its last lines are kept here.
class Transcript {
 public:
  void clear();
  void user(WallTime at, const std::string& conversation, const std::string& dir,
            const std::string& text);
  void assistant(WallTime at, const std::string& conversation, const std::string& dir,
                 const std::string& text, Trouble trouble, int64_t tokens);
  const std::string& tail() const { return tail_; }
  uint64_t size() const { return size_; }

 private:
  void add(std::string line);
  std::string tail_;
  uint64_t size_ = 0;
};
inline constexpr size_t kTranscriptKept = 1200;  // bytes; whole lines, at least the last one
inline constexpr size_t kTranscriptWords = 160;  // of one text

struct SessionState {
  model::Process process;
  std::string conversation, dir;
  std::string_view status;       // idle, busy, waiting, shell
  std::string_view waiting_for;  // permission prompt, dialog open, …
  WallTime since{};
};
std::string session_file(const SessionState& state);
// "/home/dev/.claude/projects/-home-dev-proj/ID.jsonl"
std::string transcript_path(const std::string& home, const std::string& dir,
                            const std::string& conversation);

}  // namespace pawl::sim
