#pragma once
// What verbs do on the daemon's side, each as its row says (verb.h). Looks at the fleet or submits inputs; the engine does the rest.

#include <string>
#include <vector>

#include "api/conversation.h"

namespace pawl::api {

// What a row has of it (verb.h).
struct Handler {
  Outcome (*answer)(const Call&);
};

// How a daemon refuses a verb that it has no row of: its version is older.
inline constexpr const char* kUnknownVerb = "the daemon does not know";

Outcome handle(const Call& call, const std::string& verb);
std::vector<std::string> handled_verbs();  // in the order of the alphabet

// A wish for one agent: gives it its number; the reply is that agent's view, or the error itself.
Gathering for_one(const Call& call, const std::string& agent, RequestId& request);

// A size from outside, made sane.
Size size_from(int64_t cols, int64_t rows);

}  // namespace pawl::api
