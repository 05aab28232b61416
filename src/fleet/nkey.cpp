#include "fleet/nkey.h"

#include <cstdint>
#include <optional>

#include "base/text.h"
#include "os/ed25519.h"
#include "os/private_file.h"

namespace pawl::fleet {
namespace {

constexpr unsigned kSeed = 18u << 3, kUser = 20u << 3;  // "S" and "U" as the first letter
constexpr std::string_view kLetters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
constexpr size_t kSum = 2;
constexpr size_t kMaxCredentials = 16u << 10;

// CRC-16/XMODEM
uint16_t checksum(std::string_view bytes) {
  unsigned sum = 0;
  for (const char c : bytes) {
    sum ^= static_cast<unsigned>(static_cast<unsigned char>(c)) << 8;
    for (int i = 0; i < 8; ++i) sum = (sum << 1 ^ ((sum & 0x8000) != 0 ? 0x1021u : 0u)) & 0xffff;
  }
  return static_cast<uint16_t>(sum);
}

std::string with_sum(std::string bytes) {
  const unsigned sum = checksum(bytes);
  bytes += static_cast<char>(sum & 0xff);
  bytes += static_cast<char>(sum >> 8);
  return bytes;
}

std::string base32(std::string_view bytes) {
  std::string out;
  unsigned held = 0, bits = 0;
  for (const char c : bytes) {
    held = held << 8 | static_cast<unsigned char>(c);
    for (bits += 8; bits >= 5; bits -= 5) out += kLetters[held >> (bits - 5) & 31];
    held &= (1u << bits) - 1;
  }
  if (bits > 0) out += kLetters[held << (5 - bits) & 31];
  return out;
}

std::optional<std::string> from_base32(std::string_view text) {
  std::string out;
  unsigned held = 0, bits = 0;
  for (const char c : text) {
    const size_t value = kLetters.find(c);
    if (value == std::string_view::npos) return std::nullopt;
    held = held << 5 | static_cast<unsigned>(value);
    bits += 5;
    if (bits < 8) continue;
    bits -= 8;
    out += static_cast<char>(held >> bits & 0xff);
    held &= (1u << bits) - 1;
  }
  if (held != 0 || base32(out) != text) return std::nullopt;
  return out;
}

// Without its checksum, when that is right.
std::optional<std::string> checked(std::string_view text) {
  auto bytes = from_base32(text);
  if (!bytes || bytes->size() <= kSum) return std::nullopt;
  const std::string body = bytes->substr(0, bytes->size() - kSum);
  if (with_sum(body) != *bytes) return std::nullopt;
  return body;
}

std::string key_of(std::string_view raw_seed) {
  return base32(with_sum(std::string(1, char(kUser)) + os::ed25519_public(raw_seed)));
}

std::string raw_seed_of(std::string_view seed) {
  return checked(seed).value_or("").substr(2);
}

}  // namespace

NKey new_nkey() {
  const std::string raw = os::ed25519_new_seed();
  const std::string prefix = {static_cast<char>(kSeed | kUser >> 5),
                              static_cast<char>((kUser & 31) << 3)};
  return {base32(with_sum(prefix + raw)), key_of(raw)};
}

Result<NKey> nkey_of(std::string_view seed) {
  const auto body = checked(seed);
  if (!body || body->size() != 2 + os::kEd25519Seed || !seed.starts_with("SU"))
    return fail("there is no NKey seed of a user in it",
                "use the file that `pawl fleet enroll` made");
  return NKey{std::string(seed), key_of(body->substr(2))};
}

bool valid_public_key(std::string_view key) {
  const auto body = checked(key);
  return body && body->size() == 1 + os::kEd25519Public &&
         static_cast<unsigned char>((*body)[0]) == kUser;
}

std::string NKey::sign(std::string_view nonce) const {
  return os::ed25519_sign(raw_seed_of(seed), nonce);
}

std::string credentials_of(const std::string& fleet, const std::string& node, const NKey& key) {
  return "# Whoever has this file is the node " + node + " of the fleet " + fleet +
         ". It is shown once, and kept nowhere else.\n" +
         "# Its public key, which the server knows: " + key.key +
         "\n-----BEGIN USER NKEY SEED-----\n" + key.seed + "\n------END USER NKEY SEED------\n";
}

Result<NKey> nkey_in(std::string_view credentials) {
  for (const std::string& line : split(credentials, '\n')) {
    const std::string_view word = trim(line);
    if (word.starts_with("SU")) return nkey_of(word);
  }
  return nkey_of("");
}

Result<NKey> read_credentials(const std::string& path) {
  auto text = os::read_given_secret(path, kMaxCredentials);
  if (!text) return tl::unexpected(text.error());
  auto key = nkey_in(*text);
  if (!key) return fail(path + ": " + key.error().what, key.error().fix);
  return key;
}

}  // namespace pawl::fleet
