#pragma once
// `pawl why` for people: the state, the rule that decided, what each channel says and how old that is.

#include <string>

#include "base/json.h"
#include "cli/style.h"

namespace pawl::cli {

// What it asks, about what, and how to answer; empty: it has no dialog.
std::string dialog_text(const std::string& name, const Json& dialog, const Look& look);
std::string why_text(const Json& why, const Look& look);

}  // namespace pawl::cli
