#include "core/live_terminal.h"

#include "term/paint.h"

namespace pawl::core {

Result<term::Terminal> rebuild(const store::Recovered& recovered) {
  term::Terminal terminal(recovered.first_size);
  if (!recovered.keyframe.empty()) {
    // A keyframe of another version cannot be read: the bytes after it still show most of the screen.
    if (auto restored = term::Terminal::restore(recovered.keyframe))
      terminal = std::move(*restored);
  }
  replay(terminal, recovered.steps);
  return terminal;
}

void replay(term::Terminal& terminal, const std::vector<store::Recovered::Step>& steps) {
  for (const auto& step : steps) {
    if (step.size)
      terminal.resize(*step.size);
    else
      terminal.feed(step.bytes);
  }
  terminal.take_answers();  // given long ago
}

LiveTerminal::LiveTerminal(std::string agent, SessionId session, term::Terminal terminal,
                           store::Recording recording)
    : agent_(std::move(agent)),
      session_(session),
      terminal_(std::move(terminal)),
      recording_(std::move(recording)),
      seen_(recording_.end()) {}

Result<LiveTerminal> LiveTerminal::open(const std::string& recordings, const std::string& agent,
                                        SessionId session, Size size, WallTime now,
                                        store::RecordingLimits limits) {
  auto recording = store::Recording::open(recordings, agent, session, size, now, limits);
  if (!recording) return tl::unexpected(recording.error());
  const auto recovered = recording->take_recovered();
  auto terminal = recovered ? rebuild(*recovered) : Result<term::Terminal>(term::Terminal(size));
  if (!terminal) return tl::unexpected(terminal.error());
  LiveTerminal live(agent, session, std::move(*terminal), std::move(*recording));
  // A resize may have reached the program and not the recording.
  if (live.terminal().screen().size() != size) live.resize(now, size);
  return live;
}

std::string LiveTerminal::output(WallTime now, Offset offset, std::string_view bytes) {
  recording_.output(now, offset, bytes);
  if (offset > seen_) return {};
  const uint64_t known = seen_.value - offset.value;
  if (known >= bytes.size()) return {};
  bytes.remove_prefix(known);
  terminal_.feed(bytes);
  seen_.value += bytes.size();
  return terminal_.take_answers();
}

void LiveTerminal::skip_to(WallTime now, Offset offset) {
  if (offset <= seen_) return;
  recording_.skip_to(now, offset, terminal_.serialise());
  seen_ = offset;
}

void LiveTerminal::resize(WallTime now, Size size) {
  terminal_.resize(size);
  recording_.resized(now, size);
}

void LiveTerminal::program_ended(WallTime now, int exit_code) {
  terminal_.process_exited();
  recording_.exited(now, exit_code);
}

Done LiveTerminal::flush(WallTime now) {
  if (recording_.keyframe_due() && recording_.end() == seen_) {
    auto kept =
        recording_.keyframe(now, terminal_.serialise(), term::ansi_text(terminal_.screen()));
    if (!kept) return kept;
  }
  return recording_.flush();
}

}  // namespace pawl::core
