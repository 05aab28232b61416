#pragma once
// Links that answer one dialog, from a phone or a chat. A link names an agent, its dialog (the fingerprint covers question, subject
// and rows), an end, and the message it went out in. It is signed with our tokens and kept nowhere: ten thousand cost nothing, and
// other tokens end all of them.
//
// A link works once, and with it every other link to the same alert's dialog. Those that were used, and codes that were wrong, are in
// HOME/approvals.used, a line each; without it nothing is answered.

#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "base/result.h"
#include "serve/credential.h"

namespace pawl::serve {

inline constexpr Duration kApprovalLasts = std::chrono::hours{12};
inline constexpr int kWrongCodes = 5;            // then a link takes no code any more
inline constexpr size_t kMaxUsedLinks = 20'000;  // remembered; more in their time: use the page

// What one may do with a link.
enum class Approve {
  off,     // there are none
  refuse,  // only say no
  login,   // … and yes in a browser that is signed in as operator
  code     // … or with the code from another channel's message
};
std::string_view word(Approve approve);
std::optional<Approve> approve_from(std::string_view text);

struct Approval {
  std::string agent;
  std::string dialog;  // its id
  int64_t until = 0;   // in seconds
  int place = 0;    // of its channel in the agent's `notify`: each has a link and a code of its own
  std::string via;  // what kind of channel that is: "ntfy"
  bool operator==(const Approval&) const = default;
};

class Approvals {
 public:
  // A line that is no line is passed over; a file that cannot be read, or not be written, is told by take().
  Approvals(const std::string& home, const Credentials& credentials, WallTime now);

  std::string link(const Approval& approval) const;  // what stands after /approve/
  // Nothing: it is none of ours. It may have ended.
  std::optional<Approval> read(const std::string& link) const;
  std::string code(const Approval& approval) const;  // "4832-0179"
  // Blanks and dashes do not count. A wrong one is counted; after kWrongCodes the right one is wrong, too.
  bool fits(const Approval& approval, std::string_view code);
  bool takes_codes(const Approval& approval) const;

  bool over(const Approval& approval, WallTime now) const;
  bool used(const Approval& approval) const;
  // It is used from now on, also after a restart. An error: nothing may be done with it.
  Done take(const Approval& approval, WallTime now);
  // Nothing was done with it after all.
  void give_back(const Approval& approval);
  // What came of it, for who comes again; empty: not known.
  std::string outcome(const Approval& approval) const;
  void came_of_it(const Approval& approval, std::string what);

 private:
  struct Known {
    int64_t until = 0;
    bool used = false;
    int wrong = 0;
    std::string outcome = {};
  };
  static std::string key(const Approval& approval);  // the same for all its links
  Done write(const std::string& key, const Known& known);
  void forget_old(WallTime now);

  std::string path_;
  const Credentials& credentials_;
  std::map<std::string, Known> known_;
  std::optional<Error> broken_;  // the file
};

}  // namespace pawl::serve
