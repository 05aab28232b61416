#include "os/digest.h"

#include <fcntl.h>
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/rand.h>
#include <unistd.h>

#include <cerrno>
#include <memory>

#include "base/result.h"
#include "base/text.h"
#include "os/file.h"

namespace pawl::os {
namespace {

constexpr size_t kDigestPiece = 256u << 10;

std::string digest(const EVP_MD* kind, std::string_view bytes) {
  unsigned char out[EVP_MAX_MD_SIZE];
  unsigned length = 0;
  CHECK(EVP_Digest(bytes.data(), bytes.size(), out, &length, kind, nullptr) == 1);
  return {reinterpret_cast<const char*>(out), length};
}

}  // namespace

std::string sha1(std::string_view bytes) {
  return digest(EVP_sha1(), bytes);
}

std::string sha256(std::string_view bytes) {
  return digest(EVP_sha256(), bytes);
}

Result<std::string> sha256_of_file(const std::string& path) {
  if (const auto other = not_a_file(path)) return fail(path + " is " + *other);
  const Fd fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (!fd) return fail_errno("cannot read " + path, errno);
  const std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> sum(EVP_MD_CTX_new(),
                                                                    EVP_MD_CTX_free);
  CHECK(sum && EVP_DigestInit_ex(sum.get(), EVP_sha256(), nullptr) == 1);
  std::string piece(kDigestPiece, '\0');
  for (;;) {
    const ssize_t n = ::read(fd.get(), piece.data(), piece.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return fail_errno("cannot read " + path, errno);
    if (n == 0) break;
    CHECK(EVP_DigestUpdate(sum.get(), piece.data(), static_cast<size_t>(n)) == 1);
  }
  unsigned char out[EVP_MAX_MD_SIZE];
  unsigned length = 0;
  CHECK(EVP_DigestFinal_ex(sum.get(), out, &length) == 1);
  return hex({reinterpret_cast<const char*>(out), length});
}

std::string hmac_sha256(std::string_view key, std::string_view bytes) {
  unsigned char out[EVP_MAX_MD_SIZE];
  unsigned length = 0;
  CHECK(HMAC(EVP_sha256(), key.data(), static_cast<int>(key.size()),
             reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size(), out, &length));
  return {reinterpret_cast<const char*>(out), length};
}

bool same_secret(std::string_view a, std::string_view b) {
  // Digests are equally long, whatever was sent.
  const std::string one = sha256(a), other = sha256(b);
  return CRYPTO_memcmp(one.data(), other.data(), one.size()) == 0;
}

std::string base64url(std::string_view bytes) {
  std::string text = base64(bytes);
  for (char& c : text) c = c == '+' ? '-' : c == '/' ? '_' : c;
  while (!text.empty() && text.back() == '=') text.pop_back();
  return text;
}

std::string hex(std::string_view bytes) {
  constexpr char kDigits[] = "0123456789abcdef";
  std::string text;
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    text += {kDigits[byte >> 4], kDigits[byte & 15]};
  }
  return text;
}

std::string random_secret(size_t bytes) {
  std::string raw(bytes, '\0');
  CHECK(RAND_bytes(reinterpret_cast<unsigned char*>(raw.data()), static_cast<int>(bytes)) == 1);
  return base64url(raw);
}

}  // namespace pawl::os
