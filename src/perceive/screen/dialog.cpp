// What the rows of a dialog mean, by its profile's table.

#include "base/text.h"
#include "perceive/evidence.h"
#include "term/utf8.h"

namespace pawl::perceive {

const DialogRow* table_row(const Profile& profile, const DialogRule& rule,
                           const std::string& text) {
  for (const DialogRow& row : rule.rows)
    if (profile.choices.find(row.pattern, text)) return &row;
  return nullptr;
}

std::vector<model::DialogRow> keyed_rows(const Profile& profile, const Menu& menu) {
  std::vector<model::DialogRow> out;
  if (!menu.rule) return out;
  for (const DialogRow& row : menu.rule->rows)
    if (!row.keys.empty() && profile.choices.find(row.pattern, menu.named))
      out.push_back({row.means, row.cost, row.keys});
  return out;
}

bool is_row(const Profile& profile, const Menu& menu) {
  if (!menu.rule) return false;
  const DialogRow* row = table_row(profile, *menu.rule, model::row_text(menu.named));
  return row && profile.choices.text(row->pattern) != ".";  // that one fits everything
}

namespace {

constexpr Duration kHookBefore = std::chrono::seconds{3};  // a hook speaks, then it is drawn

// Line by line: clean, and not too much of it.
std::string clean_lines(const std::string& text) {
  std::string out;
  for (const auto& line : split(text, '\n')) {
    if (out.size() >= model::kMaxSubjectBytes) break;
    const std::string clean = term::plain_text(line, model::kMaxSubjectBytes - out.size());
    if (!clean.empty()) out += (out.empty() ? "" : "\n") + clean;
  }
  return out;
}

// What the program itself says its dialog is about: by a hook that is not older than the dialog, or in its terminal.
std::string reported_by(const Evidence& evidence) {
  const Word& hook = evidence.hook.value;
  const bool fresh = evidence.hook.heard + kHookBefore >= evidence.menu.since;
  if (hook.told == Told::waiting && !hook.subject.empty() && fresh) return hook.subject;
  const Status& status = evidence.status.value;
  const bool blocked = status.any && status.state == term::ProgramState::blocked;
  return blocked ? status.message : std::string();
}

bool holds(const std::string& text, const std::string& part) {
  return model::without_space(text).find(model::without_space(part)) != std::string::npos;
}

}  // namespace

model::Dialog dialog_of(const Profile& profile, const Menu& menu, const std::string& reported) {
  model::Dialog out;
  out.kind = menu.kind;
  out.question = term::clean_text(model::row_text(menu.question), model::kMaxDialogBytes);
  out.known = menu.known;
  out.rows = keyed_rows(profile, menu);
  const bool keyed = !out.rows.empty();
  for (const auto& row : menu.rows) {
    if (keyed || out.rows.size() == model::kMaxDialogRows) break;
    const std::string text = term::clean_text(model::row_text(row), model::kMaxDialogBytes);
    const DialogRow* known = menu.rule ? table_row(profile, *menu.rule, text) : nullptr;
    out.rows.push_back({text, known ? known->cost : model::Cost::question, {}});
  }
  const std::string drawn = clean_lines(menu.subject), told = clean_lines(reported);
  // What is reported comes a moment before or after the drawing: it makes a dialog another one only where nothing is drawn.
  model::identify(out, drawn.empty() ? told : drawn);
  const bool more = !told.empty() && !holds(drawn, told) && !holds(told, out.question);
  out.subject = more ? clean_lines(told + "\n" + drawn) : drawn;
  return out;
}

std::optional<model::Dialog> dialog_in(const Evidence& evidence) {
  if (!evidence.sight->menu) return std::nullopt;
  return dialog_of(*evidence.profile, *evidence.sight->menu, reported_by(evidence));
}

}  // namespace pawl::perceive
