#pragma once
// What credentials and handshakes are made of. OpenSSL stays behind digest.cpp.

#include <string>
#include <string_view>

#include "base/result.h"

namespace pawl::os {

std::string sha1(std::string_view bytes);    // for WebSocket handshakes only
std::string sha256(std::string_view bytes);  // 32 bytes
std::string hmac_sha256(std::string_view key, std::string_view bytes);
// Of a whole file, in pieces, as 64 hexadecimal digits. It may take long, or hang: never on the loop. An error: it is no file, or cannot be
// read to its end.
Result<std::string> sha256_of_file(const std::string& path);
// Takes as long whether the first or the last byte differs.
bool same_secret(std::string_view a, std::string_view b);
// So many unguessable bytes, as base64 that fits into URLs and cookies.
std::string random_secret(size_t bytes = 32);
std::string base64url(std::string_view bytes);
std::string hex(std::string_view bytes);

}  // namespace pawl::os
