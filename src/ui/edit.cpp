#include "ui/edit.h"

#include <algorithm>
#include <utility>

#include "ui/canvas.h"

namespace pawl::ui {
namespace {

constexpr size_t kShownBytes = 4096;  // around the cursor

bool continues(char byte) {
  return (static_cast<unsigned char>(byte) & 0xC0) == 0x80;
}

std::string one_line(std::string_view text) {
  std::string out;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\r' && i + 1 < text.size() && text[i + 1] == '\n') continue;
    if (text[i] == '\r' || text[i] == '\n')
      out += "⏎";
    else
      out += text[i];
  }
  return out;
}

}  // namespace

size_t LineEdit::before(size_t at) const {
  if (at > 0) --at;
  while (at > 0 && continues(text_[at])) --at;
  return at;
}

size_t LineEdit::behind(size_t at) const {
  if (at < text_.size()) ++at;
  while (at < text_.size() && continues(text_[at])) ++at;
  return at;
}

void LineEdit::set(std::string text) {
  text_ = std::move(text);
  at_ = text_.size();
}

void LineEdit::insert(const std::string& text) {
  if (text_.size() + text.size() > kMaxLine) {
    cut_ = true;
    return;
  }
  text_.insert(at_, text);
  at_ += text.size();
}

void LineEdit::erase_back() {
  const size_t from = before(at_);
  text_.erase(from, at_ - from);
  at_ = from;
}

void LineEdit::erase_word() {
  while (at_ > 0 && text_[at_ - 1] == ' ') erase_back();
  while (at_ > 0 && text_[at_ - 1] != ' ') erase_back();
}

bool LineEdit::take(const Key& key) {
  using Kind = Key::Kind;
  const bool emacs = key.kind == Kind::control;
  if (key.kind == Kind::text || key.kind == Kind::paste)
    insert(key.text);
  else if (key.kind == Kind::backspace)
    erase_back();
  else if (key.kind == Kind::erase)
    text_.erase(at_, behind(at_) - at_);
  else if (key.kind == Kind::left)
    at_ = before(at_);
  else if (key.kind == Kind::right)
    at_ = behind(at_);
  else if (key.kind == Kind::home || (emacs && key.text == "a"))
    at_ = 0;
  else if (key.kind == Kind::end || (emacs && key.text == "e"))
    at_ = text_.size();
  else if (emacs && key.text == "u")
    text_.erase(0, std::exchange(at_, 0));
  else if (emacs && key.text == "w")
    erase_word();
  else
    return false;
  return true;
}

LineEdit::Shown LineEdit::shown(int columns) const {
  size_t from = at_ > kShownBytes ? at_ - kShownBytes : 0;
  while (from < at_ && continues(text_[from])) ++from;
  std::string left = one_line(std::string_view(text_).substr(from, at_ - from));
  const std::string right = one_line(std::string_view(text_).substr(at_, kShownBytes));
  size_t drop = 0;
  while (columns_of(std::string_view(left).substr(drop)) >= columns && drop < left.size()) {
    ++drop;
    while (drop < left.size() && continues(left[drop])) ++drop;
    if (left.size() - drop > static_cast<size_t>(columns) * 4)
      drop = left.size() - static_cast<size_t>(columns) * 4;
  }
  while (drop < left.size() && continues(left[drop])) ++drop;
  left.erase(0, drop);
  return {left + right, columns_of(left)};
}

}  // namespace pawl::ui
