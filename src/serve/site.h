#pragma once
// What is here: the page, the API, and who may see it. Every request of every version of HTTP comes through begin() or, for a
// terminal, open(); nothing here knows a socket.

#include <memory>
#include <optional>
#include <string>

#include "api/metrics.h"
#include "serve/approving.h"
#include "serve/doormat.h"
#include "serve/exchange.h"
#include "serve/guard.h"
#include "serve/patience.h"
#include "serve/strangers.h"
#include "serve/terminal.h"

namespace pawl::serve {

// What only the server that carries us knows, for /metrics.
using MoreMetrics = std::function<std::string()>;

class Site {
 public:
  // `home`: where it is kept which links were used.
  Site(core::Engine& engine, api::Server& server, Credentials& credentials, Doors doors,
       const std::string& home, MoreMetrics more_metrics);

  std::unique_ptr<Exchange> begin(const Clock& now, const Request& request);
  // Whether its body is worth waiting for: strangers are refused by their head alone, and cost no memory.
  bool knows(const Clock& now, const Request& request) const;
  // The CA of our certificate, for /ca.crt.
  void offer_authority(std::string pem) { authority_ = std::move(pem); }
  // Whether it asks for that: anybody may have it, also without TLS, since a device needs it before it can trust us.
  bool asks_for_authority(const Request& request) const;
  // A WebSocket: the terminal, and the headers that say so; or why not.
  struct Opened {
    std::unique_ptr<Terminal> terminal;
    Response response;
    std::string session = {};  // the cookie it was opened with
  };
  Opened open(const Clock& now, const Request& request);

  // After a turn.
  void follow(const Clock& now);
  std::optional<MonoTime> wake_at() const { return feed_.wake_at(); }
  api::Feed& feed() { return feed_; }
  Credentials& credentials() { return credentials_; }
  const Guard& guard() const { return guard_; }
  Strangers& strangers() { return strangers_; }
  Patience& patience() { return patience_; }
  Approving& approving() { return approving_; }
  const Approving& approving() const { return approving_; }
  const Approvals& approvals() const { return approvals_; }

  // A request that is none, or comes by the wrong way.
  static Response malformed(int status, const std::string& what);

 private:
  Response answer(const Clock& now, const Request& request, std::unique_ptr<Exchange>& going_on);
  Response page(const Request& request, const Target& target) const;
  Response login(const Clock& now, const Request& request, const std::string& code);
  Response me(const Clock& now, const Who& who) const;
  Response logout(const Clock& now, const Request& request, const Who& who);
  Response sessions(const Clock& now, const Request& request, const Found& found, const Who& who);
  Response api(const Clock& now, const Request& request, const Target& target,
               std::unique_ptr<Exchange>& going_on);
  Response call(const Clock& now, const Request& request, const Target& target, const Found& found,
                const Who& who, std::unique_ptr<Exchange>& going_on);
  Response events(const Clock& now, const Request& request, const Target& target, const Who& who,
                  std::unique_ptr<Exchange>& going_on);
  Json request_of(const Found& found, Json args, const std::string& by, bool browser) const;
  bool missing(const Found& found) const;

  core::Engine& engine_;
  api::Server& server_;
  Credentials& credentials_;
  Guard guard_;
  std::string authority_;  // PEM; empty: there is none
  Strangers strangers_;
  Patience patience_;
  Doormat doormat_;
  Approvals approvals_;
  Approving approving_;
  api::Feed feed_;
  api::Metrics metrics_;
  MoreMetrics more_metrics_;
};

// For the journal: "operator (browser 3fa9c1) from 127.0.0.1".
std::string by_of(const Who& who, const Request& request);
// What every answer carries.
void add_safety(Response& response);

}  // namespace pawl::serve
