#pragma once
// Terminal output -> plain text for logs: escape sequences, strings and carriage returns are
// removed, nothing is laid out. A stream: a sequence may be cut anywhere between two calls, the
// result is the same.

#include <string>
#include <string_view>

#include "term/parser.h"

namespace pawl::term {

// Keeps printable text, tab and line feed. Bytes that are no UTF-8 become U+FFFD.
// A carriage return is dropped; backspace and all other controls are too. A string that nobody ended (a title, a picture)
// hides the rest of its line and no more: in a log the lines after it are worth more than a string of many lines.
class Stripper {
 public:
  std::string feed(std::string_view bytes);

 private:
  Parser parser_;
};

}  // namespace pawl::term
