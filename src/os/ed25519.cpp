#include "os/ed25519.h"

#include <openssl/evp.h>
#include <openssl/rand.h>

#include <memory>

#include "base/result.h"

namespace pawl::os {
namespace {

struct FreeSigning {
  void operator()(EVP_PKEY* key) const { EVP_PKEY_free(key); }
  void operator()(EVP_MD_CTX* context) const { EVP_MD_CTX_free(context); }
};
using SigningKey = std::unique_ptr<EVP_PKEY, FreeSigning>;

unsigned char* raw(std::string& bytes) {
  return reinterpret_cast<unsigned char*>(bytes.data());
}

const unsigned char* raw(std::string_view bytes) {
  return reinterpret_cast<const unsigned char*>(bytes.data());
}

SigningKey key_of(std::string_view seed) {
  CHECK(seed.size() == kEd25519Seed);
  SigningKey key(EVP_PKEY_new_raw_private_key(EVP_PKEY_ED25519, nullptr, raw(seed), seed.size()));
  CHECK(key);
  return key;
}

}  // namespace

std::string ed25519_new_seed() {
  std::string seed(kEd25519Seed, '\0');
  CHECK(RAND_bytes(raw(seed), static_cast<int>(seed.size())) == 1);
  return seed;
}

std::string ed25519_public(std::string_view seed) {
  std::string out(kEd25519Public, '\0');
  size_t length = out.size();
  CHECK(EVP_PKEY_get_raw_public_key(key_of(seed).get(), raw(out), &length) == 1);
  CHECK(length == out.size());
  return out;
}

std::string ed25519_sign(std::string_view seed, std::string_view bytes) {
  const SigningKey key = key_of(seed);
  const std::unique_ptr<EVP_MD_CTX, FreeSigning> context(EVP_MD_CTX_new());
  std::string out(kEd25519Signature, '\0');
  size_t length = out.size();
  CHECK(EVP_DigestSignInit(context.get(), nullptr, nullptr, nullptr, key.get()) == 1);
  CHECK(EVP_DigestSign(context.get(), raw(out), &length, raw(bytes), bytes.size()) == 1);
  CHECK(length == out.size());
  return out;
}

}  // namespace pawl::os
