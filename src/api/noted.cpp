#include "api/noted.h"

#include <algorithm>
#include <array>

#include "base/sha256.h"

namespace pawl::api {
namespace {

constexpr std::array kNames{"name", "names"};
// What people and programs type, whatever its length.
constexpr std::array kTexts{"text", "texts", "prompt", "prompt-base64", "keys",
                            "json", "input", "note",   "secret"};
constexpr size_t kLongest = 200;  // of what is written down as it is
constexpr size_t kItems = 16;
constexpr size_t kDigest = 16;  // hex digits of it

template <class List>
bool is_one_of(const List& list, const std::string& key) {
  return std::find(list.begin(), list.end(), key) != list.end();
}

Json digest_of(const std::string& text) {
  return Json::object({{"bytes", text.size()}, {"sha256", sha256_hex(text, kDigest)}});
}

bool small(const Json& value) {
  if (value.is_string()) return value.as_string().size() <= kLongest;
  if (value.is_object()) return false;
  if (!value.is_array()) return true;
  return value.items().size() <= kItems &&
         std::all_of(value.items().begin(), value.items().end(),
                     [](const Json& one) { return !one.is_array() && small(one); });
}

Json noted_value(const std::string& key, const Json& value) {
  if (!is_one_of(kTexts, key) && small(value)) return value;
  return digest_of(value.is_string() ? value.as_string() : value.dump());
}

}  // namespace

std::string noted_arguments(const Json& args) {
  Json out = Json::object();
  Json keys = Json::array();
  for (const auto& [key, value] : args.members()) {
    const bool nothing = value.is_null() || (value.is_bool() && !value.as_bool());
    if (nothing || is_one_of(kNames, key)) continue;
    out.set(key, noted_value(key, value));
    keys.push(key);
  }
  if (keys.items().empty()) return {};
  std::string text = out.dump();
  if (text.size() <= kNotedBytes) return text;
  text = Json::object({{"arguments", keys}}).dump();
  return text.size() <= kNotedBytes ? text : std::string("{\"arguments\":\"very many\"}");
}

}  // namespace pawl::api
