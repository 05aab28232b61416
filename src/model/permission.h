#pragma once
// What a program may do without asking a person, in the words of every runtime (profiles map them to its own).

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace pawl::model {

// plan, acceptEdits, default, auto, dontAsk, bypassPermissions
const std::vector<std::string>& permissions();

// True: a person is asked less often with `to` than with `from`.
bool widens(std::string_view from, std::string_view to);

// What a file says that others leave for an agent (claude_mode.json): {"mode": "plan"}, also with the key permission_mode,
// permissionMode or permission, or the word alone.
Result<std::string> permission_in(std::string_view text);

}  // namespace pawl::model
