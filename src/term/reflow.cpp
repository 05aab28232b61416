#include "term/reflow.h"

#include <algorithm>

#include "term/scrollback.h"
#include "term/width.h"

namespace pawl::term {

size_t Reflow::follow(int col, bool behind) {
  followed_.push_back({spots_.size(), line_.size() + static_cast<size_t>(col) + (behind ? 1 : 0)});
  spots_.push_back({});
  return spots_.size() - 1;
}

// A wide character that found no room left an empty column behind, which is no part of the text.
void Reflow::add(const Cell* cells, int used, bool wrapped) {
  if (going_on_ && used > 0 && cells[0].wide() && !line_.empty() && line_.back().character() == 0 &&
      !line_.back().right_half())
    line_.pop_back();
  while (!wrapped && used > 0 && cells[used - 1].blank()) --used;
  line_.insert(line_.end(), cells, cells + used);
  going_on_ = wrapped;
  if (!wrapped) wrap_line();
}

void Reflow::finish() {
  if (!going_on_) return;
  going_on_ = false;
  wrap_line();
  rows_.back().wrapped = true;
}

void Reflow::wrap_line() {
  const size_t first_row = rows_.size();
  std::vector<size_t> starts{0};
  rows_.emplace_back();
  for (size_t i = 0; i < line_.size();) {
    const size_t width = line_[i].wide() ? 2 : 1;
    if (rows_.back().cells.size() + width > static_cast<size_t>(cols_) && i > starts.back()) {
      rows_.back().wrapped = true;
      rows_.emplace_back();
      starts.push_back(i);
    }
    const bool fits = width <= static_cast<size_t>(cols_);
    for (size_t end = i + width; i < end; ++i)
      if (fits) rows_.back().cells.push_back(line_[i]);
    if (!fits) rows_.back().cells.push_back({});  // one column alone shows no wide character
  }
  for (const Followed& one : followed_) spots_[one.number] = spot_of(one.offset, starts, first_row);
  followed_.clear();
  line_.clear();
}

Reflow::Spot Reflow::spot_of(size_t offset, const std::vector<size_t>& starts,
                             size_t first_row) const {
  const auto after = std::upper_bound(starts.begin(), starts.end(), offset);
  const auto row = static_cast<size_t>(after - starts.begin()) - 1;
  const size_t col = offset - starts[row], cols = static_cast<size_t>(cols_);
  const bool behind = offset == line_.size() && col >= cols;
  return {static_cast<int>(first_row + row), static_cast<int>(std::min(col, cols - 1)), behind};
}

namespace {

constexpr size_t kJoinedBytes = 256 * 1024;  // of one line of text that is wrapped anew as a whole

void append_line(ScrollbackLine& to, const ScrollbackLine& line) {
  const auto plain = [](size_t bytes) { return StyleRun{static_cast<uint32_t>(bytes), 0, 0}; };
  if (to.runs.empty() != line.runs.empty() || !to.runs.empty()) {
    if (to.runs.empty() && !to.text.empty()) to.runs.push_back(plain(to.text.size()));
    if (line.runs.empty() && !line.text.empty()) to.runs.push_back(plain(line.text.size()));
    to.runs.insert(to.runs.end(), line.runs.begin(), line.runs.end());
  }
  to.text += line.text;
}

// The next row of it: as much as fits, at least one letter.
size_t row_end(std::string_view text, size_t begin, int cols, Counting counting) {
  int used = 0;
  size_t at = begin;
  while (at < text.size()) {
    const LetterSpan span = next_letter(text, at, counting);
    if (used + span.columns > cols && at > begin) break;
    used += span.columns;
    at = span.end;
  }
  return at;
}

void push_wrapped(const ScrollbackLine& line, bool goes_on, int cols, Counting counting,
                  Scrollback& to) {
  size_t begin = 0, run = 0, used_of_run = 0;
  do {
    const size_t end = row_end(line.text, begin, cols, counting);
    ScrollbackLine& row = to.blank();
    row.text.assign(line.text, begin, end - begin);
    row.wrapped = goes_on || end < line.text.size();
    for (size_t left = end - begin; left > 0 && run < line.runs.size();) {
      const size_t bytes = std::min<size_t>(left, line.runs[run].bytes - used_of_run);
      if (bytes > 0)
        row.runs.push_back({static_cast<uint32_t>(bytes), line.runs[run].fg, line.runs[run].bg});
      left -= bytes, used_of_run += bytes;
      if (used_of_run == line.runs[run].bytes) ++run, used_of_run = 0;
    }
    to.push(row);
    begin = end;
  } while (begin < line.text.size());
}

}  // namespace

void Scrollback::rewrap(int cols, Counting counting) {
  constexpr size_t kBatch = 256;
  Scrollback fresh(max_lines_);
  ScrollbackLine joined;
  bool open = false;
  for (size_t first = 0; first < lines_; first += kBatch) {
    for (const ScrollbackLine& line : lines(first, kBatch)) {
      append_line(joined, line);
      open = line.wrapped && joined.text.size() < kJoinedBytes;
      if (open) continue;
      push_wrapped(joined, line.wrapped, cols, counting, fresh);
      joined = {};
    }
  }
  if (open) push_wrapped(joined, true, cols, counting, fresh);
  fresh.total_ = std::max<uint64_t>(total_, fresh.lines_);
  *this = std::move(fresh);
}

}  // namespace pawl::term
