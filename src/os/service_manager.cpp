#include "os/service_manager.h"

#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>

#include "os/fd.h"

namespace pawl::os {
namespace {

constexpr int kSignsPerLimit = 3;  // one may come late

std::string take(const char* name) {
  const char* value = std::getenv(name);
  std::string out = value ? value : "";
  ::unsetenv(name);
  return out;
}

}  // namespace

bool service_is_ours() {
  const char* began = std::getenv("SYSTEMD_EXEC_PID");  // our children inherit it, with our number
  return began && std::strtol(began, nullptr, 10) == ::getpid();
}

ServiceManager::ServiceManager() : socket_(take("NOTIFY_SOCKET")) {
  const std::string limit = take("WATCHDOG_USEC"), whose = take("WATCHDOG_PID");
  const long long us = std::strtoll(limit.c_str(), nullptr, 10);
  const bool ours = whose.empty() || std::strtol(whose.c_str(), nullptr, 10) == ::getpid();
  if (us > 0 && ours && !socket_.empty()) pulse_ = Duration{us / kSignsPerLimit};
}

void ServiceManager::say(std::string_view word) const {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (socket_.empty() || socket_.size() >= sizeof address.sun_path) return;
  std::memcpy(address.sun_path, socket_.data(), socket_.size());
  if (socket_[0] == '@') address.sun_path[0] = '\0';  // a name without a file
  const Fd fd(::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  const auto length = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + socket_.size());
  if (fd)
    (void)!::sendto(fd.get(), word.data(), word.size(), MSG_NOSIGNAL,
                    reinterpret_cast<const sockaddr*>(&address), length);
}

}  // namespace pawl::os
