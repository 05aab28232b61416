// The dialog on a screen: which one it is, and its rows. What it asks is question.cpp's.

#include <algorithm>
#include <cctype>

#include "base/text.h"
#include "perceive/screen/sight.h"
#include "term/utf8.h"
#include "term/width.h"

namespace pawl::perceive {
namespace {

constexpr int kNearOption = 3;  // rows from one option of a menu to the next …
constexpr int kFarOption = 8;   // … when that has the next number and stands right under it

bool beside_box(Region where) {
  return where == Region::above || where == Region::next;
}

// A row without the mark that screen readers say for a chosen one.
std::string unmarked(std::string_view row) {
  constexpr std::string_view kChecked = "(checked) ";
  const size_t at = row.find(kChecked);
  std::string out(row);
  if (at != std::string_view::npos && at == row.find_first_not_of(' '))
    out.erase(at, kChecked.size());
  return out;
}

// The number of an option and the column it stands in; 0: it has none.
struct Numbered {
  int number = 0, column = 0;
};

Numbered numbered(std::string_view row) {
  size_t at = 0;
  while (at < row.size() && std::isalnum(static_cast<unsigned char>(row[at])) == 0) ++at;
  Numbered out{0, term::text_width(row.substr(0, at))};
  for (; at < row.size() && std::isdigit(static_cast<unsigned char>(row[at])) != 0; ++at)
    if (out.number < 1000) out.number = 10 * out.number + (row[at] - '0');
  return out;
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
  if (hint && chosen < 0 && pointed < 0) numbered = (chosen = chosen_far_above()) >= 0;
  const int at = chosen >= 0 ? chosen : pointed;
  if (at < 0) return false;
  add_numbered(menu, at);
  numbered = numbered || (chosen >= 0 && menu.rows.size() > 1);
  if (pointed >= 0 && !numbered && menu.rows.size() == 1) add_unnumbered(menu, at);
  return numbered || pointed >= 0;
}

// The chosen row of a menu that fills the screen: above numbered rows without a gap. -1: there is none.
int Eye::chosen_far_above() const {
  int last = -1;
  for (int row = static_cast<int>(rows_.size()) - 1; row >= 0; --row) {
    if (last >= 0 && last - row > kFarOption) return -1;
    if (has_any(row, profile_->menu_chosen)) return last >= 0 ? row : -1;
    if (has_any(row, profile_->menu_options)) last = row;
  }
  return -1;
}

// The chosen row, and the numbered ones that go on from it, up and down: a list further up, or one that is counted otherwise, is only
// text. Of a chosen row without a number, what is numbered near it.
void Eye::add_numbered(Menu& menu, int chosen) const {
  menu.rows = {std::string(trim(unmarked(text(chosen))))};
  menu.chosen = 0;
  menu.first = chosen;
  const Numbered from = numbered(unmarked(text(chosen)));
  const int rows = static_cast<int>(rows_.size());
  for (const int step : {-1, 1}) {
    int wanted = from.number + step, last = chosen;
    for (int row = chosen + step; row >= 0 && row < rows; row += step) {
      const int far = (row - last) * step;
      if (far > kFarOption || (from.number > 0 && wanted < 1)) break;
      if (!has_any(row, profile_->menu_options)) continue;
      const Numbered one = numbered(text(row));
      const bool next = one.number == wanted && std::abs(one.column - from.column) <= 1;
      if (from.number > 0 ? !next : far > kNearOption) continue;
      wanted += step;
      last = row;
      const auto at = step < 0 ? menu.rows.begin() : menu.rows.end();
      menu.rows.insert(at, std::string(trim(text(row))));
      if (step < 0) ++menu.chosen, menu.first = row;
    }
  }
}

// The rows above this one that are numbered from 1 on without a gap. False: there are none.
bool Eye::add_counted(Menu& menu, int under) const {
  int wanted = 0, last = under;
  for (int row = under - 1; row >= 0 && wanted != 1 && last - row <= kFarOption; --row) {
    const int number = numbered(text(row)).number;
    if (number == 0 || (wanted != 0 && number != wanted - 1)) continue;
    menu.rows.insert(menu.rows.begin(), std::string(trim(text(row))));
    menu.first = last = row;
    wanted = number;
  }
  if (wanted != 1) menu.rows.clear(), menu.first = -1;
  return wanted == 1;
}

// A dialog takes the place of the input box: text that quotes one stands above a box. Where a program asks above its box
// all the same, its profile says so.
void Eye::read_menu(const term::Screen& screen) {
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
  // What a person opened is named by its mode, and asks nothing. Buttons are all the rows there are: an arrow above them is text.
  const bool buttons = !keyed_rows(*profile_, menu).empty();
  const bool counted = menu.rule && menu.rule->numbered && add_counted(menu, named);
  const bool shaped =
      !sight_.box.there && !sight_.mode && !buttons && !counted && looks_like_menu(menu);
  if (shaped && !menu.known) named = known_by_rows(menu);
  if (!shaped && !menu.known) return;
  read_question(menu, named, screen);
  for (std::string* said : {&menu.question, &menu.named})
    *said = term::plain_text(*said, said->size());
  for (auto& row : menu.rows) row = without_bar(term::plain_text(row, row.size()));
  sight_.menu = std::move(menu);
}

// A dialog that is so tall that its name stands far above its rows: a rule whose table has every one of them. Gives where it is
// named, -1 when it is not.
int Eye::known_by_rows(Menu& menu) const {
  for (const DialogRule& rule : profile_->dialogs) {
    const bool all = std::all_of(menu.rows.begin(), menu.rows.end(), [&](const std::string& row) {
      const DialogRow* in_table = table_row(*profile_, rule, model::row_text(row));
      return in_table && profile_->choices.text(in_table->pattern) != ".";
    });
    for (int row = menu.first - 1; all && row >= 0; --row) {
      if (!marks(row).test(static_cast<size_t>(rule.pattern))) continue;
      menu.kind = rule.kind;
      menu.named = trim(text(row));
      menu.known = true;
      menu.rule = &rule;
      return row;
    }
  }
  return -1;
}

}  // namespace pawl::perceive
