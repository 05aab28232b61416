#include "api/fleet_handlers.h"

#include "api/roles.h"

namespace pawl::api {
namespace {

// Over the network nobody decides whom this machine works for.
Outcome of_fleet(const Call& call, const std::string& verb) {
  if (!call.server.fleet) return Result<Json>(fail("there is no fleet here"));
  if (verb != "ls" && call.asker.kind == model::kWeb)
    return Result<Json>(fail("a machine joins and leaves a fleet on its command line",
                             "pawl fleet join URL", kNotAllowed));
  return call.server.fleet(verb, call.request);
}

}  // namespace

Outcome fleet_join(const Call& call) {
  return of_fleet(call, "join");
}

Outcome fleet_leave(const Call& call) {
  return of_fleet(call, "leave");
}

Outcome fleet_ls(const Call& call) {
  return of_fleet(call, "ls");
}

}  // namespace pawl::api
