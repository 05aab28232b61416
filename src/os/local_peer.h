#pragma once
// Which processes have the other end of a TCP connection, when it is on this machine: for TCP, what SO_PEERCRED is for local sockets,
// but as it is at the moment of asking. Looks through /proc, which takes milliseconds: for acts, not for every request.

#include <sys/types.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace pawl::os {

struct LocalPeer {
  bool here = false;                // the other end is at this machine's addresses
  bool gone = false;                // … and closed: who had it cannot be told any more
  uid_t uid = 0;                    // whose it is
  std::vector<pid_t> holders = {};  // processes that have it open, as far as we may see
  std::vector<pid_t> hidden = {};   // processes of that user whose files we may not see
};

LocalPeer local_peer(int socket);

// A line of /proc/net/tcp or tcp6: whose socket it is. Addresses and ports as they stand there ("0100007F:1F90").
struct TcpLine {
  std::string local, remote;
  uid_t uid = 0;
  uint64_t inode = 0;  // 0: closed
};
std::optional<TcpLine> parse_tcp_line(std::string_view line);

}  // namespace pawl::os
