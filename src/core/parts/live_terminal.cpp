#include "core/parts/live_terminal.h"

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
                           std::optional<store::Recording> recording, Offset seen)
    : agent_(std::move(agent)),
      session_(session),
      terminal_(std::move(terminal)),
      recording_(std::move(recording)),
      seen_(seen) {}

Result<LiveTerminal> LiveTerminal::open(store::Disk& disk, const std::string& recordings,
                                        const std::string& agent, SessionId session, Size size,
                                        WallTime now, store::RecordingLimits limits) {
  auto recording = store::Recording::open(disk, recordings, agent, session, size, now, limits);
  if (!recording) return tl::unexpected(recording.error());
  const auto recovered = recording->take_recovered();
  auto terminal = recovered ? rebuild(*recovered) : Result<term::Terminal>(term::Terminal(size));
  if (!terminal) return tl::unexpected(terminal.error());
  const Offset end = recording->end();
  LiveTerminal live(agent, session, std::move(*terminal), std::move(*recording), end);
  // A resize may have reached the program and not the recording.
  if (live.terminal().screen().size() != size) live.resize(now, size);
  return live;
}

LiveTerminal LiveTerminal::unrecorded(const std::string& agent, SessionId session, Size size,
                                      Offset first) {
  LiveTerminal live(agent, session, term::Terminal(size), std::nullopt, first);
  live.first_ = first;
  live.first_size_ = size;
  return live;
}

Done LiveTerminal::record(store::Disk& disk, const std::string& recordings, WallTime now,
                          store::RecordingLimits limits) {
  auto recording =
      store::Recording::open(disk, recordings, agent_, session_, first_size_, now, limits);
  if (!recording) return tl::unexpected(recording.error());
  (void)recording->take_recovered();
  // Its emulator was empty at `first_`, as one that is rebuilt from there has to be.
  recording->skip_to(now, first_, term::Terminal(first_size_).serialise());
  recording->resized(now, terminal_.screen().size());
  recording_ = std::move(*recording);
  return {};
}

const std::optional<Error>& LiveTerminal::part_trouble() const {
  static const std::optional<Error> none;
  return recording_ ? recording_->part_trouble() : none;
}

std::string LiveTerminal::output(WallTime now, Offset offset, std::string_view bytes) {
  if (recording_) recording_->output(now, offset, bytes);
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
  if (recording_) recording_->skip_to(now, offset, terminal_.serialise());
  seen_ = offset;
}

void LiveTerminal::resize(WallTime now, Size size) {
  terminal_.resize(size);
  if (recording_) recording_->resized(now, size);
}

void LiveTerminal::program_ended(WallTime now, int exit_code) {
  terminal_.process_exited();
  if (recording_) recording_->exited(now, exit_code);
}

Done LiveTerminal::flush(WallTime now) {
  if (!recording_) return {};
  if (recording_->keyframe_due() && recording_->end() == seen_) {
    auto kept =
        recording_->keyframe(now, terminal_.serialise(), term::ansi_text(terminal_.screen()));
    if (!kept) return kept;
  }
  return recording_->flush();
}

}  // namespace pawl::core
