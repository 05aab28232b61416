#include "serve/guard.h"

#include <fmt/core.h>

#include <algorithm>
#include <cctype>
#include <charconv>

#include "base/json.h"
#include "os/tcp.h"

namespace pawl::serve {

Response json_answer(const Json& value) {
  Response out;
  out.body = value.dump();
  return out;
}

Response refusal(int status, const std::string& what, const std::string& fix, int exit_code) {
  Response out;
  out.status = status;
  out.body =
      Json::object(
          {{"version", 1},
           {"error", Json::object({{"what", what}, {"fix", fix}, {"exit_code", exit_code}})}})
          .dump();
  if (status == 401) out.headers.emplace_back("www-authenticate", "Bearer realm=\"pawl\"");
  if (status == 429) out.headers.emplace_back("retry-after", "60");
  return out;
}

void Failures::add(const std::string& address, MonoTime now) {
  if (counts_.size() >= kFailingAddresses && !counts_.contains(address))
    counts_.erase(std::min_element(
        counts_.begin(), counts_.end(),
        [](const auto& a, const auto& b) { return a.second.since < b.second.since; }));
  Count& count = counts_[address];
  if (count.failures == 0 || now - count.since > kFailuresWithin) count = {0, now};
  ++count.failures;
}

bool Failures::too_many(const std::string& address, MonoTime now) const {
  const auto it = counts_.find(address);
  return it != counts_.end() && it->second.failures >= kFailuresAllowed &&
         now - it->second.since <= kFailuresWithin;
}

std::optional<std::pair<std::string, uint16_t>> parse_host(std::string_view text) {
  const size_t bracket = text.rfind(']');
  const size_t colon = text.rfind(':');
  const bool ported = colon != text.npos && (bracket == text.npos || colon > bracket);
  std::string host(text.substr(0, ported ? colon : text.npos));
  uint16_t port = 0;
  if (ported) {
    const std::string_view digits = text.substr(colon + 1);
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), port);
    if (error != std::errc{} || end != digits.data() + digits.size() || port == 0)
      return std::nullopt;
  }
  for (char& c : host) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  const bool plain =
      !host.empty() && host.size() <= 255 && std::all_of(host.begin(), host.end(), [](char c) {
        return std::isalnum(static_cast<unsigned char>(c)) || c == '.' || c == '-' || c == '_' ||
               c == ':' || c == '[' || c == ']';
      });
  if (!plain || (bracket != text.npos && host.front() != '[')) return std::nullopt;
  return std::pair{host, port};
}

bool Guard::ours(const std::string& host_and_port) const {
  const auto host = parse_host(host_and_port);
  if (!host) return false;
  if (!doors_.hosts.contains(host->first) && !(doors_.any_address && os::is_address(host->first)))
    return false;
  // A name that the user gave may be a proxy's, with a port of its own; the machine's own are reached at ours.
  // Browsers leave the usual port of a scheme out.
  const bool usual = host->second == 0 && (doors_.port == 443 || doors_.port == 80);
  return host->second == doors_.port || usual || !os::is_address(host->first);
}

bool Guard::our_origin(const std::string& origin, bool secure) const {
  const bool https = origin.starts_with("https://");
  if (!https && !origin.starts_with("http://")) return false;
  const std::string host = origin.substr(origin.find("://") + 3);
  const auto name = parse_host(host);
  if (https != secure && !(https && name && doors_.named.contains(name->first))) return false;
  return ours(host);
}

std::optional<Response> Guard::refuse_host(const Request& request) const {
  if (request.count("host") != 1)
    return refusal(400, "a request has one Host header", "send it, also with HTTP/1.0", 2);
  if (ours(*request.header("host"))) return std::nullopt;
  return refusal(
      403, "this is not the name of this server",
      "use the address that pawl serve prints, or allow the name: pawl serve --name NAME");
}

