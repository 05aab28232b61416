#pragma once
// Help, from the same rows the parser is built from.

#include <string>

#include "api/verb.h"
#include "base/result.h"
#include "cli/style.h"

namespace pawl::cli {

std::string help_overview(const Look& look);
std::string help_on(const api::Verb& verb, const Look& look);
// Verbs of two words that begin alike ("task"); empty: there are none.
std::string help_on_family(const std::string& word, const Look& look);
std::string usage_line(const api::Verb& verb);

// Completion scripts, from the rows as well. Agent names are asked from `pawl ls` at completion time.
Result<std::string> completion_script(const std::string& shell);

}  // namespace pawl::cli
