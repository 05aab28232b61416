// Where the input box is: the row of the cursor, the glyphs left of it, the borders around it.

#include <fmt/core.h>

#include <algorithm>
#include <set>

#include "base/text.h"
#include "perceive/learn/learn_parts.h"
#include "perceive/learn/learn_row.h"

namespace pawl::perceive {
namespace {

constexpr int kIdleReach = 3;  // rows down to the lower border of an empty box
constexpr size_t kLeastPlaceholder = 4;
constexpr size_t kMaxPlaceholders = 6;
constexpr int kSlack = 2;  // rows that may come under the box beyond what was seen

// The first row of a box, and what stands left of its text.
struct Found {
  const View* view = nullptr;
  int row = 0;
  std::string lead;    // spaces
  std::string prompt;  // without the spaces after it
  size_t gap = 0;      // those
};

std::string cells(const View& view, int row, int from, int to) {
  std::string out;
  for (int col = from; col < to; ++col) {
    const term::CellView cell = view.terminal.screen().cell(row, col);
    out += cell.text.empty() ? std::string(cell.width == 0 ? "" : " ") : cell.text;
  }
  return plain_row(std::move(out));
}

std::string cells_padded(const View& view, int row, int to) {
  std::string out;
  for (int col = 0; col < to; ++col) {
    const term::CellView cell = view.terminal.screen().cell(row, col);
    out += cell.text.empty() || cell.text == "\xC2\xA0" ? " " : cell.text;
  }
  return out;
}

Found split_prompt(const View& view, int row, const std::string& left) {
  Found found{&view, row, {}, {}, 0};
  const size_t begin = left.find_first_not_of(' ');
  if (begin == std::string::npos) {
    found.lead = left;
    return found;
  }
  const size_t end = left.find_last_not_of(' ') + 1;
  found.lead = left.substr(0, begin);
  found.prompt = left.substr(begin, end - begin);
  found.gap = left.size() - end;
  return found;
}

// The row of the cursor, in every idle sample.
std::vector<Found> by_cursor(const Views& views) {
  std::vector<Found> out;
  for (const View& view : views)
    if (view.shown() == Shown::idle)
      out.push_back(split_prompt(view, view.still->row,
                                 cells_padded(view, view.still->row, view.still->col)));
  // The cursor must follow what is typed: some programs draw one of their own and leave ours where it was.
  for (const View& view : views) {
    if (view.shown() != Shown::typing) continue;
    const bool follows = std::any_of(out.begin(), out.end(), [&](const Found& idle) {
      const bool moved = view.still->col != idle.view->still->col || view.still->row != idle.row;
      const std::string left = cells_padded(view, view.still->row, view.still->col);
      return moved && (view.still->row != idle.row || left.find(idle.prompt) != std::string::npos);
    });
    if (!follows) return {};
  }
  return out;
}

// Without a cursor: the row of a typing sample that begins as an idle row does and goes on.
std::vector<Found> by_text(const Views& views) {
  for (const View& typed : views) {
    if (typed.shown() != Shown::typing) continue;
    for (int row = static_cast<int>(typed.rows.size()) - 1; row >= 0; --row)
      for (const View& idle : views) {
        if (idle.shown() != Shown::idle) continue;
        const std::string& before = idle.row(row);
        const std::string& after = typed.row(row);
        if (before.empty() || border_row(before) || after.size() <= before.size() ||
            !after.starts_with(before) || after[before.size()] != ' ')
          continue;
        std::vector<Found> out;
        for (const View& view : views)
          if (view.shown() == Shown::idle)
            for (int at = static_cast<int>(view.rows.size()) - 1; at >= 0; --at)
              if (view.row(at) == before) {
                out.push_back(split_prompt(view, at, before + " "));
                break;
              }
        return out;
      }
  }
  return {};
}

// Another glyph in the same place while it works: the prompt of another mode.
bool other_mode(const Found& busy, const Found& idle) {
  return busy.lead == idle.lead && busy.gap == idle.gap && !busy.prompt.empty() &&
         characters(busy.prompt).size() == 1 && characters(idle.prompt).size() == 1;
}

std::string prompt_pattern(const Views& views, const std::vector<Found>& found) {
  std::set<std::string> leads, prompts;
  size_t gap = found[0].gap;
  for (const View& view : views) {
    if (view.shown() != Shown::busy) continue;
    const int row = view.still->row;
    const Found busy = split_prompt(view, row, cells_padded(view, row, view.still->col));
    if (other_mode(busy, found[0])) prompts.insert(escaped(busy.prompt));
  }
  for (const Found& one : found) {
    leads.insert(one.lead);
    prompts.insert(escaped(one.prompt));
    gap = std::min(gap, one.gap);
  }
  if (prompts.size() == 1 && prompts.begin()->empty()) return {};
  std::string out = leads.size() == 1 ? "^" + *leads.begin() : "^\\s*";
  out += prompts.size() == 1 ? *prompts.begin()
                             : "(?:" + join({prompts.begin(), prompts.end()}, "|") + ")";
  return out + (gap == 0 ? "" : "(?:" + std::string(gap, ' ') + "|$)");
}

// The patterns of a border that every sample has, in one; empty when one has none.
std::string border_of(const std::vector<Found>& found, bool above) {
  std::set<std::string> patterns;
  for (const Found& one : found) {
    const int reach = above ? 1 : kIdleReach;
    std::string pattern;
    for (int step = 1; step <= reach && pattern.empty(); ++step) {
      const std::string& row = one.view->row(above ? one.row - step : one.row + step);
      if (border_row(row)) pattern = border_pattern(row);
    }
    if (pattern.empty()) return {};
    patterns.insert(pattern);
  }
  return join({patterns.begin(), patterns.end()}, "|");
}

std::string cursor_rule(const Views& views) {
  bool shown = true, hidden_in_dialogs = false;
  for (const View& view : views) {
    if (view.shown() == Shown::dialog)
      hidden_in_dialogs = hidden_in_dialogs || !view.still->visible;
    else
      shown = shown && view.still->visible;
  }
  return shown && hidden_in_dialogs ? "visible" : "inside";
}

std::string common_start(const std::string& a, const std::string& b) {
  std::string out;
  const auto left = characters(a), right = characters(b);
  for (size_t i = 0; i < std::min(left.size(), right.size()) && left[i] == right[i]; ++i)
    out += left[i];
  return std::string(trim(out));
}

}  // namespace

std::optional<LearntBox> learn_box(const Views& views) {
  LearntBox box;
  auto found = by_cursor(views);
  box.cursor = cursor_rule(views);
  if (found.empty()) {
    found = by_text(views);
    box.cursor = "any";
  }
  if (found.empty()) return std::nullopt;
  box.prompt = prompt_pattern(views, found);
  box.above = border_of(found, true);
  box.below = border_of(found, false);
  if (box.prompt.empty() && (box.above.empty() || box.below.empty())) return std::nullopt;
  // Where the cursor says nothing, a prompt alone is also in what was said before.
  if (box.cursor == "any" && box.above.empty() && box.below.empty()) box.footer_rows = 0;
  return box;
}

void learn_rest_of_box(const Views& views, LearntBox& box) {
  int footer = 0;
  std::vector<std::string> texts;
  for (const View& view : views) {
    if (!view.box.there || view.shown() == Shown::dialog) continue;
    int rows = 0;
    for (int row = view.box.last + 1; row < static_cast<int>(view.rows.size()); ++row)
      if (!view.row(row).empty()) ++rows;
    footer = std::max(footer, rows);
    if (view.shown() == Shown::typing) continue;
    const std::string text = strip_frame(
        cells(view, view.box.first, view.box.column, view.terminal.screen().size().cols));
    if (text.size() < kLeastPlaceholder || (view.shown() == Shown::busy && view.box.draft))
      continue;
    bool merged = false;
    for (auto& old : texts)
      if (const auto start = common_start(old, text); start.size() >= kLeastPlaceholder) {
        old = start;
        merged = true;
      }
    if (!merged && texts.size() < kMaxPlaceholders) texts.push_back(text);
  }
  box.footer_rows = footer + kSlack;
  for (const auto& text : texts) {
    const size_t quote = text.find('"');  // examples change
    const bool cut = quote != std::string::npos && quote >= kLeastPlaceholder;
    box.placeholders.push_back(escaped(trim(cut ? text.substr(0, quote) : text)));
  }
}

}  // namespace pawl::perceive
