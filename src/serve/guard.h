#pragma once
// The door. Every request passes here before anything else looks at it; pure, so that each rule is a line in a test.
//
//   Host    has to be one of our names: a page that had its own name point at us (DNS rebinding) sends its own.
//   Origin  where there is one, has to be ours: pages of strangers are refused whatever they show (CSRF, cross-site WebSocket).
//   Who     a bearer token or the page's cookie, from loopback, too. A cookie alone changes nothing: a change also needs our
//           Origin and Content-Type application/json, which no form and no foreign page can send.
//   What    readers look; operators act, unless the server was started without control.
// Failures of one address are counted: beyond the limit they are answered 429. Who has the right credential is never locked
// out: otherwise any page or program could lock out the operator.

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "api/verb.h"
#include "base/clock.h"
#include "serve/credential.h"
#include "serve/message.h"

namespace pawl::serve {

inline constexpr int kFailuresAllowed = 10;  // of one address …
inline constexpr Duration kFailuresWithin = std::chrono::minutes{1};
inline constexpr size_t kFailingAddresses = 1024;  // remembered; more: the oldest is forgotten

// Counts what went wrong, by address.
class Failures {
 public:
  void add(const std::string& address, MonoTime now);
  bool too_many(const std::string& address, MonoTime now) const;
  size_t size() const { return counts_.size(); }

 private:
  struct Count {
    int failures = 0;
    MonoTime since{};
  };
  std::map<std::string, Count> counts_;
};

struct Doors {
  std::set<std::string> hosts;  // names of ours, in small letters, without port
  std::set<std::string>
      named;  // those of them that the user gave: a proxy with TLS of its own may be there
  bool any_address = false;  // … and every address in numbers: we listen everywhere
  uint16_t port = 0;
  bool control = true;
};

class Guard {
 public:
  Guard(Doors doors, Credentials& credentials)
      : doors_(std::move(doors)), credentials_(credentials) {}

  // Before everything else: our name, and a request that is one.
  std::optional<Response> refuse_host(const Request& request) const;
  // A foreign page asks.
  std::optional<Response> refuse_origin(const Request& request) const;
  // Whose credential it shows; `shown`: there was one, right or wrong. Counts nothing.
  std::optional<Who> recognise(const Request& request, const Clock& now, bool& shown) const;
  // Who asks; or why nobody is let in.
  std::optional<Who> admit(const Request& request, const Clock& now, Response& refusal);
  // Whether this one may do that.
  std::optional<Response> refuse_act(const Request& request, const Who& who,
                                     api::Access access) const;
  std::optional<Response> refuse_terminal(const Request& request, const Who& who) const;
  // Told of every credential that is not valid, until its address is locked out; `now_locked`: it is, from now on.
  std::function<void(const Clock& now, const Request& request, bool now_locked)> wrong = {};
  // Told of everyone who is let in.
  std::function<void(const Clock& now, const Request& request)> admitted = {};
  void failed(const Request& request, MonoTime now) { failures_.add(request.peer.address, now); }
  bool locked(const Request& request, MonoTime now) const {
    return failures_.too_many(request.peer.address, now);
  }
  bool signed_out(const std::string& session) const { return credentials_.signed_out(session); }
  // One cookie per port and scheme: two servers of one machine do not overwrite each other's.
  std::string cookie_name(bool secure) const;
  // The header's value. Empty and at once over: it is taken back.
  std::string set_cookie(const Request& request, const std::string& value, Duration lasts) const;
  const Doors& doors() const { return doors_; }

 private:
  bool ours(const std::string& host_and_port) const;
  bool our_origin(const std::string& origin, bool secure) const;

  Doors doors_;
  Credentials& credentials_;
  Failures failures_;
};

Response json_answer(const Json& value);
Response refusal(int status, const std::string& what, const std::string& fix, int exit_code = 1);
// "Example.org:8822" → "example.org" and 8822 (0: none). Nothing when it is no host.
std::optional<std::pair<std::string, uint16_t>> parse_host(std::string_view text);

}  // namespace pawl::serve
