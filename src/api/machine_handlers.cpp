#include "api/machine_handlers.h"

#include <algorithm>

#include "base/text.h"

namespace pawl::api {
namespace {

constexpr size_t kMaxFrom = 200;

// Over the network nobody decides whom this machine's user connects to.
Outcome of_machines(const Call& call, const std::string& verb) {
  if (!call.server.machines) return Result<Json>(fail("there are no machines here"));
  if (verb != "ls" && call.asker.kind == model::kWeb)
    return Result<Json>(fail("machines are added and removed on the command line",
                             "pawl machine add NAME ssh://HOST", 6));
  return call.server.machines(verb, call.request);
}

}  // namespace

Outcome machine_add(const Call& call) {
  return of_machines(call, "add");
}

Outcome machine_ls(const Call& call) {
  return of_machines(call, "ls");
}

Outcome machine_rm(const Call& call) {
  return of_machines(call, "rm");
}

Outcome relay(const Call& call) {
  if (!valid_from(call.args["from"].as_string()))
    return Result<Json>(fail("a relay says for whom it speaks", "pawl __relay --from NAME", 2));
  return Result<Json>(Json::object({{"version", 1}, {"pawl", call.server.version}}));
}

bool valid_from(const std::string& from) {
  const size_t slash = from.find('/');
  if (from.size() > kMaxFrom || slash == std::string::npos || slash == 0) return false;
  return std::all_of(from.begin(), from.end(), [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte >= 0x20 && byte != 0x7f;
  });
}

}  // namespace pawl::api
