// Json::dump: written as it is read, without a copy of the value. What needs care (text that is not plain ASCII, numbers with a
// fraction) is nlohmann's, so that every byte is as it would print it.

#include <algorithm>
#include <charconv>
#include <nlohmann/json.hpp>

#include "base/json.h"

namespace pawl {
namespace {

using TextOf = const std::string* (*)(const Json&);

bool plain(char c) {
  return c >= ' ' && c <= '~' && c != '"' && c != '\\';
}

class Printer {
 public:
  Printer(int indent, TextOf text_of) : indent_(indent), text_of_(text_of) {}

  void value(const Json& json) {
    if (const std::string* its = text_of_(json)) return text(*its);
    if (json.is_object()) return object(json.members());
    if (json.is_array()) return array(json.items());
    if (json.is_integer()) return integer(json.as_int());
    if (json.is_number()) return with_care(json.as_double());
    out_ += json.is_null() ? "null" : json.as_bool() ? "true" : "false";
  }

  std::string take() { return std::move(out_); }

 private:
  void with_care(const nlohmann::json& native) {
    out_ += native.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  }

  void text(const std::string& text) {
    if (!std::all_of(text.begin(), text.end(), plain)) return with_care(text);
    out_ += '"';
    out_ += text;
    out_ += '"';
  }

  void integer(int64_t number) {
    char digits[24];
    out_.append(digits, std::to_chars(digits, digits + sizeof digits, number).ptr);
  }

  void line() {
    if (indent_ < 0) return;
    out_ += '\n';
    out_.append(depth_ * static_cast<size_t>(indent_), ' ');
  }

  // What is between the brackets, on lines of its own.
  template <class All, class One>
  void inside(const All& all, const One& one) {
    if (all.empty()) return;
    ++depth_;
    for (const auto& item : all) {
      if (&item != &all.front()) out_ += ',';
      line();
      one(item);
    }
    --depth_;
    line();
  }

  void array(const Json::Array& items) {
    out_ += '[';
    inside(items, [&](const Json& item) { value(item); });
    out_ += ']';
  }

  void object(const Json::Object& members) {
    out_ += '{';
    inside(members, [&](const Json::Member& member) {
      text(member.first);
      out_ += indent_ < 0 ? ":" : ": ";
      value(member.second);
    });
    out_ += '}';
  }

  int indent_;
  TextOf text_of_;
  std::string out_;
  size_t depth_ = 0;
};

}  // namespace

std::string Json::dump(int indent) const {
  Printer printer(indent, [](const Json& json) { return std::get_if<std::string>(&json.value_); });
  printer.value(*this);
  return printer.take();
}

}  // namespace pawl
