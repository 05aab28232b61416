#pragma once
// The answers of several machines as one, in the form that one machine's has: rows of all, each with its "machine", sums added. Pure.

#include <string>
#include <vector>

#include "base/json.h"

namespace pawl::api {

struct Part {
  std::string machine;  // empty: this one
  Json answer;
};
// `parts`: this machine's first, when it was asked.
Json merged(const std::string& verb, const std::vector<Part>& parts);

}  // namespace pawl::api
