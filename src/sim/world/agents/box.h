#pragma once
// The text in a modelled program's input box, and where its cursor is. Long pastes stand in it as a note of their size and are
// sent whole. Used by Program; knows nothing of pictures and of what Enter means.

#include <string>
#include <string_view>
#include <vector>

namespace pawl::sim {

class Box {
 public:
  void insert(std::string_view text);
  // Sent as `text`, shown as `note`. At most kMostNotes; a further one is inserted as it is.
  void insert_note(std::string text, std::string note);
  void rub_out();       // the character left of the cursor
  void rub_out_line();  // everything left of the cursor on its line
  void left();
  void right();
  void line_end();
  void clear();

  bool empty() const { return text_.empty(); }
  std::string shown() const;    // with notes in place of long pastes
  size_t shown_cursor() const;  // a byte of shown()
  std::string whole() const;    // what is sent; blanks at its end left out
  bool notes() const { return !notes_.empty(); }

 private:
  struct Note {
    std::string text, note;
  };
  std::string expanded(std::string_view text, std::string Note::*as) const;

  std::string text_;  // each note is one private character in it
  size_t cursor_ = 0;
  std::vector<Note> notes_;
};
inline constexpr size_t kMostNotes = 64;

}  // namespace pawl::sim
