#pragma once
// What travels over the local socket: frames of one kind byte and a payload. Pure; the daemon and the command line both use it.
//   u32 length of the payload, little-endian | u8 kind | payload

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/json.h"

namespace pawl::api {

enum class Kind : char {
  json = 'J',    // a request, a reply, an event
  output = 'O',  // bytes for the person's terminal or stdout
  input = 'I',   // a person's keys
};

inline constexpr size_t kMaxRequest =
    4u << 20;  // a prompt of 256 KiB in its worst JSON form, and an environment
inline constexpr size_t kMaxReply = 64u << 20;

struct Frame {
  Kind kind = Kind::json;
  std::string payload;
};

std::string encode(Kind kind, std::string_view payload);
inline std::string encode(const Json& json) {
  return encode(Kind::json, json.dump());
}

// Cuts a stream into frames. A frame above the limit or of an unknown kind is an error, and the stream ends there.
class FrameReader {
 public:
  explicit FrameReader(size_t limit) : limit_(limit) {}
  void feed(std::string_view bytes) { buffer_ += bytes; }
  Result<std::optional<Frame>> next();

 private:
  size_t limit_;
  size_t at_ = 0;
  std::string buffer_;
};

// {"ok": true, "result": …} and {"ok": false, "error": {what, fix, exit_code}}
std::string reply_of(const Result<Json>& result);
Result<Json> result_of(const Json& reply);

}  // namespace pawl::api
