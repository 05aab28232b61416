#pragma once
// The agents as a table: `pawl ls` and `pawl ls -w`.

#include <string>

#include "base/clock.h"
#include "base/json.h"
#include "cli/style.h"

namespace pawl::cli {

// Lines end with \n. `list` is what `pawl ls --json` prints.
std::string agent_table(const Json& list, WallTime now, const Look& look);
// What the table and its summary read of each agent: all that has to be asked for.
Json table_request();  // the arguments of `ls`
// "950", "12.3k", "1.2M": three digits tell enough.
std::string short_count(double count);
// "gpu/docs": what a row names under this key, as this machine's commands take it. "-" when it names nothing.
std::string name_in(const Json& row, const char* key);
// … in a column, which is wider for those of other machines.
std::string name_cell(const Json& row, const char* key, int width);
// "6 agents: 2 busy, 1 crashed"
std::string summary(const Json& list);

}  // namespace pawl::cli
