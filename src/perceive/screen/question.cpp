// What the dialog on a screen asks, and what about.

#include <algorithm>
#include <array>
#include <tuple>

#include "base/text.h"
#include "perceive/screen/sight.h"
#include "term/utf8.h"

namespace pawl::perceive {
namespace {

constexpr int kNearText = 3;       // empty rows between a question and its rows
constexpr int kQuestionRows = 4;   // of a question that wraps
constexpr int kSubjectRows = 200;  // looked through for a dialog's edge, on the screen or above it
constexpr std::array<std::string_view, 3> kSides{"│", "┃", "|"};

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
  return without_bar(std::string(text));
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

bool ends_sentence(const std::string& text) {
  return text.empty() || std::string_view("?:.!").find(text.back()) != std::string_view::npos;
}

// "Go on? (It takes long)": the question, and the rest.
std::pair<std::string, std::string> at_question_mark(const std::string& text) {
  const size_t end = text.find("? ");
  if (end == std::string::npos || end == 0) return {text, {}};
  return {text.substr(0, end + 1), std::string(trim(std::string_view(text).substr(end + 1)))};
}

}  // namespace

std::string without_bar(std::string row) {
  constexpr std::array<std::string_view, 6> kBars{"█", "▓", "▒", "░", "▐", "▕"};
  for (const std::string_view bar : kBars) {
    if (!row.ends_with(bar) || row.size() < bar.size() + 2) continue;
    const std::string_view rest = std::string_view(row).substr(0, row.size() - bar.size());
    if (rest.ends_with("  ")) return std::string(trim(rest));
  }
  return row;
}

// The row that asks: the one its profile names, or one that names the dialog and is not a row itself, or the nearest text above
// the rows. -1: none.
int Eye::question_row(const Menu& menu, int named) const {
  const int first = menu.first >= 0 ? menu.first : named;
  const auto above = [&](int pattern) {
    int row = first - 1;
    while (row >= 0 && !(pattern >= 0 && marks(row).test(static_cast<size_t>(pattern)) &&
                         (menu.rule->where == Region::above || menu.rule->where == Region::next ||
                          in(menu.rule->where, row))))
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
  while (row >= 0 && row > first - 1 - kNearText && drawn_only(inner(text(row)))) --row;
  if (row < 0 || drawn_only(inner(text(row)))) return -1;
  for (int up = row - 1; up >= 0 && row - up < kQuestionRows; --up) {  // where its paragraph begins
    const std::string before = inner(text(up));
    if (drawn_only(before) || ends_sentence(before) || has_any(up, profile_->menu_options)) break;
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

// The first of the rows above this one that stand in its frame, when no upper side of that is to be seen.
int Eye::framed_from(int row) const {
  int first = row;
  for (int up = row - 1; up >= 0; --up) {
    const std::string_view line = trim(text(up));
    const bool side = std::any_of(kSides.begin(), kSides.end(),
                                  [&](std::string_view one) { return line.starts_with(one); });
    if (side) first = up;
    if (line.empty() || (!side && !drawn_only(line))) break;
  }
  return first;
}

// The rows above the screen that are the dialog's, from its edge on; nothing: its edge is not among them.
std::optional<std::vector<std::string>> Eye::scrolled_off(const term::Screen& screen) const {
  if (screen.alternate()) return std::nullopt;
  const term::Scrollback& gone = screen.scrollback();
  std::vector<std::string> out;
  for (size_t up = 1; up <= gone.size() && up <= static_cast<size_t>(kSubjectRows); ++up) {
    const std::string row = plain_row(gone.line(gone.size() - up).text);
    const Matches fits = row.empty() ? Matches{} : profile_->rows.match(row);
    const auto any = [&](const std::vector<int>& patterns) {
      return std::any_of(patterns.begin(), patterns.end(),
                         [&](int p) { return fits.test(static_cast<size_t>(p)); });
    };
    const bool begins = any(profile_->menu_begins);
    if (begins || !any(profile_->menu_edges)) out.insert(out.begin(), row);
    if (begins || any(profile_->menu_edges)) return out;
  }
  return std::nullopt;
}

void Eye::read_question(Menu& menu, int named, const term::Screen& screen) const {
  const int row = question_row(menu, named);
  if (row < 0) return;
  const bool rows = menu.first >= 0 || row != named;
  const int first = menu.first >= 0 ? menu.first : std::max(named, row + 1);
  const int end = question_end(row, first);
  std::vector<std::string> asked, about;
  bool over = false;  // the rest of these rows is what it is about
  for (int at = row; at < end; ++at) {
    const auto goes_on = menu.rule && menu.rule->about >= 0 && !over
                             ? profile_->rows.find(menu.rule->about, text(at))
                             : std::nullopt;
    const size_t cut = goes_on ? goes_on->end : over ? 0 : text(at).size();
    over = over || goes_on;
    std::string asks = inner(text(at).substr(0, cut));
    const std::string rest = inner(text(at).substr(cut));
    if (goes_on && asks.ends_with("·")) asks = trim(asks.substr(0, asks.size() - 2));
    if (!asks.empty()) asked.push_back(asks);
    if (!rest.empty()) about.push_back(rest);
  }
  std::string rest;
  std::tie(menu.question, rest) = at_question_mark(join(asked, " "));
  if (!rest.empty()) about.push_back(rest);
  if (!rows) return;
  read_subject(menu, {row, end, first}, about, screen);
}

// What is drawn between the dialog's edge and its rows, without the question.
void Eye::read_subject(Menu& menu, const Asked& at, std::vector<std::string> about,
                       const term::Screen& screen) const {
  const bool bare = profile_->menu_bare;
  const auto top = edge_above(at.row);
  const int begin = bare ? at.end : top ? *top : framed_from(at.row);
  const auto above = bare || top || begin > 0 ? std::nullopt : scrolled_off(screen);
  menu.whole = true;
  if (above)
    for (const auto& line : *above)
      if (!drawn_only(inner(line))) about.push_back(inner(line));
  for (int row = begin; row < at.first; ++row) {
    const std::string line = inner(text(row));
    if ((row < at.row || row >= at.end) && !drawn_only(line)) {
      about.push_back(line);
      if (row < at.row && !bare && !top && !above) menu.whole = false;
    }
    if (has_any(row, profile_->menu_hidden)) menu.whole = false;
  }
  menu.subject = join(about, "\n");
}

}  // namespace pawl::perceive
