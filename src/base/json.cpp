#include "base/json.h"

namespace pawl {
namespace {

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

}  // namespace pawl
