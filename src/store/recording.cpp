#include "store/recording.h"

#include <fmt/core.h>

#include <algorithm>

#include "base/text.h"
#include "store/part_file.h"
#include "store/recording_pack.h"
#include "store/recording_reader.h"

namespace pawl::store {
namespace {

constexpr size_t kLongestHeader = 64u << 10;
constexpr size_t kPartsKept =
    1000;  // of one agent: each start of a program has at least one, and looks at all

// Cut off in its first line. One that cannot be read is not: there may be a night in it.
bool headless(Disk& disk, const std::string& path) {
  if (disk.file_size(path) > kLongestHeader) return false;
  const auto text = disk.read(path, kLongestHeader);
  return text && text->find('\n') == std::string::npos;
}

// A part that a kill cut off before its keyframe was whole: it has no byte of its own yet.
bool never_begun(Disk& disk, const std::string& path) {
  if (headless(disk, path)) return true;
  const auto end = read_end(disk, path);
  return end && end->damage.empty() && end->recovered.keyframe.empty() &&
         end->recovered.steps.empty();
}

// In place of a terminal that is not kept: it is some, and none that can be restored.
constexpr std::string_view kNotKept = "-";

std::string keyframe_line(double t, Offset at, std::string_view terminal) {
  return term::cast_line(t, 'k', fmt::format("{} {}", at.value, base64(terminal)));
}

}  // namespace

Result<Recording> Recording::open(Disk& disk, const std::string& dir, const std::string& agent,
                                  SessionId session, Size size, WallTime now,
                                  RecordingLimits limits) {
  if (auto made = disk.make_private_dir(dir); !made) return tl::unexpected(made.error());
  Recording recording(disk);
  recording.dir_ = dir;
  recording.agent_ = agent;
  recording.session_ = session;
  recording.size_ = size;
  recording.limits_ = limits;
  for (const auto& part : parts_in(disk, dir))
    if (part.session == session) recording.part_ = part.number;
  while (recording.part_ > 1 && never_begun(disk, part_path(dir, session, recording.part_))) {
    remove_part(disk, part_path(dir, session, recording.part_));
    recording.part_ -= 1;
  }
  const std::string newest = part_path(dir, session, std::max(recording.part_, 1));
  if (recording.part_ > 0) {
    const auto resumed = recording.resume(newest);
    if (resumed) return recording;
    if (recording.part_ > 1 || !headless(disk, newest)) return tl::unexpected(resumed.error());
    recording.part_ = 0;  // begin it anew
  } else if (disk.exists(newest)) {
    return fail("cannot read the folder " + dir);
  }
  if (auto begun = recording.begin_part(now, {}, {}); !begun) return tl::unexpected(begun.error());
  return recording;
}

Done Recording::resume(const std::string& path) {
  if (auto plain = unpack(*disk_, path); !plain) return plain;
  auto found = read_end(*disk_, path);
  if (!found) return tl::unexpected(found.error());
  auto file = disk_->open_append(path);
  if (!file) return tl::unexpected(file.error());
  file_bytes_ = counts_ ? disk_->file_size(path) : found->whole_bytes;
  if (auto cut = (*file)->cut(file_bytes_); !cut) return cut;
  file_ = std::move(*file);
  path_ = path;
  part_start_ = WallTime{Duration{found->header.extra["start_us"].as_int()}};
  last_t_ = found->recovered.last_t;
  end_ = durable_ = found->recovered.end;
  size_ = found->recovered.first_size;
  uint64_t since = 0;
  for (const auto& step : found->recovered.steps) {
    since += step.bytes.size();
    if (step.size) size_ = *step.size;
  }
  last_keyframe_ = Offset{end_.value - since};
  recovered_ = std::move(found->recovered);
  return {};
}

Done Recording::begin_part(WallTime now, std::string_view terminal, std::string_view repaint) {
  const std::string path = part_path(dir_, session_, part_ + 1);
  remove_part(*disk_, path);
  auto file = disk_->open_append(path);
  if (!file) return tl::unexpected(file.error());
  term::CastHeader header;
  header.size = size_;
  header.timestamp = std::chrono::floor<std::chrono::seconds>(now.time_since_epoch()).count();
  header.title = agent_;
  header.extra = Json::object({{"agent", agent_},
                               {"session", session_.value},
                               {"part", part_ + 1},
                               {"offset", end_.value},
                               {"start_us", int64_t{now.time_since_epoch().count()}},
                               {"repaint", !repaint.empty()}});
  std::string text = term::cast_line(header);
  const size_t first = text.size();
  if (!repaint.empty()) text += term::cast_line(0, 'o', repaint);
  if (!terminal.empty()) text += keyframe_line(0, end_, terminal);
  auto written = (*file)->append(std::string_view(text).substr(0, counts_ ? first : text.size()));
  if (written && counts_ && text.size() > first)
    written = (*file)->count(text.size() - first, keyframe_line(0, end_, kNotKept));
  if (!written) {
    disk_->remove_file(path);
    return written;
  }
  file_ = std::move(*file);
  path_ = path;
  finished_ = part_ > 0;
  part_ += 1;
  file_bytes_ = text.size();
  part_start_ = now;
  last_t_ = 0;
  last_keyframe_ = end_;
  drop_old_parts(now);
  return {};
}

double Recording::seconds(WallTime now) {
  const double t = std::chrono::duration<double>(now - part_start_).count();
  last_t_ = std::max(last_t_, t);  // the wall clock may step back; a recording may not
  return last_t_;
}

void Recording::put(std::string_view lines) {
  if (counts_)
    counted_ += lines.size();
  else
    buffer_ += lines;
}

void Recording::output(WallTime now, Offset offset, std::string_view bytes) {
  if (offset > end_ || waiting() > kBufferLimit) return;
  const uint64_t known = end_.value - offset.value;
  if (known >= bytes.size()) return;
  bytes.remove_prefix(known);
  if (counts_)
    counted_ += encoder_.count(seconds(now), bytes);
  else
    buffer_ += encoder_.output(seconds(now), bytes);
  end_.value += bytes.size();
}

void Recording::resized(WallTime now, Size size) {
  if (size == size_) return;
  size_ = size;
  put(encoder_.finish(seconds(now)));
  put(term::cast_line(seconds(now), 'r', fmt::format("{}x{}", size.cols, size.rows)));
}

void Recording::exited(WallTime now, int exit_code) {
  put(encoder_.finish(seconds(now)));
  put(term::cast_line(seconds(now), 'x', std::to_string(exit_code)));
  over_ = true;
}

Done Recording::keyframe(WallTime now, std::string_view terminal, std::string_view repaint) {
  put(encoder_.finish(seconds(now)));
  if (file_bytes_ + waiting() >= limits_.part_bytes) {
    if (auto flushed = flush(); !flushed) return flushed;
    const auto begun = begin_part(now, terminal, repaint);
    part_trouble_ = begun ? std::nullopt : std::optional(begun.error());
    if (begun) return {};
  }
  add_keyframe(now, terminal);
  return {};
}

void Recording::add_keyframe(WallTime now, std::string_view terminal) {
  put(keyframe_line(seconds(now), end_, terminal));
  last_keyframe_ = end_;
}

void Recording::skip_to(WallTime now, Offset offset, std::string_view terminal) {
  if (offset <= end_) return;
  put(encoder_.finish(seconds(now)));
  put(term::cast_line(seconds(now), 'm',
                      fmt::format("{} bytes are missing here", offset.value - end_.value)));
  end_ = offset;
  add_keyframe(now, terminal);
}

// Not kept: the size of the terminal and the offset are what is left of it.
Done Recording::write_lines() {
  if (!counts_) return file_->append(buffer_);
  const Offset end{end_.value - encoder_.waiting()};
  return file_->count(counted_,
                      term::cast_line(last_t_, 'r', fmt::format("{}x{}", size_.cols, size_.rows)) +
                          keyframe_line(last_t_, end, kNotKept));
}

// Something came after the end.
Done Recording::reopen() {
  if (auto plain = unpack(*disk_, path_); !plain) return plain;
  auto file = disk_->open_append(path_);
  if (!file) return tl::unexpected(file.error());
  file_ = std::move(*file);
  return {};
}

Done Recording::flush() {
  if (!file_ && !dirty()) return {};
  if (!file_)
    if (auto opened = reopen(); !opened) return opened;
  if (auto written = write_lines(); !written) {
    // Half a line may be there: take it away, or the next try would follow it.
    if (auto cut = file_->cut(file_bytes_); !cut) return cut;
    return written;
  }
  file_bytes_ += waiting();
  buffer_.clear();
  counted_ = 0;
  durable_ = Offset{end_.value - encoder_.waiting()};
  if (over_ && durable_ == end_) {
    file_.reset();
    finished_ = true;
  }
  return {};
}

void Recording::drop_old_parts(WallTime now) {
  auto parts = parts_in(*disk_, dir_);
  uint64_t total = 0;
  size_t count = 1;  // with the one that is written
  for (auto part = parts.rbegin(); part != parts.rend(); ++part) {
    if (part->path == path_) continue;
    const auto seen = look_at_part(*disk_, part->path);
    if (!seen) continue;
    total += seen->size;
    const double days =
        std::chrono::duration<double, std::ratio<86400>>(now - seen->modified).count();
    if (++count > kPartsKept || total > limits_.agent_bytes || days > limits_.max_age_days)
      remove_part(*disk_, part->path);
  }
}

}  // namespace pawl::store
