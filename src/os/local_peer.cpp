#include "os/local_peer.h"

#include <arpa/inet.h>
#include <fmt/core.h>
#include <ifaddrs.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>
#include <filesystem>

#include "base/text.h"
#include "os/file.h"

namespace pawl::os {
namespace {

constexpr size_t kTableBytes = 16u << 20;
constexpr size_t kStatusBytes = 4096;

using Address = std::array<unsigned char, 16>;  // IPv4 as ::ffff:a.b.c.d

struct Place {
  Address address{};
  uint16_t port = 0;
};

Address mapped(const in_addr& four) {
  Address out{};
  out[10] = out[11] = 0xff;
  std::memcpy(out.data() + 12, &four, sizeof four);
  return out;
}

std::optional<Place> place_of(const sockaddr* address) {
  Place out;
  if (address->sa_family == AF_INET) {
    sockaddr_in four{};
    std::memcpy(&four, address, sizeof four);
    out.address = mapped(four.sin_addr);
    out.port = ntohs(four.sin_port);
    return out;
  }
  if (address->sa_family != AF_INET6) return std::nullopt;
  sockaddr_in6 six{};
  std::memcpy(&six, address, sizeof six);
  std::memcpy(out.address.data(), &six.sin6_addr, out.address.size());
  out.port = ntohs(six.sin6_port);
  return out;
}

std::optional<Place> end_of(int socket, int (*name)(int, sockaddr*, socklen_t*)) {
  sockaddr_storage address{};
  socklen_t size = sizeof address;
  auto* plain = reinterpret_cast<sockaddr*>(&address);  // NOLINT: as the kernel wants it
  if (name(socket, plain, &size) != 0) return std::nullopt;
  return place_of(plain);
}

bool is_four(const Address& address) {
  const Address any = mapped({});
  return std::equal(any.begin(), any.begin() + 12, address.begin());
}

bool loopback(const Address& address) {
  Address one{};
  one[15] = 1;
  return address == one || (is_four(address) && address[12] == 127);
}

bool of_this_machine(const Address& address) {
  if (loopback(address)) return true;
  ifaddrs* all = nullptr;
  if (::getifaddrs(&all) != 0) return false;
  bool found = false;
  for (const ifaddrs* one = all; one && !found; one = one->ifa_next) {
    const auto place = one->ifa_addr ? place_of(one->ifa_addr) : std::nullopt;
    found = place && place->address == address;
  }
  ::freeifaddrs(all);
  return found;
}

// As the kernel's tables have it: words of four bytes, each in the machine's own order.
std::string in_table(const Place& place, bool six) {
  std::string out;
  for (size_t at = six ? 0 : 12; at < place.address.size(); at += 4) {
    uint32_t word = 0;
    std::memcpy(&word, place.address.data() + at, sizeof word);
    out += fmt::format("{:08X}", word);
  }
  return out + fmt::format(":{:04X}", place.port);
}

// The socket whose own end is `theirs`. One over IPv4 may be of a program that speaks IPv6.
std::optional<TcpLine> find_line(const Place& theirs, const Place& ours) {
  for (const char* path : {"/proc/self/net/tcp", "/proc/self/net/tcp6"}) {
    const bool six = std::string_view(path).ends_with('6');
    if (!six && !is_four(theirs.address)) continue;
    const auto table = read_file(path, kTableBytes);
    if (!table) continue;
    const std::string local = in_table(theirs, six), remote = in_table(ours, six);
    size_t from = 0;
    while (from < table->size()) {
      const size_t end = std::min(table->find('\n', from), table->size());
      const std::string_view line(table->data() + from, end - from);
      from = end + 1;
      if (line.find(local) == line.npos) continue;
      const auto read = parse_tcp_line(line);
      if (read && read->local == local && read->remote == remote) return read;
    }
  }
  return std::nullopt;
}

// Whose process it is; nothing: it has gone.
std::optional<uid_t> user_of(const std::string& process) {
  const auto status = read_file(process + "/status", kStatusBytes);
  if (!status) return std::nullopt;
  const size_t at = status->find("\nUid:\t");
  if (at == status->npos) return std::nullopt;
  const auto words = split(status->substr(at + 6, status->find('\n', at + 6) - at - 6), '\t');
  uid_t uid = 0;
  if (words.size() < 2) return std::nullopt;
  const auto [end, error] =
      std::from_chars(words[1].data(), words[1].data() + words[1].size(), uid);
  return error == std::errc{} ? std::optional(uid) : std::nullopt;
}

// -1: its files may not be seen.
int has_open(const std::string& process, const std::string& wanted) {
  std::error_code error;
  const std::filesystem::directory_iterator files(process + "/fd", error);
  if (error) return error == std::errc::permission_denied ? -1 : 0;
  for (auto it = begin(files); it != end(files); it.increment(error)) {
    if (error) break;
    std::error_code gone;
    if (std::filesystem::read_symlink(it->path(), gone) == wanted && !gone) return 1;
  }
  return 0;
}

}  // namespace

std::optional<TcpLine> parse_tcp_line(std::string_view line) {
  std::vector<std::string> words;
  for (const auto& word : split(std::string(line), ' '))
    if (!word.empty()) words.push_back(word);
  TcpLine out;
  const auto number = [](const std::string& text, auto& value) {
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    return error == std::errc{} && end == text.data() + text.size();
  };
  if (words.size() < 10 || !number(words[7], out.uid) || !number(words[9], out.inode))
    return std::nullopt;
  out.local = words[1];
  out.remote = words[2];
  return out;
}

LocalPeer local_peer(int socket) {
  LocalPeer out;
  const auto theirs = end_of(socket, ::getpeername), ours = end_of(socket, ::getsockname);
  if (!theirs || !ours) return {.here = true, .gone = true};
  out.here = of_this_machine(theirs->address);
  if (!out.here) return out;
  const auto line = find_line(*theirs, *ours);
  out.gone = !line || line->inode == 0;
  if (out.gone) return out;
  out.uid = line->uid;
  const std::string wanted = fmt::format("socket:[{}]", line->inode);
  for (const auto& name : list_dir("/proc")) {
    pid_t pid = 0;
    const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), pid);
    if (error != std::errc{} || end != name.data() + name.size() || pid == ::getpid()) continue;
    const int seen = has_open("/proc/" + name, wanted);
    if (seen == 1) out.holders.push_back(pid);
    if (seen == -1 && user_of("/proc/" + name) == out.uid) out.hidden.push_back(pid);
  }
  return out;
}

}  // namespace pawl::os
