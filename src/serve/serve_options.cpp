#include "serve/serve_options.h"

namespace pawl::serve {
namespace {

// "https://host:port" → host:port; nothing when it is not such a one.
std::optional<std::string> public_host(const std::string& url) {
  const size_t at = url.find("://");
  if (!url.starts_with("https://") && !url.starts_with("http://")) return std::nullopt;
  const std::string host = url.substr(at + 3);
  return parse_host(host) ? std::optional(host) : std::nullopt;
}

}  // namespace

Doors doors_of(const ServeOptions& options, const os::Endpoint& at) {
  Doors out;
  out.port = at.port;
  out.control = options.control;
  out.any_address = at.everywhere();
  for (const char* name : {"localhost", "127.0.0.1", "[::1]"})
    if (at.loopback() || at.everywhere()) out.hosts.insert(name);
  if (!at.everywhere())
    out.hosts.insert(at.host.find(':') == std::string::npos ? at.host : "[" + at.host + "]");
  if (!at.loopback()) {
    const auto own = parse_host(os::host_name());
    if (own) out.hosts.insert({own->first, own->first + ".local"});
  }
  std::vector<std::string> named = options.names;
  if (const auto host = public_host(options.public_url)) named.push_back(*host);
  for (const auto& name : named)
    if (const auto host = parse_host(name)) {
      out.hosts.insert(host->first);
      out.named.insert(host->first);
    }
  return out;
}

std::string bare(const std::string& name) {
  const auto host = parse_host(name);
  if (!host) return name;
  const std::string& text = host->first;
  return text.front() == '[' ? text.substr(1, text.size() - 2) : text;
}

std::vector<std::string> addresses_at(const os::Endpoint& at) {
  if (!at.everywhere()) return {};
  auto out = os::own_addresses();
  if (at.host == "0.0.0.0")
    std::erase_if(out, [](const auto& it) { return it.find(':') != std::string::npos; });
  return out;
}

CertificateNames names_of(const ServeOptions& options, const os::Endpoint& at) {
  CertificateNames out;
  if (!at.everywhere()) out.asked.push_back(at.host);
  for (const auto& name : options.names) out.asked.push_back(bare(name));
  const std::string own = os::host_name();
  out.found = {own, own.substr(0, own.find('.')) + ".local"};
  const auto addresses = addresses_at(at);
  out.found.insert(out.found.end(), addresses.begin(), addresses.end());
  return out;
}

Done check_options(const ServeOptions& options, const os::Endpoint& at) {
  if (options.certificate.empty() != options.key.empty())
    return fail("--cert and --key belong together", "give both, or neither", 2);
  if (!options.tls && !options.certificate.empty())
    return fail("--no-tls has no use for a certificate", "leave one of them out", 2);
  if (!options.tls && !at.loopback())
    return fail("without TLS everybody on the network could read and type along at " + at.text(),
                "leave --no-tls out, or listen at 127.0.0.1", 2);
  if (!options.public_url.empty() && !public_host(options.public_url))
    return fail("--public-url: '" + options.public_url + "' is not like https://host:port",
                "give scheme and host, and no path", 2);
  for (const auto& name : options.names)
    if (!parse_host(name)) return fail("'" + name + "' is no host name", "give --name HOST", 2);
  return {};
}

Json to_json(const ServeOptions& options) {
  return Json::object({{"listen", options.listen},
                       {"cert", options.certificate},
                       {"key", options.key},
                       {"tls", options.tls},
                       {"control", options.control},
                       {"names", options.names},
                       {"approvals", word(options.approvals)},
                       {"public_url", options.public_url}});
}

ServeOptions options_from(const Json& json) {
  ServeOptions out;
  out.listen = json["listen"].as_string(out.listen);
  out.certificate = json["cert"].as_string();
  out.key = json["key"].as_string();
  out.tls = json["tls"].as_bool(true);
  out.control = json["control"].as_bool(true);
  out.names = json["names"].as_strings();
  out.approvals = approve_from(json["approvals"].as_string()).value_or(Approve::login);
  out.public_url = json["public_url"].as_string();
  return out;
}

}  // namespace pawl::serve
