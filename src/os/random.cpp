#include "os/random.h"

#include <fmt/core.h>
#include <sys/random.h>

#include <array>

#include "base/result.h"

namespace pawl::os {

std::string random_uuid() {
  std::array<unsigned char, 16> bytes{};
  CHECK(::getrandom(bytes.data(), bytes.size(), 0) == static_cast<ssize_t>(bytes.size()));
  bytes[6] = static_cast<unsigned char>((bytes[6] & 0x0f) | 0x40);
  bytes[8] = static_cast<unsigned char>((bytes[8] & 0x3f) | 0x80);
  std::string out;
  for (size_t i = 0; i < bytes.size(); ++i) {
    if (i == 4 || i == 6 || i == 8 || i == 10) out += '-';
    out += fmt::format("{:02x}", bytes[i]);
  }
  return out;
}

}  // namespace pawl::os
