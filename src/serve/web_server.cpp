#include "serve/web_server.h"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

#include "os/clock.h"
#include "os/file.h"

namespace pawl::serve {
namespace {

using std::chrono::microseconds;
using std::chrono::milliseconds;

double seconds(const timeval& time) {
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
}

// Of this process, as /proc tells it.
double resident_bytes() {
  const auto text = os::read_file("/proc/self/statm", 4096);
  long pages = 0;
  if (text) (void)std::sscanf(text->c_str(), "%*d %ld", &pages);
  return static_cast<double>(pages) * static_cast<double>(::sysconf(_SC_PAGESIZE));
}

// Agents and the command line need descriptors, too: strangers who only connect get half of them at most.
size_t most_connections() {
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) return kMaxConnections;
  return static_cast<size_t>(std::min<rlim_t>(kMaxConnections, limit.rlim_cur / 2));
}

}  // namespace

Done WebServer::check(const std::string& home, const ServeOptions& options, Afresh afresh) {
  const auto at = os::parse_endpoint(options.listen);
  if (!at) return tl::unexpected(at.error());
  if (auto fine = check_options(options, *at); !fine || !options.tls) return fine;
  if (!options.certificate.empty()) {
    const auto theirs = os::TlsServer::open(options.certificate, options.key);
    return theirs ? Done() : tl::unexpected(theirs.error());
  }
  return afresh.authority ? Done() : OwnCertificate::check(home + "/tls", os::read_clock().wall);
}

Result<std::unique_ptr<WebServer>> WebServer::open(os::Loop& loop, core::Engine& engine,
                                                   api::Server& server, const std::string& home,
                                                   ServeOptions options, Afresh afresh,
                                                   std::function<void()> wake) {
  auto at = os::parse_endpoint(options.listen);
  if (!at) return tl::unexpected(at.error());
  if (auto fine = check_options(options, *at); !fine) return tl::unexpected(fine.error());
  auto listeners = os::listen_tcp(*at);
  if (!listeners) return tl::unexpected(listeners.error());
  std::optional<OwnCertificate> own;
  std::unique_ptr<os::TlsServer> tls;
  if (options.tls && options.certificate.empty()) {
    auto opened = OwnCertificate::open(home + "/tls", names_of(options, *at), afresh.authority,
                                       os::read_clock().wall);
    if (!opened) return tl::unexpected(opened.error());
    own = std::move(*opened);
  }
  if (options.tls) {
    auto made = own ? os::TlsServer::of(own->pair())
                    : os::TlsServer::open(options.certificate, options.key);
    if (!made) return tl::unexpected(made.error());
    tls = std::make_unique<os::TlsServer>(std::move(*made));
  }
  // Last: a wish that fails leaves the tokens as they were.
  auto credentials = Credentials::open(home, afresh.tokens);
  if (!credentials) return tl::unexpected(credentials.error());
  options.listen = at->text();
  std::unique_ptr<WebServer> out(new WebServer(loop, engine, server, home, std::move(options),
                                               std::move(*credentials), *at, std::move(wake)));
  out->tls_ = std::move(tls);
  out->own_ = std::move(own);
  if (out->own_) out->site_.offer_authority(out->own_->authority());
  out->listen(std::move(*listeners));
  return out;
}

WebServer::WebServer(os::Loop& loop, core::Engine& engine, api::Server& server,
                     const std::string& home, ServeOptions options, Credentials credentials,
                     os::Endpoint at, std::function<void()> wake)
    : loop_(loop),
      options_(std::move(options)),
      at_(std::move(at)),
      credentials_(std::move(credentials)),
      site_(engine, server, credentials_, doors_of(options_, at_), home,
            [this] { return metrics(); }),
      wake_(std::move(wake)),
      later_(loop, [this] { wake_(); }),
      open_again_(loop,
                  [this] {
                    for (auto& watch : watches_) watch.want({.read = true});
                  }),
      lag_(loop) {
  site_.approving().allow(options_.approvals);
}

void WebServer::listen(std::vector<os::Fd> listeners) {
  listeners_ = std::move(listeners);
  for (size_t i = 0; i < listeners_.size(); ++i)
    watches_.emplace_back(loop_, listeners_[i].get(),
                          [this, i](os::FdWatch::Ready) { accept_all(i); });
}

