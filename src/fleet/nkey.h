#pragma once
// NATS's keys of users: Ed25519, written in base32 with a checksum. The seed is the secret; the key is what the server's configuration
// names. Pure but for the making of one.

#include <string>
#include <string_view>

#include "base/result.h"

namespace pawl::fleet {

struct NKey {
  std::string seed;  // "SU…", 58 letters
  std::string key;   // "U…", 56 letters

  std::string sign(std::string_view nonce) const;  // 64 bytes
};

NKey new_nkey();
Result<NKey> nkey_of(std::string_view seed);
bool valid_public_key(std::string_view key);

// A credentials file of a node: words for people, and on a line of its own the seed.
std::string credentials_of(const std::string& fleet, const std::string& node, const NKey& key);
Result<NKey> nkey_in(std::string_view credentials);
// Reads it. Others on this machine must not be able to; a link and a group's reading are fine: so are secrets mounted into pods.
Result<NKey> read_credentials(const std::string& path);

}  // namespace pawl::fleet
