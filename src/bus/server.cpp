#include "bus/server.h"

#include <fcntl.h>
#include <netdb.h>
#include <poll.h>
#include <sys/socket.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <memory>

#include "base/json.h"
#include "base/text.h"
#include "os/fd.h"

namespace pawl::bus {
namespace {

constexpr int kReachesMs = 2000;
constexpr size_t kMaxAddresses = 4;  // of one name
using Version = std::array<int, 3>;
constexpr Version kOldest = {2, 9, 0}, kMended = {2, 11, 15};

Version version_of(const std::string& text) {
  Version version{};
  const auto parts = split(text, '.');
  for (size_t i = 0; i < parts.size() && i < version.size(); ++i)
    std::from_chars(parts[i].data(), parts[i].data() + parts[i].size(), version[i]);
  return version;
}

Result<Place> place_of(std::string_view url) {
  Place place;
  const std::string shown(url);
  const std::string fix = "it looks like nats://host:4222 or tls://host:4222";
  if (const size_t at = url.find("://"); at != std::string_view::npos) {
    const auto scheme = url.substr(0, at);
    if (scheme != "nats" && scheme != "tls") return fail("\"" + shown + "\" is no bus", fix);
    place.tls = scheme == "tls";
    url.remove_prefix(at + 3);
  }
  if (url.ends_with('/')) url.remove_suffix(1);
  if (url.find('@') != std::string_view::npos)
    return fail("a bus's URL has no name and password in it", "use --creds with a node's file");
  size_t colon = url.rfind(':');
  if (url.starts_with('[')) {
    const size_t end = url.find(']');
    if (end == std::string_view::npos) return fail("\"" + shown + "\" is no bus", fix);
    place.host = url.substr(1, end - 1);
    colon = end + 1 < url.size() && url[end + 1] == ':' ? end + 1 : std::string_view::npos;
  } else {
    place.host = url.substr(0, colon);
  }
  if (colon != std::string_view::npos) {
    const auto digits = url.substr(colon + 1);
    const auto [end, error] =
        std::from_chars(digits.data(), digits.data() + digits.size(), place.port);
    if (error != std::errc{} || end != digits.data() + digits.size() || place.port < 1 ||
        place.port > 65535)
      return fail("\"" + shown + "\" has no port", fix);
  }
  if (place.host.empty() || place.host.find_first_of(" \r\n\"/?#") != std::string::npos)
    return fail("\"" + shown + "\" is no bus", fix);
  return place;
}

struct FreeAddresses {
  void operator()(addrinfo* list) const { ::freeaddrinfo(list); }
};

bool wait_for(int fd, short what) {
  pollfd one{fd, what, 0};
  return ::poll(&one, 1, kReachesMs) > 0;
}

// Empty, and errno says why.
os::Fd connect_to(const addrinfo& address) {
  os::Fd fd(::socket(address.ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (!fd) return fd;
  if (::connect(fd.get(), address.ai_addr, address.ai_addrlen) == 0) return fd;
  if (errno != EINPROGRESS) return {};
  if (!wait_for(fd.get(), POLLOUT)) {
    errno = ETIMEDOUT;
    return {};
  }
  int error = 0;
  socklen_t size = sizeof error;
  ::getsockopt(fd.get(), SOL_SOCKET, SO_ERROR, &error, &size);
  if (error == 0) return fd;
  errno = error;
  return {};
}

Result<os::Fd> reach(const Place& place) {
  addrinfo wanted{};
  wanted.ai_socktype = SOCK_STREAM;
  addrinfo* list = nullptr;
  const int failed =
      ::getaddrinfo(place.host.c_str(), std::to_string(place.port).c_str(), &wanted, &list);
  const std::unique_ptr<addrinfo, FreeAddresses> owned(list);
  if (failed != 0)
    return fail("no machine is known as " + place.host + " (" + ::gai_strerror(failed) + ")",
                "correct the bus's URL");
  size_t tried = 0;
  for (const addrinfo* one = list; one && tried < kMaxAddresses; one = one->ai_next, ++tried) {
    os::Fd fd = connect_to(*one);
    if (fd) return fd;
  }
  return fail_errno("nothing is reached at " + place.text(), errno,
                    "see that nats-server runs there, or correct the bus's URL");
}

}  // namespace

std::string Place::text() const {
  const bool v6 = host.find(':') != std::string::npos;
  return (v6 ? "[" + host + "]" : host) + ":" + std::to_string(port);
}

bool Place::loopback() const {
  return host == "localhost" || host == "::1" || host.starts_with("127.");
}

Result<std::vector<Place>> places_of(const std::string& urls) {
  std::vector<Place> places;
  for (const std::string& part : split(urls, ',')) {
    const auto url = trim(part);
    if (url.empty()) continue;
    auto place = place_of(url);
    if (!place) return tl::unexpected(place.error());
    places.push_back(std::move(*place));
  }
  if (places.empty()) return fail("no bus is named", "it looks like nats://host:4222");
  if (places.size() > kMaxUrls)
    return fail("more than " + std::to_string(kMaxUrls) + " servers are named", "name fewer");
  return places;
}

Result<ServerInfo> server_info(std::string_view line, const Place& place) {
  const auto strange = [&] {
    return fail("what answers at " + place.text() + " is no NATS server", "correct the bus's URL");
  };
  if (!line.starts_with("INFO ")) return strange();
  auto json = Json::parse(line.substr(5));
  if (!json || !(*json)["version"].is_string()) return strange();
  ServerInfo info;
  info.version = (*json)["version"].as_string().substr(0, 40);
  info.cluster = (*json)["cluster"].as_string();
  info.max_payload = static_cast<uint64_t>(std::max<int64_t>(0, (*json)["max_payload"].as_int()));
  info.wants_tls = (*json)["tls_required"].as_bool();
  info.wants_credentials = (*json)["auth_required"].as_bool();
  if (version_of(info.version) < kOldest || !(*json)["headers"].as_bool())
    return fail("nats-server " + info.version + " at " + place.text() + " is too old",
                "install 2.9 or newer");
  return info;
}

// Of two nodes that write the same key at the same time both may be told that they were first: nats-server's issue 4320.
std::string note_on(const std::string& version, bool cluster) {
  if (version_of(version) >= kMended) return "";
  std::string out = "nats-server " + version +
                    " has known weaknesses that 2.11.15 has not (CVE-2026-33222); what it "
                    "acknowledged in the last two minutes may be lost when its machine loses power";
  if (cluster)
    out += "; in a cluster it may give the same work to two nodes: use one server, or a newer one";
  return out;
}

Result<ServerInfo> ask_server(const Place& place) {
  auto fd = reach(place);
  if (!fd) return tl::unexpected(fd.error());
  std::string said;
  while (said.find('\n') == std::string::npos && said.size() < kMaxInfo) {
    char buffer[4096];
    if (!wait_for(fd->get(), POLLIN))
      return said.empty() ? fail(place.text() + " takes connections and does not answer",
                                 "see what nats-server does there, or correct the bus's URL")
                          : server_info("", place);
    const ssize_t n = ::recv(fd->get(), buffer, sizeof buffer, 0);
    if (n < 0 && (errno == EINTR || errno == EAGAIN)) continue;
    if (n <= 0) break;
    said.append(buffer, static_cast<size_t>(n));
  }
  return server_info(trim(said.substr(0, said.find('\n'))), place);
}

}  // namespace pawl::bus
