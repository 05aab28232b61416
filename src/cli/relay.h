#pragma once
// `pawl __relay --from WHO`: what ssh runs for another machine's daemon. Tells the daemon here who asks, says the line that the other
// side waits for (fleet/link.h), and is then nothing but bytes between its standard input and output and the local socket.

#include <string>
#include <vector>

namespace pawl::cli {

inline constexpr const char* kRelayWord = "__relay";

// Until one of both ends. The exit code.
int relay(const std::string& home, const std::vector<std::string>& words);

}  // namespace pawl::cli
