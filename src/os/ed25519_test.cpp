#include "os/ed25519.h"

#include <gtest/gtest.h>

#include "os/digest.h"

namespace pawl::os {
namespace {

std::string bytes_of(const std::string& digits) {
  std::string out;
  for (size_t i = 0; i + 1 < digits.size(); i += 2)
    out += static_cast<char>(std::stoi(digits.substr(i, 2), nullptr, 16));
  return out;
}

// RFC 8032, 7.1, test 1
TEST(Ed25519, AsTheStandardSays) {
  const std::string seed =
      bytes_of("9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60");
  EXPECT_EQ(hex(ed25519_public(seed)),
            "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a");
  EXPECT_EQ(
      hex(ed25519_sign(seed, "")),
      "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701c"
      "f9b46bd25bf5f0595bbe24655141438e7a100b");
}

TEST(Ed25519, EverySeedIsAnother) {
  EXPECT_EQ(ed25519_new_seed().size(), kEd25519Seed);
  EXPECT_NE(ed25519_new_seed(), ed25519_new_seed());
}

}  // namespace
}  // namespace pawl::os
