#include "api/elsewhere.h"

#include "api/later.h"
#include "api/look_handlers.h"
#include "api/work_handlers.h"

namespace pawl::api {
namespace {

// What a machine is asked that is to answer for itself alone.
Json own_args(const Json& args) {
  Json out = Json::object();
  for (const auto& [key, value] : args.members())
    if (key != "machines" && key != "here") out.set(key, value);
  return out;
}

Json with_args(const Json& request, const Json& args) {
  return Json(request).set("args", args);
}

Outcome all_asked(const Call& call, const Caller& caller) {
  const Json args = own_args(call.args);
  PlacesAsk ask{with_args(call.request, args), {{"", args}}, true, from_of(call.asker)};
  for (const auto& [name, place] : call.server.places()) ask.at[name] = args;
  return PlacesAsked(call.engine, call.server, caller, std::move(ask), call.now);
}

Outcome all_followed(const Call& call, const Caller& caller) {
  const auto since = since_abroad(call.engine, call.now, call.args["since"].as_string());
  if (!since) return Result<Json>(tl::unexpected(since.error()));
  EventsAsk ask{with_args(call.request, own_args(call.args)), from_of(call.asker),
                call.args["follow"].as_bool(), *since};
  return PlacesFollowed(call.engine, call.server, caller, std::move(ask), call.now);
}

Outcome awaited(const Call& call, const Aim& aim, const Caller& caller) {
  const auto deadline = deadline_of(call);
  if (!deadline) return Result<Json>(tl::unexpected(deadline.error()));
  return PlacesAwaited(call.engine, call.server, caller,
                       {call.request, aim.at, from_of(call.asker), *deadline}, call.now);
}

// Agents of other machines are named.
Outcome aimed(const Call& call, const Verb& row, const Aim& aim, const Caller& caller) {
  if (auto fine = may_go_on(call.asker); !fine) return Result<Json>(tl::unexpected(fine.error()));
  for (const auto& [machine, args] : aim.at)
    if (!machine.empty() && !place_named(call.server.places, machine))
      return Result<Json>(tl::unexpected(no_such_place(machine)));
  if (row.across == Across::awaited) return awaited(call, aim, caller);
  if (!aim.one().empty()) {
    if (row.name == "inbox add")
      if (auto left = leave_item(call, aim.one(), aim.at.begin()->second)) return std::move(*left);
    PassAsk ask{aim.one(), with_args(call.request, aim.at.begin()->second), from_of(call.asker)};
    if (Later* later = call.server.later; later && can_wait(row))
      ask.keep = [later, machine = aim.one(), by = call.asker,
                  request = abroad(call.request, aim.at.begin()->second)](const Clock& now,
                                                                          const Error& why) {
        return later->keep(now, machine, request, by, why);
      };
    return PassedOn(call.server.places, std::move(ask), call.now);
  }
  if (row.across != Across::gathered)
    return Result<Json>(
        fail("'" + row.name + "' is for one machine at a time", "say it once for each of them", 2));
  PlacesAsk ask{call.request, aim.at, false, from_of(call.asker)};
  return PlacesAsked(call.engine, call.server, caller, std::move(ask), call.now);
}

// One agent of ours, or a further page: of this machine alone.
bool about_here(const Json& args) {
  return args["agent"].is_string() || args["after"].is_string();
}

}  // namespace

std::optional<Outcome> elsewhere(const Call& call, const Verb& row, const Aim& aim,
                                 const Caller& caller) {
  if (!aim.here_only()) return aimed(call, row, aim, caller);
  const bool wanted = call.args["machines"].as_bool() && !call.args["here"].as_bool();
  if (!wanted || about_here(call.args) || !may_go_on(call.asker)) return std::nullopt;
  if (!call.server.places || call.server.places().empty()) return std::nullopt;
  if (row.across == Across::gathered && row.use.access == Access::look)
    return all_asked(call, caller);
  if (row.across == Across::followed) return all_followed(call, caller);
  return std::nullopt;
}

}  // namespace pawl::api
