#pragma once
// Who may: two tokens in the home (0600), links that work once, and the cookies those links set. A cookie is signed with the
// operator's token and kept nowhere: it holds over restarts of the daemon, and another token ends all of them at once. Those that
// were signed out are kept (HOME/signed-out) until they would have ended by themselves.

#include <map>
#include <optional>
#include <string>

#include "base/clock.h"
#include "base/result.h"
#include "serve/browsers.h"

namespace pawl::serve {

enum class Role { reader, operator_ };
std::string_view word(Role role);

// Somebody who showed a credential.
struct Who {
  Role role = Role::reader;
  std::string credential;  // "token", or "browser 3fa9c1" for one cookie; never the secret
  bool by_cookie = false;
  std::string session = {};  // which cookie, for Credentials::sign_out; empty: a token
  int64_t until = 0;         // … and its end, in seconds
};

inline constexpr Duration kLinkLasts = std::chrono::minutes{10};
inline constexpr Duration kCookieLasts = std::chrono::hours{24 * 30};
inline constexpr size_t kMaxLinks = 16;  // that nobody has used yet; the oldest goes first
// Every one was a link of the operator's. At the limit those that end next are forgotten.
inline constexpr size_t kMaxSignedOut = 4096;
inline constexpr const char* kEveryBrowser = "all";

class Credentials {
 public:
  // Reads HOME/token and HOME/token.read; makes them when they are not there. `renew`: others, from now on.
  static Result<Credentials> open(const std::string& home, bool renew);

  std::optional<Who> by_token(const std::string& token) const;
  std::optional<Who> by_cookie(const std::string& value, WallTime now) const;

  // Its cookie opens nothing any more, now and after a restart. An error: only until the daemon ends.
  Done sign_out(const Who& who, WallTime now);
  // This credential was just used, by a browser that says what it is.
  void used(const Who& who, const std::string& address, const std::string& user_agent,
            WallTime now);
  // Those that could come in now.
  std::vector<Browser> browsers(WallTime now) const;
  Done rename(const std::string& id, const std::string& name) { return browsers_.rename(id, name); }
  // Signs that one out; with "all" everyone but `but`, a session. Gives how many there were.
  Result<size_t> revoke(const std::string& id, const std::string& but, WallTime now);
  bool signed_out(const std::string& session) const { return signed_out_.contains(session); }

  std::string make_link(Role role, MonoTime now);  // its code
  // Once; the value for a cookie.
  std::optional<std::string> use_link(const std::string& code, const Clock& now);
  size_t links() const { return links_.size(); }

  // For what else proves itself: 32 bytes that nobody makes without the tokens, and others with other tokens.
  std::string sign(const std::string& text) const;

 private:
  struct Link {
    Role role;
    MonoTime until;
  };
  std::string signature(const std::string& text) const;
  void read_signed_out();
  Done keep_signed_out(WallTime now);

  std::string home_;
  std::string operator_token_, reader_token_;
  std::map<std::string, Link> links_;  // by the digest of their codes
  Browsers browsers_;
  std::map<std::string, int64_t> signed_out_;  // cookies, by their digests, and until when
};

}  // namespace pawl::serve