// Those who only come and go cost something, too: then the door is shut for some milliseconds.
void WebServer::accept_all(size_t listener) {
  const Clock now = os::read_clock();
  const Duration before = os::thread_time();
  const size_t most = most_connections();
  while (os::thread_time() - before < kAcceptsFor) {
    auto accepted = os::accept_tcp(listeners_[listener].get());
    if (!accepted.fd) break;
    ++accepted_;
    if (os::hung_up(accepted.fd.get())) {
      ++turned_away_;
      continue;
    }
    if (connections_.size() >= most) make_room();
    if (connections_.size() >= most) {
      ++turned_away_;
      continue;
    }
    connections_.push_back(
        std::make_unique<Connection>(loop_, os::NetStream(std::move(accepted.fd)), accepted.address,
                                     site_, tls_.get(), now, turns_));
  }
  turns_.later();
  door_.charge(kOfDoor, now.mono, os::thread_time() - before);
  const auto shut = door_.until(kOfDoor, now.mono);
  if (!shut) return;
  for (auto& watch : watches_) watch.want({.read = false});
  open_again_.start(*shut - now.mono);
}

// The one that does nothing and has done so for longest.
void WebServer::make_room() {
  const auto idle =
      std::min_element(connections_.begin(), connections_.end(),
                       [](const auto& a, const auto& b) { return a->deadline() < b->deadline(); });
  if (idle == connections_.end() || (*idle)->live()) return;
  ++turned_away_;
  connections_.erase(idle);
}

void WebServer::set_paces() {
  const auto scaled = [](Duration each, size_t count, Duration least, Duration most) {
    return std::clamp(each * static_cast<int64_t>(count), least, most);
  };
  site_.feed().set_pace(scaled(microseconds{200}, streams_, microseconds{0}, milliseconds{250}));
  const Duration frames =
      scaled(microseconds{250}, terminals_, milliseconds{16}, milliseconds{100});
  for (const auto& it : connections_)
    if (Terminal* terminal = it->terminal()) terminal->pace(frames);
}

// False: it has something to say, and has to wait for the next turn.
bool WebServer::serve_one(Connection& connection, const Clock& now, size_t& budget) {
  const bool attached = connection.terminal() != nullptr;
  if (!attached && !connection.has_more(now)) return true;
  if (!attached && connection.live()) {
    if (budget == 0) return false;
    --budget;
  }
  connection.go_on(now);
  return true;
}

// Who is connected keeps what the handshake agreed on; who comes next gets the new one.
void WebServer::keep_certificate(const Clock& now) {
  if (!own_ || !own_->follow(now, [this] { return names_of(options_, at_); })) return;
  if (auto made = os::TlsServer::of(own_->pair())) *tls_ = std::move(*made);
}

void WebServer::publish(const Clock& now, const std::vector<core::Answer>& answers) {
  keep_certificate(now);
  bool views = false;
  terminals_ = streams_ = 0;
  for (const auto& it : connections_) {
    views = views || it->wants_views();
    if (it->terminal())
      ++terminals_;
    else if (it->live())
      ++streams_;
  }
  site_.patience().next_turn();
  site_.feed().want_views(views);
  site_.follow(now);
  set_paces();
  lag_.measure(!connections_.empty());
  size_t budget = kServedAtOnce;
  auto waiting = connections_.end();  // the first that has to
  for (auto it = connections_.begin(); it != connections_.end(); ++it) {
    stalled_ += (*it)->check_time(now) ? 1 : 0;
    (*it)->rest(now);
    if (!answers.empty()) (*it)->follow(now, answers);
    if ((*it)->gone() || serve_one(**it, now, budget)) continue;
    if (waiting == connections_.end()) waiting = it;
  }
  const bool more = waiting != connections_.end();
  // Those that had to wait are first in the next turn.
  if (more) connections_.splice(connections_.end(), connections_, connections_.begin(), waiting);
  connections_.remove_if([](const auto& it) { return it->gone(); });
  if (more) wake_();
}

