#include "os/socket.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/un.h>

#include <cerrno>
#include <cstring>

namespace pawl::os {
namespace {

constexpr int kBacklog = 128;

// sun_path holds 107 bytes; a PAWL_HOME may be longer. /proc/self/fd/N/NAME names the same file shortly.
Result<sockaddr_un> address_of(const Fd& dir, const std::string& name) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  const std::string path = "/proc/self/fd/" + std::to_string(dir.get()) + "/" + name;
  if (path.size() >= sizeof address.sun_path) return fail("the socket name is too long: " + name);
  std::memcpy(address.sun_path, path.c_str(), path.size() + 1);
  return address;
}

Result<Fd> open_dir(const std::string& dir) {
  Fd fd(::open(dir.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
  if (!fd) return fail_errno("cannot open " + dir, errno);
  return fd;
}

}  // namespace

Result<Fd> listen_local(const std::string& dir, const std::string& name) {
  auto folder = open_dir(dir);
  if (!folder) return tl::unexpected(folder.error());
  const auto address = address_of(*folder, name);
  if (!address) return tl::unexpected(address.error());
  Fd fd(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (!fd) return fail_errno("cannot make a socket", errno);
  ::unlinkat(folder->get(), name.c_str(), 0);
  const mode_t before = ::umask(0177);
  const int bound = ::bind(fd.get(), reinterpret_cast<const sockaddr*>(&*address), sizeof *address);
  const int error = errno;
  ::umask(before);
  if (bound != 0) return fail_errno("cannot make the socket " + dir + "/" + name, error);
  if (::listen(fd.get(), kBacklog) != 0)
    return fail_errno("cannot listen at " + dir + "/" + name, errno);
  return fd;
}

Result<Fd> connect_local(const std::string& dir, const std::string& name,
                         std::chrono::milliseconds patience) {
  auto folder = open_dir(dir);
  if (!folder) return tl::unexpected(folder.error());
  const auto address = address_of(*folder, name);
  if (!address) return tl::unexpected(address.error());
  Fd fd(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  if (!fd) return fail_errno("cannot make a socket", errno);
  const timeval limit{patience.count() / 1000, patience.count() % 1000 * 1000};
  ::setsockopt(fd.get(), SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit);
  while (::connect(fd.get(), reinterpret_cast<const sockaddr*>(&*address), sizeof *address) != 0) {
    if (errno != EINTR) return fail_errno("cannot connect to " + dir + "/" + name, errno);
  }
  ::fcntl(fd.get(), F_SETFL, ::fcntl(fd.get(), F_GETFL) | O_NONBLOCK);
  return fd;
}

Fd accept_local(int listener) {
  return Fd(::accept4(listener, nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK));
}

bool send_some(int socket, std::string& out) {
  size_t sent = 0;
  bool there = true;
  while (there && sent < out.size()) {
    const ssize_t n = ::send(socket, out.data() + sent, out.size() - sent, MSG_NOSIGNAL);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0 && errno == EAGAIN) break;
    there = n >= 0;
    if (there) sent += static_cast<size_t>(n);
  }
  out.erase(0, sent);
  return there;
}

bool peer_ended(int socket) {
#ifndef SO_PEERPIDFD
  constexpr int SO_PEERPIDFD = 77;
#endif
  int number = -1;
  socklen_t size = sizeof number;
  if (::getsockopt(socket, SOL_SOCKET, SO_PEERPIDFD, &number, &size) != 0) return errno == ESRCH;
  const Fd process(number);
  pollfd ended{process.get(), POLLIN, 0};
  return ::poll(&ended, 1, 0) > 0;
}

Result<Peer> peer_of(int socket) {
  ucred credentials{};
  socklen_t size = sizeof credentials;
  if (::getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &credentials, &size) != 0)
    return fail_errno("cannot ask who is at the socket", errno);
  return Peer{credentials.pid, credentials.uid};
}

}  // namespace pawl::os
