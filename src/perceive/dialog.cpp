// What the rows of a dialog mean, by its profile's table.

#include "perceive/sight.h"
#include "term/utf8.h"

namespace pawl::perceive {

const DialogRow* table_row(const Profile& profile, const DialogRule& rule,
                           const std::string& text) {
  for (const DialogRow& row : rule.rows)
    if (profile.choices.find(row.pattern, text)) return &row;
  return nullptr;
}

namespace {

// Side by side in the row that names the dialog, each with a key of its own.
std::vector<model::DialogRow> keyed_rows(const Profile& profile, const Menu& menu) {
  std::vector<model::DialogRow> out;
  if (!menu.rule) return out;
  for (const DialogRow& row : menu.rule->rows)
    if (!row.keys.empty() && profile.choices.find(row.pattern, menu.question))
      out.push_back({row.means, row.cost, row.keys});
  return out;
}

}  // namespace

model::Dialog dialog_of(const Profile& profile, const Menu& menu) {
  model::Dialog out;
  const std::string& named =
      menu.question.empty() && !menu.rows.empty() ? menu.rows[0] : menu.question;
  out.question = term::clean_text(model::row_text(named), model::kMaxDialogBytes);
  out.known = menu.known;
  out.rows = keyed_rows(profile, menu);
  if (!out.rows.empty()) return out;
  for (const auto& row : menu.rows) {
    if (out.rows.size() == model::kMaxDialogRows) break;
    const std::string text = term::clean_text(model::row_text(row), model::kMaxDialogBytes);
    const DialogRow* known = menu.rule ? table_row(profile, *menu.rule, text) : nullptr;
    out.rows.push_back({text, known ? known->cost : model::Cost::question, {}});
  }
  return out;
}

}  // namespace pawl::perceive
