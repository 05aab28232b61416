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

// True: with `to` nothing is done that `from` would not do as well. Stricter than !widens(): dontAsk refuses in one program what
// default asks for, and runs it in another, so neither is within the other. A file of an agent's folder may only narrow.
bool within(std::string_view to, std::string_view from);

// What a file says that others leave for an agent (claude_mode.json): {"mode": "plan"}, also with the key permission_mode,
// permissionMode or permission, or the word alone.
Result<std::string> permission_in(std::string_view text);

}  // namespace pawl::model
