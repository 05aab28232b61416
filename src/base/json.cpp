#include "base/json.h"

#include <nlohmann/json.hpp>

namespace pawl {
namespace {

using Native = nlohmann::ordered_json;

Native to_native(const Json& json) {
  if (json.is_bool()) return json.as_bool();
  if (json.is_integer()) return json.as_int();
  if (json.is_number()) return json.as_double();
  if (json.is_string()) return json.as_string();
  if (json.is_array()) {
    Native out = Native::array();
    for (const auto& item : json.items()) out.push_back(to_native(item));
    return out;
  }
  if (json.is_object()) {
    Native out = Native::object();
    for (const auto& [key, value] : json.members()) out.push_back({key, to_native(value)});
    return out;
  }
  return nullptr;
}

Json from_native(const Native& native) {
  switch (native.type()) {
    case Native::value_t::boolean:
      return native.get<bool>();
    case Native::value_t::number_integer:
      return native.get<int64_t>();
    case Native::value_t::number_unsigned:
      return native.get<uint64_t>();
    case Native::value_t::number_float:
      return native.get<double>();
    case Native::value_t::string:
      return native.get<std::string>();
    case Native::value_t::array: {
      Json::Array out;
      for (const auto& item : native) out.push_back(from_native(item));
      return out;
    }
    case Native::value_t::object: {
      Json out = Json::object();
      for (const auto& [key, value] : native.items()) out.set(key, from_native(value));
      return out;
    }
    default:
      return nullptr;
  }
}

template <class T>
const T& empty_of() {
  static const T empty{};
  return empty;
}

}  // namespace

Json::Json(const std::vector<std::string>& values) : value_(Array(values.begin(), values.end())) {}

Json Json::object(std::initializer_list<Member> members) {
  Json out;
  out.value_ = Object(members);
  return out;
}

bool Json::as_bool(bool otherwise) const {
  const bool* value = std::get_if<bool>(&value_);
  return value ? *value : otherwise;
}

int64_t Json::as_int(int64_t otherwise) const {
  if (const int64_t* value = std::get_if<int64_t>(&value_)) return *value;
  return otherwise;
}

double Json::as_double(double otherwise) const {
  if (const double* value = std::get_if<double>(&value_)) return *value;
  if (const int64_t* value = std::get_if<int64_t>(&value_)) return static_cast<double>(*value);
  return otherwise;
}

std::string Json::as_string(std::string otherwise) const {
  if (const std::string* value = std::get_if<std::string>(&value_)) return *value;
  return otherwise;
}

std::vector<std::string> Json::as_strings() const {
  std::vector<std::string> out;
  for (const auto& item : items())
    if (item.is_string()) out.push_back(item.as_string());
  return out;
}

const Json::Array& Json::items() const& {
  const Array* value = std::get_if<Array>(&value_);
  return value ? *value : empty_of<Array>();
}

const Json::Object& Json::members() const& {
  const Object* value = std::get_if<Object>(&value_);
  return value ? *value : empty_of<Object>();
}

const Json& Json::operator[](std::string_view key) const {
  for (const auto& [name, value] : members())
    if (name == key) return value;
  return empty_of<Json>();
}

bool Json::has(std::string_view key) const {
  for (const auto& member : members())
    if (member.first == key) return true;
  return false;
}

Json& Json::set(std::string_view key, Json value) {
  if (!is_object()) value_ = Object{};
  auto& object = std::get<Object>(value_);
  for (auto& member : object) {
    if (member.first != key) continue;
    member.second = std::move(value);
    return *this;
  }
  object.emplace_back(std::string(key), std::move(value));
  return *this;
}

void Json::push(Json value) {
  if (!is_array()) value_ = Array{};
  std::get<Array>(value_).push_back(std::move(value));
}

std::string Json::dump(int indent) const {
  return to_native(*this).dump(indent, ' ', false, Native::error_handler_t::replace);
}

Result<Json> Json::parse(std::string_view text) {
  // The parser takes it for the end, whatever follows.
  if (text.find('\0') != text.npos) return fail("not JSON: it has a NUL byte");
  bool too_deep = false;
  const Native::parser_callback_t guard = [&](int depth, Native::parse_event_t, Native&) {
    if (depth > kMaxJsonDepth) too_deep = true;
    return !too_deep;
  };
  try {
    const Native native = Native::parse(text.begin(), text.end(), guard);
    if (too_deep) return fail("the JSON is nested deeper than " + std::to_string(kMaxJsonDepth));
    return from_native(native);
  } catch (const Native::exception& error) {
    return fail(std::string("not JSON: ") + error.what());
  }
}

}  // namespace pawl
