#pragma once
// WebSocket frames (RFC 6455), the server's side: pure, bytes in and messages out. Messages have a limit; what a browser would
// never send (unmasked frames, reserved bits, fragments of control frames, text that is not UTF-8) ends the connection with its code.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace pawl::serve {

inline constexpr size_t kMaxMessage = 64u << 10;  // keys and a few words

struct WsMessage {
  enum class Kind { text, binary, ping, close };
  Kind kind = Kind::text;
  std::string payload;
};

class WsReader {
 public:
  void feed(std::string_view bytes) { buffer_ += bytes; }
  // Nothing: wait for more, or broken() says why there will be none.
  std::optional<WsMessage> next();
  int broken() const { return broken_; }  // a close code; 0: it is not

 private:
  std::optional<WsMessage> refuse(int code);
  std::optional<WsMessage> whole(unsigned opcode, bool last, std::string payload);

  std::string buffer_;
  std::string message_;  // fragments so far
  unsigned opcode_ = 0;  // of the message they belong to
  int broken_ = 0;
};

std::string ws_frame(WsMessage::Kind kind, std::string_view payload);
std::string ws_pong(std::string_view payload);
std::string ws_close(int code, std::string_view why);
// What proves that the request was understood, for Sec-WebSocket-Accept. Nothing when the key is none.
std::optional<std::string> ws_accept(const std::string& key);

}  // namespace pawl::serve
