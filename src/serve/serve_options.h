#pragma once
// How `pawl serve` was asked to serve, and what follows from that and from where it listens: by which names it is reached, and what its
// certificate is for.

#include <optional>
#include <string>
#include <vector>

#include "base/json.h"
#include "base/result.h"
#include "os/tcp.h"
#include "serve/approvals.h"
#include "serve/guard.h"
#include "serve/own_certificate.h"

namespace pawl::serve {

struct ServeOptions {
  std::string listen = "127.0.0.1:8822";
  std::string certificate, key;  // empty: one of our own
  bool tls = true;
  bool control = true;
  std::vector<std::string> names;      // more hosts we are known as
  Approve approvals = Approve::login;  // what links in messages may do
  std::string public_url = {};         // how such links begin; empty: our own address
};
Json to_json(const ServeOptions& options);
ServeOptions options_from(const Json& json);
Done check_options(const ServeOptions& options, const os::Endpoint& at);

Doors doors_of(const ServeOptions& options, const os::Endpoint& at);
CertificateNames names_of(const ServeOptions& options, const os::Endpoint& at);
// As a certificate has it: "[::1]:8822" → "::1".
std::string bare(const std::string& name);
// Where others find us; none when we listen at one address only.
std::vector<std::string> addresses_at(const os::Endpoint& at);

}  // namespace pawl::serve
