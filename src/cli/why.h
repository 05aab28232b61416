#pragma once
// `pawl why` for people: the state, the rule that decided, what each channel says and how old that is.

#include <string>

#include "base/json.h"
#include "cli/style.h"

namespace pawl::cli {

std::string why_text(const Json& why, const Look& look);

}  // namespace pawl::cli
