#pragma once
// What the daemon answered, as the result of a tool: its JSON, and the same in short plain text for clients that show only text. Both
// are bounded, and say what was cut. Pure. For server.cpp and resources.cpp.

#include <string>
#include <vector>

#include "base/json.h"

namespace pawl::mcp {

inline constexpr size_t kMaxText =
    32u << 10;  // of a text: a quarter of what models are given at a time
inline constexpr size_t kMaxStructured = 64u << 10;  // of a result's JSON
inline constexpr size_t kMaxEvents = 200;

// The end of it, from the beginning of a line on, after a line that says so.
std::string cut_to_end(const std::string& text, size_t limit = kMaxText);
// Without what is too long: long texts, long lists; "cut" says that something is missing.
Json bounded(const Json& json, size_t limit = kMaxStructured);

// What came before the reply.
struct Before {
  std::string output = {};
  std::vector<Json> events = {};
  size_t left_out = 0;  // events before those

  void add(std::string_view bytes);
  void add(const Json& event);
};

// {"content": …, "structuredContent": …, "isError": …}
Json tool_result(std::string_view verb, const Result<Json>& reply, const Before& before);
Json tool_error(const Error& error);

}  // namespace pawl::mcp
