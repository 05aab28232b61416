#pragma once
// Drives mcp::Server on standard input and output. Each request to the daemon is a connection of its own, so that a long wait holds up
// nothing, and hanging up is all it takes to end one. The daemon sees by the kernel who asks: the agent that started us.
//
// Ends with standard input. A client that does not read is not read either, until it does. Nothing but messages is ever written to
// standard output.

#include <map>
#include <string>

#include "cli/client.h"
#include "mcp/lines.h"
#include "mcp/server.h"

namespace pawl::cli {

inline constexpr size_t kMaxUnread = 8u << 20;  // bytes for the client that it has not taken yet

class McpStdio {
 public:
  explicit McpStdio(std::string home) : home_(std::move(home)) {}
  int run();  // the exit code

 private:
  bool go_on();  // false: it is over
  bool read_some();
  bool write_some();
  void carry_out(mcp::Todo todo);
  Result<Client> connected(const mcp::Ask& ask) const;
  void begin(const mcp::Ask& ask);
  void hear(uint64_t ask, Client& client);
  void look_after(MonoTime now);
  int wait_ms(MonoTime now);

  std::string home_;
  mcp::Lines lines_;
  mcp::Server server_;
  std::map<uint64_t, Client> clients_;
  std::string unread_;
};

}  // namespace pawl::cli
