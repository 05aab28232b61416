#include "model/permission.h"

#include <algorithm>
#include <array>

#include "base/json.h"
#include "base/text.h"

namespace pawl::model {
namespace {

// dontAsk refuses where others ask, so it opens less than it sounds; but nobody hears of what it does.
int breadth(std::string_view mode) {
  constexpr std::array<std::string_view, 6> order{"plan", "default", "acceptEdits",
                                                  "auto", "dontAsk", "bypassPermissions"};
  return static_cast<int>(std::find(order.begin(), order.end(), mode) - order.begin());
}

std::string word_in(std::string_view text) {
  const auto json = Json::parse(std::string(text));
  if (!json) return std::string(trim(text));
  if (json->is_string()) return json->as_string();
  for (const char* key : {"mode", "permission_mode", "permissionMode", "permission"})
    if ((*json)[key].is_string()) return (*json)[key].as_string();
  return {};
}

}  // namespace

const std::vector<std::string>& permissions() {
  static const std::vector<std::string> all{"plan", "acceptEdits", "default",
                                            "auto", "dontAsk",     "bypassPermissions"};
  return all;
}

bool widens(std::string_view from, std::string_view to) {
  return breadth(to) > breadth(from);
}

bool within(std::string_view to, std::string_view from) {
  const bool asks = (to == "dontAsk") != (from == "dontAsk");
  const std::string_view other = to == "dontAsk" ? from : to;
  if (asks && other != "plan" && other != "bypassPermissions") return false;
  return !widens(from, to);
}

Result<std::string> permission_in(std::string_view text) {
  const std::string word = word_in(text);
  const auto& all = permissions();
  if (std::find(all.begin(), all.end(), word) != all.end()) return word;
  return fail(
      word.empty() ? "it names no mode" : "the mode '" + word.substr(0, 40) + "' is not known",
      "write {\"mode\": \"default\"}, or one of: " + join(all, ", "));
}

}  // namespace pawl::model
