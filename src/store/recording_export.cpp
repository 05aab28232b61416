#include "store/recording_export.h"

#include <fmt/core.h>

#include <algorithm>

namespace pawl::store {
namespace {

constexpr size_t kLongest = 16u << 20;  // line
constexpr const char* kEmptied =
    "\x1b"
    "c";  // RIS: a terminal as it is when it begins

}  // namespace

Export::Export(Disk& disk, std::vector<Part> parts) : disk_(&disk), parts_(std::move(parts)) {
  if (!parts_.empty()) begin_part();
}

void Export::begin_part() {
  const bool whole = file_.damage().empty();
  if (!whole) damage_ = file_.damage();
  const Part* before = part_ > 0 ? &parts_[part_ - 1] : nullptr;
  const Part& now = parts_[part_];
  goes_on_ = before && whole && before->session == now.session && before->number + 1 == now.number;
  file_ = PartFile(*disk_, now.path);
  at_ = 0;
}

std::optional<std::string> Export::next() {
  while (part_ < parts_.size()) {
    std::string slice = file_.read(at_, kExportSlice);
    size_t end = slice.rfind('\n');
    if (end == std::string::npos && slice.size() == kExportSlice) {
      slice = file_.read(at_, kLongest);
      end = slice.find('\n');
    }
    if (end != std::string::npos) return lines(std::string_view(slice).substr(0, end + 1));
    if (++part_ < parts_.size()) begin_part();
  }
  if (!file_.damage().empty()) damage_ = file_.damage();
  return std::nullopt;
}

std::string Export::lines(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n') + 1);
    out += at_ == 0 ? header(line) : event(line);
    at_ += line.size();
    text.remove_prefix(line.size());
  }
  return out;
}

std::string Export::own_event(char code, std::string_view data) {
  return term::cast_line(last_, code, data);
}

std::string Export::header(std::string_view line) {
  auto header = term::parse_cast_header(line);
  if (!header) {
    if (damage_.empty()) damage_ = file_.path() + " has no header";
    return {};
  }
  const WallTime start{Duration{header->extra["start_us"].as_int()}};
  repaint_ = goes_on_ && header->extra["repaint"].as_bool();
  header->extra = Json();
  if (!written_) {
    written_ = true;
    begin_ = start;
    size_ = header->size;
    return term::cast_line(*header);
  }
  offset_ = std::chrono::duration<double>(start - begin_).count();
  last_ = std::max(last_, offset_);
  if (goes_on_) return {};
  const bool resized = std::exchange(size_, header->size) != header->size;
  return own_event('o', kEmptied) +
         (resized ? own_event('r', fmt::format("{}x{}", size_.cols, size_.rows)) : "");
}

// Most of a line stays as it is: only its time is another one.
std::string Export::event(std::string_view line) {
  const auto head = line_head(line);
  if (!head || !written_) return {};
  if (head->code == 'o' && std::exchange(repaint_, false)) return {};
  if (head->code != 'o' && head->code != 'r' && head->code != 'm') return {};
  if (head->code == 'r')
    if (const auto resize = term::parse_cast_event(line))
      size_ = parse_size(resize->data).value_or(size_);
  last_ = std::max(last_, offset_ + head->t);
  return fmt::format("[{:.6f}", last_) + std::string(line.substr(line.find(',')));
}

}  // namespace pawl::store
