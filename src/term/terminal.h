#pragma once
// Parser and screen in one: bytes of a program in, a Screen and answers out. Pure: no clock, no
// descriptor, no global.
//
//   Terminal terminal({80, 24});
//   terminal.feed(bytes);                       // any chunking of the same bytes gives the same
//   result write_to_program(terminal.take_answers());  // own terminals only; an adopted pane has
//   its own terminal terminal.screen().text();
//
// Hostile bytes are ignored and counted (Screen::ignored), never an error. Limits stand beside what
// they limit.

#include <string>
#include <string_view>

#include "base/result.h"
#include "base/units.h"
#include "term/parser.h"
#include "term/screen.h"

namespace pawl::term {

inline constexpr size_t kMaxAnswerBytes = 4096;  // not yet taken; further answers are dropped whole
inline constexpr size_t kMaxScrollbackLines = 100000;  // larger options mean this one

struct Options {
  bool answers = true;  // our own terminals answer queries; adopted ones stay silent
  size_t scrollback_lines = 1000;
  bool operator==(const Options&) const = default;
};

class Terminal {
 public:
  explicit Terminal(Size size, Options options = {});

  void feed(std::string_view bytes);
  // Rows that no longer fit leave at the top, into the scrollback. Another width wraps the main screen's lines anew (reflow.h); on the
  // alternate one columns at the right are lost.
  void resize(Size size);
  // Whose terminal answers for colours and pixels from now on (attach knows it).
  void person(const Person& person);
  // How its program counts the columns of a text, from now on; mode 2027 goes before it.
  void count(Counting counting);
  // The program is gone: its working and blocked status records are dropped.
  void process_exited();
  std::string take_answers();

  const Screen& screen() const { return screen_; }
  const Options& options() const { return options_; }

  // Complete, also in the middle of a sequence or a character. Without the scrollback it is a few
  // KiB.
  std::string serialise(bool with_scrollback = true) const;
  static Result<Terminal> restore(std::string_view bytes);

  bool operator==(const Terminal&) const = default;

 private:
  Options options_;
  Parser parser_;
  Screen screen_;
  std::string answers_;
};

}  // namespace pawl::term
