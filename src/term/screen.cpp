#include "term/screen.h"

#include <algorithm>

#include "term/utf8.h"

namespace pawl::term {

Size bounded(Size size) {
  return {std::clamp<uint16_t>(size.cols, 1, kMaxCols),
          std::clamp<uint16_t>(size.rows, 1, kMaxRows)};
}

Screen::Screen(Size size, size_t scrollback_lines)
    : size_(bounded(size)),
      main_grid_(size_),
      bottom_(static_cast<uint16_t>(size_.rows - 1)),
      right_(static_cast<uint16_t>(size_.cols - 1)),
      tabs_(size_.cols),
      scrollback_(scrollback_lines) {
  reset_tabs();
  main_grid_.mark_all(generation_);
}

void Screen::reset_tabs() {
  for (size_t c = 0; c < tabs_.size(); ++c) tabs_[c] = c > 0 && c % 8 == 0;
}

std::string Screen::text_of(const Cell& cell) const {
  std::string out;
  if (cell.right_half() || cell.character() == 0) return out;
  if (cell.is_cluster()) return extras_.cluster_text(cell.character());
  append_utf8(out, cell.character());
  return out;
}

char32_t Screen::first_character(const Cell& cell) const {
  if (!cell.is_cluster()) return cell.character() ? cell.character() : U' ';
  Utf8Decoder decoder;
  for (const char byte : extras_.cluster_text(cell.character()))
    if (decoder.take(static_cast<uint8_t>(byte)) == Utf8Decoder::Step::done) break;
  return decoder.character();
}

Style Screen::style_of_cell(const Cell& cell) const {
  Style style = style_of(cell.fg, cell.bg);
  if (const uint32_t number = cell.extra()) {
    style.underline_colour = extras_.at(number).underline_colour;
    if (!extras_.at(number).uri.empty()) style.link = static_cast<uint16_t>(number);
  }
  return style;
}

CellView Screen::cell(int row, int col) const {
  if (row < 0 || col < 0 || row >= size_.rows || col >= size_.cols) return {};
  const Cell& c = grid().row(row)[col];
  return {text_of(c), c.wide() ? 2 : c.right_half() ? 0 : 1, style_of_cell(c)};
}

std::string Screen::cell_text(int row, int col) const {
  if (row < 0 || col < 0 || row >= size_.rows || col >= size_.cols) return {};
  return text_of(grid().row(row)[col]);
}

bool Screen::blank(int row, int col) const {
  if (row < 0 || col < 0 || row >= size_.rows || col >= size_.cols) return true;
  const Cell& cell = grid().row(row)[col];
  if (cell.right_half() || cell.is_cluster()) return false;
  return cell.character() == 0 || cell.character() == U' ' || cell.character() == 0xA0;
}

Style Screen::style(int row, int col) const {
  if (row < 0 || col < 0 || row >= size_.rows || col >= size_.cols) return {};
  return style_of_cell(grid().row(row)[col]);
}

Cursor Screen::cursor() const {
  return {at_.row, at_.col, cursor_visible_, cursor_style_, at_.pending_wrap};
}

std::string Screen::row_text(int row) const {
  std::string out;
  if (row < 0 || row >= size_.rows) return out;
  const Cell* cells = grid().row(row);
  for (int c = 0; c < grid().used(row); ++c) {
    if (cells[c].right_half()) continue;
    if (cells[c].character() == 0)
      out.push_back(' ');
    else if (cells[c].is_cluster())
      out += extras_.cluster_text(cells[c].character());
    else
      append_utf8(out, cells[c].character());
  }
  out.erase(out.find_last_not_of(' ') + 1);
  return out;
}

std::string Screen::text() const {
  std::string out;
  for (int r = 0; r < size_.rows; ++r) {
    if (r > 0) out.push_back('\n');
    out += row_text(r);
  }
  return out;
}

bool Screen::row_wrapped(int row) const {
  return row >= 0 && row < size_.rows && grid().wrapped(row);
}

std::string Screen::link(uint16_t number) const {
  return extras_.has_extra(number) ? extras_.at(number).uri : std::string{};
}

uint64_t Screen::row_generation(int row) const {
  return row >= 0 && row < size_.rows ? grid().changed(row) : 0;
}

std::vector<int> Screen::rows_changed_since(uint64_t generation) const {
  std::vector<int> rows;
  for (int r = 0; r < size_.rows; ++r)
    if (grid().changed(r) > generation) rows.push_back(r);
  return rows;
}

bool Screen::same_cell(const Cell& a, const Cell& b, const Screen& other) const {
  constexpr uint32_t kPlain = Cell::kWidthMask;
  if (a.fg != b.fg || a.bg != b.bg || (a.text & kPlain) != (b.text & kPlain)) return false;
  if (a.is_cluster() || b.is_cluster()) {
    if (text_of(a) != other.text_of(b)) return false;
  } else if (a.character() != b.character()) {
    return false;
  }
  if ((a.extra() | b.extra()) == 0) return true;
  return extras_.at(a.extra()) == other.extras_.at(b.extra());
}

bool Screen::same_cells(const Grid& mine, const Grid& theirs, const Screen& other) const {
  if (mine.size() != theirs.size()) return false;
  for (int r = 0; r < mine.rows(); ++r) {
    if (mine.wrapped(r) != theirs.wrapped(r)) return false;
    const Cell *a = mine.row(r), *b = theirs.row(r);
    for (int c = 0; c < std::max(mine.used(r), theirs.used(r)); ++c)
      if (!same_cell(a[c], b[c], other)) return false;
  }
  return true;
}

bool Screen::operator==(const Screen& o) const {
  return size_ == o.size_ && alternate_ == o.alternate_ && at_ == o.at_ && saved_ == o.saved_ &&
         top_ == o.top_ && bottom_ == o.bottom_ && tabs_ == o.tabs_ &&
         cursor_visible_ == o.cursor_visible_ && cursor_style_ == o.cursor_style_ &&
         modes_ == o.modes_ && kitty_ == o.kitty_ && kitty_flags_ == o.kitty_flags_ &&
         last_printed_ == o.last_printed_ && counting_ == o.counting_ && title_ == o.title_ &&
         icon_title_ == o.icon_title_ && cwd_ == o.cwd_ && title_stack_ == o.title_stack_ &&
         progress_ == o.progress_ && shell_mark_ == o.shell_mark_ &&
         notifications_ == o.notifications_ && clipboard_ == o.clipboard_ && status_ == o.status_ &&
         ignored_ == o.ignored_ && bells_ == o.bells_ && palette_queries_ == o.palette_queries_ &&
         same_level4(o) && same_cells(main_grid_, o.main_grid_, o) &&
         same_cells(alternate_grid_, o.alternate_grid_, o) && scrollback_ == o.scrollback_;
}

bool Screen::same_level4(const Screen& o) const {
  return left_ == o.left_ && right_ == o.right_ && level_ == o.level_ &&
         protection_ == o.protection_ && rectangles_ == o.rectangles_ && cell_ == o.cell_ &&
         colours_ == o.colours_ && saved_modes_ == o.saved_modes_;
}

bool Screen::same_picture(const Screen& o) const {
  const Cursor a = cursor(), b = o.cursor();
  if (size_ != o.size_ || a.row != b.row || a.col != b.col || a.visible != b.visible) return false;
  for (int r = 0; r < size_.rows; ++r) {
    const Cell *x = grid().row(r), *y = o.grid().row(r);
    for (int c = 0; c < std::max(grid().used(r), o.grid().used(r)); ++c)
      if (!looks_same(x[c], y[c], o)) return false;
  }
  return true;
}

// A blank is a space; a link and protection cannot be seen.
bool Screen::looks_same(Cell a, Cell b, const Screen& other) const {
  for (Cell* cell : {&a, &b})
    if (cell->character() == 0 && !cell->right_half()) cell->text |= ' ';
  if (!(extras_.at(a.extra()).underline_colour == other.extras_.at(b.extra()).underline_colour))
    return false;
  for (Cell* cell : {&a, &b}) {
    cell->text &= ~(Cell::kMaxExtra << Cell::kExtraShift);
    cell->bg &= ~Cell::kProtected;
  }
  return same_cell(a, b, other);
}

// Frees the entries that no cell and no pen uses.
void Screen::sweep_extras() {
  std::vector<bool> clusters(extras_.clusters().size()), extras(extras_.extras().size());
  for (const Grid* g : {&main_grid_, &alternate_grid_}) {
    for (int r = 0; r < g->rows(); ++r) {
      const Cell* cells = g->row(r);
      for (int c = 0; c < g->used(r); ++c) {
        if (cells[c].is_cluster()) clusters[cells[c].character() - Cell::kFirstCluster] = true;
        extras[cells[c].extra()] = true;
      }
    }
  }
  extras[at_.pen.extra_number] = true;
  for (const Place& place : saved_) extras[place.pen.extra_number] = true;
  extras_.sweep(clusters, extras);
}

namespace {

// ASCII or blank, one column.
bool simple(const Cell& cell) {
  return cell.character() < 0x80 && !(cell.text & Cell::kWidthMask);
}

}  // namespace

void Screen::push_line(int row) {
  push_cells(main_grid_.row(row), main_grid_.used(row), main_grid_.wrapped(row));
}

void Screen::push_cells(const Cell* cells, int used, bool wrapped) {
  ScrollbackLine& line = scrollback_.blank();
  line.wrapped = wrapped;
  StyleRun run;
  for (int c = 0; c < used;) {
    const Cell& cell = cells[c];
    const uint32_t bg = cell.bg;
    if (cell.fg != run.fg || (bg & ~Cell::kProtected) != run.bg) {
      if (!line.text.empty()) line.runs.push_back(run);
      run = {static_cast<uint32_t>(line.text.size()), cell.fg,
             bg & ~Cell::kProtected};  // starts here, for now
    }
    int end = c;
    while (end < used && simple(cells[end]) && cells[end].fg == run.fg && cells[end].bg == bg)
      ++end;
    if (end > c) {
      const size_t before = line.text.size();
      line.text.resize(before + static_cast<size_t>(end - c));
      char* to = line.text.data() + before;
      for (; c < end; ++c)
        *to++ = cells[c].character() ? static_cast<char>(cells[c].character()) : ' ';
      continue;
    }
    if (cell.is_cluster())
      line.text += extras_.cluster_text(cell.character());
    else if (!cell.right_half())
      append_utf8(line.text, cell.character());
    ++c;
  }
  if (!line.runs.empty() || (run.fg | run.bg) != 0) line.runs.push_back(run);
  for (size_t i = 0; i < line.runs.size(); ++i) {  // from starts to lengths
    const size_t end = i + 1 < line.runs.size() ? line.runs[i + 1].bytes : line.text.size();
    line.runs[i].bytes = static_cast<uint32_t>(end - line.runs[i].bytes);
  }
  scrollback_.push(line);
}

}  // namespace pawl::term
