// Json::parse: the events of nlohmann's reader become values as they come.

#include <nlohmann/json.hpp>

#include "base/json.h"

namespace pawl {
namespace {

class Builder {
 public:
  bool null() { return add(Json()); }
  bool boolean(bool value) { return add(Json(value)); }
  bool number_integer(int64_t value) { return add(Json(value)); }
  bool number_unsigned(uint64_t value) { return add(Json(value)); }
  bool number_float(double value, const std::string&) { return add(Json(value)); }
  bool string(const std::string& value) { return add(Json(value)); }
  bool binary(std::vector<uint8_t>&) { return false; }
  bool key(const std::string& value) {
    open_.back().key = value;
    return true;
  }
  bool start_object(size_t) { return begin(Json::object()); }
  bool start_array(size_t) { return begin(Json::array()); }
  bool end_object() { return end(); }
  bool end_array() { return end(); }
  bool parse_error(size_t, const std::string&, const nlohmann::detail::exception& error) {
    wrong_ = std::string("not JSON: ") + error.what();
    return false;
  }

  const std::string& wrong() const { return wrong_; }
  Json take() { return std::move(root_); }

 private:
  struct Open {
    Json value;
    std::string key;
  };

  bool add(Json value) {
    if (open_.empty())
      root_ = std::move(value);
    else if (Open& open = open_.back(); open.value.is_array())
      open.value.push(std::move(value));
    else
      open.value.set(open.key, std::move(value));
    return true;
  }
  bool begin(Json empty) {
    if (open_.size() >= kMaxJsonDepth) {
      wrong_ = "the JSON is nested deeper than " + std::to_string(kMaxJsonDepth);
      return false;
    }
    open_.push_back({std::move(empty), {}});
    return true;
  }
  bool end() {
    Json done = std::move(open_.back().value);
    open_.pop_back();
    return add(std::move(done));
  }

  Json root_;
  std::vector<Open> open_;
  std::string wrong_;
};

}  // namespace

Result<Json> Json::parse(std::string_view text) {
  // The parser takes it for the end, whatever follows.
  if (text.find('\0') != text.npos) return fail("not JSON: it has a NUL byte");
  Builder builder;
  if (nlohmann::json::sax_parse(text.begin(), text.end(), &builder)) return builder.take();
  return fail(builder.wrong());
}

}  // namespace pawl
