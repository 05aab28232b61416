#pragma once
// The browsers that are signed in, for people who want to see them and send one away: HOME/browsers.json (0600). A cookie proves
// itself (credential.h); this says who has one, when it was last used, and from where. One that was not used for long counts no more.
//
// What is lost of it (a file that cannot be written, or was removed) is only what is known about a browser: those that were sent
// away stay away, which credential.h keeps, and one that comes again is listed again.

#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/json.h"
#include "base/result.h"

namespace pawl::serve {

inline constexpr Duration kIdleEnds = std::chrono::hours{24 * 14};
inline constexpr Duration kSeenKept =
    std::chrono::minutes{10};                // how exactly the last use is on disk
inline constexpr size_t kMaxBrowsers = 256;  // more than that: the one longest unused is forgotten
inline constexpr size_t kMaxBrowserName = 60;

// As cookies and links have it.
int64_t unix_seconds(WallTime time);

struct Browser {
  std::string session;  // the digest of its cookie
  std::string id;       // short, for people: "3fa9c1"
  std::string role;     // operator, reader
  std::string name;     // what it said it is, or what a person calls it
  std::string address;  // from where it came last
  WallTime made, seen;
  int64_t until = 0;  // its cookie ends by itself, in seconds
};

class Browsers {
 public:
  // A file that cannot be read is none: it is written anew.
  static Browsers open(const std::string& home);
  static void remove(const std::string& home);

  // It was just used: listed when it is new. Kept on disk when that is worth it.
  void used(const Browser& browser, WallTime now);
  // Not used for so long that its cookie counts no more.
  bool idle(const std::string& session, WallTime now) const;
  const std::vector<Browser>& all() const { return all_; }
  const Browser* find(const std::string& id) const;
  Done rename(const std::string& id, const std::string& name);
  Done forget(const std::string& session);

 private:
  Browser* by_session(const std::string& session);
  Done save();

  std::string path_;
  std::vector<Browser> all_;
  WallTime saved_{};
};

Json to_json(const Browser& browser);

}  // namespace pawl::serve
