#include "serve/site.h"

#include <fmt/core.h>

#include "api/aim.h"
#include "api/any_task.h"
#include "api/window.h"
#include "os/clock.h"
#include "os/file.h"
#include "os/home.h"
#include "os/tcp.h"
#include "serve/assets.h"
#include "serve/inside.h"
#include "serve/openapi.h"

namespace pawl::serve {
namespace {

// Scripts, styles and connections of ours alone; nobody may frame us, and no form goes anywhere.
constexpr const char* kPolicy =
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; manifest-src 'self'; worker-src 'self'; font-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

Response text(int status, std::string body) {
  Response out;
  out.status = status;
  out.type = "text/plain; charset=utf-8";
  out.body = std::move(body);
  return out;
}

bool is_api(const Target& target) {
  return target.parts.size() >= 2 && target.parts[0] == "api" && target.parts[1] == "v1";
}

}  // namespace

std::string by_of(const Who& who, const Request& request) {
  return fmt::format("{} ({}) from {}", word(who.role), who.credential, request.peer.address);
}

void add_safety(Response& response) {
  const auto set = [&](const char* name, const char* value) {
    for (const auto& [key, already] : response.headers)
      if (key == name) return;
    response.headers.emplace_back(name, value);
  };
  set("content-security-policy", kPolicy);
  set("x-content-type-options", "nosniff");
  set("x-frame-options", "DENY");
  set("referrer-policy", "no-referrer");
  set("cross-origin-opener-policy", "same-origin");
  set("cross-origin-resource-policy", "same-origin");
  set("cache-control", "no-store");
}

Site::Site(core::Engine& engine, api::Server& server, Credentials& credentials, Doors doors,
           const std::string& home, MoreMetrics more_metrics)
    : engine_(engine),
      server_(server),
      credentials_(credentials),
      guard_(std::move(doors), credentials),
      doormat_(engine),
      approvals_(home, credentials, os::read_clock().wall),
      approving_(engine, server, guard_, doormat_, approvals_),
      feed_(engine, &server.places),
      more_metrics_(std::move(more_metrics)) {
  guard_.wrong = [this](const Clock& now, const Request& request, bool locked) {
    doormat_.refused(now, request, "credential that is not valid");
    if (locked) doormat_.refused(now, request, "locked out for a minute");
  };
  guard_.admitted = [this](const Clock& now, const Request& request) {
    if (request.peer.known) *request.peer.known = true;
    patience_.came_in(request.peer.address, now.mono);
  };
}

Response Site::malformed(int status, const std::string& what) {
  return refusal(status, what, "see /openapi.json", 2);
}

void Site::follow(const Clock& now) {
  metrics_.count(feed_.follow(now));
}

bool Site::knows(const Clock& now, const Request& request) const {
  bool shown = false;
  if (guard_.refuse_host(request)) return false;
  if (guard_.recognise(request, now, shown)) return true;
  const auto target = parse_target(request.target);
  return target && approving_.knows(*target);
}

std::unique_ptr<Exchange> Site::begin(const Clock& now, const Request& request) {
  std::unique_ptr<Exchange> going_on;
  Response whole = answer(now, request, going_on);
  if (going_on) return going_on;
  return std::make_unique<Exchange>(std::move(whole));
}

bool Site::asks_for_authority(const Request& request) const {
  const bool reads = request.method == "GET" || request.method == "HEAD";
  return reads && !authority_.empty() && request.target == "/ca.crt" && !request.upgrade &&
         !guard_.refuse_host(request);
}

Response Site::answer(const Clock& now, const Request& request,
                      std::unique_ptr<Exchange>& going_on) {
  if (auto refused = guard_.refuse_host(request)) return *refused;
  if (asks_for_authority(request)) {
    Response out;
    out.type = "application/x-x509-ca-cert";
    out.asset = authority_;
    out.headers.emplace_back("content-disposition", "inline; filename=\"pawl-ca.crt\"");
    return out;
  }
  const auto target = parse_target(request.target);
  if (!target) return refusal(400, "this is no path", "see /openapi.json", 2);
  const bool reads = request.method == "GET" || request.method == "HEAD";
  if (is_api(*target)) return api(now, request, *target, going_on);
  const std::string first = target->parts.empty() ? "" : target->parts[0];
  if (first == "approve") return approving_.answer(now, request, *target, going_on);
  if (!reads) return refusal(405, "only GET here", "changes go to /api/v1", 2);
  if (first == "login" && target->parts.size() == 2) return login(now, request, target->parts[1]);
  if (first == "healthz" && target->parts.size() == 1) {
    Response out = json_answer(Json::object({{"ok", !engine_.trouble().has_value()}}));
    out.status = engine_.trouble() ? 503 : 200;
    return out;
  }
  if (target->parts.size() == 1 && (first == "metrics" || first == "openapi.json")) {
    Response refused;
    if (auto foreign = guard_.refuse_origin(request)) return *foreign;
    if (!guard_.admit(request, now, refused)) return refused;
    if (first == "openapi.json")
      return json_answer(openapi(server_.version, guard_.doors().control));
    Response out = text(200, metrics_.text(engine_, server_, now) + more_metrics_());
    out.type = "text/plain; version=0.0.4; charset=utf-8";
    return out;
  }
  return page(request, *target);
}

// The page itself knows no agent: anybody may have it.
Response Site::page(const Request& request, const Target& target) const {
  std::string path;
  for (const auto& part : target.parts) path += (path.empty() ? "" : "/") + part;
  const Asset* asset = find_asset(path.empty() ? "index.html" : path);
  if (!asset) return refusal(404, "there is nothing at this path", "the page is at /", 1);
  Response out;
  out.type = asset->type;
  out.headers = {{"etag", std::string(asset->etag)},
                 {"cache-control", "no-cache"},
                 {"vary", "accept-encoding"}};
  const std::string* known = request.header("if-none-match");
  if (known && *known == asset->etag) {
    out.status = 304;
    return out;
  }
  const std::string* accepts = request.header("accept-encoding");
  const bool zipped = accepts && lists(*accepts, "gzip") && !asset->gzip.empty();
  if (zipped) out.headers.emplace_back("content-encoding", "gzip");
  out.asset = zipped ? asset->gzip : asset->bytes;
  return out;
}

// Works once. Who is in already is simply shown the page.
Response Site::login(const Clock& now, const Request& request, const std::string& code) {
  Response home;
  home.status = 303;
  home.type = "text/plain; charset=utf-8";
  home.headers = {{"location", "/"}};
  Response refused;
  if (request.method == "HEAD") return text(200, "");
  const auto value = credentials_.use_link(code, now);
  if (!value) {
    const bool locked = guard_.locked(request, now.mono);
    if (guard_.admit(request, now, refused)) return home;
    if (locked) return refusal(429, "too many wrong links from this address", "wait a minute");
    guard_.failed(request, now.mono);
    doormat_.refused(now, request, "link that is not valid");
    return text(403,
                "This link was used already, or is too old.\nMake another: pawl serve --url\n");
  }
  if (const auto who = credentials_.by_cookie(*value, now.wall))
    doormat_.came(now, by_of(*who, request), "link used");
  home.headers.emplace_back("set-cookie", guard_.set_cookie(request, *value, kCookieLasts));
  return home;
}

Response Site::me(const Clock& now, const Who& who) const {
  const auto& trouble = engine_.trouble();
  return json_answer(
      Json::object({{"version", 1},
                    {"role", word(who.role)},
                    {"control", guard_.doors().control && who.role == Role::operator_},
                    {"pawl", server_.version},
                    {"host", os::host_name()},
                    {"started", rfc3339(server_.started)},
                    {"now", rfc3339(now.wall)},
                    {"healthy", !trouble.has_value()},
                    {"trouble", trouble ? Json(text_of(*trouble)) : Json()}}));
}

bool Site::missing(const Found& found) const {
  if (found.route->path[0] == "sessions") return false;
  if (found.name.empty() || found.route->verb == "register") return false;
  if (const auto [machine, name] = api::split_name(found.name); !machine.empty())
    return !api::place_named(server_.places, machine);  // whose agents they are, is known there
  const auto there = found.route->path[0] == "tasks" ? api::any_task(engine_, found.name)
                                                     : api::any_agent(engine_, found.name);
  return there && !*there;  // the handler says why it cannot be read
}

Response Site::api(const Clock& now, const Request& request, const Target& target,
                   std::unique_ptr<Exchange>& going_on) {
  if (auto foreign = guard_.refuse_origin(request)) return *foreign;
  Response refused;
  const auto who = guard_.admit(request, now, refused);
  if (!who) return refused;
  if (target.query.contains("token") || target.query.contains("access_token"))
    return refusal(400, "a token has no place in a URL", "send Authorization: Bearer …", 2);
  const std::string method = request.method == "HEAD" ? "GET" : request.method;
  const std::vector<std::string> parts(target.parts.begin() + 2, target.parts.end());
  const Found found = find_route(method, parts);
  if (!found.route)
    return found.other_method ? refusal(405, "not by this method", "see /openapi.json", 2)
                              : refusal(404, "there is no such path", "see /openapi.json", 2);
  if (auto forbidden = guard_.refuse_act(request, *who, found.route->access)) return *forbidden;
  if (missing(found))
    return refusal(404, "no agent or task named '" + found.name + "'", "GET /api/v1/agents");
  switch (found.route->kind) {
    case Route::Kind::me:
      return me(now, *who);
    case Route::Kind::logout:
      return logout(now, request, *who);
    case Route::Kind::sessions:
    case Route::Kind::revoke:
    case Route::Kind::rename:
      return sessions(now, request, found, *who);
    case Route::Kind::events:
      return events(now, request, target, *who, going_on);
    case Route::Kind::terminal:
      return guard_.refuse_terminal(request, *who).value_or(Response{});
    case Route::Kind::verb:
    case Route::Kind::text:
      break;
  }
  return call(now, request, target, found, *who, going_on);
}

Json Site::request_of(const Found& found, Json args, const std::string& by, bool browser) const {
  Json out = Json::object({{"version", 1},
                           {"verb", found.route->verb},
                           {"args", std::move(args)},
                           {"cwd", os::absolute("~", "/")},
                           {"by", by},
                           {"web", true},
                           {"browser", browser}});
  const std::string& verb = found.route->verb;
  if (verb != "run" && verb != "register" && verb != "task start") return out;
  const std::string path = os::config_path();
  if (const auto config = os::read_file(path))
    out.set("config", Json::object({{"text", *config}, {"path", path}}));
  return out;
}

Response Site::call(const Clock& now, const Request& request, const Target& target,
                    const Found& found, const Who& who, std::unique_ptr<Exchange>& going_on) {
  Json body = Json::object();
  if (request.method == "POST") {
    if (!target.query.empty())
      return refusal(400, "a change has its arguments in its body", "send a JSON object", 2);
    auto parsed = request.body.empty() ? Result<Json>(Json::object()) : Json::parse(request.body);
    if (!parsed || !parsed->is_object())
      return refusal(400, "the body is not a JSON object", "send {\"…\": …}", 2);
    body = std::move(*parsed);
  } else if (!request.body.empty()) {
    return refusal(400, "a GET has no body", "put arguments into the query", 2);
  }
  auto args = arguments_of(*found.route, found.name, target.query, body);
  if (!args) return refusal(400, args.error().what, args.error().fix, args.error().exit_code);
  if (request.method != "POST") args->set("machines", !(*args)["here"].as_bool());
  const bool makes = found.route->verb == "run" || found.route->verb == "task start";
  // What only looks may everybody who has a credential.
  auto asker = found.route->access == api::Access::act ? inside(server_, request) : std::nullopt;
  auto verb =
      std::make_unique<VerbCall>(engine_, server_, found.route->kind, makes, std::move(asker));
  verb->begin(now, request_of(found, std::move(*args), by_of(who, request), who.by_cookie));
  auto response = verb->follow(now, {});
  if (response) return *response;
  going_on = std::make_unique<Exchange>(std::move(verb));
  return {};
}

// After the number that Last-Event-ID or ?since= names; a time or an age works, too.
Response Site::events(const Clock& now, const Request& request, const Target& target,
                      const Who& who, std::unique_ptr<Exchange>& going_on) {
  Seq after;
  bool from_now = true;
  std::string agent;
  bool views = false;
  for (const auto& [key, value] : target.query) {
    if (key == "agent") agent = value;
    if (key == "views") views = value != "0";
    if (key != "since" && key != "agent" && key != "views")
      return refusal(400, "'events' has no '" + key + "'", "it takes: since, agent, views", 2);
  }
  const std::string* last = request.header("last-event-id");
  const auto since = target.query.find("since");
  if (last || since != target.query.end()) {
    const auto at = api::seq_since(engine_, last ? *last : since->second, now.wall);
    if (!at) return refusal(400, at.error().what, at.error().fix, 2);
    after = *at;
    from_now = false;
  }
  going_on = std::make_unique<Exchange>(
      EventReader{&feed_, feed_.reader(after, from_now, agent, views), &credentials_, who.session});
  return {};
}

Site::Opened Site::open(const Clock& now, const Request& request) {
  std::unique_ptr<Exchange> none;
  Opened out;
  if (auto refused = guard_.refuse_host(request)) return {nullptr, *refused};
  const auto target = parse_target(request.target);
  if (!target || !is_api(*target)) return {nullptr, refusal(404, "no WebSocket here", "", 2)};
  const Found found = find_route(request.method, {target->parts.begin() + 2, target->parts.end()});
  if (!found.route || found.route->kind != Route::Kind::terminal)
    return {nullptr, refusal(404, "no WebSocket here", "only terminals are", 2)};
  // Everything that would refuse a plain request refuses this one.
  out.response = api(now, request, *target, none);
  if (out.response.status != 200) return out;
  const std::string* key = request.header("sec-websocket-key");
  const std::string* version = request.header("sec-websocket-version");
  const auto accept = key ? ws_accept(*key) : std::nullopt;
  if (!accept || !version || *version != "13") {
    out.response = refusal(400, "this is no WebSocket handshake of version 13", "", 2);
    return out;
  }
  if (auto agent = refuse_inside(now, engine_, server_, request, "attach"))
    return {nullptr, *agent};
  Response ignored;
  const auto who = guard_.admit(request, now, ignored);
  const bool may_type = guard_.doors().control && who->role == Role::operator_;
  const auto control = target->query.find("control");
  out.terminal = std::make_unique<Terminal>(
      engine_, server_, now, found.name, may_type,
      control != target->query.end() && control->second == "1", by_of(*who, request));
  out.session = who->session;
  out.response.status = 101;
  out.response.headers = {
      {"upgrade", "websocket"}, {"connection", "Upgrade"}, {"sec-websocket-accept", *accept}};
  const std::string* protocols = request.header("sec-websocket-protocol");
  if (protocols && lists(*protocols, "pawl.terminal"))
    out.response.headers.emplace_back("sec-websocket-protocol", "pawl.terminal");
  return out;
}

}  // namespace pawl::serve
