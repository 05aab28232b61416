#include "daemon/serving.h"

#include <fmt/core.h>

#include <cstdio>

#include "core/input.h"
#include "os/clock.h"
#include "os/file.h"

namespace pawl::daemon {
namespace {

// What was asked, over what holds.
serve::ServeOptions merged(serve::ServeOptions options, const Json& args) {
  options.listen = args["listen"].as_string(options.listen);
  if (args["tls"].as_bool()) options.tls = true;
  if (args["no-tls"].as_bool()) options.tls = false;
  if (args.has("cert") || args.has("key")) {
    options.certificate = args["cert"].as_string();
    options.key = args["key"].as_string();
    if (!args.has("no-tls")) options.tls = true;
  }
  if (args["no-tls"].as_bool() && !args.has("cert")) options.certificate = options.key = "";
  if (args["control"].as_bool()) options.control = true;
  if (args["no-control"].as_bool()) options.control = false;
  if (args.has("name")) options.names = args["name"].as_strings();
  if (const auto approvals = serve::approve_from(args["approvals"].as_string()))
    options.approvals = *approvals;
  options.public_url = args["public-url"].as_string(options.public_url);
  while (options.public_url.ends_with('/')) options.public_url.pop_back();
  return options;
}

bool changes(const Json& args) {
  for (const char* key : {"listen", "tls", "no-tls", "cert", "key", "no-control", "control", "name",
                          "new-token", "new-ca", "approvals", "public-url"})
    if (args.has(key)) return true;
  return false;
}

}  // namespace

Serving::Serving(os::Loop& loop, core::Engine& engine, api::Server& server, std::string home,
                 std::function<void()> wake)
    : loop_(loop),
      engine_(engine),
      server_(server),
      home_(std::move(home)),
      wake_(std::move(wake)) {
  server_.serve = [this](const Json& args) { return asked(args); };
}

void Serving::begin_again() {
  const auto text = os::read_file(path());
  if (!text) return;
  const auto kept = Json::parse(*text);
  auto options = serve::options_from(kept ? *kept : Json());
  auto opened =
      serve::WebServer::open(loop_, engine_, server_, home_, std::move(options), {}, wake_);
  if (!opened) return tell("the dashboard is not there: " + text_of(opened.error()));
  web_ = std::move(*opened);
  for (const auto& news : web_->take_news()) tell(news);
}

void Serving::tell(const std::string& news) {
  fmt::print(stderr, "pawl: {}\n", news);
  core::Noted noted;
  noted.alert = {model::Severity::warning, news};
  engine_.submit(noted);
}

Result<Json> Serving::stop() {
  os::remove_file(path());
  const bool was = web_ != nullptr;
  web_.reset();
  return Json::object({{"version", 1}, {"stopped", was}});
}

Result<Json> Serving::change(const Json& args) {
  if (const std::string how = args["approvals"].as_string(); args.has("approvals"))
    if (!serve::approve_from(how))
      return fail("--approvals: '" + how + "' is none of them",
                  "give off, refuse, login (permitting needs a browser that is signed in), or code "
                  "(… or the code that another channel's message has)",
                  2);
  auto options = merged(web_ ? web_->options() : serve::ServeOptions{}, args);
  const serve::Afresh afresh{.tokens = args["new-token"].as_bool(),
                             .authority = args["new-ca"].as_bool()};
  if (auto fine = serve::WebServer::check(home_, options, afresh); !fine)
    return tl::unexpected(fine.error());
  auto before = std::move(web_);  // its port is free from here on
  const auto old = before ? std::optional(before->options()) : std::nullopt;
  before.reset();
  auto opened =
      serve::WebServer::open(loop_, engine_, server_, home_, std::move(options), afresh, wake_);
  if (!opened && old) {
    auto again = serve::WebServer::open(loop_, engine_, server_, home_, *old, {}, wake_);
    if (again) web_ = std::move(*again);
  }
  if (!opened) return tl::unexpected(opened.error());
  web_ = std::move(*opened);
  if (auto kept = os::write_atomically(path(), to_json(web_->options()).dump(2) + "\n"); !kept)
    return tl::unexpected(kept.error());
  return Json();
}

// The browsers that are signed in: looked at, called something, sent away.
Result<Json> Serving::sessions(const Json& args) {
  if (!web_) return fail("nothing is served", "begin with: pawl serve");
  const Clock now = os::read_clock();
  serve::Credentials& its = web_->credentials();
  if (const std::string wish = args["rename"].as_string(); !wish.empty()) {
    const size_t equals = wish.find('=');
    if (equals == std::string::npos)
      return fail("--rename: '" + wish + "' is not ID=NAME", "pawl serve --sessions shows the ids",
                  2);
    if (auto done = its.rename(wish.substr(0, equals), wish.substr(equals + 1)); !done)
      return tl::unexpected(done.error());
  }
  Json out = Json::object({{"version", 1}});
  if (const std::string id = args["revoke"].as_string(); !id.empty()) {
    const auto gone = its.revoke(id, "", now.wall);
    if (!gone) return tl::unexpected(gone.error());
    out.set("revoked", *gone);
    wake_();  // what they have open is closed
  }
  Json list = Json::array();
  for (const auto& one : its.browsers(now.wall)) list.push(to_json(one));
  return out.set("sessions", list);
}

Result<Json> Serving::asked(const Json& args) {
  if (args["stop"].as_bool()) return stop();
  if (args["sessions"].as_bool() || args.has("revoke") || args.has("rename")) return sessions(args);
  if (!web_ || changes(args))
    if (auto changed = change(args); !changed) return changed;
  const auto news = web_->take_news();
  if (args["ca"].as_bool()) {
    auto authority = web_->authority();
    if (authority) authority->set("notes", news);
    wake_();
    return authority;
  }
  const auto role = args["read-only"].as_bool() ? serve::Role::reader : serve::Role::operator_;
  Json out = web_->view();
  out.set("url", web_->link(role, os::read_clock().mono));
  out.set("notes", news);
  wake_();
  return out;
}

std::optional<serve::WebServer::ApprovalLink> Serving::approval(serve::Approval about,
                                                                WallTime at) const {
  if (!web_) return std::nullopt;
  about.until = serve::unix_seconds(at + serve::kApprovalLasts);
  return web_->approval(about);
}

void Serving::publish(const Clock& now, const std::vector<core::Answer>& answers) {
  if (!web_) return;
  web_->publish(now, answers);
  for (const auto& news : web_->take_news()) tell(news);
}

std::optional<MonoTime> Serving::wake_at() const {
  return web_ ? web_->wake_at() : std::nullopt;
}

}  // namespace pawl::daemon
