#include "fleet/membership.h"

#include <algorithm>

#include "base/text.h"
#include "fleet/bus_names.h"
#include "os/file.h"

namespace pawl::fleet {
namespace {

constexpr size_t kNameBytes = 64;
constexpr const char* kFile = "/fleet.json";

bool plain(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
         c == '_';
}

Done check_url(const std::string& url) {
  for (const char* scheme : {"nats://", "tls://"}) {
    if (!url.starts_with(scheme)) continue;
    const std::string host = url.substr(std::string_view(scheme).size());
    if (host.find('@') != std::string::npos)
      return fail(
          "a password in '" + url.substr(0, url.find(':')) + "://…' would be kept in a file",
          "use --creds FILE, made by pawl fleet enroll", 2);
    if (!host.empty() && host.find('/') == std::string::npos) return {};
  }
  return fail("'" + url + "' is not the address of a NATS server",
              "write nats://HOST:4222 or tls://HOST:4222; several with commas", 2);
}

}  // namespace

std::string node_name(const std::string& host) {
  std::string out = host.substr(0, std::min(host.find('.'), kNameBytes));
  for (char& c : out)
    if (!plain(c)) c = '-';
  return valid_node(out) ? out : "node";
}

Json to_json(const Membership& membership) {
  return Json::object({{"version", 1},
                       {"urls", membership.urls},
                       {"fleet", membership.fleet},
                       {"node", membership.node},
                       {"id", membership.id},
                       {"creds", membership.creds},
                       {"ca", membership.ca}});
}

Result<Membership> membership_from(const Json& json) {
  Membership out{json["urls"].as_string(),  json["fleet"].as_string("home"),
                 json["node"].as_string(),  json["id"].as_string(),
                 json["creds"].as_string(), json["ca"].as_string()};
  if (auto fine = check(out); !fine) return tl::unexpected(fine.error());
  return out;
}

Done check(const Membership& membership) {
  for (const auto& url : split(membership.urls, ','))
    if (auto fine = check_url(url); !fine) return fine;
  if (membership.urls.empty()) return check_url("");
  for (const auto& [what, name] : {std::pair("fleet", membership.fleet), {"node", membership.node}})
    if (!valid_node(name) || name == "_")
      return fail("'" + name + "' is not a name of a " + what, "use up to 64 of A-Z a-z 0-9 - _",
                  2);
  if (membership.id.empty()) return fail("the node has no id", "pawl fleet join makes one", 2);
  return {};
}

std::optional<Membership> membership_of(const std::vector<std::string>& environment,
                                        const std::string& host) {
  const auto value = [&](const std::string& name) -> std::string {
    for (const auto& word : environment)
      if (word.starts_with(name + "=")) return word.substr(name.size() + 1);
    return {};
  };
  Membership out;
  out.urls = value("PAWL_FLEET_URL");
  if (out.urls.empty()) return std::nullopt;
  if (const std::string fleet = value("PAWL_FLEET_NAME"); !fleet.empty()) out.fleet = fleet;
  const std::string node = value("PAWL_FLEET_NODE");
  out.node = node.empty() ? node_name(host) : node;
  out.creds = value("PAWL_FLEET_CREDS");
  out.ca = value("PAWL_FLEET_CA");
  return out;
}

Result<std::optional<Membership>> load_membership(const std::string& home) {
  const std::string path = home + kFile;
  if (!os::exists(path)) return std::nullopt;
  const auto text = os::read_file(path);
  if (!text) return tl::unexpected(text.error());
  const auto json = Json::parse(*text);
  auto membership = json ? membership_from(*json) : Result<Membership>(fail("it is no JSON"));
  if (!membership)
    return fail(path + " is damaged: " + membership.error().what,
                "move it away and join again: pawl fleet join URL");
  return std::optional(std::move(*membership));
}

Done save_membership(const std::string& home, const Membership& membership) {
  return os::write_atomically(home + kFile, to_json(membership).dump(2) + "\n");
}

Done forget_membership(const std::string& home) {
  os::remove_file(home + kFile);
  if (os::exists(home + kFile)) return fail("cannot remove " + home + kFile, "remove it by hand");
  return {};
}

}  // namespace pawl::fleet
