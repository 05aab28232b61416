#pragma once
// argv → a verb and its arguments, by the verb's row. The only user of CLI11.

#include <string>
#include <vector>

#include "api/verb.h"
#include "base/json.h"

namespace pawl::cli {

struct Parsed {
  const api::Verb* verb = nullptr;
  Json args = Json::object();
};

// Errors carry exit code 2 and name the help to read.
Result<Parsed> parse_arguments(const std::vector<std::string>& words);

}  // namespace pawl::cli
