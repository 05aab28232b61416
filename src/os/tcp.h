#pragma once
// Listening on the network. Only numeric addresses and "localhost": nothing here asks a name server.

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"
#include "os/fd.h"

namespace pawl::os {

struct Endpoint {
  std::string host = "127.0.0.1";  // without brackets
  uint16_t port = 0;

  bool loopback() const;  // nobody but this machine can reach it
  bool everywhere() const { return host == "0.0.0.0" || host == "::"; }
  std::string text() const;  // "127.0.0.1:8822", "[::1]:8822"
};
// "127.0.0.1:8822", "[::1]:8822", "localhost:8822", ":8822" and "8822" (this machine), "*:8822" (everywhere).
Result<Endpoint> parse_endpoint(const std::string& text);
// An IPv4 or IPv6 address in numbers, as it stands in a URL (IPv6 in brackets).
bool is_address(const std::string& host);

// Not blocking. "localhost" listens at both of its addresses, where there are two. Port 0 becomes the one that was free.
Result<std::vector<Fd>> listen_tcp(Endpoint& at);

struct Accepted {
  Fd fd;
  std::string address;  // the peer's, without port
};
Accepted accept_tcp(int listener);  // not blocking, no delay; an empty Fd when there is none

bool hung_up(int socket);  // the other end has closed it, and nothing is left to read

std::string host_name();
// Addresses of this machine by which others may reach it, IPv4 first; not those of loopback or of one link only. At most 32.
std::vector<std::string> own_addresses();

}  // namespace pawl::os
