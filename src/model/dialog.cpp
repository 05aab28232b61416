#include "model/dialog.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cctype>

#include "base/sha256.h"
#include "base/text.h"

namespace pawl::model {
namespace {

constexpr std::array<std::string_view, 7> kCosts{"free",  "allow",    "deny",    "permission",
                                                 "money", "destroys", "question"};

constexpr size_t kIdDigits = 16;

// How rows begin that let something happen, in dialogs nobody described.
constexpr std::array<std::string_view, 17> kPermitting{
    "accept", "allow", "always", "apply",   "approve", "authorize", "confirm", "continue", "enable",
    "grant",  "ok",    "okay",   "proceed", "run",     "sure",      "trust",   "yes"};

constexpr std::array<std::string_view, 3> kSides{"│", "┃", "|"};  // of a frame

std::vector<std::string> texts_of(const Dialog& dialog) {
  std::vector<std::string> texts;
  for (const auto& row : dialog.rows) texts.push_back(row.text);
  return texts;
}

// Where the first letter or digit is. What is no ASCII is a symbol where frames, pointers and pictures are (Latin-1 marks,
// U+2000 to U+2FFF, beyond U+FFFF), else a letter.
size_t word_at(std::string_view text) {
  size_t at = 0;
  while (at < text.size()) {
    const auto byte = static_cast<unsigned char>(text[at]);
    const size_t symbol = byte < 0x80    ? 1
                          : byte == 0xc2 ? 2
                          : byte == 0xe2 ? 3
                          : byte >= 0xf0 ? 4
                                         : 0;
    if (symbol == 0 || (symbol == 1 && std::isalnum(byte) != 0)) return at;
    at += symbol;
  }
  return text.size();
}

}  // namespace

std::string_view word(Cost cost) {
  return kCosts[static_cast<size_t>(cost)];
}

std::optional<Cost> cost_from(std::string_view text) {
  const auto* found = std::find(kCosts.begin(), kCosts.end(), text);
  if (found == kCosts.end()) return std::nullopt;
  return static_cast<Cost>(found - kCosts.begin());
}

const DialogRow* Dialog::row(Cost cost) const {
  const auto found = std::find_if(rows.begin(), rows.end(),
                                  [&](const DialogRow& one) { return one.cost == cost; });
  return found == rows.end() ? nullptr : &*found;
}

std::string Dialog::asks() const {
  return !question.empty() ? question : "something (" + (kind.empty() ? "other" : kind) + ")";
}

// A question asks in its own words; permissions all ask in the same.
std::string Dialog::matter() const {
  return "dialog " + question + (subject.empty() || kind == "question" ? "" : " [" + id + "]");
}

std::string without_space(std::string_view text) {
  std::string out;
  for (const char c : text)
    if (std::isspace(static_cast<unsigned char>(c)) == 0) out += c;
  return out;
}

std::string without_middle(const std::string& text, size_t limit) {
  if (text.size() <= limit) return text;
  const auto inside = [&](size_t at) {
    return (static_cast<unsigned char>(text[at]) & 0xc0) == 0x80;
  };
  size_t first = limit / 4 * 3, last = text.size() - limit / 4;
  while (first > 0 && inside(first)) --first;
  while (last < text.size() && inside(last)) ++last;
  return fmt::format("{}\n… {} of {} bytes are left out here (fingerprint {}) …\n{}",
                     text.substr(0, first), last - first, text.size(), sha256_hex(text, kIdDigits),
                     text.substr(last));
}

void identify(Dialog& dialog, const std::string& about) {
  std::string all;
  const auto add = [&](const std::string& part) { all += without_space(part) + '\n'; };
  add(dialog.kind);
  add(dialog.question);
  add(about);
  for (const auto& row : dialog.rows) add(row.text);
  dialog.id = sha256_hex(all, kIdDigits);
}

std::string row_text(const std::string& row) {
  const auto digit = [](char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; };
  std::string_view text = trim(row);
  for (const std::string_view side : kSides)
    if (text.size() > side.size() && text.starts_with(side) && text.ends_with(side))
      text.remove_suffix(side.size());
  text.remove_prefix(word_at(text));
  const auto number =
      static_cast<size_t>(std::find_if_not(text.begin(), text.end(), digit) - text.begin());
  if (number > 0 && number < text.size() && (text[number] == '.' || text[number] == ')') &&
      (number + 1 == text.size() || text[number + 1] == ' ')) {
    text.remove_prefix(number);
    text.remove_prefix(word_at(text));
  }
  return std::string(trim(text));
}

Json to_json(const Dialog& dialog) {
  Json rows = Json::array();
  for (const auto& row : dialog.rows) {
    Json one =
        Json::object({{"text", row.text}, {"cost", word(row.cost)}, {"meaning", word(row.cost)}});
    if (!row.key.empty()) one.set("key", row.key);
    rows.push(std::move(one));
  }
  return Json::object({{"id", dialog.id},
                       {"kind", dialog.kind},
                       {"question", dialog.question},
                       {"subject", dialog.subject},
                       {"known", dialog.known},
                       {"rows", std::move(rows)}});
}

Dialog dialog_from(const Json& json) {
  Dialog dialog{json["question"].as_string(), {},
                json["known"].as_bool(),      json["kind"].as_string(),
                json["subject"].as_string(),  json["id"].as_string()};
  for (const Json& row : json["rows"].items())
    if (dialog.rows.size() < kMaxDialogRows)
      dialog.rows.push_back({row["text"].as_string(),
                             cost_from(row["cost"].as_string()).value_or(Cost::question),
                             row["key"].as_string()});
  return dialog;
}

// One that was kept when a row was taken for the question fits nothing; nor does one whose question was not seen.
bool Answer::fits(const Dialog& dialog) const {
  const bool same = about.empty() ? without_space(subject) == without_space(dialog.subject)
                                  : fits_pattern(about, dialog.subject);
  return !unbound && !question.empty() && same &&
         without_space(question) == without_space(dialog.question) && rows == texts_of(dialog) &&
         std::find(rows.begin(), rows.end(), question) == rows.end();
}

// Piece by piece, each at its first place after the last; the last one at the end.
bool fits_pattern(std::string_view pattern, std::string_view text) {
  const std::string rest = without_space(text);
  const auto pieces = split(without_space(pattern), '*');
  if (pieces.size() < 2) return without_space(pattern) == rest;
  if (!rest.starts_with(pieces.front())) return false;
  size_t at = pieces.front().size();
  for (size_t i = 1; i + 1 < pieces.size(); ++i) {
    const size_t found = rest.find(pieces[i], at);
    if (found == std::string::npos) return false;
    at = found + pieces[i].size();
  }
  return rest.size() >= at + pieces.back().size() && rest.ends_with(pieces.back());
}

Answer answer_to(const std::string& kind, const Dialog& dialog, const DialogRow& row) {
  return {.kind = kind,
          .question = dialog.question,
          .rows = texts_of(dialog),
          .choose = row.text,
          .cost = row.cost,
          .subject = dialog.subject};
}

bool permits(const std::string& kind, const std::string& row, Cost cost) {
  if (cost == Cost::allow || cost == Cost::permission) return true;
  if (cost != Cost::question || kind == "question") return false;
  std::string first;  // its first word
  for (const char c : row) {
    if (std::isalpha(static_cast<unsigned char>(c)) == 0) break;
    first += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  return std::find(kPermitting.begin(), kPermitting.end(), first) != kPermitting.end();
}

std::string unfit_for_a_rule(const Answer& answer) {
  if (answer.kind == "permission")
    return "the same words ask for every tool: set answer_permissions to allow or deny instead";
  if (answer.kind == "trust") return "name the folders in trust_dirs instead";
  if (permits(answer.kind, answer.choose, answer.cost))
    return "what permits something is never chosen by a kept answer: a person decides each time";
  if (answer.question.empty()) return "what it asked was not seen";
  if (answer.cost == Cost::money) return "what costs money is never chosen by a rule";
  if (answer.cost == Cost::destroys) return "what destroys something is never chosen by a rule";
  return {};
}

Json to_json(const Answer& answer) {
  return Json::object({{"kind", answer.kind},
                       {"question", answer.question},
                       {"rows", answer.rows},
                       {"choose", answer.choose},
                       {"cost", word(answer.cost)},
                       {answer.unbound ? "unbound" : "subject", answer.subject},
                       {"about", answer.about}});
}

Answer answer_from(const Json& json) {
  return {json["kind"].as_string(),
          json["question"].as_string(),
          json["rows"].as_strings(),
          json["choose"].as_string(),
          cost_from(json["cost"].as_string()).value_or(Cost::question),
          json["subject"].as_string(),
          json["about"].as_string(),
          !json.has("subject")};
}

}  // namespace pawl::model
