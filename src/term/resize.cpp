// Another size of the terminal: what becomes of the text, the cursor and the marks.
#include <algorithm>

#include "term/interpreter.h"

namespace pawl::term {

void Interpreter::resize(Size wanted) {
  const Size size = bounded(wanted);
  if (size == s_.size_) return;
  size.cols == s_.size_.cols ? resize_cutting(size) : resize_wrapping(size);
  s_.size_ = size;
  reset_margins();
  const size_t old_tabs = s_.tabs_.size();
  s_.tabs_.resize(size.cols);
  for (size_t c = std::max<size_t>(8, (old_tabs + 7) / 8 * 8); c < s_.tabs_.size(); c += 8)
    s_.tabs_[c] = true;
  for (Screen::Place* place : {&s_.at_, &s_.saved_[0], &s_.saved_[1]}) {
    place->row = std::min<uint16_t>(place->row, static_cast<uint16_t>(size.rows - 1));
    place->col = std::min<uint16_t>(place->col, static_cast<uint16_t>(size.cols - 1));
    place->pending_wrap = place->pending_wrap && place->col == size.cols - 1;
  }
}

// Rows from the top go, as many as keep the cursor on the screen: blank rows below it do not count as content.
void Interpreter::resize_cutting(Size size) {
  for (Grid* grid : {&s_.main_grid_, &s_.alternate_grid_}) {
    if (grid->empty()) continue;
    const bool main = grid == &s_.main_grid_;
    Screen::Place* const place = grid == &s_.grid() ? &s_.at_ : &s_.saved_[main ? 0 : 1];
    const int up = std::max(0, place->row - (size.rows - 1));
    for (int r = 0; r < up && main; ++r) s_.push_line(r);
    if (up > 0) grid->scroll_up(0, s_.size_.rows - 1, up, Cell{}, now());
    grid->resize(size, now());
    place->row = static_cast<uint16_t>(place->row - up);
  }
}

// The main screen's text is wrapped anew, wherever it is; the alternate one is cut: its program draws it again.
void Interpreter::resize_wrapping(Size size) {
  if (s_.alternate_)
    wrap_main(size, s_.saved_[0], nullptr);
  else
    wrap_main(size, s_.at_, &s_.saved_[0]);
  Screen::Place* const alternate = s_.alternate_ ? &s_.at_ : &s_.saved_[1];
  alternate->pending_wrap = false;
  if (s_.alternate_grid_.empty()) return;
  const int up = std::max(0, alternate->row - (size.rows - 1));
  if (up > 0) s_.alternate_grid_.scroll_up(0, s_.size_.rows - 1, up, Cell{}, now());
  s_.alternate_grid_.resize(size, now());
  alternate->row = static_cast<uint16_t>(alternate->row - up);
}

namespace {

enum Followed : size_t { kTop, kCursor, kMark, kSaved };

constexpr size_t kTailLines = 4096;  // of the scrollback, that may come back to the screen at once
constexpr size_t kJoinedLines =
    512;  // of the scrollback, that one line of text may reach up from the screen

// The last rows of text on the screen, with all that belongs to their first one.
std::vector<ScrollbackLine> tail_of(Scrollback& scrollback, size_t rows) {
  const size_t most = std::min(scrollback.size(), rows + kJoinedLines);
  const std::vector<ScrollbackLine> lines = scrollback.lines(scrollback.size() - most, most);
  size_t begin = most - std::min(most, rows);
  while (begin > 0 && lines[begin - 1].wrapped) --begin;
  return scrollback.take_last(most - begin);
}

int last_row_with_text(const Grid& grid) {
  int row = grid.rows() - 1;
  while (row > 0 && std::all_of(grid.row(row), grid.row(row) + grid.used(row),
                                [](const Cell& c) { return c.blank(); }))
    --row;
  return row;
}

// Which of the new rows is the first one on the screen.
size_t first_shown(size_t all, size_t first, size_t cursor, size_t old_count, bool was_full,
                   size_t rows) {
  const size_t count = all - first;
  if (count > rows) return std::max(first, std::min(all - rows, cursor));
  if (!was_full || count >= old_count) return first;
  return first - std::min({first, old_count - count, rows - count});
}

}  // namespace

// All of the main screen that is text, and the rows above it that belong to it.
Reflow Interpreter::wrapped_text(int cols, std::vector<Along>& along) {
  const Grid& grid = s_.main_grid_;
  Reflow reflow(cols);
  const size_t rows_of_one = 1 + static_cast<size_t>(cols) / s_.size_.cols;
  for (const ScrollbackLine& line :
       tail_of(s_.scrollback_, std::min(s_.size_.rows * rows_of_one, kTailLines))) {
    const std::vector<Cell> cells = cells_of(line);
    reflow.add(cells.data(), static_cast<int>(cells.size()), line.wrapped);
  }
  const int last = std::max(along[kCursor].row, last_row_with_text(grid));
  for (int r = 0; r <= last; ++r) {
    for (Along& one : along)
      if (one.row == r) one.number = reflow.follow(one.col, one.behind);
    reflow.add(grid.row(r), grid.used(r), grid.wrapped(r));
  }
  reflow.finish();
  return reflow;
}

// Rows that find no room go up into the scrollback; where lines became fewer on a full screen, as many come back from there.
void Interpreter::wrap_main(Size size, Screen::Place& cursor, Screen::Place* saved) {
  ShellMark& mark = s_.shell_mark_;
  const auto stands = [](const Screen::Place& place) {
    return Along{place.row, place.col, place.pending_wrap, {}};
  };
  std::vector<Along> along{{0, 0, false, {}}, stands(cursor), {mark.row, mark.col, false, {}}};
  if (saved) along.push_back(stands(*saved));
  const size_t old_count =
      static_cast<size_t>(std::max<int>(cursor.row, last_row_with_text(s_.main_grid_))) + 1;
  const uint64_t total = s_.scrollback_.total();
  Reflow reflow = wrapped_text(size.cols, along);
  const std::vector<Reflow::Row>& rows = reflow.rows();
  const auto row_of = [&](size_t who) {
    return static_cast<size_t>(reflow.where(*along[who].number).row);
  };
  const size_t first = row_of(kTop);
  const size_t shown = first_shown(rows.size(), first, row_of(kCursor), old_count,
                                   old_count == s_.size_.rows, size.rows);
  s_.scrollback_.rewrap(size.cols, counting());
  for (size_t r = 0; r < shown; ++r)
    s_.push_cells(rows[r].cells.data(), static_cast<int>(rows[r].cells.size()), rows[r].wrapped);
  const uint64_t left = total + shown - std::min<uint64_t>(total + shown, first);
  s_.scrollback_.set_total(std::max<uint64_t>(left, s_.scrollback_.size()));
  show_rows(size, rows, shown);

  const auto follow = [&](size_t who, uint16_t& row, uint16_t& col) {
    if (!along[who].number) return false;
    const Reflow::Spot spot = reflow.where(*along[who].number);
    row = static_cast<uint16_t>(std::clamp(spot.row - static_cast<int>(shown), 0, size.rows - 1));
    col = static_cast<uint16_t>(spot.col);
    return spot.behind && s_.modes_.autowrap;
  };
  cursor.pending_wrap = follow(kCursor, cursor.row, cursor.col);
  follow(kMark, mark.row, mark.col);
  if (saved) saved->pending_wrap = follow(kSaved, saved->row, saved->col);
}

void Interpreter::show_rows(Size size, const std::vector<Reflow::Row>& rows, size_t first) {
  s_.main_grid_ = Grid(size);
  for (size_t r = first; r < std::min(rows.size(), first + size.rows); ++r) {
    const int to = static_cast<int>(r - first), used = static_cast<int>(rows[r].cells.size());
    std::copy(rows[r].cells.begin(), rows[r].cells.end(), s_.main_grid_.touch(to, used, now()));
    s_.main_grid_.set_wrapped(to, rows[r].wrapped);
  }
  s_.main_grid_.mark_all(now());
}

// A line of the scrollback as cells again. Links and underline colours were not kept.
std::vector<Cell> Interpreter::cells_of(const ScrollbackLine& line) {
  std::vector<Cell> cells;
  size_t run = 0, run_end = line.runs.empty() ? 0 : line.runs[0].bytes;
  for (size_t at = 0; at < line.text.size();) {
    while (run < line.runs.size() && at >= run_end)
      if (++run < line.runs.size()) run_end += line.runs[run].bytes;
    const bool styled = run < line.runs.size();
    const LetterSpan span = next_letter(line.text, at, counting());
    const std::string_view text = std::string_view(line.text).substr(at, span.end - at);
    at = span.end;
    if (span.columns == 0) continue;
    Cell cell{span.first, styled ? line.runs[run].fg : 0, styled ? line.runs[run].bg : 0};
    if (const uint32_t number = span.several ? s_.extras_.cluster(text) : 0) cell.text = number;
    if (span.columns == 2) cell.text |= Cell::kWide;
    cells.push_back(cell);
    if (span.columns == 2) cells.push_back({Cell::kRight, cell.fg, cell.bg});
  }
  return cells;
}

}  // namespace pawl::term
