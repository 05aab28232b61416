// Json::parse_shallow: the events of nlohmann's reader, of which the top ones become values.

#include <nlohmann/json.hpp>

#include "base/json.h"

namespace pawl {
namespace {

// A cut may not end inside a character.
std::string cut(const std::string& text, size_t bytes) {
  if (text.size() <= bytes) return text;
  while (bytes > 0 && (static_cast<unsigned char>(text[bytes]) & 0xC0) == 0x80) --bytes;
  return text.substr(0, bytes);
}

class ShallowBuilder {
 public:
  explicit ShallowBuilder(const Json::Limits& limits) : limits_(limits) {}

  bool null() { return add(Json()); }
  bool boolean(bool value) { return add(Json(value)); }
  bool number_integer(int64_t value) { return add(Json(value)); }
  bool number_unsigned(uint64_t value) { return add(Json(value)); }
  bool number_float(double value, const std::string&) { return add(Json(value)); }
  bool string(std::string& value) { return add(Json(cut(value, limits_.bytes))); }
  bool binary(std::vector<uint8_t>&) { return false; }
  bool key(std::string& value) {
    if (built()) open_.back().key = cut(value, limits_.bytes);
    return true;
  }
  bool start_object(size_t) { return begin(Json::object()); }
  bool start_array(size_t) { return begin(Json::array()); }
  bool end_object() { return end(); }
  bool end_array() { return end(); }
  bool parse_error(size_t position, const std::string&, const nlohmann::detail::exception&) {
    error_at_ = position;
    return false;
  }

  size_t error_at() const { return error_at_; }
  Json take() { return std::move(root_); }

 private:
  struct Open {
    Json value;
    std::string key;
    size_t members = 0;
  };

  // The container we are in is one of those that become values.
  bool built() const { return depth_ == open_.size() && depth_ > 0; }
  bool add(Json value) {
    if (depth_ == 0) {
      root_ = std::move(value);
    } else if (built() && open_.back().members < limits_.members) {
      Open& open = open_.back();
      ++open.members;
      if (open.value.is_array())
        open.value.push(std::move(value));
      else
        open.value.set(open.key, std::move(value));
    }
    return true;
  }
  bool begin(Json empty) {
    if (depth_ == open_.size() && depth_ < static_cast<size_t>(limits_.depth))
      open_.push_back({std::move(empty), {}, 0});
    else if (built())
      add(std::move(empty));
    ++depth_;
    return true;
  }
  bool end() {
    const bool value = built();
    --depth_;
    if (!value) return true;
    Json done = std::move(open_.back().value);
    open_.pop_back();
    return add(std::move(done));
  }

  const Json::Limits& limits_;
  Json root_;
  std::vector<Open> open_;
  size_t depth_ = 0;
  size_t error_at_ = 0;
};

}  // namespace

Result<Json> Json::parse_shallow(std::string_view text, const Limits& limits) {
  ShallowBuilder builder(limits);
  if (nlohmann::json::sax_parse(text.begin(), text.end(), &builder)) return builder.take();
  return fail("not JSON: at byte " + std::to_string(builder.error_at()));
}

}  // namespace pawl
