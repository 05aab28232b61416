#include "sim/world/agents/box.h"

#include <algorithm>

namespace pawl::sim {
namespace {

// U+E100 and on, three bytes each: in no text that anybody types.
constexpr std::string_view kNoteBegins = "\xee\x84";

bool inside_character(char c) {
  return (static_cast<unsigned char>(c) & 0xC0) == 0x80;
}

size_t before(std::string_view text, size_t at) {
  if (at > 0) --at;
  while (at > 0 && inside_character(text[at])) --at;
  return at;
}

size_t after(std::string_view text, size_t at) {
  if (at < text.size()) ++at;
  while (at < text.size() && inside_character(text[at])) ++at;
  return at;
}

}  // namespace

void Box::insert(std::string_view text) {
  text_.insert(cursor_, text.data(), text.size());
  cursor_ += text.size();
}

void Box::insert_note(std::string text, std::string note) {
  if (notes_.size() >= kMostNotes) return insert(text);
  std::string mark(kNoteBegins);
  mark += static_cast<char>(0x80 + notes_.size());
  notes_.push_back({std::move(text), std::move(note)});
  insert(mark);
}

void Box::rub_out() {
  const size_t from = before(text_, cursor_);
  text_.erase(from, cursor_ - from);
  cursor_ = from;
}

void Box::rub_out_line() {
  const size_t line = cursor_ == 0 ? std::string::npos : text_.rfind('\n', cursor_ - 1);
  const size_t from = line == std::string::npos ? 0 : line + 1;
  text_.erase(from, cursor_ - from);
  cursor_ = from;
}

void Box::left() {
  cursor_ = before(text_, cursor_);
}

void Box::right() {
  cursor_ = after(text_, cursor_);
}

void Box::line_end() {
  cursor_ = std::min(text_.find('\n', cursor_), text_.size());
}

void Box::clear() {
  text_.clear();
  notes_.clear();
  cursor_ = 0;
}

std::string Box::expanded(std::string_view text, std::string Note::*as) const {
  if (notes_.empty()) return std::string(text);
  std::string out;
  for (size_t at = 0; at < text.size();) {
    const size_t number = at + kNoteBegins.size();
    const size_t note = number < text.size() && text.compare(at, 2, kNoteBegins) == 0
                            ? static_cast<size_t>(static_cast<unsigned char>(text[number]) - 0x80)
                            : notes_.size();
    if (note >= notes_.size()) {
      out += text[at++];
      continue;
    }
    out += notes_[note].*as;
    at = number + 1;
  }
  return out;
}

std::string Box::shown() const {
  return expanded(text_, &Note::note);
}

size_t Box::shown_cursor() const {
  return expanded(std::string_view(text_).substr(0, cursor_), &Note::note).size();
}

std::string Box::whole() const {
  std::string out = expanded(text_, &Note::text);
  const size_t last = out.find_last_not_of(" \t\n");
  out.resize(last == std::string::npos ? 0 : last + 1);
  return out;
}

}  // namespace pawl::sim
