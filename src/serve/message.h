#pragma once
// A request and its answer, whichever version of HTTP carried them, and the pure readers of what strangers put into them.

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace pawl::serve {

inline constexpr size_t kMaxHead = 16u << 10;  // of a request: its line and headers
inline constexpr size_t kMaxHeaders = 64;
inline constexpr size_t kMaxBody = 2u << 20;  // a text of 256 KiB in its worst JSON form

using Header = std::pair<std::string, std::string>;

// Where a request came from.
struct Peer {
  std::string address;
  bool secure = false;    // TLS
  int socket = -1;        // our end of it; -1: there is none
  bool* known = nullptr;  // becomes true when it shows a credential that is right
};

struct Request {
  std::string method;
  std::string target;           // as it was sent: "/api/v1/events?since=7"
  std::vector<Header> headers;  // names in small letters, in the order they came
  std::string body;
  Peer peer;
  bool upgrade = false;  // asks for a WebSocket

  const std::string* header(std::string_view name) const;  // the first; null when there is none
  size_t count(std::string_view name) const;
};

struct Response {
  int status = 200;
  std::string type = "application/json";
  std::string body;
  std::vector<Header> headers;
  std::string_view asset = {};  // instead of a body: bytes of the program itself, never copied

  std::string_view content() const { return asset.empty() ? std::string_view(body) : asset; }
};

// A target taken apart. Nothing when it is not a plain absolute path, or holds bytes that have no place in one:
// bad escapes, control characters, a NUL, a backslash, "." and ".." parts, an empty part in the middle.
struct Target {
  std::vector<std::string> parts;  // "/api/v1/agents" → api, v1, agents
  std::map<std::string, std::string> query;
};
std::optional<Target> parse_target(std::string_view target);
// %41 and, in queries, +; nothing when an escape is broken.
std::optional<std::string> unescape(std::string_view text, bool plus);
// The value of one cookie; nothing when there is none of that name, or several.
std::optional<std::string> cookie(std::string_view header, std::string_view name);
// "application/json; charset=utf-8" → "application/json", in small letters.
std::string media_type(std::string_view header);
// Whether a list such as Accept-Encoding has this word.
bool lists(std::string_view header, std::string_view word);
std::string_view reason_of(int status);
bool token_text(std::string_view text);  // a header's name

}  // namespace pawl::serve
