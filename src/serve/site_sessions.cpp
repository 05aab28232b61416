// Browsers that are signed in, as the API has them.

#include "serve/inside.h"
#include "serve/site.h"

namespace pawl::serve {

Response Site::logout(const Clock& now, const Request& request, const Who& who) {
  const auto kept = credentials_.sign_out(who, now.wall);
  doormat_.came(now, by_of(who, request), "sign out");
  Response out = kept ? json_answer(Json::object({{"version", 1}}))
                      : refusal(503, "signed out only until the daemon ends: " + kept.error().what,
                                kept.error().fix);
  out.headers.emplace_back("set-cookie", guard_.set_cookie(request, "", {}));
  return out;
}

// Readers see no addresses, and send nobody away but themselves (logout).
Response Site::sessions(const Clock& now, const Request& request, const Found& found,
                        const Who& who) {
  if (found.route->operators && who.role != Role::operator_)
    return refusal(403, "this credential may only look", "use the operator's");
  const auto kind = found.route->kind;
  if (auto agent = refuse_inside(now, engine_, server_, request, "serve")) return *agent;
  if (kind == Route::Kind::sessions) {
    Json list = Json::array();
    for (const auto& one : credentials_.browsers(now.wall))
      list.push(to_json(one).set("this", one.session == who.session));
    return json_answer(Json::object({{"version", 1}, {"sessions", list}}));
  }
  if (kind == Route::Kind::rename) {
    const auto body = Json::parse(request.body);
    const auto done = credentials_.rename(found.name, body ? (*body)["name"].as_string() : "");
    if (!done) return refusal(400, done.error().what, done.error().fix, done.error().exit_code);
    return json_answer(Json::object({{"version", 1}}));
  }
  const auto gone = credentials_.revoke(found.name, who.session, now.wall);
  if (!gone) return refusal(404, gone.error().what, gone.error().fix);
  doormat_.came(now, by_of(who, request), "sign out of browser " + found.name);
  return json_answer(Json::object({{"version", 1}, {"revoked", *gone}}));
}

}  // namespace pawl::serve
