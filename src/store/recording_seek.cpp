#include "store/recording_seek.h"

namespace pawl::store {
namespace {

constexpr size_t kHeaderBytes = 64u << 10;

std::optional<term::CastHeader> header_of(std::string_view head, size_t* bytes) {
  const size_t end = head.find('\n');
  if (end == std::string_view::npos) return std::nullopt;
  auto header = term::parse_cast_header(head.substr(0, end));
  if (!header || !header->extra["start_us"].is_integer()) return std::nullopt;
  *bytes = end + 1;
  return *header;
}

WallTime start_of(const term::CastHeader& header) {
  return WallTime{Duration{header.extra["start_us"].as_int()}};
}

template <class Visit>  // false: enough
bool each_line(std::string_view lines, Visit&& visit) {
  for (size_t from = 0; from < lines.size();) {
    const size_t end = lines.find('\n', from);
    if (!visit(lines.substr(from, end - from), from)) return false;
    from = end + 1;
  }
  return true;
}

}  // namespace

std::optional<WallTime> part_begins(Disk& disk, const std::string& path) {
  size_t bytes = 0;
  const auto header = header_of(part_head(disk, path, kHeaderBytes), &bytes);
  return header ? std::optional(start_of(*header)) : std::nullopt;
}

WallTime PartSeek::time_of(double t) const {
  return start_ + std::chrono::round<Duration>(std::chrono::duration<double>(t));
}

// From at_ on; a line that is longer than the slice is read whole. Empty: there is no whole line any more.
std::string_view PartSeek::whole_lines(std::string& buffer, size_t limit) {
  buffer = file_.read(at_, limit);
  size_t end = buffer.rfind('\n');
  if (end == std::string::npos && buffer.size() == limit) {
    buffer = file_.read(at_, kLongestLine);
    end = buffer.find('\n');
  }
  return end == std::string::npos ? std::string_view{}
                                  : std::string_view(buffer).substr(0, end + 1);
}

Result<PartSeek::Piece> PartSeek::next() {
  if (stage_ == Stage::header) return read_header();
  return stage_ == Stage::seek ? seek() : play();
}

Result<PartSeek::Piece> PartSeek::read_header() {
  size_t bytes = 0;
  const auto header = header_of(file_.read(0, kHeaderBytes), &bytes);
  if (!header)
    return fail(file_.path() + " cannot be read any more",
                "old recordings are deleted: try a later time");
  start_ = shown_ = start_of(*header);
  size_ = size_at_keyframe_ = header->size;
  repaint_ = header->extra["repaint"].as_bool();
  at_ = from_ = bytes;
  stage_ = Stage::seek;
  return Piece{};
}

// Times never go back within a part: the first line that is too late ends it.
PartSeek::Piece PartSeek::seek() {
  std::string buffer;
  const std::string_view lines = whole_lines(buffer, kSeekSlice);
  const bool on = each_line(lines, [&](std::string_view line, size_t offset) {
    const auto head = line_head(line);
    if (!head) return true;  // a line somebody edited
    if (time_of(head->t) > until_) return false;
    if (head->code == 'r')
      if (const auto event = term::parse_cast_event(line))
        size_ = parse_size(event->data).value_or(size_);
    if (head->code == 'k') {
      keyframe_ = true;
      from_ = at_ + offset;
      size_at_keyframe_ = size_;
    }
    return true;
  });
  at_ += lines.size();
  if (on && !lines.empty()) return {};
  at_ = from_;
  stage_ = Stage::play;
  repaint_ = repaint_ && !keyframe_;
  return {};
}

PartSeek::Piece PartSeek::play() {
  std::string buffer;
  const std::string_view lines = whole_lines(buffer, kPlaySlice);
  Piece piece;
  piece.first = !std::exchange(begun_, true);
  piece.found.first_size = size_at_keyframe_;
  const bool on = each_line(lines, [&](std::string_view line, size_t) {
    const auto event = term::parse_cast_event(line);
    if (!event) return true;
    if (time_of(event->t) > until_) return false;
    if (std::exchange(repaint_, false)) return true;
    take(piece.found, decoder_, *event);
    if (event->code == 'o' || event->code == 'k') shown_ = time_of(event->t);
    return true;
  });
  at_ += lines.size();
  piece.over = !on || lines.empty();
  return piece;
}

}  // namespace pawl::store
