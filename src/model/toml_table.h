#pragma once
// Reads tables of TOML into our structs, by the list in fields.h. Only for config.cpp and scenario.cpp: the library is heavy.

#include <fmt/core.h>
#include <toml++/toml.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/result.h"
#include "base/text.h"
#include "model/fields.h"

namespace pawl::model {

inline constexpr size_t kComplaints = 50;  // more of one file help nobody

// What the reader needs to complain properly. What is complained about is left as it was.
struct Context {
  std::string path;
  std::vector<Error> complaints = {};

  void complain(const toml::source_region& where, const std::string& what, std::string fix = {}) {
    if (complaints.size() < kComplaints)
      complaints.push_back(
          {fmt::format("{}:{}:{}: {}", path, where.begin.line, where.begin.column, what),
           std::move(fix)});
  }
};

// Reads the keys of one table into a struct, by the list in fields.h; then every key left over is unknown.
class Table {
 public:
  Table(const toml::table& table, Context& context) : table_(table), context_(context) {}

  template <class T>
  void operator()(const char* key, T& value) {
    known_.emplace_back(key);
    if (const toml::node* node = table_.get(key)) read(key, *node, value);
  }

  // Read elsewhere.
  void know(const char* key) { known_.emplace_back(key); }

  void refuse_unknown(const std::string& where) {
    for (const auto& [key, node] : table_) {
      const std::string name(key.str());
      if (std::find(known_.begin(), known_.end(), name) != known_.end()) continue;
      const auto guess = nearest(name, known_);
      context_.complain(
          key.source(), fmt::format("unknown key '{}' in {}", name, where),
          guess ? fmt::format("did you mean '{}'?", *guess) : "known keys: " + join(known_, ", "));
    }
  }

 private:
  void wrong(const char* key, const toml::node& node, const char* wanted) {
    context_.complain(node.source(), fmt::format("'{}' must be {}", key, wanted));
  }
  void read(const char* key, const toml::node& node, std::string& value) {
    if (const auto text = node.value_exact<std::string>())
      value = *text;
    else
      wrong(key, node, "a text in quotes");
  }
  void read(const char* key, const toml::node& node, Written<Restart>& value) {
    std::string text = value.text();
    read(key, node, text);
    value = written_restart(text);
  }
  void read(const char* key, const toml::node& node, bool& value) {
    if (const auto flag = node.value_exact<bool>())
      value = *flag;
    else
      wrong(key, node, "true or false");
  }
  void read(const char* key, const toml::node& node, double& value) {
    const auto number = node.value<double>();
    if (number && std::isfinite(*number) && *number >= 0 && node.is_number())
      value = *number;
    else
      wrong(key, node, "a number, 0 or more");
  }
  template <class Int>
  requires std::is_integral_v<Int>
  void read(const char* key, const toml::node& node, Int& value) {
    const auto number = node.value_exact<int64_t>();
    if (number && *number >= 0 && *number <= int64_t{std::numeric_limits<Int>::max()})
      value = static_cast<Int>(*number);
    else
      wrong(key, node, "a whole number, 0 or more");
  }
  void read(const char* key, const toml::node& node, std::vector<std::string>& value) {
    const toml::array* array = node.as_array();
    if (!array) return wrong(key, node, "a list of texts, like [\"a\", \"b\"]");
    value.clear();
    for (const auto& item : *array) {
      if (const auto text = item.value_exact<std::string>())
        value.push_back(*text);
      else
        return wrong(key, item, "a list of texts only");
    }
  }
  template <class T>
  requires requires(T& t, Table& visit) { each_field(t, visit); }
  void read(const char* key, const toml::node& node, T& value) {
    const toml::table* table = node.as_table();
    if (!table) return wrong(key, node, "a table, like { a = 1 }");
    Table inner(*table, context_);
    each_field(value, inner);
    inner.refuse_unknown(fmt::format("'{}'", key));
  }

  const toml::table& table_;
  Context& context_;
  std::vector<std::string> known_;
};

}  // namespace pawl::model
