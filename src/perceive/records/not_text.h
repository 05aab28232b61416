#pragma once
// What a program prints that is no text (a picture, a core, a file that was mistaken for one) is a word in its output.log:
// "[12 bytes that are not text]". The bytes themselves are in the recording.
//
// A stray one passes, and the terminal's rules hold for it: a letter of another encoding is U+FFFD, a control shows nothing. After a line
// with such bytes the lines that follow and have any, too, are counted together, up to kTogether: a file of any size is a few rows.

#include <cstdint>
#include <string>
#include <string_view>

namespace pawl::perceive {

class NotText {
 public:
  static constexpr size_t kTogether = 1u << 20;  // bytes for one row
  static constexpr size_t kApart = 4;            // as much text between two runs parts them

  // One line, or what there is of one, with marks in the place of what is no text; empty: it is counted, and told later.
  std::string feed(std::string_view line);
  // What is still to be told.
  std::string end();
  size_t held() const { return bytes_; }

 private:
  size_t bytes_ = 0;      // of lines that were held back
  bool follows_ = false;  // the line before had some
};

}  // namespace pawl::perceive
