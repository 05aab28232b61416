#pragma once
// Certificates of this machine's own: an authority (CA) that people install once on their devices, and the short-lived certificates
// it signs. Texts in, texts out; time is an argument. serve/own_certificate keeps them in files and says when another is due.
// OpenSSL stays behind certificate.cpp and tls.cpp.
//
// What the authority may sign is written into it (name constraints, critical): the names it was made for and private addresses.
// Whoever steals its key cannot pretend to be anybody else to those who installed it. More names need another authority.

#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/result.h"

namespace pawl::os {

inline constexpr Duration kAuthorityLasts = std::chrono::hours{24 * 3650};
inline constexpr Duration kCertificateLasts = std::chrono::hours{24 * 90};
// They begin a day ago: a phone's clock may be late.
inline constexpr Duration kBackdated = std::chrono::hours{24};
inline constexpr size_t kMaxCertificateNames = 64;  // in one certificate; more are left out

// Both as PEM.
struct CertificatePair {
  std::string certificate, key;
};

struct CertificateFacts {
  WallTime begins, ends;
  bool authority = false;          // it may sign others
  std::string fingerprint;         // SHA-256 of it, small letters
  std::vector<std::string> names;  // names and addresses it is good for
};
// Of the first certificate in the text; nothing when there is none.
std::optional<CertificateFacts> read_certificate(const std::string& pem);

// A name that can stand in a certificate: a host name, or an address in numbers without brackets.
bool certifiable(const std::string& name);

// `called`: what people see in their lists ("Pawl on build-box"). It may sign for these names and addresses, for names below them,
// and for every private address: 127/8, 10/8, 172.16/12, 192.168/16, 169.254/16, 100.64/10 (tailnets), ::1, fc00::/7, fe80::/10.
Result<CertificatePair> make_authority(const std::string& called,
                                       const std::vector<std::string>& names, WallTime now);
// Whether its constraints let it.
bool may_sign(const std::string& authority, const std::string& name);

// For a server with these names. It ends no later than its authority.
Result<CertificatePair> issue(const CertificatePair& authority,
                              const std::vector<std::string>& names, WallTime now);

bool fits(const CertificatePair& pair);  // the key is this certificate's
bool signed_by(const std::string& certificate, const std::string& authority);
bool covers(const std::string& certificate, const std::string& name);
// The first certificate of the text as PEM, without anything that stands beside it; empty: there is none.
std::string certificate_in(const std::string& pem);

}  // namespace pawl::os
