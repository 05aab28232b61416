#pragma once
// What a program prints in a run without an interface: records on lines of their own (Claude Code, Codex, Gemini CLI, pi), or
// plain text. Records become a report and lines a person would read; everything else is passed on without escape sequences.
// Pure; a stream, cut anywhere. Used by core for tasks.

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "base/clock.h"
#include "base/json.h"
#include "base/zone.h"
#include "model/task.h"
#include "perceive/records/not_text.h"
#include "term/strip.h"

namespace pawl::perceive {

inline constexpr size_t kMaxRecordBytes = 8u << 20;  // a longer line is no record

// "plain", "claude", "codex", "gemini", "pi".
bool headless_format(std::string_view name);

// The agent's last message, which some programs tell in pieces; without escape sequences.
struct LastMessage {
  std::string text;
  bool open = false;  // more of it may come
  term::Stripper stripper;

  // No more pieces of it come.
  void close() {
    if (open && !text.ends_with('\n')) text += '\n';
    open = false;
  }
  void whole(std::string_view message) {
    open = false;
    piece(message);
    close();
  }
  void piece(std::string_view more) {
    if (!open) {
      text.clear();
      stripper = {};
    }
    text += stripper.feed(more);
    open = true;
  }
};

// Words of a message under way. They are in no other record until it is whole, and it may never be.
struct Streamed {
  std::string text;
  std::string take() { return text.empty() ? std::string() : std::exchange(text, {}) + "\n"; }
};

class Headless {
 public:
  // The zone a time is told in: by its name, the local one when that is empty. Without it such times are not known.
  using ZoneOf = std::function<Result<Zone>(std::string_view name)>;

  // Goes on from what is known of this run already.
  explicit Headless(std::string format, model::TaskReport known = {}, ZoneOf zone_of = {});

  // Gives the text for output.log. A line is looked at when it is whole.
  std::string feed(std::string_view bytes, WallTime now);
  // The program has ended: what is left is a line as well, and so is what it had said of a message.
  std::string end(WallTime now);
  // Bytes whose text was not given yet: of a line that is not whole, of a message under way, of bytes that are no text.
  size_t held() const { return line_.size() + streaming_ + not_text_.held(); }
  const std::string& line() const { return line_; }

  const model::TaskReport& report() const { return report_; }
  const std::string& session_id() const { return session_id_; }  // empty: not told
  // What the agent said last, alone: a message, not its tools. Empty: nothing, or the program has no records.
  const std::string& last_message() const { return said_.text; }

 private:
  std::string take_line(WallTime now);
  std::string read_line(const std::string& line, WallTime now);
  std::string hear_record(const Json& record, size_t bytes, WallTime now);
  void find_reset(WallTime now);

  std::string format_;
  ZoneOf zone_of_;
  model::TaskReport report_;
  std::string session_id_;
  LastMessage said_;
  std::string line_;
  Streamed streamed_;
  size_t streaming_ = 0;   // bytes since the first of its records
  bool mid_line_ = false;  // what was given of a record last
  NotText not_text_;
  term::Stripper stripper_;
  term::Stripper words_;  // of records: what they quote is nobody's terminal
};

// One record of each program: changes the report, gives what a person would read of it.
struct Heard {
  model::TaskReport& report;
  std::string& session_id;
  LastMessage& said;
  Streamed& streamed;
  WallTime now;
};
std::string hear_claude(const Json& record, Heard heard);
std::string hear_codex(const Json& record, Heard heard);
std::string hear_gemini(const Json& record, Heard heard);
std::string hear_pi(const Json& record, Heard heard);
// What its words say has gone wrong: limit, auth, context, overload, session, model; empty: they do not say.
std::string trouble_in(std::string_view words);

}  // namespace pawl::perceive
