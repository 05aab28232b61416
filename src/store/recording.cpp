#include "store/recording.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

#include "base/text.h"
#include "os/file.h"
#include "store/recording_reader.h"

namespace pawl::store {
namespace {

constexpr size_t kLongestHeader = 64u << 10;
constexpr size_t kPartsKept =
    1000;  // of one agent: each start of a program has at least one, and looks at all

// A part that a kill cut off before its keyframe was whole: it has no byte of its own yet.
bool never_begun(const std::string& path) {
  if (os::read_slice(path, 0, kLongestHeader).find('\n') == std::string::npos) return true;
  const auto end = read_end(path);
  return end && end->recovered.keyframe.empty() && end->recovered.steps.empty();
}

}  // namespace

Result<Recording> Recording::open(const std::string& dir, const std::string& agent,
                                  SessionId session, Size size, WallTime now,
                                  RecordingLimits limits) {
  if (auto made = os::make_private_dir(dir); !made) return tl::unexpected(made.error());
  Recording recording;
  recording.dir_ = dir;
  recording.agent_ = agent;
  recording.session_ = session;
  recording.size_ = size;
  recording.limits_ = limits;
  for (const auto& part : parts_in(dir))
    if (part.session == session) recording.part_ = part.number;
  while (recording.part_ > 1 && never_begun(part_path(dir, session, recording.part_))) {
    ::unlink(part_path(dir, session, recording.part_).c_str());
    recording.part_ -= 1;
  }
  if (recording.part_ > 0) {
    const auto resumed = recording.resume(part_path(dir, session, recording.part_));
    if (resumed) return recording;
    if (recording.part_ > 1) return tl::unexpected(resumed.error());
    recording.part_ = 0;  // not even a whole header was written: begin it anew
  }
  if (auto begun = recording.begin_part(now, {}, {}); !begun) return tl::unexpected(begun.error());
  return recording;
}

Done Recording::resume(const std::string& path) {
  auto found = read_end(path);
  if (!found) return tl::unexpected(found.error());
  auto fd = os::open_append(path);
  if (!fd) return tl::unexpected(fd.error());
  if (::ftruncate(fd->get(), static_cast<off_t>(found->whole_bytes)) != 0)
    return fail_errno("cannot cut " + path, errno);
  fd_ = std::move(*fd);
  path_ = path;
  file_bytes_ = found->whole_bytes;
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
  ::unlink(path.c_str());
  auto fd = os::open_append(path);
  if (!fd) return tl::unexpected(fd.error());
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
  if (!repaint.empty()) text += term::cast_line(0, 'o', repaint);
  if (!terminal.empty())
    text += term::cast_line(0, 'k', fmt::format("{} {}", end_.value, base64(terminal)));
  if (auto written = os::write_all(fd->get(), text, path); !written) {
    ::unlink(path.c_str());
    return written;
  }
  fd_ = std::move(*fd);
  path_ = path;
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

void Recording::output(WallTime now, Offset offset, std::string_view bytes) {
  if (offset > end_ || buffer_.size() > kBufferLimit) return;
  const uint64_t known = end_.value - offset.value;
  if (known >= bytes.size()) return;
  bytes.remove_prefix(known);
  buffer_ += encoder_.output(seconds(now), bytes);
  end_.value += bytes.size();
}

void Recording::resized(WallTime now, Size size) {
  if (size == size_) return;
  size_ = size;
  buffer_ += encoder_.finish(seconds(now));
  buffer_ += term::cast_line(seconds(now), 'r', fmt::format("{}x{}", size.cols, size.rows));
}

void Recording::exited(WallTime now, int exit_code) {
  buffer_ += encoder_.finish(seconds(now));
  buffer_ += term::cast_line(seconds(now), 'x', std::to_string(exit_code));
}

Done Recording::keyframe(WallTime now, std::string_view terminal, std::string_view repaint) {
  buffer_ += encoder_.finish(seconds(now));
  if (file_bytes_ + buffer_.size() >= limits_.part_bytes) {
    if (auto flushed = flush(); !flushed) return flushed;
    const auto begun = begin_part(now, terminal, repaint);
    part_trouble_ = begun ? std::nullopt : std::optional(begun.error());
    if (begun) return {};
  }
  add_keyframe(now, terminal);
  return {};
}

void Recording::add_keyframe(WallTime now, std::string_view terminal) {
  buffer_ += term::cast_line(seconds(now), 'k', fmt::format("{} {}", end_.value, base64(terminal)));
  last_keyframe_ = end_;
}

void Recording::skip_to(WallTime now, Offset offset, std::string_view terminal) {
  if (offset <= end_) return;
  buffer_ += encoder_.finish(seconds(now));
  buffer_ += term::cast_line(seconds(now), 'm',
                             fmt::format("{} bytes are missing here", offset.value - end_.value));
  end_ = offset;
  add_keyframe(now, terminal);
}

Done Recording::flush() {
  if (auto written = os::write_all(fd_.get(), buffer_, path_); !written) {
    // Half a line may be there: take it away, or the next try would follow it.
    if (::ftruncate(fd_.get(), static_cast<off_t>(file_bytes_)) != 0)
      return fail_errno("cannot cut " + path_, errno);
    return written;
  }
  file_bytes_ += buffer_.size();
  buffer_.clear();
  durable_ = Offset{end_.value - encoder_.waiting()};
  return {};
}

void Recording::drop_old_parts(WallTime now) {
  auto parts = parts_in(dir_);
  uint64_t total = 0;
  size_t count = 1;  // with the one that is written
  for (auto part = parts.rbegin(); part != parts.rend(); ++part) {
    struct stat info {};
    if (part->path == path_ || ::stat(part->path.c_str(), &info) != 0) continue;
    total += static_cast<uint64_t>(info.st_size);
    const auto written = WallTime{std::chrono::seconds{info.st_mtim.tv_sec}};
    const double days = std::chrono::duration<double, std::ratio<86400>>(now - written).count();
    if (++count > kPartsKept || total > limits_.agent_bytes || days > limits_.max_age_days)
      ::unlink(part->path.c_str());
  }
}

}  // namespace pawl::store
