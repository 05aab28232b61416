#pragma once
// The lines that left the top of the main screen, as text and attribute runs in pages of bytes: a
// line of plain text costs its text and three bytes. The interpreter pushes, `pawl logs` and attach
// read. Hyperlinks and underline colours are not kept.

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "term/style.h"
#include "term/width.h"

namespace pawl::term {

inline constexpr size_t kScrollbackPageBytes = 4096;  // of one page, plus at most one line
inline constexpr size_t kScrollbackBytes =
    4 * 1024 * 1024;  // of all pages; the oldest page goes first

struct StyleRun {
  uint32_t bytes = 0;       // of the text
  uint32_t fg = 0, bg = 0;  // packed as in a cell
  Style style() const;
  bool operator==(const StyleRun&) const = default;
};

struct ScrollbackLine {
  std::string text;
  std::vector<StyleRun> runs;  // together as long as the text; none when all of it is plain
  bool wrapped = false;        // the next line goes on with the same line of text
  bool operator==(const ScrollbackLine&) const = default;
};

class Scrollback {
 public:
  explicit Scrollback(size_t max_lines = 1000) : max_lines_(max_lines) {}

  size_t size() const { return lines_; }
  size_t max_lines() const { return max_lines_; }
  // Lines that ever left the screen, also those gone again. Wrapping anew counts none of them twice.
  uint64_t total() const { return total_; }
  // 0 is the oldest. Empty when there is no such line.
  ScrollbackLine line(size_t number) const;
  std::vector<ScrollbackLine> lines(size_t first, size_t count) const;
  std::string text() const;  // lines joined by \n

  void push(const ScrollbackLine& line);
  // An empty line to fill and push, with the memory of the last one.
  ScrollbackLine& blank();
  void clear();
  // The newest ones, taken out; in order.
  std::vector<ScrollbackLine> take_last(size_t count);
  // All lines wrapped anew for this width (reflow.cpp); the oldest ones go at the limit.
  void rewrap(int cols, Counting counting);
  void set_total(uint64_t total) { total_ = total; }
  size_t bytes() const { return bytes_; }

  bool operator==(const Scrollback& other) const;

 private:
  struct Page {
    std::string bytes;
    size_t lines = 0;
  };
  void drop_oldest();
  template <class Visit>
  void walk(size_t first, size_t count, Visit visit) const;

  size_t max_lines_;
  ScrollbackLine scratch_;
  std::deque<Page> pages_;
  size_t skipped_ = 0;  // lines of the first page that are gone already
  size_t lines_ = 0;
  size_t bytes_ = 0;
  uint64_t total_ = 0;
};

}  // namespace pawl::term
