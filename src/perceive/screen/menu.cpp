// The dialog on a screen: which one it is, its rows, what it asks, and what it asks about.

#include <algorithm>
#include <array>

#include "base/text.h"
#include "perceive/screen/sight.h"
#include "term/utf8.h"
#include "term/width.h"

namespace pawl::perceive {
namespace {

constexpr int kNearOption = 3;     // rows from one option of a menu to the next
constexpr int kWrappedRows = 8;    // … where it wraps: without an empty row, and counting on
constexpr int kQuestionRows = 4;   // of a question that wraps
constexpr int kSubjectRows = 200;  // looked through for a dialog's edge
constexpr std::array<std::string_view, 3> kSides{"│", "┃", "|"};

bool beside_box(Region where) {
  return where == Region::above || where == Region::next;
}

// Without the sides of frames, however many.
std::string inner(std::string_view row) {
  std::string_view text = trim(row);
  for (bool more = true; more && !text.empty();) {
    more = false;
    for (const std::string_view side : kSides) {
      if (text.starts_with(side)) text.remove_prefix(side.size()), more = true;
      if (text.ends_with(side)) text.remove_suffix(side.size()), more = true;
    }
    text = trim(text);
  }
  return std::string(text);
}

// Nothing but lines: the edge of a frame, a separator; or a picture that turns (braille), which is not what is asked.
bool drawn_only(std::string_view text) {
  constexpr std::string_view kBraille[] = {"\xe2\xa0", "\xe2\xa1", "\xe2\xa2", "\xe2\xa3"};
  for (const auto& begin : kBraille)
    if (text.starts_with(begin)) return true;
  term::Utf8Decoder decoder;
  for (const char c : text) {
    if (decoder.take(static_cast<uint8_t>(c)) != term::Utf8Decoder::Step::done) continue;
    const char32_t at = decoder.character();
    if (at != ' ' && (at < 0x2500 || at > 0x259f)) return false;
  }
  return true;
}

// A row to choose, without the mark that screen readers say for a chosen one.
std::string option_text(std::string_view row) {
  constexpr std::string_view kChecked = "(checked) ";
  std::string_view text = trim(row);
  if (text.starts_with(kChecked)) text.remove_prefix(kChecked.size());
  return std::string(text);
}

// The number a row begins with, after what points to it; -1: none.
int number_of(std::string_view row) {
  const size_t at = row.find_first_of("0123456789");
  constexpr size_t kMark = 12;  // bytes of sides, pointer and space
  const size_t blank = row.find_first_not_of(' ');
  if (at == std::string_view::npos || at - blank > kMark) return -1;
  int number = 0;
  for (size_t i = at; i < row.size() && row[i] >= '0' && row[i] <= '9' && number < 1000; ++i)
    number = number * 10 + (row[i] - '0');
  return number;
}

bool ends_sentence(const std::string& text) {
  return text.empty() || std::string_view("?:.!").find(text.back()) != std::string_view::npos;
}

}  // namespace

// The rows next to the chosen one whose text begins where its text does.
void Eye::add_unnumbered(Menu& menu, int chosen) const {
  const auto begins = [&](int row) {
    return term::text_width(text(row)) - term::text_width(trim(text(row)));
  };
  const int pointer = begins(chosen);
  const auto alike = [&](int row) {
    const int shift = begins(row) - pointer;
    return row >= 0 && row < static_cast<int>(rows_.size()) && !text(row).empty() && shift >= 1 &&
           shift <= 3;
  };
  for (int row = chosen - 1; row >= 0 && alike(row); --row) {
    menu.rows.insert(menu.rows.begin(), std::string(trim(text(row))));
    ++menu.chosen;
    menu.first = row;
  }
  for (int row = chosen + 1; row < static_cast<int>(rows_.size()) && alike(row); ++row)
    menu.rows.emplace_back(trim(text(row)));
}

// The shape of a menu no profile knows.
bool Eye::looks_like_menu(Menu& menu) const {
  const bool hint = std::any_of(bottom_.begin(), bottom_.end(),
                                [&](int row) { return has_any(row, profile_->menu_hints); });
  int chosen = -1, pointed = -1;
  bool numbered = false;
  for (const int row : bottom_) {  // from below
    if (hint && pointed < 0 && has_any(row, profile_->menu_pointer)) pointed = row;
    if (!has_any(row, profile_->menu_chosen)) continue;
    if (chosen < 0) chosen = row;
    for (int near = row - kNearOption; near <= row + kNearOption && !numbered; ++near)
      numbered = near != row && has_any(near, profile_->menu_options);
  }
  const int at = chosen >= 0 ? chosen : pointed;
  if (at < 0) return false;
  add_numbered(menu, at);
  numbered = numbered || (chosen >= 0 && menu.rows.size() > 1);
  if (pointed >= 0 && !numbered && menu.rows.size() == 1) add_unnumbered(menu, at);
  return numbered || pointed >= 0;
}

// Whether the lower of two numbered rows is the next of the same menu.
bool Eye::near_option(int upper, int lower) const {
  if (lower - upper <= kNearOption) return true;
  for (int row = upper + 1; row < lower; ++row)
    if (drawn_only(inner(text(row)))) return false;
  return number_of(text(lower)) == number_of(text(upper)) + 1;
}

// The chosen row, and numbered ones not far from it or from each other: a list further up is only text.
void Eye::add_numbered(Menu& menu, int chosen) const {
  const auto option = [&](int row) { return has_any(row, profile_->menu_options); };
  menu.rows = {option_text(text(chosen))};
  menu.chosen = 0;
  menu.first = chosen;
  for (int row = chosen - 1, last = chosen; row >= 0 && last - row <= kWrappedRows; --row) {
    if (!option(row) || !near_option(row, last)) continue;
    menu.rows.insert(menu.rows.begin(), std::string(trim(text(row))));
    ++menu.chosen;
    menu.first = last = row;
  }
  const int rows = static_cast<int>(rows_.size());
  for (int row = chosen + 1, last = chosen; row < rows && row - last <= kWrappedRows; ++row) {
    if (!option(row) || !near_option(last, row)) continue;
    menu.rows.emplace_back(trim(text(row)));
    last = row;
  }
}

// The row that asks: the one its profile names, or one that names the dialog and is not a row itself, or the nearest text above
// the rows. -1: none.
int Eye::question_row(const Menu& menu, int named) const {
  const int first = menu.first >= 0 ? menu.first : named;
  const auto above = [&](int pattern) {
    int row = first - 1;
    while (row >= 0 && !(pattern >= 0 && marks(row).test(static_cast<size_t>(pattern)) &&
                         (beside_box(menu.rule->where) || in(menu.rule->where, row))))
      --row;
    return row;
  };
  if (menu.rule) {
    if (const int row = above(menu.rule->question); row >= 0) return row;
    if (menu.first >= 0 && named >= 0 && named < menu.first) return named;
    if (menu.first >= 0)
      if (const int row = above(menu.rule->pattern); row >= 0) return row;
    if (menu.first < 0 && keyed_rows(*profile_, menu).empty() && !is_row(*profile_, menu))
      return named;
  }
  int row = first - 1;
  while (row >= 0 && row > first - 1 - kNearOption && drawn_only(inner(text(row)))) --row;
  if (row < 0 || drawn_only(inner(text(row)))) return -1;
  for (int up = row - 1; up >= 0 && row - up < kQuestionRows; --up) {  // where its paragraph begins
    const std::string before = inner(text(up));
    if (drawn_only(before) || ends_sentence(before)) break;
    row = up;
  }
  return row;
}

// The row after it: a question that wraps goes on until a sentence ends.
int Eye::question_end(int row, int first) const {
  int end = row + 1;
  while (end < first && end - row < kQuestionRows && !ends_sentence(inner(text(end - 1))) &&
         !drawn_only(inner(text(end))))
    ++end;
  return end;
}

// The first row of the dialog that asks in this one; nothing: no edge of it is to be seen.
std::optional<int> Eye::edge_above(int row) const {
  for (int begin = row; begin > 0 && row - begin < kSubjectRows; --begin)
    if (has_any(begin, profile_->menu_begins) || has_any(begin - 1, profile_->menu_edges))
      return begin;
  return std::nullopt;
}

void Eye::read_question(Menu& menu, int named) const {
  const int row = question_row(menu, named);
  if (row < 0) return;
  const bool rows = menu.first >= 0 || row != named;
  const int first = menu.first >= 0 ? menu.first : std::max(named, row + 1);
  const int end = question_end(row, first);
  std::vector<std::string> asked, about;
  for (int at = row; at < end; ++at) {
    const auto goes_on = menu.rule && menu.rule->about >= 0
                             ? profile_->rows.find(menu.rule->about, text(at))
                             : std::nullopt;
    if (goes_on) about.emplace_back(trim(std::string_view(text(at)).substr(goes_on->end)));
    asked.push_back(inner(text(at)));
  }
  menu.question = join(asked, " ");
  if (!rows) return;
  const auto top = edge_above(row);
  const bool edge = !profile_->menu_bare && top;
  const int begin = top.value_or(row);
  for (int at = edge ? begin : end; at < first; ++at) {
    const std::string line = inner(text(at));
    if ((at < row || at >= end) && !drawn_only(line)) about.push_back(line);
  }
  menu.subject = join(about, "\n");
}

// A dialog takes the place of the input box: text that quotes one stands above a box. Where a program asks above its box
// all the same, its profile says so.
void Eye::read_menu() {
  sight_.menu.reset();
  if (bottom_.empty()) return;
  Menu menu;
  int named = -1;
  for (int row = static_cast<int>(rows_.size()) - 1; row >= 0 && !menu.known; --row)
    for (const DialogRule& rule : profile_->dialogs)
      if (!menu.known && marks(row).test(static_cast<size_t>(rule.pattern)) &&
          in(rule.where, row) && (!sight_.box.there || beside_box(rule.where))) {
        menu.kind = rule.kind;
        menu.named = trim(text(row));
        menu.known = true;
        menu.rule = &rule;
        named = row;
      }
  // What a person opened is named by its mode, and asks nothing.
  const bool shaped = !sight_.box.there && !sight_.mode && looks_like_menu(menu);
  if (!shaped && !menu.known) return;
  read_question(menu, named);
  sight_.menu = std::move(menu);
}

}  // namespace pawl::perceive
