#include "model/dialog.h"

#include <algorithm>
#include <array>
#include <cctype>

#include "base/text.h"

namespace pawl::model {
namespace {

constexpr std::array<std::string_view, 7> kCosts{"free",  "allow",    "deny",    "permission",
                                                 "money", "destroys", "question"};

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

std::string row_text(const std::string& row) {
  const auto letter = [](char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; };
  return std::string(trim(std::string(std::find_if(row.begin(), row.end(), letter), row.end())));
}

Json to_json(const Dialog& dialog) {
  Json rows = Json::array();
  for (const auto& row : dialog.rows) {
    Json one = Json::object({{"text", row.text}, {"cost", word(row.cost)}});
    if (!row.key.empty()) one.set("key", row.key);
    rows.push(std::move(one));
  }
  return Json::object(
      {{"question", dialog.question}, {"known", dialog.known}, {"rows", std::move(rows)}});
}

Dialog dialog_from(const Json& json) {
  Dialog dialog{json["question"].as_string(), {}, json["known"].as_bool()};
  for (const Json& row : json["rows"].items())
    if (dialog.rows.size() < kMaxDialogRows)
      dialog.rows.push_back({row["text"].as_string(),
                             cost_from(row["cost"].as_string()).value_or(Cost::question),
                             row["key"].as_string()});
  return dialog;
}

}  // namespace pawl::model
