#include "model/channel.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <utility>

namespace pawl::model {
namespace {

using Kind = Channel::Kind;

constexpr const char* kKnown = "use desktop, exec:PROGRAM, webhook:URL, ntfy:URL or slack:URL";
constexpr std::array<std::pair<std::string_view, Kind>, 5> kKinds{{{"desktop", Kind::desktop},
                                                                   {"exec", Kind::exec},
                                                                   {"webhook", Kind::webhook},
                                                                   {"ntfy", Kind::ntfy},
                                                                   {"slack", Kind::slack}}};

std::string_view word(Kind kind) {
  for (const auto& [name, its] : kKinds)
    if (its == kind) return name;
  return "?";
}

// Where the host begins: behind "https://" or "http://". 0: this is no URL of ours.
size_t host_at(std::string_view url) {
  for (const std::string_view scheme : {"https://", "http://"})
    if (url.starts_with(scheme)) return scheme.size();
  return 0;
}

// HOST or HOST:PORT, without user and password.
std::string_view host_of(std::string_view url) {
  const size_t begin = host_at(url);
  std::string_view host = url.substr(begin);
  host = host.substr(0, host.find_first_of("/?#\\"));
  if (const size_t user = host.rfind('@'); user != std::string_view::npos)
    host.remove_prefix(user + 1);
  return host;
}

bool printable(std::string_view text) {
  return std::all_of(text.begin(), text.end(),
                     [](char c) { return static_cast<unsigned char>(c) > ' ' && c != '\x7f'; });
}

// NAME, NAME:PORT, [ADDRESS] or [ADDRESS]:PORT. Anything else may be a password with a '/' in it, and would be printed.
bool is_host(std::string_view host) {
  const size_t bracket = host.starts_with('[') ? host.find(']') : 0;
  if (bracket == std::string_view::npos) return false;
  const size_t colon = host.find(':', bracket);
  const std::string_view name = host.substr(0, colon);
  const std::string_view port = colon == std::string_view::npos ? "0" : host.substr(colon + 1);
  constexpr std::string_view kDigits = "0123456789";
  constexpr std::string_view kLetters =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ.-_[]:%";
  return !name.empty() && !port.empty() &&
         port.find_first_not_of(kDigits) == std::string_view::npos &&
         std::all_of(name.begin(), name.end(), [&](char c) {
           return static_cast<unsigned char>(c) >= 0x80 ||
                  kDigits.find(c) != std::string_view::npos ||
                  kLetters.find(c) != std::string_view::npos;
         });
}

Done check_url(Kind kind, std::string_view url) {
  if (host_at(url) == 0 || !is_host(host_of(url)) || !printable(url))
    return fail(fmt::format("notify = \"{}:…\" is no URL", word(kind)),
                "begin it with https:// or http:// and a host, without blanks", 2);
  return {};
}

Done check_program(std::string_view program) {
  const bool found_by_name = program.find('/') == std::string_view::npos;
  if (program.empty() || program.find('\0') != std::string_view::npos ||
      (!found_by_name && program.front() != '/'))
    return fail(fmt::format("notify = \"exec:{}\" is no program", program),
                "give its absolute path, or a name that is in the PATH", 2);
  return {};
}

}  // namespace

Result<Channel> channel_from(std::string_view text) {
  const size_t colon = text.find(':');
  const std::string_view name = text.substr(0, colon);
  const bool bare = colon == std::string_view::npos;
  const auto* known = std::find_if(kKinds.begin(), kKinds.end(),
                                   [&](const auto& one) { return one.first == name; });
  // What follows the colon is not repeated: it may be a secret.
  if (known == kKinds.end() || bare != (known->second == Kind::desktop))
    return fail(fmt::format("notify = \"{}{}\" is not known", name, bare ? "" : ":…"), kKnown, 2);
  Channel channel{known->second, bare ? "" : std::string(text.substr(colon + 1))};
  if (bare) return channel;
  const Done fine = channel.kind == Kind::exec ? check_program(channel.target)
                                               : check_url(channel.kind, channel.target);
  if (!fine) return tl::unexpected(fine.error());
  return channel;
}

std::string name_of(const Channel& channel) {
  if (channel.kind == Kind::desktop) return "desktop";
  if (channel.kind == Kind::exec) return "exec:" + channel.target;
  const std::string_view url = channel.target;
  return fmt::format("{}:{}{}", word(channel.kind), url.substr(0, host_at(url)), host_of(url));
}

}  // namespace pawl::model
