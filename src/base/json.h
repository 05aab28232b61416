#pragma once
// A JSON value, small enough to include everywhere; nlohmann's parser and printer stay behind json.cpp.
// Objects keep the order in which their keys were set. Reading never throws: a missing key is null, and the as_…
// functions give the default for a value of another kind.

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "base/result.h"

namespace pawl {

class Json {
 public:
  using Array = std::vector<Json>;
  using Member = std::pair<std::string, Json>;
  using Object = std::vector<Member>;

  Json() = default;
  Json(std::nullptr_t) {}
  Json(bool value) : value_(value) {}
  Json(int value) : value_(int64_t{value}) {}
  Json(unsigned value) : value_(int64_t{value}) {}
  Json(int64_t value) : value_(value) {}
  Json(uint64_t value) : value_(static_cast<int64_t>(value)) {}
  Json(double value) : value_(value) {}
  Json(const char* value) : value_(std::string(value)) {}
  Json(std::string_view value) : value_(std::string(value)) {}
  Json(std::string value) : value_(std::move(value)) {}
  Json(Array value) : value_(std::move(value)) {}
  Json(const std::vector<std::string>& values);

  static Json object(std::initializer_list<Member> members = {});
  static Json array() { return Json(Array{}); }

  bool is_null() const { return std::holds_alternative<std::monostate>(value_); }
  bool is_bool() const { return std::holds_alternative<bool>(value_); }
  bool is_integer() const { return std::holds_alternative<int64_t>(value_); }
  bool is_number() const { return is_integer() || std::holds_alternative<double>(value_); }
  bool is_string() const { return std::holds_alternative<std::string>(value_); }
  bool is_array() const { return std::holds_alternative<Array>(value_); }
  bool is_object() const { return std::holds_alternative<Object>(value_); }

  bool as_bool(bool otherwise = false) const;
  int64_t as_int(int64_t otherwise = 0) const;
  double as_double(double otherwise = 0) const;
  std::string as_string(std::string otherwise = {}) const;
  std::vector<std::string> as_strings() const;  // of an array; non-strings are left out
  const Array& items() const&;                  // empty when this is no array
  const Object& members() const&;               // empty when this is no object
  void items() && = delete;                     // a loop over a temporary's items outlives it
  void members() && = delete;

  const Json& operator[](std::string_view key) const;  // null when missing
  bool has(std::string_view key) const;
  Json& set(std::string_view key, Json value);  // replaces; makes an object of a null
  void push(Json value);                        // makes an array of a null

  std::string dump(int indent = -1) const;  // invalid UTF-8 is replaced
  static Result<Json> parse(std::string_view text);
  // For large text of strangers, of which only the top matters: what is beyond the limits is read over and left out.
  // Linear in the length of the text, and nothing is recursive.
  struct Limits {
    int depth = 2;        // arrays and objects deeper than this come out empty
    size_t members = 64;  // of one array or object; the first ones are kept
    size_t bytes = 2048;  // of one text; the rest is cut off
  };
  static Result<Json> parse_shallow(std::string_view text, const Limits& limits);

  bool operator==(const Json&) const = default;

 private:
  std::variant<std::monostate, bool, int64_t, double, std::string, Array, Object> value_;
};

// Deeper nesting is refused: the reader is recursive.
inline constexpr int kMaxJsonDepth = 64;

}  // namespace pawl
