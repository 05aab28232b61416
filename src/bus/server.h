#pragma once
// Where a bus is, and what it says of itself before anything else: one line of JSON, INFO, in the clear. Reading it first tells apart what
// libnats calls by one name: no machine, no server, another server, an old one.

#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/result.h"

namespace pawl::bus {

inline constexpr size_t kMaxUrls = 16;
inline constexpr size_t kMaxInfo = 64u << 10;
inline constexpr Duration kReaches = std::chrono::seconds{2};  // a connection, or that line

struct Place {
  std::string host;
  int port = 4222;
  bool tls = false;
  std::string text() const;  // "bus.example:4222"
  bool loopback() const;     // nobody else can reach it
  bool operator==(const Place&) const = default;
};
Result<std::vector<Place>> places_of(const std::string& urls);

struct ServerInfo {
  std::string version, cluster;
  uint64_t max_payload = 0;
  bool wants_tls = false, wants_credentials = false;
};
// Of the line, without "INFO". An error says what else this is, and that an old one is too old.
Result<ServerInfo> server_info(std::string_view line, const Place& place);
// What people should know about a server of that version; empty: nothing.
std::string note_on(const std::string& version, bool cluster);

// Waits, at most kReaches for each of its steps: for a thread of its own.
Result<ServerInfo> ask_server(const Place& place);

}  // namespace pawl::bus
