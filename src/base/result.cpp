#include "base/result.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace pawl {

std::string text_of(const Error& error) {
  return error.fix.empty() ? error.what : error.what + ": " + error.fix;
}

tl::unexpected<Error> fail_errno(const std::string& what, int error_number, std::string fix) {
  return fail(what + ": " + std::strerror(error_number), std::move(fix));
}

void check_failed(const char* expression, const char* file, int line) {
  std::fprintf(stderr, "pawl: bug: %s is false at %s:%d\n", expression, file, line);
  std::abort();
}

}  // namespace pawl
