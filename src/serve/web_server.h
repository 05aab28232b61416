#pragma once
// The dashboard's server, on the daemon's own loop: listens, accepts, and lets every connection say what it has after each turn.
// Many clients are paced, and only so many are served in one turn: agents are never kept waiting by people who look.

#include <list>
#include <memory>
#include <string>
#include <vector>

#include "os/tcp.h"
#include "serve/connection.h"
#include "serve/lag.h"
#include "serve/own_certificate.h"
#include "serve/serve_options.h"

namespace pawl::serve {

inline constexpr size_t kMaxConnections = 4096;  // and no more than half of our descriptors
inline constexpr size_t kServedAtOnce = 100;     // in one turn
inline constexpr Duration kLater = std::chrono::milliseconds{50};
inline constexpr Duration kAcceptsFor = std::chrono::milliseconds{1};  // at once
inline constexpr Allowance kOfDoor{std::chrono::milliseconds{10}, 0.06};
struct Afresh {
  bool tokens = false;
  bool authority = false;  // the CA of our own certificate
};

class WebServer {
 public:
  // Refuses an address that others can reach without TLS. `wake` asks for a turn soon.
  static Result<std::unique_ptr<WebServer>> open(os::Loop& loop, core::Engine& engine,
                                                 api::Server& server, const std::string& home,
                                                 ServeOptions options, Afresh afresh,
                                                 std::function<void()> wake);

  // What can be said against it before the server that runs is ended for it; changes nothing.
  static Done check(const std::string& home, const ServeOptions& options, Afresh afresh);

  void publish(const Clock& now, const std::vector<core::Answer>& answers);
  std::optional<MonoTime> wake_at() const;

  const ServeOptions& options() const { return options_; }
  Credentials& credentials() { return credentials_; }
  std::string address() const;                // "https://localhost:8822"
  std::string link(Role role, MonoTime now);  // works once
  // A link that answers this dialog, for a message; nothing when there are none.
  struct ApprovalLink {
    std::string url, code;  // the code is for another channel's message; empty: it takes none
  };
  std::optional<ApprovalLink> approval(const Approval& approval) const;
  Json view() const;
  // The CA that a person installs, and where a phone gets it. An error: there is none of ours.
  Result<Json> authority() const;
  // What a person should know about our certificate, each once.
  std::vector<std::string> take_news();

 private:
  WebServer(os::Loop& loop, core::Engine& engine, api::Server& server, const std::string& home,
            ServeOptions options, Credentials credentials, os::Endpoint at,
            std::function<void()> wake);
  void listen(std::vector<os::Fd> listeners);
  void accept_all(size_t listener);
  void make_room();
  bool serve_one(Connection& connection, const Clock& now, size_t& budget);
  void set_paces();
  void keep_certificate(const Clock& now);
  std::string url_with(const char* scheme, const std::string& host) const;
  std::string outside() const;  // the host that others reach us by
  std::string metrics() const;

  os::Loop& loop_;
  ServeOptions options_;
  os::Endpoint at_;
  std::unique_ptr<os::TlsServer> tls_;
  std::optional<OwnCertificate> own_;  // what tls_ has, unless it is the user's
  Credentials credentials_;
  Site site_;
  std::function<void()> wake_;
  os::Timer later_;  // a turn for what can wait a little
  Turns turns_{wake_, [this] {
                 if (!later_.armed()) later_.start(kLater);
               }};
  Account door_;  // what it costs to let strangers in
  os::Timer open_again_;
  Lag lag_;
  uint64_t accepted_ = 0, turned_away_ = 0, stalled_ = 0;
  size_t terminals_ = 0, streams_ = 0;
  std::vector<os::Fd> listeners_;
  std::list<std::unique_ptr<Connection>> connections_;
  std::vector<os::FdWatch> watches_;
};

}  // namespace pawl::serve
