#pragma once
// What a conversation has used, counted from its file as that grows: Claude Code's transcript, where a message is written once
// for each of its parts, and Codex' rollout, which tells the sum so far. Given are bytes from where the last count ended; what is
// no whole line yet is left for the next time. Pure, and nothing in a file is trusted: who reads it gives its bytes.

#include <optional>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/json.h"
#include "model/spending.h"

namespace pawl::perceive {

struct UsageRead {
  model::Mark mark;                 // where the next count begins
  std::vector<model::Spent> spent;  // by day, the earliest first; without marks
};

// `since`: what was said before is not counted (a conversation may be older than the agent). `full`: these are as many bytes as
// are ever given at a time, so a line that does not end in them is read over. `prices` as in price.h.
UsageRead read_usage(const std::vector<std::string>& prices, std::string_view bytes,
                     model::Mark from, std::optional<WallTime> since = {}, bool full = false);

// A number of tokens as a program wrote it, within reason.
int64_t tokens(const Json& json);

}  // namespace pawl::perceive
