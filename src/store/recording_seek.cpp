#include "store/recording_seek.h"

#include <cstdlib>

namespace pawl::store {
namespace {

constexpr size_t kHeaderBytes = 64u << 10;

struct Head {
  double t = 0;
  char code = 0;
};

// [12.345678, "o", …: the time and the code of a line, without its data.
std::optional<Head> head_of(std::string_view line) {
  const std::string text(line.substr(0, 40));
  if (text.empty() || text[0] != '[') return std::nullopt;
  char* end = nullptr;
  const double t = std::strtod(text.c_str() + 1, &end);
  const std::string_view rest(end);
  if (!rest.starts_with(", \"") || rest.size() < 5 || rest[4] != '"') return std::nullopt;
  return Head{t, rest[3]};
}

std::optional<term::CastHeader> header_of(Disk& disk, const std::string& path, size_t* bytes) {
  const std::string head = disk.read_slice(path, 0, kHeaderBytes);
  const size_t end = head.find('\n');
  if (end == std::string::npos) return std::nullopt;
  auto header = term::parse_cast_header(std::string_view(head).substr(0, end));
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
  const auto header = header_of(disk, path, &bytes);
  return header ? std::optional(start_of(*header)) : std::nullopt;
}

WallTime PartSeek::time_of(double t) const {
  return start_ + std::chrono::round<Duration>(std::chrono::duration<double>(t));
}

// From at_ on; a line that is longer than the slice is read whole. Empty: there is no whole line any more.
std::string_view PartSeek::whole_lines(std::string& buffer, size_t limit) const {
  buffer = disk_->read_slice(path_, at_, limit);
  size_t end = buffer.rfind('\n');
  if (end == std::string::npos && buffer.size() == limit) {
    buffer = disk_->read_slice(path_, at_, kLongestLine);
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
  const auto header = header_of(*disk_, path_, &bytes);
  if (!header)
    return fail(path_ + " cannot be read any more", "old recordings are deleted: try a later time");
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
    const auto head = head_of(line);
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
