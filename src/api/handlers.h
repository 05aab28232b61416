#pragma once
// What each verb does on the daemon's side. Looks at the fleet or submits inputs; the engine does the rest.

#include <string>

#include "api/conversation.h"

namespace pawl::api {

Outcome handle(const Call& call, const std::string& verb);

// A size from outside, made sane.
Size size_from(int64_t cols, int64_t rows);

}  // namespace pawl::api
