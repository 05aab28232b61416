#pragma once
// SHA-256 for fingerprints in pure layers. Secrets are os/digest's.

#include <string>
#include <string_view>

namespace pawl {

// So many hexadecimal digits of it, 64 at most.
std::string sha256_hex(std::string_view bytes, size_t digits = 64);

}  // namespace pawl
