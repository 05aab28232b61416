#pragma once
// Learns the input box of a program nobody described from its first turn, by itself and with the learner of `pawl calibrate`.
// What a person would have named is told by the run: an idle picture stood without a byte; a typed one grew at the cursor, as far
// as the cursor went; a working one came when that text was gone, and kept being written; then the first one came back. Nothing
// less is believed. Owned by the Tracker while the box of no profile fits. Pure.

#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "perceive/learn/learn.h"
#include "term/screen.h"

namespace pawl::perceive {

inline constexpr Duration kStoodStill = std::chrono::seconds{3};  // an idle picture
inline constexpr Duration kWrittenFor = std::chrono::seconds{1};  // a working one
inline constexpr Duration kWritingGap = std::chrono::milliseconds{1500};
inline constexpr int kLeastTyped = 3;    // columns
inline constexpr int kMostMistakes = 3;  // boxes that were taken back, then no more are learnt

class Apprentice {
 public:
  // The screen after something was written.
  void look(MonoTime now, const term::Screen& screen);
  // Nothing is written any more: true when all of a turn was seen, and the learner has something to say.
  bool finished(MonoTime now) const;
  std::optional<MonoTime> wake_at() const;
  // The box, or nothing; either way it begins again.
  std::optional<LearnedBox> learn();
  // It was no box.
  void mistaken() { ++mistakes_; }

 private:
  enum class Step { nothing, idle, typed, working };
  // Text and cursor; colours are not needed.
  struct Picture {
    Size size{};
    std::vector<std::string> rows;
    int row = 0, col = 0;
    bool visible = true;
    std::string left;  // of the cursor
  };
  void refresh(const term::Screen& screen);
  static Still still(Shown shown, const Picture& picture);
  bool grew_at_cursor() const;
  void begin_again();

  Step step_ = Step::nothing;
  int mistakes_ = 0;
  MonoTime looked_{}, working_since_{};
  Picture last_;             // only the rows that changed are read again: this costs at every look
  uint64_t generation_ = 0;  // up to which it was read
  std::optional<Picture> idle_, typed_;
  std::vector<Still> busy_;
};

}  // namespace pawl::perceive
