#pragma once
// The words of the Model Context Protocol: its revisions, its error codes, and how messages are put together. Pure. For server.h and
// what it is made of; nobody else builds a message.

#include <optional>
#include <string>
#include <string_view>

#include "base/json.h"

namespace pawl::mcp {

// Until november_2025 a client says `initialize` first; since july_2026 every request says its revision (`_meta`), and nothing is kept.
enum class Revision { june_2025, november_2025, july_2026 };
std::string_view word(Revision revision);
std::optional<Revision> revision_from(const std::string& text);
Json all_revisions();  // newest first

inline constexpr int kParseError = -32700;
inline constexpr int kInvalidRequest = -32600;
inline constexpr int kMethodNotFound = -32601;
inline constexpr int kInvalidParams = -32602;
inline constexpr int kInternalError = -32603;
inline constexpr int kResourceNotFound = -32002;  // until november_2025
inline constexpr int kUnsupportedRevision = -32022;

inline constexpr std::string_view kRevisionKey = "io.modelcontextprotocol/protocolVersion";
inline constexpr std::string_view kCapabilitiesKey = "io.modelcontextprotocol/clientCapabilities";
inline constexpr std::string_view kSubscriptionKey = "io.modelcontextprotocol/subscriptionId";

struct Fault {
  int code = kInternalError;
  std::string message;
  Json data = {};
};

// An error whose request cannot be told has no id.
Json error_message(const Json& id, const Fault& fault);
Json result_message(const Json& id, Json result);
Json notification(std::string_view method, Json params);

// What the newest revision adds to every result: that it is whole, and who made it.
Json in_words_of(Revision revision, Json result);
// … and to what may be kept for a while by the client.
Json keepable(Revision revision, Json result, int64_t ttl_ms);

Json server_info();
Json capabilities();
std::string_view instructions();

Json text_content(std::string text);

}  // namespace pawl::mcp
