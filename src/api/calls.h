#pragma once
// What a program says to people beside its screen, for the terminal of somebody who is attached: bells, notifications, how far it
// is. Made here from the values that term/ keeps, without control characters; never the program's own bytes. What was said before
// the person came is not said again.

#include <string>

#include "base/units.h"
#include "term/screen.h"

namespace pawl::api {

inline constexpr size_t kMaxCalls = 4;  // notifications at once; of more the newest

class Calls {
 public:
  // What is new on this terminal since the last call. The first one, and one about another terminal, only remembers.
  std::string since(SessionId session, const term::Screen& screen, bool progress);
  // The person's terminal shows no progress any more.
  std::string leave();

 private:
  SessionId session_;
  uint64_t bells_ = 0, notifications_ = 0;
  term::Progress shown_;
};

}  // namespace pawl::api
