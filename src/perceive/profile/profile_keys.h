#pragma once
// Reads the tables of a profile: a value of the wrong kind, or a key nobody asked for, is a complaint with its line. The first wins.
// For profile.cpp alone: whoever includes it compiles toml++.

#include <fmt/core.h>
#include <toml++/toml.h>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/text.h"
#include "perceive/profile/patterns.h"
#include "perceive/profile/profile_words.h"

namespace pawl::perceive {

class Complaint {
 public:
  explicit Complaint(std::string path) : path_(std::move(path)) {}
  void add(const toml::source_region& where, const std::string& what, std::string fix = {}) {
    if (error_) return;
    error_ = Error{fmt::format("{}:{}: {}", path_, where.begin.line, what), std::move(fix)};
  }
  const std::optional<Error>& error() const { return error_; }

 private:
  std::string path_;
  std::optional<Error> error_;
};

// One table of the file. Keys nobody asked for are unknown.
class Keys {
 public:
  Keys(Complaint& complaint, const toml::table& table, std::string where)
      : complaint_(complaint), table_(table), where_(std::move(where)) {}
  ~Keys() { refuse_unknown(); }

  const toml::node* get(const char* key) {
    known_.emplace_back(key);
    return table_.get(key);
  }
  void text(const char* key, std::string& out) {
    if (const auto* node = get(key)) {
      if (const auto value = node->value_exact<std::string>())
        out = *value;
      else
        wrong(*node, key, "a text in quotes");
    }
  }
  void flag(const char* key, bool& out) {
    if (const auto* node = get(key)) {
      if (const auto value = node->value_exact<bool>())
        out = *value;
      else
        wrong(*node, key, "true or false");
    }
  }
  void milliseconds(const char* key, Duration& out) {
    if (const auto* node = get(key)) {
      const auto value = node->value_exact<int64_t>();
      if (value && *value >= 0 && *value <= 600000)
        out = std::chrono::milliseconds{*value};
      else
        wrong(*node, key, "a number of milliseconds, at most 600000");
    }
  }
  void number(const char* key, int& out, int most) {
    if (const auto* node = get(key)) {
      const auto value = node->value_exact<int64_t>();
      if (value && *value >= 0 && *value <= most)
        out = static_cast<int>(*value);
      else
        wrong(*node, key, fmt::format("a number up to {}", most));
    }
  }
  void texts(const char* key, std::vector<std::string>& out) {
    for_each(key, [&](const toml::node&, const std::string& text) { out.push_back(text); });
  }
  void patterns(const char* key, Patterns& set, std::vector<int>& out) {
    for_each(key, [&](const toml::node& node, const std::string& text) {
      out.push_back(add(set, node, text));
    });
  }
  void pattern(const char* key, Patterns& set, int& out) {
    if (const auto* node = get(key)) {
      if (const auto value = node->value_exact<std::string>())
        out = add(set, *node, *value);
      else
        wrong(*node, key, "a pattern in quotes");
    }
  }
  template <class List, class Enum>
  void choice(const char* key, const List& list, Enum& out) {
    const auto* node = get(key);
    if (!node) return;
    const std::string word = node->value_exact<std::string>().value_or("");
    std::vector<std::string> words;
    for (const Named& row : list) {
      if (word == row.word) {
        out = static_cast<Enum>(row.value);
        return;
      }
      words.emplace_back(row.word);
    }
    wrong(*node, key, "one of " + join(words, ", "));
  }
  const toml::table* table(const char* key) {
    const auto* node = get(key);
    if (!node) return nullptr;
    if (!node->is_table()) wrong(*node, key, "a table");
    return node->as_table();
  }
  template <class Body>
  void each(const char* key, Body body) {
    const auto* node = get(key);
    if (!node) return;
    const auto* array = node->as_array();
    if (!array) return wrong(*node, key, fmt::format("a list of tables: [[{}]]", key));
    for (const auto& item : *array) {
      if (!item.is_table()) return wrong(item, key, "a table");
      Keys row(complaint_, *item.as_table(), key);
      body(row);
    }
  }
  void need(bool there, const char* key) {
    if (!there) complaint_.add(table_.source(), fmt::format("{} has no '{}'", where_, key));
  }

 private:
  template <class Body>
  void for_each(const char* key, Body body) {
    const auto* node = get(key);
    if (!node) return;
    const auto* array = node->as_array();
    if (!array) return wrong(*node, key, "a list of texts, like ['a', 'b']");
    for (const auto& item : *array) {
      if (const auto text = item.value_exact<std::string>())
        body(item, *text);
      else
        wrong(item, key, "a list of texts, like ['a', 'b']");
    }
  }
  int add(Patterns& set, const toml::node& node, const std::string& text) {
    const auto number = set.add(text);
    if (number) return *number;
    complaint_.add(node.source(), number.error().what, "patterns are written as for RE2");
    return -1;
  }
  void wrong(const toml::node& node, const char* key, const std::string& wanted) {
    complaint_.add(node.source(), fmt::format("'{}' must be {}", key, wanted));
  }
  void refuse_unknown() {
    for (const auto& [key, node] : table_) {
      const std::string name(key.str());
      if (std::find(known_.begin(), known_.end(), name) != known_.end()) continue;
      const auto guess = nearest(name, known_);
      complaint_.add(
          key.source(), fmt::format("unknown key '{}' in {}", name, where_),
          guess ? fmt::format("did you mean '{}'?", *guess) : "known keys: " + join(known_, ", "));
    }
  }
  Complaint& complaint_;
  const toml::table& table_;
  std::string where_;
  std::vector<std::string> known_;
};

}  // namespace pawl::perceive
