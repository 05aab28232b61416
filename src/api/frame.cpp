#include "api/frame.h"

namespace pawl::api {
namespace {

constexpr size_t kHeader = 5;

bool known(char kind) {
  return kind == char(Kind::json) || kind == char(Kind::output) || kind == char(Kind::input);
}

}  // namespace

std::string encode(Kind kind, std::string_view payload) {
  std::string out;
  out.reserve(kHeader + payload.size());
  for (int shift = 0; shift < 32; shift += 8)
    out += static_cast<char>(payload.size() >> shift & 0xff);
  out += static_cast<char>(kind);
  out += payload;
  return out;
}

Result<std::optional<Frame>> FrameReader::next() {
  const size_t have = buffer_.size() - at_;
  if (have < kHeader) return std::nullopt;
  size_t length = 0;
  for (size_t i = 0; i < 4; ++i)
    length |= size_t{static_cast<unsigned char>(buffer_[at_ + i])} << (8 * i);
  const char kind = buffer_[at_ + 4];
  if (!known(kind))
    return fail("not a pawl client: unknown frame", "talk to the socket with the pawl command");
  if (length > limit_)
    return fail("the request is larger than " + std::to_string(limit_) + " bytes",
                "send less at once");
  if (have < kHeader + length) return std::nullopt;
  Frame frame{static_cast<Kind>(kind), buffer_.substr(at_ + kHeader, length)};
  at_ += kHeader + length;
  if (at_ == buffer_.size() || at_ > (1u << 16)) {
    buffer_.erase(0, at_);
    at_ = 0;
  }
  return frame;
}

std::string reply_of(const Result<Json>& result) {
  if (result) return R"({"ok":true,"result":)" + result->dump() + "}";  // no copy of a long list
  const Error& error = result.error();
  return R"({"ok":false,"error":)" +
         Json::object({{"what", error.what}, {"fix", error.fix}, {"exit_code", error.exit_code}})
             .dump() +
         "}";
}

Result<Json> result_of(const Json& reply) {
  if (reply["ok"].as_bool()) return reply["result"];
  const Json& error = reply["error"];
  return fail(error["what"].as_string("the daemon's answer makes no sense"),
              error["fix"].as_string(), static_cast<int>(error["exit_code"].as_int(1)));
}

}  // namespace pawl::api
