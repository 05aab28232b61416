#include "os/tcp.h"

#include <arpa/inet.h>
#include <fmt/core.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <optional>

namespace pawl::os {
namespace {

constexpr int kTcpBacklog = 512;
constexpr size_t kMaxAddresses = 32;
constexpr int kSendBuffer = 128 << 10;  // bytes, of one connection

struct Address {
  sockaddr_storage storage{};
  socklen_t length = 0;
  sockaddr* raw() { return reinterpret_cast<sockaddr*>(&storage); }
};

std::optional<Address> address_of(const std::string& host, uint16_t port) {
  Address out;
  auto* v4 = reinterpret_cast<sockaddr_in*>(&out.storage);
  auto* v6 = reinterpret_cast<sockaddr_in6*>(&out.storage);
  if (::inet_pton(AF_INET, host.c_str(), &v4->sin_addr) == 1) {
    v4->sin_family = AF_INET;
    v4->sin_port = htons(port);
    out.length = sizeof *v4;
    return out;
  }
  if (::inet_pton(AF_INET6, host.c_str(), &v6->sin6_addr) == 1) {
    v6->sin6_family = AF_INET6;
    v6->sin6_port = htons(port);
    out.length = sizeof *v6;
    return out;
  }
  return std::nullopt;
}

Result<Fd> listen_at(const std::string& host, uint16_t port) {
  auto address = address_of(host, port);
  if (!address) return fail("'" + host + "' is no address", "use numbers, like 127.0.0.1", 2);
  Fd fd(::socket(address->storage.ss_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (!fd) return fail_errno("cannot make a socket", errno);
  const int on = 1;
  ::setsockopt(fd.get(), SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  if (::bind(fd.get(), address->raw(), address->length) != 0) {
    const int error = errno;
    const std::string fix = error == EADDRINUSE
                                ? "something else listens there; choose another port with --listen"
                                : "choose another address with --listen";
    return fail_errno(fmt::format("cannot listen at {} port {}", host, port), error, fix);
  }
  if (::listen(fd.get(), kTcpBacklog) != 0)
    return fail_errno(fmt::format("cannot listen at {} port {}", host, port), errno);
  return fd;
}

uint16_t port_of(int fd) {
  Address address;
  address.length = sizeof address.storage;
  if (::getsockname(fd, address.raw(), &address.length) != 0) return 0;
  return ntohs(reinterpret_cast<sockaddr_in*>(&address.storage)->sin_port);  // the same place in v6
}

std::string text_of(const Address& address) {
  char text[INET6_ADDRSTRLEN] = "";
  const auto* v6 = reinterpret_cast<const sockaddr_in6*>(&address.storage);
  const auto* v4 = reinterpret_cast<const sockaddr_in*>(&address.storage);
  if (address.storage.ss_family == AF_INET6)
    ::inet_ntop(AF_INET6, &v6->sin6_addr, text, sizeof text);
  else
    ::inet_ntop(AF_INET, &v4->sin_addr, text, sizeof text);
  return std::strncmp(text, "::ffff:", 7) == 0 ? text + 7 : text;
}

}  // namespace

bool Endpoint::loopback() const {
  if (host == "localhost" || host == "::1") return true;
  in_addr v4{};
  return ::inet_pton(AF_INET, host.c_str(), &v4) == 1 && (ntohl(v4.s_addr) >> 24) == 127;
}

std::string Endpoint::text() const {
  return host.find(':') == std::string::npos ? fmt::format("{}:{}", host, port)
                                             : fmt::format("[{}]:{}", host, port);
}

Result<Endpoint> parse_endpoint(const std::string& text) {
  const auto wrong = [&] {
    return fail("'" + text + "' is no address to listen at",
                "use ADDRESS:PORT, like 127.0.0.1:8822, [::1]:8822 or *:8822", 2);
  };
  Endpoint out;
  const size_t colon = text.rfind(':');
  const std::string port = colon == std::string::npos ? text : text.substr(colon + 1);
  std::string host = colon == std::string::npos ? "" : text.substr(0, colon);
  const auto [end, error] = std::from_chars(port.data(), port.data() + port.size(), out.port);
  if (error != std::errc{} || end != port.data() + port.size()) return wrong();
  if (host.size() > 2 && host.front() == '[' && host.back() == ']')
    host = host.substr(1, host.size() - 2);
  else if (host.find(':') != std::string::npos)
    return wrong();
  if (host.empty()) host = "127.0.0.1";
  if (host == "*") host = "0.0.0.0";
  if (host != "localhost" && !address_of(host, 1)) return wrong();
  out.host = host;
  return out;
}

bool is_address(const std::string& host) {
  if (host.size() > 2 && host.front() == '[' && host.back() == ']') {
    in6_addr v6{};
    return ::inet_pton(AF_INET6, host.substr(1, host.size() - 2).c_str(), &v6) == 1;
  }
  in_addr v4{};
  return ::inet_pton(AF_INET, host.c_str(), &v4) == 1;
}

Result<std::vector<Fd>> listen_tcp(Endpoint& at) {
  std::vector<Fd> out;
  auto first = listen_at(at.host == "localhost" ? "127.0.0.1" : at.host, at.port);
  if (!first) return tl::unexpected(first.error());
  if (at.port == 0) at.port = port_of(first->get());
  out.push_back(std::move(*first));
  if (at.host == "localhost")
    if (auto second = listen_at("::1", at.port)) out.push_back(std::move(*second));
  return out;
}

Accepted accept_tcp(int listener) {
  Address address;
  address.length = sizeof address.storage;
  Fd fd(::accept4(listener, address.raw(), &address.length, SOCK_CLOEXEC | SOCK_NONBLOCK));
  if (!fd) return {};
  const int on = 1;
  ::setsockopt(fd.get(), IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  // What the kernel keeps for somebody who does not read is bounded, too.
  const int room = kSendBuffer;
  ::setsockopt(fd.get(), SOL_SOCKET, SO_SNDBUF, &room, sizeof room);
  return {std::move(fd), text_of(address)};
}

std::vector<std::string> own_addresses() {
  std::vector<std::string> v4, v6;
  ifaddrs* all = nullptr;
  if (::getifaddrs(&all) != 0) return {};
  for (const ifaddrs* it = all; it; it = it->ifa_next) {
    if (!it->ifa_addr || (it->ifa_flags & IFF_LOOPBACK) || !(it->ifa_flags & IFF_UP)) continue;
    Address address;
    const int family = it->ifa_addr->sa_family;
    if (family != AF_INET && family != AF_INET6) continue;
    address.length = family == AF_INET ? sizeof(sockaddr_in) : sizeof(sockaddr_in6);
    std::memcpy(&address.storage, it->ifa_addr, address.length);
    const auto* six = reinterpret_cast<const sockaddr_in6*>(&address.storage);
    if (family == AF_INET6 && IN6_IS_ADDR_LINKLOCAL(&six->sin6_addr)) continue;
    (family == AF_INET ? v4 : v6).push_back(text_of(address));
  }
  ::freeifaddrs(all);
  v4.insert(v4.end(), v6.begin(), v6.end());
  v4.resize(std::min(v4.size(), kMaxAddresses));
  return v4;
}

bool hung_up(int socket) {
  char byte = 0;
  const ssize_t got = ::recv(socket, &byte, 1, MSG_PEEK | MSG_DONTWAIT);
  return got == 0 || (got < 0 && errno != EAGAIN && errno != EINTR);
}

std::string host_name() {
  char name[256] = "";
  return ::gethostname(name, sizeof name - 1) == 0 ? name : "localhost";
}

}  // namespace pawl::os