std::optional<Response> Guard::refuse_origin(const Request& request) const {
  const std::string* site = request.header("sec-fetch-site");
  const std::string* origin = request.header("origin");
  const bool foreign = site && *site != "same-origin" && *site != "none";
  const bool other = request.count("origin") > 1 ||
                     (origin && (!our_origin(*origin, request.peer.secure) ||
                                 parse_host(*request.header("host")) !=
                                     parse_host(origin->substr(origin->find("://") + 3))));
  if (!foreign && !other) return std::nullopt;
  return refusal(403, "another site's page asks", "open the dashboard itself");
}

std::string Guard::cookie_name(bool secure) const {
  return (secure ? "__Host-pawl-" : "pawl-") + std::to_string(doors_.port);
}

std::string Guard::set_cookie(const Request& request, const std::string& value,
                              Duration lasts) const {
  return fmt::format("{}={}; Path=/; Max-Age={}; HttpOnly; SameSite=Strict{}",
                     cookie_name(request.peer.secure), value,
                     std::chrono::duration_cast<std::chrono::seconds>(lasts).count(),
                     request.peer.secure ? "; Secure" : "");
}

std::optional<Who> Guard::recognise(const Request& request, const Clock& now, bool& shown) const {
  std::optional<Who> who;
  if (const std::string* bearer = request.header("authorization")) {
    shown = true;
    if (bearer->starts_with("Bearer ")) who = credentials_.by_token(bearer->substr(7));
    return who;
  }
  for (const auto& [name, value] : request.headers) {
    if (name != "cookie" || who) continue;
    const auto text = cookie(value, cookie_name(request.peer.secure));
    if (!text) continue;
    shown = true;
    who = credentials_.by_cookie(*text, now.wall);
  }
  return who;
}

std::optional<Who> Guard::admit(const Request& request, const Clock& now, Response& refused) {
  if (request.count("authorization") > 1 || request.count("cookie") > 16) {
    refused = refusal(400, "a request has one credential", "send one", 2);
    return std::nullopt;
  }
  bool shown = false;
  const auto who = recognise(request, now, shown);
  if (who) {
    const std::string* agent = request.header("user-agent");
    credentials_.used(*who, request.peer.address, agent ? *agent : "", now.wall);
    if (admitted) admitted(now, request);
    return who;
  }
  if (shown && locked(request, now.mono)) {
    refused = refusal(429, "too many wrong credentials from this address", "wait a minute");
    return std::nullopt;
  }
  if (shown) {
    failed(request, now.mono);
    if (wrong) wrong(now, request, locked(request, now.mono));
  }
  refused = refusal(401, shown ? "this credential is not valid" : "a credential is needed",
                    "run pawl serve --url and open its link, or send Authorization: Bearer with "
                    "the token in PAWL_HOME/token");
  return std::nullopt;
}

std::optional<Response> Guard::refuse_act(const Request& request, const Who& who,
                                          api::Access access) const {
  const bool changes = request.method != "GET" && request.method != "HEAD";
  if (changes && who.by_cookie && !request.header("origin"))
    return refusal(403, "a browser's change needs its Origin", "use the page, or the token");
  const std::string* type = request.header("content-type");
  const bool json = type && media_type(*type) == "application/json";
  if (changes && !json && (who.by_cookie || !request.body.empty() || type))
    return refusal(415, "only JSON is taken", "send Content-Type: application/json", 2);
  if (access != api::Access::act) return std::nullopt;
  if (!doors_.control)
    return refusal(403, "this server only shows", "it was started with --no-control");
  if (who.role != Role::operator_)
    return refusal(403, "this credential may only look", "use the operator's");
  return std::nullopt;
}

std::optional<Response> Guard::refuse_terminal(const Request& request, const Who& who) const {
  if (!request.upgrade) return refusal(426, "a terminal is a WebSocket", "connect with one", 2);
  if (who.by_cookie && !request.header("origin"))
    return refusal(403, "a browser's WebSocket has an Origin", "use the page, or the token");
  return std::nullopt;
}

}  // namespace pawl::serve
