#include "os/kept_secret.h"

#include "base/text.h"
#include "os/digest.h"
#include "os/file.h"

namespace pawl::os {
namespace {

constexpr size_t kLeastSecret = 20;
constexpr size_t kSecretFileBytes = 4096;

}  // namespace

Result<std::string> kept_secret(const std::string& path, bool renew, const std::string& fix) {
  if (!renew && exists(path)) {
    const auto text = read_file(path, kSecretFileBytes);
    if (!text) return tl::unexpected(text.error());
    const std::string secret(trim(*text));
    if (secret.size() < kLeastSecret) return fail(path + " holds no secret", fix);
    return secret;
  }
  const std::string secret = random_secret();
  if (auto kept = write_atomically(path, secret + "\n"); !kept) return tl::unexpected(kept.error());
  return secret;
}

}  // namespace pawl::os
