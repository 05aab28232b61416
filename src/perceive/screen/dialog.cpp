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

constexpr size_t kDigits = 10;  // a tenth row has no key of its own
constexpr const char* kNotAll = "(not all of it is on its screen)";

// Line by line, and clean.
std::string clean_lines(const std::string& text) {
  std::string out;
  for (const auto& line : split(text, '\n')) {
    const std::string clean = term::plain_text(line, line.size());
    if (!clean.empty()) out += (out.empty() ? "" : "\n") + clean;
  }
  return out;
}

bool holds(const std::string& text, const std::string& part) {
  return model::without_space(text).find(model::without_space(part)) != std::string::npos;
}

// How many letters of the one stand in the other, whole lines only.
size_t lines_in(const std::string& text, const std::string& other) {
  const std::string all = model::without_space(other);
  size_t letters = 0;
  for (const auto& line : split(text, '\n'))
    if (const std::string bare = model::without_space(line); all.find(bare) != std::string::npos)
      letters += bare.size();
  return letters;
}

// What the program itself says its dialog is about. It may have said that of several, and of one that is gone: what is drawn tells
// which of them it is. Where nothing is drawn of it, it is the last one.
std::string reported_by(const Evidence& evidence) {
  const std::string drawn = clean_lines(evidence.sight->menu->subject);
  std::vector<std::string> said;
  const Status& status = evidence.status.value;
  if (status.any && status.state == term::ProgramState::blocked)
    said.push_back(clean_lines(status.message));
  for (const Reported& one : evidence.reported)
    if (!drawn.empty() || one.at + kReportedBefore >= evidence.menu.since)
      said.push_back(clean_lines(one.text));
  std::string best;
  size_t most = 0;
  for (const auto& text : said) {
    const size_t fit = drawn.empty() ? 1 : lines_in(drawn, text) + lines_in(text, drawn);
    if (fit == 0 || fit < most || text.empty()) continue;
    most = fit;
    best = text;
  }
  return best;
}

// What is drawn and not said already.
std::string lines_beside(const std::string& drawn, const std::string& told) {
  std::string out;
  for (const auto& line : split(drawn, '\n'))
    if (!holds(told, line)) out += (out.empty() ? "" : "\n") + line;
  return out;
}

}  // namespace

model::Dialog dialog_of(const Profile& profile, const Menu& menu, const std::string& reported) {
  model::Dialog out;
  out.kind = menu.kind;
  out.question = term::plain_text(model::row_text(menu.question), model::kMaxDialogBytes);
  out.known = menu.known;
  out.rows = keyed_rows(profile, menu);
  const bool keyed = !out.rows.empty();
  const bool counted = menu.rule && menu.rule->numbered && menu.rows.size() < kDigits;
  const std::string drawn = clean_lines(menu.subject), told = clean_lines(reported);
  const bool more = !told.empty() && !holds(drawn, told) && !holds(told, out.question);
  // What is reported comes a moment before or after the drawing: it makes a dialog another one only where not all is drawn.
  std::string about = drawn.empty() || (more && !menu.whole) ? told + "\n" + drawn : drawn;
  for (const auto& row : menu.rows) {
    if (keyed) break;
    const std::string text = term::plain_text(model::row_text(row), model::kMaxDialogBytes);
    const DialogRow* known = menu.rule ? table_row(profile, *menu.rule, text) : nullptr;
    if (out.rows.size() < model::kMaxDialogRows)
      out.rows.push_back({text, known ? known->cost : model::Cost::question,
                          counted ? std::to_string(out.rows.size() + 1) : std::string()});
    else
      about += "\n" + text;
  }
  model::identify(out, about);
  if (more)
    out.subject = told + "\n" + (menu.whole ? drawn : lines_beside(drawn, told));
  else if (!menu.whole && !drawn.empty())
    out.subject = kNotAll + ("\n" + drawn);
  else
    out.subject = drawn;
  out.subject = model::without_middle(std::string(trim(out.subject)));
  return out;
}

std::optional<model::Dialog> dialog_in(const Evidence& evidence) {
  if (!evidence.sight->menu) return std::nullopt;
  return dialog_of(*evidence.profile, *evidence.sight->menu, reported_by(evidence));
}

}  // namespace pawl::perceive
