#pragma once
// One line that a person types: a filter, a text to send, a field of a form. A value; it draws nothing.

#include <string>

#include "ui/keys.h"

namespace pawl::ui {

inline constexpr size_t kMaxLine =
    256u << 10;  // as much as a prompt may have; more is left out, and said

class LineEdit {
 public:
  LineEdit() = default;
  explicit LineEdit(std::string text) : text_(std::move(text)), at_(text_.size()) {}

  // False: the key means nothing to a line.
  bool take(const Key& key);
  void set(std::string text);
  const std::string& text() const { return text_; }
  bool cut() const { return cut_; }  // something did not fit
  // The part to show in so many columns, with the cursor's column in it. Line ends show as ⏎.
  struct Shown {
    std::string text;
    int cursor = 0;
  };
  Shown shown(int columns) const;

  bool operator==(const LineEdit&) const = default;

 private:
  void insert(const std::string& text);
  void erase_back();
  void erase_word();
  size_t before(size_t at) const;
  size_t behind(size_t at) const;

  std::string text_;
  size_t at_ = 0;  // the cursor, in bytes
  bool cut_ = false;
};

}  // namespace pawl::ui
