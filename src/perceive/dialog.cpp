// What the rows of a dialog mean, by its profile's table.

#include "perceive/sight.h"
#include "term/utf8.h"

namespace pawl::perceive {
namespace {

// The first row of the table that fits: what is not in it is a question for a person.
model::Cost cost_of(const Profile& profile, const DialogRule* rule, const std::string& text) {
  if (rule)
    for (const DialogRow& row : rule->rows)
      if (profile.rows.find(row.pattern, text)) return row.cost;
  return model::Cost::question;
}

}  // namespace

model::Dialog dialog_of(const Profile& profile, const Menu& menu) {
  model::Dialog out;
  const std::string& named =
      menu.question.empty() && !menu.rows.empty() ? menu.rows[0] : menu.question;
  out.question = term::clean_text(named, model::kMaxDialogBytes);
  out.known = menu.known;
  for (const auto& row : menu.rows) {
    if (out.rows.size() == model::kMaxDialogRows) break;
    const std::string text = term::clean_text(model::row_text(row), model::kMaxDialogBytes);
    out.rows.push_back({text, cost_of(profile, menu.rule, text), {}});
  }
  if (!menu.rule || !out.rows.empty()) return out;
  // Without rows on lines of their own: those that a key chooses.
  for (const DialogRow& row : menu.rule->rows)
    if (!row.keys.empty()) out.rows.push_back({row.means, row.cost, row.keys});
  return out;
}

}  // namespace pawl::perceive
