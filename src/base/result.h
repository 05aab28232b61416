#pragma once
// The outcome of anything that can fail in an expected way.
//
// Three failures, three forms (doc/architecture.md):
//   expected (no such file, bad name)  -> Result, with what went wrong and what to do about it
//   hostile input (bytes from a terminal, a socket) -> ignored and counted
//   our own bug -> CHECK, which aborts; the daemon is started again and folds its journal

#include <string>
#include <tl/expected.hpp>
#include <utility>

namespace pawl {

// Shown to a person as "pawl: WHAT: FIX".
struct Error {
  std::string what;      // what went wrong, naming the thing
  std::string fix = {};  // what to do; empty when there is nothing sensible to say
  int exit_code = 1;     // of the command line (interfaces: 1 failed, 2 usage, 124 timed out …)

  bool operator==(const Error&) const = default;
};

template <class T>
using Result = tl::expected<T, Error>;
using Done = Result<void>;

// `return fail("no such directory: /x", "create it or pass --dir");`
inline tl::unexpected<Error> fail(std::string what, std::string fix = {}, int exit_code = 1) {
  return tl::unexpected<Error>(Error{std::move(what), std::move(fix), exit_code});
}

// "what: fix", the text after "pawl: ".
std::string text_of(const Error& error);

// Adds the meaning of errno: fail_errno("cannot open /x") -> "cannot open /x: Permission denied".
tl::unexpected<Error> fail_errno(const std::string& what, int error_number, std::string fix = {});

[[noreturn]] void check_failed(const char* expression, const char* file, int line);

}  // namespace pawl

// Our own bugs only. Never on input.
#define CHECK(expression) \
  ((expression) ? void(0) : ::pawl::check_failed(#expression, __FILE__, __LINE__))
