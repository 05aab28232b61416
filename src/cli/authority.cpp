#include "cli/authority.h"

#include <fmt/core.h>

#include <cctype>

#include "base/text.h"
#include "cli/qr.h"

namespace pawl::cli {
namespace {

constexpr const char* kComputers =
    "\n"
    "On a computer, after pawl serve --ca > pawl-ca.crt:\n"
    "  Debian, Ubuntu   sudo cp pawl-ca.crt /usr/local/share/ca-certificates/\n"
    "                   sudo update-ca-certificates\n"
    "  Chrome on Linux  certutil -d sql:$HOME/.pki/nssdb -A -t C,, -n Pawl -i pawl-ca.crt\n"
    "  Firefox          Settings, Certificates, View Certificates, Authorities, Import\n"
    "  macOS            sudo security add-trusted-cert -d -r trustRoot \\\n"
    "                     -k /Library/Keychains/System.keychain pawl-ca.crt\n";

constexpr const char* kPhones =
    "  Android          Settings, search for \"CA certificate\", install the file\n"
    "  iPhone           Settings, Profile Downloaded, Install; then General, About,\n"
    "                   Certificate Trust Settings: turn it on\n";

std::string for_phones(const Json& ca, const Look& look) {
  const std::string url = ca["url"].as_string();
  if (!ca["others"].as_bool())
    return "\nOnly this machine can reach this server. For a phone: pawl serve --listen '*:8822'\n";
  std::string out = "\nOn a phone, open " + url + "\n";
  if (look.colour)
    if (const auto code = qr_code(url)) out += qr_drawn(*code);
  return out + kPhones +
         "  It comes without encryption: before you turn it on, compare the SHA-256 in its\n"
         "  details with the one above.\n";
}

}  // namespace

std::string fingerprint_text(const std::string& hex) {
  std::string out;
  for (size_t i = 0; i < hex.size(); ++i) {
    if (i > 0 && i % 2 == 0) out += ':';
    out += static_cast<char>(std::toupper(static_cast<unsigned char>(hex[i])));
  }
  return out;
}

std::string authority_text(const Json& ca, const Look& look) {
  const std::string print = fingerprint_text(ca["fingerprint"].as_string());
  const size_t half = print.size() / 2 + 1;
  std::string out = "The CA of this machine. A device that installs it trusts the dashboard.\n";
  out += fmt::format("  SHA-256  {}\n", print.substr(0, half));
  if (half < print.size()) out += fmt::format("           {}\n", print.substr(half));
  out += fmt::format("  until    {}\n", ca["ends"].as_string().substr(0, 10));
  out += fmt::format("  for      {}\n", join(ca["names"].as_strings(), ", "));
  return out + for_phones(ca, look) + kComputers;
}

}  // namespace pawl::cli