std::optional<MonoTime> WebServer::wake_at() const {
  std::optional<MonoTime> earliest = site_.wake_at();
  const auto sooner = [&](std::optional<MonoTime> due) {
    if (due && (!earliest || *due < *earliest)) earliest = due;
  };
  for (const auto& it : connections_) {
    sooner(it->wake_at());
    if (it->deadline() != MonoTime::max()) sooner(it->deadline());
  }
  return earliest;
}

std::string WebServer::address() const {
  const bool here = at_.loopback() || at_.everywhere();
  const std::string host = !options_.names.empty() ? options_.names.front()
                           : here                  ? "localhost"
                                                   : at_.host;
  return url_with(options_.tls ? "https://" : "http://", host);
}

std::string WebServer::url_with(const char* scheme, const std::string& host) const {
  const bool six = host.find(':') != std::string::npos && host.front() != '[';
  return scheme + (six ? "[" + host + "]" : host) + ":" + std::to_string(at_.port);
}

std::string WebServer::outside() const {
  if (!options_.names.empty()) return bare(options_.names.front());
  if (!at_.everywhere()) return bare(at_.host);
  const auto addresses = addresses_at(at_);
  return addresses.empty() ? os::host_name() : addresses.front();
}

std::optional<WebServer::ApprovalLink> WebServer::approval(const Approval& approval) const {
  const Approve allowed = site_.approving().allowed();
  if (allowed == Approve::off) return std::nullopt;
  const std::string begin = !options_.public_url.empty()
                                ? options_.public_url
                                : url_with(options_.tls ? "https://" : "http://", outside());
  const Approvals& its = site_.approvals();
  return ApprovalLink{begin + "/approve/" + its.link(approval),
                      allowed == Approve::code ? its.code(approval) : ""};
}

Result<Json> WebServer::authority() const {
  if (!options_.tls)
    return fail("without TLS there is no CA", "serve with TLS first: pawl serve --tls");
  if (!own_)
    return fail("this server has a certificate of yours: Pawl does not know its CA",
                "ask whoever made it; Pawl's own is for servers without --cert");
  const auto& facts = own_->authority_facts();
  return Json::object({{"version", 1},
                       {"ca", own_->authority()},
                       {"fingerprint", facts.fingerprint},
                       {"ends", rfc3339(facts.ends)},
                       {"names", own_->facts().names},
                       {"others", !at_.loopback()},
                       {"url", url_with("http://", outside()) + "/ca.crt"}});
}

std::vector<std::string> WebServer::take_news() {
  return own_ ? own_->take_news() : std::vector<std::string>();
}

std::string WebServer::link(Role role, MonoTime now) {
  return address() + "/login/" + credentials_.make_link(role, now);
}

Json WebServer::view() const {
  return Json::object({{"version", 1},
                       {"listening", at_.text()},
                       {"address", address()},
                       {"tls", options_.tls},
                       {"control", options_.control},
                       {"approvals", word(site_.approving().allowed())},
                       {"fingerprint", tls_ ? Json(tls_->fingerprint()) : Json()},
                       {"ca", own_ ? Json(own_->authority_facts().fingerprint) : Json()},
                       {"clients", connections_.size()}});
}

std::string WebServer::metrics() const {
  rusage use{};
  (void)::getrusage(RUSAGE_SELF, &use);
  std::string out = lag_.text();
  const auto add = [&](const char* name, const char* type, const char* help, double value) {
    out += api::metric_head(name, type, help) + api::metric_line(name, {}, value);
  };
  add("process_cpu_seconds_total", "counter", "CPU time of the daemon",
      seconds(use.ru_utime) + seconds(use.ru_stime));
  add("process_resident_memory_bytes", "gauge", "memory of the daemon", resident_bytes());
  add("pawl_http_connections", "gauge", "clients", static_cast<double>(connections_.size()));
  add("pawl_http_streams", "gauge", "clients that follow events", static_cast<double>(streams_));
  add("pawl_http_terminals", "gauge", "open terminals", static_cast<double>(terminals_));
  add("pawl_http_accepted_total", "counter", "connections", static_cast<double>(accepted_));
  add("pawl_http_stalled_total", "counter", "clients that did not read, and were let go",
      static_cast<double>(stalled_));
  add("pawl_http_turned_away_total", "counter", "connections there was no room for",
      static_cast<double>(turned_away_));
  return out;
}

}  // namespace pawl::serve
