#include "perceive/screen/sight.h"

#include <algorithm>

#include "base/text.h"
#include "term/width.h"

namespace pawl::perceive {
namespace {

constexpr int kMaxBoxRows = 40;        // of text in an input box
constexpr int kDraftGap = 2;           // empty rows of a draft before the cursor
constexpr int kSmallFrame = 3;         // rows: larger ones may be dialogs
constexpr int kDoneRows = 12;          // above the box, for the end of a turn
constexpr size_t kMaxDraftBytes = 80;  // kept of a draft
constexpr std::string_view kZeroWidthSpace = "\xe2\x80\x8b";  // some draw their cursor with one
constexpr size_t kMaxOverlooked = 32;                         // more are no habit of a program

// Muted text: what programs use for suggestions and placeholders, never for what a person typed.
bool faint(const term::Style& style) {
  if (style.dim) return true;
  const term::Colour& c = style.fg;
  if (c.kind == term::Colour::Kind::indexed)
    return c.value == 8 || (c.value >= 238 && c.value <= 250) || c.value == 103 || c.value == 59 ||
           c.value == 102 || c.value == 145;
  if (c.kind != term::Colour::Kind::rgb) return false;
  const int r = static_cast<int>(c.value >> 16 & 0xff), g = static_cast<int>(c.value >> 8 & 0xff),
            b = static_cast<int>(c.value & 0xff);
  const int high = std::max({r, g, b}), low = std::min({r, g, b});
  return high - low <= 48 && high >= 0x48 && high <= 0xb8;
}

// The upper side of one: under a box it holds something that was opened, and no list of completions.
bool frame_begins(std::string_view row) {
  return trim(row).starts_with("╭─");
}

}  // namespace

std::string plain_row(std::string text) {
  for (size_t at = text.find("\xC2\xA0"); at != std::string::npos; at = text.find("\xC2\xA0", at))
    text.replace(at, 2, " ");
  while (!text.empty() && text.back() == ' ') text.pop_back();
  return text;
}

Eye::Moved Eye::look(const term::Screen& screen) {
  const bool fresh = rows_.size() != screen.size().rows || alternate_ != screen.alternate();
  const Box before = sight_.box;
  bool box_touched = false;
  for (int row = before.first; before.there && row <= before.last && !fresh; ++row)
    box_touched = box_touched || screen.row_generation(row) > generation_;
  const bool was_blank = sight_.blank;
  const std::vector<int> changed = refresh(screen);
  const term::Cursor cursor = screen.cursor();
  const bool cursor_moved =
      cursor.row != cursor_row_ || cursor.col != cursor_col_ || cursor.visible != cursor_visible_;
  cursor_row_ = cursor.row;
  cursor_col_ = cursor.col;
  cursor_visible_ = cursor.visible;
  generation_ = screen.generation();
  alternate_ = screen.alternate();
  if (changed.empty() && !cursor_moved && !fresh) {
    if (box_touched) read_draft(screen, sight_.box);  // colours may have changed
    return {};
  }
  read_box(screen);
  read_signs(screen);
  Moved moved;
  const Box& now = sight_.box;
  for (const int row : changed) {
    const bool in_box = (before.there && row >= before.first && row <= before.last) ||
                        (now.there && row >= now.first && row <= now.last);
    if (in_box)
      moved.box = true;
    else if (now.there && row > now.last)
      moved.below = true;
    else
      moved.above = true;
    if (now.there && row < now.first && row >= now.first - kAboveRows) moved.near = true;
  }
  moved.cleared = fresh || (sight_.blank && !was_blank);
  return moved;
}

std::vector<int> Eye::refresh(const term::Screen& screen) {
  const bool fresh = rows_.size() != screen.size().rows || alternate_ != screen.alternate();
  rows_.resize(screen.size().rows);
  std::vector<int> changed;
  for (int row = 0; row < screen.size().rows; ++row) {
    if (!fresh && screen.row_generation(row) <= generation_) continue;
    Row& kept = rows_[static_cast<size_t>(row)];
    std::string text = plain_row(screen.row_text(row));
    if (text == kept.text) continue;
    kept.marks = text.empty() ? Matches{} : profile_->rows.match(text);
    kept.text = std::move(text);
    changed.push_back(row);
  }
  bottom_.clear();
  for (int row = static_cast<int>(rows_.size()) - 1; row >= 0; --row)
    if (!text(row).empty() && bottom_.size() < static_cast<size_t>(kBottomRows))
      bottom_.push_back(row);
  sight_.blank = bottom_.empty();
  return changed;
}

void Eye::read_box(const term::Screen& screen) {
  sight_.box = {};
  for (const BoxShape& shape : profile_->boxes) {
    for (int row = static_cast<int>(rows_.size()) - 1; row >= 0; --row) {
      Box box;
      if (!box_at(screen, shape, row, box)) continue;
      sight_.box = box;
      read_draft(screen, sight_.box);
      return;
    }
  }
}

bool Eye::box_at(const term::Screen& screen, const BoxShape& shape, int row, Box& box) const {
  const int rows = static_cast<int>(rows_.size());
  const auto has = [&](int r, int pattern) {
    return r >= 0 && r < rows && marks(r).test(static_cast<size_t>(pattern));
  };
  const auto border = [&](int r, int pattern) {
    if (!has(r, pattern) || !shape.widest) return has(r, pattern);
    for (int other = 0; other < rows; ++other)
      if (has(other, pattern) && term::text_width(text(other)) > term::text_width(text(r)))
        return false;
    return true;
  };
  if (shape.prompt >= 0 && !has(row, shape.prompt)) return false;
  if (shape.above >= 0 && !border(row - 1, shape.above)) return false;
  if (shape.prompt < 0 && shape.above >= 0 && border(row, shape.above)) return false;
  box.there = true;
  box.framed = shape.below >= 0;
  box.marked = box.framed || shape.above >= 0;
  box.first = box.last = row;
  if (shape.below >= 0) {
    int end = row + 1;
    while (end < rows && end - row < kMaxBoxRows && !border(end, shape.below)) ++end;
    if (!border(end, shape.below)) return false;
    box.last = end - 1;
  }
  const term::Cursor cursor = screen.cursor();
  if (shape.below < 0) {  // up to an empty row, and to the cursor when somebody sees it
    while (box.last + 1 < rows && box.last - row < kMaxBoxRows && !text(box.last + 1).empty() &&
           !frame_begins(text(box.last + 1)) &&
           !(shape.apart >= 0 && has(box.last + 1, shape.apart)))
      ++box.last;
    if (cursor.visible && cursor.row > box.last && paragraphs(box.last, cursor.row))
      box.last = cursor.row;
  }
  const bool inside = cursor.row >= box.first && cursor.row <= box.last;
  const bool listing =
      shape.cursor == BoxShape::Cursor::inside && !inside && box.framed && completing(row, shape);
  if (shape.cursor != BoxShape::Cursor::any && !inside && !listing) return false;
  box.holds = shape.typed || listing;
  if (shape.cursor == BoxShape::Cursor::visible && !cursor.visible) return false;
  int footer = 0;
  bool panel = false;
  for (int below = box.last + (box.framed ? 2 : 1); below < rows; ++below) {
    if (text(below).empty()) continue;
    panel = panel || (footer == 0 && frame_begins(text(below)));
    ++footer;
  }
  if (footer > shape.footer_rows && (panel || !completing(row, shape))) return false;
  if (profile_->strict && !box.framed && chosen_in_menu(row)) return false;
  if (profile_->strict && box.last - box.first >= kSmallFrame && asks_inside(box)) return false;
  if (shape.prompt >= 0)
    if (const auto span = profile_->rows.find(shape.prompt, text(row))) {
      const auto typed =
          shape.typed ? profile_->rows.capture(shape.prompt, text(row)) : std::nullopt;
      const size_t end = span->end - typed.value_or("").size();
      box.column = term::text_width(std::string_view(text(row)).substr(0, end));
    }
  return true;
}

// What a draft of several paragraphs looks like from the end of the first to the cursor: rows that are set in, empty ones
// between them.
bool Eye::paragraphs(int last, int cursor) const {
  if (cursor - last > kMaxBoxRows) return false;
  int gap = 0;
  for (int row = last + 1; row <= cursor; ++row) {
    gap = text(row).empty() ? gap + 1 : 0;
    if (gap > kDraftGap || (gap == 0 && text(row)[0] != ' ')) return false;
  }
  return true;
}

// "/…" and "@…" open a list under the box.
bool Eye::completing(int row, const BoxShape& shape) const {
  std::string_view rest = text(row);
  if (shape.prompt >= 0)
    if (const auto span = profile_->rows.find(shape.prompt, rest)) rest.remove_prefix(span->end);
  rest = trim(rest);
  return !rest.empty() && (rest[0] == '/' || rest[0] == '@');
}

// The pointer of a menu is not the pointer of a box: it has a number behind it, or words of menus under it.
bool Eye::chosen_in_menu(int row) const {
  if (has_any(row, profile_->menu_chosen)) return true;
  return has_any(row, profile_->menu_pointer) &&
         std::any_of(bottom_.begin(), bottom_.end(),
                     [&](int at) { return at > row && has_any(at, profile_->menu_hints); });
}

// A frame with a question or a menu in it is no input box.
bool Eye::asks_inside(const Box& box) const {
  for (int row = box.first; row <= box.last; ++row) {
    if (has_any(row, profile_->menu_chosen) || has_any(row, profile_->menu_pointer)) return true;
    for (const DialogRule& rule : profile_->dialogs)
      if (marks(row).test(static_cast<size_t>(rule.pattern))) return true;
  }
  return false;
}

void Eye::read_draft(const term::Screen& screen, Box& box) const {
  box.draft = false;
  box.typed = 0;
  box.text.clear();
  const term::Cursor cursor = screen.cursor();
  bool any = false, solid = false, space = false, drawn_at_start = false;
  for (int row = box.first; row <= box.last; ++row) {
    const int begin = row == box.first ? box.column : 0;
    for (int col = begin; col < screen.size().cols; ++col) {
      const term::CellView cell = screen.cell(row, col);
      const bool under_cursor = row == box.first && col <= begin + 1 && cell.style.reverse;
      drawn_at_start = drawn_at_start || (under_cursor && !cursor.visible);
      if (cell.text.empty() || cell.text == " " || cell.text == "\xC2\xA0") {
        space = space || (any && cell.width != 0);
        continue;
      }
      if (border(cell.text)) continue;
      any = true;
      if (!under_cursor && !faint(cell.style)) {
        solid = true;
        box.typed += cell.text.ends_with(kZeroWidthSpace) ? 0 : cell.text.size() + (space ? 1 : 0);
      }
      if (box.text.size() < kMaxDraftBytes) box.text += (space ? " " : "") + cell.text;
      space = false;
    }
  }
  if (!any) return;
  const bool at_start = drawn_at_start || cursor.row < box.first || cursor.row > box.last ||
                        (cursor.row == box.first && cursor.col <= box.column + 1);
  box.draft = solid || !at_start || box.holds;
  if (!box.draft) return;
  for (const int pattern : profile_->placeholders)
    if (at_start && profile_->rows.find(pattern, text(box.first))) box.draft = false;
}

bool Eye::in(Region region, int row) const {
  const Box& box = sight_.box;
  switch (region) {
    case Region::screen:
      return true;
    case Region::last:
      return !bottom_.empty() && row == bottom_.front();
    case Region::box:
      return box.there && row >= box.first && row <= box.last;
    case Region::prompt:
      return box.there && row == box.first;
    case Region::below:
      return box.there && row > box.last;
    case Region::above:
      return box.there && row < box.first && row >= above_from_;
    case Region::next:
      return box.there && !box.draft && row == next_above();
    case Region::bottom:
      break;
  }
  return !bottom_.empty() && row >= bottom_.back();
}

int Eye::next_above() const {
  int row = sight_.box.first - (sight_.box.framed ? 2 : 1);  // a frame has two sides
  while (row >= 0 && text(row).empty()) --row;
  return row;
}

std::optional<Seen> Eye::find(const std::vector<Sign>& signs) const {
  for (const Sign& sign : signs)
    for (int row = static_cast<int>(rows_.size()) - 1; row >= 0; --row)
      if (marks(row).test(static_cast<size_t>(sign.pattern)) && in(sign.where, row) &&
          !overlooked(row))
        return Seen{&sign, row, std::string(trim(text(row)))};
  return std::nullopt;
}

std::vector<size_t> Eye::rows_above() const {
  std::vector<size_t> out;
  for (int row = 0; row < sight_.box.first && row < static_cast<int>(rows_.size()); ++row)
    if (const auto line = trim(text(row)); !line.empty())
      out.push_back(std::hash<std::string_view>{}(line));
  std::sort(out.begin(), out.end());
  return out;
}

bool Eye::overlooked(int row) const {
  return !overlooked_.empty() && overlooked_.contains(std::string(trim(text(row))));
}

bool Eye::overlook(const std::string& text) {
  if (overlooked_.size() >= kMaxOverlooked) return false;
  overlooked_.insert(text);
  sight_.busy = find(profile_->busy);
  return true;
}

void Eye::look_again() {
  overlooked_.clear();
  sight_.busy = find(profile_->busy);
}

int Eye::counted_behind() const {
  const auto seen = find(profile_->behind);
  if (!seen) return 0;
  const auto count = profile_->rows.capture(seen->sign->pattern, seen->text);
  constexpr long kMost = 999;  // whatever it draws
  return static_cast<int>(
      std::clamp(std::strtol(count.value_or("1").c_str(), nullptr, 10), 1L, kMost));
}

void Eye::read_signs(const term::Screen& screen) {
  above_from_ = sight_.box.first;
  for (int rows = 0; above_from_ > 0 && rows < kAboveRows;
       rows += text(above_from_).empty() ? 0 : 1)
    --above_from_;
  sight_.busy = find(profile_->busy);
  sight_.background = find(profile_->background);
  sight_.behind = counted_behind();
  sight_.suspended = find(profile_->suspended);
  sight_.start = find(profile_->start.signs);
  sight_.listens = find(profile_->start.listens);
  sight_.done = find_done();
  sight_.mode = find_mode();
  read_menu(screen);
  read_shell(screen);
  read_notices();
}

const ModeRule* Eye::find_mode() {
  for (const ModeRule& rule : profile_->modes) {
    if (rule.pattern < 0 || (rule.boxless && sight_.box.there)) continue;
    bool there = false;
    for (int row = 0; row < static_cast<int>(rows_.size()) && !there; ++row)
      there = marks(row).test(static_cast<size_t>(rule.pattern)) && in(rule.where, row);
    if (there && rule.absent) met_.insert(&rule);
    if (rule.absent ? sight_.box.there && !there && met_.contains(&rule) : there) return &rule;
  }
  return nullptr;
}

// The end of a turn is told below the last prompt, or not at all.
std::optional<Seen> Eye::find_done() const {
  if (!sight_.box.there || profile_->done.empty()) return std::nullopt;
  int rows_with_text = 0;
  for (int row = sight_.box.first - 1; row >= 0 && rows_with_text < kDoneRows; --row) {
    if (text(row).empty()) continue;
    ++rows_with_text;
    for (const BoxShape& shape : profile_->boxes)
      if (shape.prompt >= 0 && marks(row).test(static_cast<size_t>(shape.prompt)))
        return std::nullopt;
    for (const Sign& sign : profile_->done)
      if (marks(row).test(static_cast<size_t>(sign.pattern)))
        return Seen{&sign, row, std::string(trim(text(row)))};
  }
  return std::nullopt;
}

bool Eye::has_any(int row, const std::vector<int>& patterns) const {
  return row >= 0 && row < static_cast<int>(rows_.size()) &&
         std::any_of(patterns.begin(), patterns.end(),
                     [&](int p) { return marks(row).test(static_cast<size_t>(p)); });
}

void Eye::read_shell(const term::Screen& screen) {
  sight_.shell.clear();
  if (cursor_row_ < 0) return;
  const Box& box = sight_.box;
  if (box.there && box.marked && cursor_row_ >= box.first && cursor_row_ <= box.last) return;
  std::string left;
  for (int col = 0; col < cursor_col_; ++col) {
    const term::CellView cell = screen.cell(cursor_row_, col);
    left += cell.text.empty() ? " " : cell.text;
  }
  for (const int pattern : profile_->shells)
    if (profile_->rows.find(pattern, left)) sight_.shell = left;
}

}  // namespace pawl::perceive
