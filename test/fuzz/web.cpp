// What strangers put into requests. The first byte says which reader gets the rest: paths and escapes, cookies, hosts, lists,
// WebSocket frames. Each gives a value or nothing; a WebSocket says the same however its bytes are cut.

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

#include "serve/guard.h"
#include "serve/message.h"
#include "serve/websocket.h"

namespace {

using namespace pawl::serve;

void require(bool condition) {
  if (!condition) std::abort();
}

bool has_control(const std::string& text) {
  return std::any_of(text.begin(), text.end(),
                     [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; });
}

// Whatever is let through cannot leave its folder, whoever unescapes it once more.
void paths(const std::string& bytes) {
  const auto once = unescape(bytes, false);
  if (once) require(once->size() <= bytes.size());
  const auto target = parse_target(bytes);
  if (!target) return;
  require(bytes[0] == '/');
  for (const auto& part : target->parts) {
    require(!part.empty() && part != "." && part != ".." && !has_control(part));
    require(part.find_first_of("/\\") == std::string::npos);
  }
  for (const auto& [key, value] : target->query) require(!has_control(key) && !has_control(value));
}

// One cookie of that name, and nothing but a piece of the header.
void cookies(const std::string& bytes) {
  const std::string name = "pawl-8822";
  const auto value = cookie(bytes, name);
  if (value) {
    require(bytes.find(name + "=" + *value) != std::string::npos);
    require(value->find(';') == std::string::npos);
  }
  require(!cookie(bytes + "; " + name + "=1; " + name + "=2", name));
}

void hosts(const std::string& bytes) {
  const auto host = parse_host(bytes);
  if (!host) return;
  const std::string& name = host->first;
  require(!name.empty() && name.size() <= 255);
  require(name.find_first_of("@/\\?# %") == std::string::npos && !has_control(name));
  // Said again it is the same host.
  const auto again = parse_host(name + (host->second ? ":" + std::to_string(host->second) : ""));
  require(again && (*again == *host || name.find(':') != std::string::npos));
}

void words(const std::string& bytes) {
  const std::string type = media_type(bytes);
  require(type.find(';') == std::string::npos && media_type(type) == type);
  require(lists(bytes + ",gzip", "gzip"));
  (void)lists(bytes, "websocket");
  if (token_text(bytes)) require(!has_control(bytes) && bytes.find(':') == std::string::npos);
  if (const auto accept = ws_accept(bytes)) require(accept->size() == 28);
}

struct Heard {
  std::vector<std::pair<WsMessage::Kind, std::string>> messages;
  int broken = 0;
  bool operator==(const Heard&) const = default;
};

void listen(WsReader& reader, Heard& heard) {
  while (auto message = reader.next()) {
    require(message->payload.size() <= kMaxMessage);
    heard.messages.emplace_back(message->kind, message->payload);
  }
  heard.broken = reader.broken();
}

void frames(const std::string& bytes, size_t step) {
  WsReader at_once, in_pieces;
  Heard whole, cut;
  at_once.feed(bytes);
  listen(at_once, whole);
  for (size_t at = 0; at < bytes.size();) {
    in_pieces.feed(std::string_view(bytes).substr(at, step));
    listen(in_pieces, cut);
    at += step;
    step = step % 7 + 1;
  }
  require(whole == cut);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size == 0) return 0;
  const std::string bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  switch (data[0] % 5) {
    case 0:
      paths(bytes);
      break;
    case 1:
      cookies(bytes);
      break;
    case 2:
      hosts(bytes);
      break;
    case 3:
      words(bytes);
      break;
    default:
      frames(bytes, data[0] / 5 % 7 + 1u);
      break;
  }
  return 0;
}
