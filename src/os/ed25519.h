#pragma once
// Signatures by a secret of 32 bytes. OpenSSL stays behind ed25519.cpp.

#include <string>
#include <string_view>

namespace pawl::os {

inline constexpr size_t kEd25519Seed = 32, kEd25519Public = 32, kEd25519Signature = 64;

std::string ed25519_new_seed();
std::string ed25519_public(std::string_view seed);
std::string ed25519_sign(std::string_view seed, std::string_view bytes);

}  // namespace pawl::os
