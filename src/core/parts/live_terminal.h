#pragma once
// One open terminal as the daemon sees it: the emulator, the recording, and how far each has come.
// Output may come twice (after a reconnect) or be refused by a full disk: offsets make both harmless.

#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "store/recording.h"
#include "term/terminal.h"

namespace pawl::core {

class LiveTerminal {
 public:
  // Goes on where an earlier life of the daemon stopped, when there is a recording of this session.
  static Result<LiveTerminal> open(store::Disk& disk, const std::string& recordings,
                                   const std::string& agent, SessionId session, Size size,
                                   WallTime now, store::RecordingLimits limits);

  // … or without one, when it cannot be opened: its holder keeps everything from `first` on.
  static LiveTerminal unrecorded(const std::string& agent, SessionId session, Size size,
                                 Offset first);
  // It is recorded from now on, with everything that its holder still has: to be asked for from durable().
  Done record(store::Disk& disk, const std::string& recordings, WallTime now,
              store::RecordingLimits limits);

  // Returns what the terminal answers to the program's questions.
  std::string output(WallTime now, Offset offset, std::string_view bytes);
  // How its program counts columns, for what it prints from now on.
  void count(term::Counting counting) { terminal_.count(counting); }
  // The holder has nothing before this offset, and neither have we.
  void skip_to(WallTime now, Offset offset);
  void resize(WallTime now, Size size);
  void program_ended(WallTime now, int exit_code);

  // Recording to disk. True when everything taken so far is safe up to durable().
  Done flush(WallTime now);
  // The holder should send again from durable(): the recording refused something while the disk was full.
  bool behind() const { return recording_ && recording_->end() < seen_; }
  bool dirty() const { return recording_ && (recording_->dirty() || behind()); }
  Offset durable() const { return recording_ ? recording_->durable() : first_; }
  size_t waiting() const {
    return recording_ ? recording_->waiting() : 0;  // bytes of lines not on disk yet
  }
  // The last part of its recording may still grow.
  bool writes() const { return !recording_ || recording_->writing(); }
  // A part was finished since the last call.
  bool take_finished() { return recording_ && recording_->take_finished(); }
  // Why no further part of the recording can be begun; nothing: none has to.
  const std::optional<Error>& part_trouble() const;

  // What a person may want to know of the way it is watched; empty: nothing special.
  void note(std::string text) { note_ = std::move(text); }
  const std::string& note() const { return note_; }

  const std::string& agent() const { return agent_; }
  SessionId session() const { return session_; }
  const term::Terminal& terminal() const { return terminal_; }

 private:
  LiveTerminal(std::string agent, SessionId session, term::Terminal terminal,
               std::optional<store::Recording> recording, Offset seen);

  std::string agent_;
  SessionId session_;
  term::Terminal terminal_;
  std::optional<store::Recording> recording_;
  Offset seen_;        // fed to the emulator
  Offset first_ = {};  // without a recording: what the emulator began with
  Size first_size_ = {};
  std::string note_;
};

// The terminal a recording describes: for `screen` of an agent that has ended.
Result<term::Terminal> rebuild(const store::Recovered& recovered);
// … and goes on with what was recorded after it.
void replay(term::Terminal& terminal, const std::vector<store::Recovered::Step>& steps);

}  // namespace pawl::core
