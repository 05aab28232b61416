#include "serve/websocket.h"

#include <utility>

#include "base/text.h"
#include "os/digest.h"

namespace pawl::serve {
namespace {

constexpr unsigned kContinued = 0, kText = 1, kBinary = 2, kClose = 8, kPing = 9, kPong = 10;
constexpr int kProtocolError = 1002, kNotUtf8 = 1007, kTooLarge = 1009;

std::string frame(unsigned opcode, std::string_view payload) {
  std::string out{static_cast<char>(0x80 | opcode)};
  const size_t n = payload.size();
  if (n < 126) {
    out += static_cast<char>(n);
  } else if (n < 65536) {
    out += {126, static_cast<char>(n >> 8), static_cast<char>(n)};
  } else {
    out += 127;
    for (int shift = 56; shift >= 0; shift -= 8) out += static_cast<char>(n >> shift);
  }
  return out.append(payload);
}

bool continues(unsigned char byte) {
  return (byte & 0xc0) == 0x80;
}

// Well-formed, shortest forms only, no surrogates.
bool utf8(std::string_view text) {
  for (size_t i = 0; i < text.size();) {
    const auto at = [&](size_t k) {
      return i + k < text.size() ? static_cast<unsigned char>(text[i + k]) : 0u;
    };
    const unsigned first = at(0), second = at(1);
    size_t length = 1;
    if (first >= 0xc2 && first <= 0xdf)
      length = 2;
    else if (first >= 0xe0 && first <= 0xef)
      length = 3;
    else if (first >= 0xf0 && first <= 0xf4)
      length = 4;
    else if (first >= 0x80)
      return false;
    for (size_t k = 1; k < length; ++k)
      if (!continues(static_cast<unsigned char>(at(k)))) return false;
    if ((first == 0xe0 && second < 0xa0) || (first == 0xed && second > 0x9f) ||
        (first == 0xf0 && second < 0x90) || (first == 0xf4 && second > 0x8f))
      return false;
    i += length;
  }
  return true;
}

}  // namespace

std::optional<WsMessage> WsReader::refuse(int code) {
  broken_ = code;
  buffer_.clear();
  return std::nullopt;
}

std::optional<WsMessage> WsReader::next() {
  while (broken_ == 0 && buffer_.size() >= 2) {
    const auto byte = [&](size_t at) { return static_cast<unsigned char>(buffer_[at]); };
    const unsigned opcode = byte(0) & 0x0f;
    const bool last = byte(0) & 0x80;
    if ((byte(0) & 0x70) != 0 || (byte(1) & 0x80) == 0) return refuse(kProtocolError);
    uint64_t length = byte(1) & 0x7f;
    size_t head = 2;
    if (opcode >= kClose && (length > 125 || !last)) return refuse(kProtocolError);
    if (length >= 126) {
      const size_t wide = length == 126 ? 2 : 8;
      if (buffer_.size() < head + wide) return std::nullopt;
      length = 0;
      for (size_t i = 0; i < wide; ++i) length = length << 8 | byte(head + i);
      head += wide;
    }
    if (length > kMaxMessage || message_.size() + length > kMaxMessage) return refuse(kTooLarge);
    if (buffer_.size() < head + 4 + length) return std::nullopt;
    std::string payload = buffer_.substr(head + 4, length);
    for (size_t i = 0; i < payload.size(); ++i)
      payload[i] = static_cast<char>(byte(head + i % 4) ^ static_cast<unsigned char>(payload[i]));
    buffer_.erase(0, head + 4 + length);
    if (auto message = whole(opcode, last, std::move(payload))) return message;
  }
  return std::nullopt;
}

// A message when this frame completes one.
std::optional<WsMessage> WsReader::whole(unsigned opcode, bool last, std::string payload) {
  using Kind = WsMessage::Kind;
  switch (opcode) {
    case kPing:
      return WsMessage{Kind::ping, std::move(payload)};
    case kPong:
      return std::nullopt;
    case kClose:
      return WsMessage{Kind::close, std::move(payload)};
    case kText:
    case kBinary:
      if (opcode_ != 0) return refuse(kProtocolError);
      opcode_ = opcode;
      break;
    case kContinued:
      if (opcode_ == 0) return refuse(kProtocolError);
      break;
    default:
      return refuse(kProtocolError);
  }
  message_ += payload;
  if (!last) return std::nullopt;
  const bool text = std::exchange(opcode_, 0u) == kText;
  WsMessage out{text ? Kind::text : Kind::binary, std::exchange(message_, {})};
  if (text && !utf8(out.payload)) return refuse(kNotUtf8);
  return out;
}

std::string ws_frame(WsMessage::Kind kind, std::string_view payload) {
  return frame(kind == WsMessage::Kind::text ? kText : kBinary, payload);
}

std::string ws_pong(std::string_view payload) {
  return frame(kPong, payload);
}

std::string ws_close(int code, std::string_view why) {
  std::string payload{static_cast<char>(code >> 8), static_cast<char>(code)};
  return frame(kClose, payload.append(why.substr(0, 120)));
}

std::optional<std::string> ws_accept(const std::string& key) {
  const auto bytes = from_base64(key);
  if (!bytes || bytes->size() != 16) return std::nullopt;
  return base64(os::sha1(key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"));
}

}  // namespace pawl::serve
