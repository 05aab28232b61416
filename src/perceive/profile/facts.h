#pragma once
// What model::Facts mean, and how a file beside a recording writes them (`pawl classify --facts`).

#include <string>
#include <string_view>

#include "base/json.h"
#include "base/result.h"
#include "model/facts.h"

namespace pawl::perceive {

using model::Facts;

// A shell alone in front. A script that runs a program is not.
bool shell_in_front(const Facts& facts);
bool shell_name(std::string_view process);
bool interpreter_name(std::string_view process);
std::string program_name(const std::string& path);  // without its folders

struct FactsLine {
  double t = 0;  // seconds since the start of the recording
  Facts facts;
};
// One line of a .feat.jsonl file; the names of its fields are the corpus' own.
Result<FactsLine> parse_facts_line(std::string_view line);

}  // namespace pawl::perceive
