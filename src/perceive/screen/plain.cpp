#include "perceive/screen/plain.h"

#include <algorithm>

#include "base/text.h"
#include "term/utf8.h"

namespace pawl::perceive {
namespace {

bool any(const Matches& matches, const std::vector<int>& patterns) {
  return std::any_of(patterns.begin(), patterns.end(),
                     [&](int one) { return matches.test(static_cast<size_t>(one)); });
}

bool blank_after(const term::Screen& screen, const term::Cursor& cursor) {
  if (!cursor.pending_wrap)
    for (int col = cursor.col; col < screen.size().cols; ++col)
      if (!screen.blank(cursor.row, col)) return false;
  for (int row = cursor.row + 1; row < screen.size().rows; ++row)
    if (!screen.row_text(row).empty()) return false;
  return true;
}

// A row that the next one goes on with ends where the screen does.
std::string whole_row(const term::Screen& screen, int row) {
  return screen.row_text(row) + (screen.blank(row, screen.size().cols - 1) ? " " : "");
}

// The line of text that ends at the cursor, or the one above when the answer has a row of its own.
std::string line_at_cursor(const term::Screen& screen, const term::Cursor& cursor) {
  int row = cursor.row;
  if (trim(screen.row_text(row)).empty() && row > 0 && cursor.col == 0) --row;
  std::string line = screen.row_text(row);
  while (row > 0 && screen.row_wrapped(row - 1)) line.insert(0, whole_row(screen, --row));
  return std::string(trim(line));
}

void add(std::vector<model::Notice>& out, const char* kind, const std::string& row) {
  if (std::any_of(out.begin(), out.end(), [&](const auto& one) { return one.kind == kind; }))
    return;
  model::Notice notice;
  notice.kind = kind;
  notice.text = term::clean_text(trim(row), model::kMaxNoticeBytes);
  out.push_back(std::move(notice));
}

}  // namespace

PlainSight plain_sight(const Profile& generic, const term::Screen& screen) {
  const PlainRules& rules = generic.plain;
  PlainSight out;
  const term::Cursor cursor = screen.cursor();
  if (blank_after(screen, cursor)) {
    const std::string line = line_at_cursor(screen, cursor);
    if (!line.empty() && any(rules.rows.match(line), rules.asks))
      out.question = term::clean_text(line, kQuestionBytes);
  }
  int left = kLastRows;
  for (int row = screen.size().rows - 1; row >= 0 && left > 0; --row) {
    const std::string text = screen.row_text(row);
    if (text.empty()) continue;
    --left;
    const Matches matches = rules.rows.match(text);
    if (any(matches, rules.crashed)) add(out.notices, kCrashText, text);
    if (any(matches, rules.nags)) add(out.notices, kUpgradeNag, text);
  }
  return out;
}

}  // namespace pawl::perceive
