#include "api/handlers.h"

#include <algorithm>

#include "api/verb.h"

namespace pawl::api {

Outcome handle(const Call& call, const std::string& verb) {
  const Verb* row = find_verb(verb);
  if (row && row->use.handler) return row->use.handler->answer(call);
  return Result<Json>(
      fail(std::string(kUnknownVerb) + " '" + verb + "'",
           "it may be older than this command: pawl daemon --stop --keep-tasks, then try again"));
}

std::vector<std::string> handled_verbs() {
  std::vector<std::string> names;
  for (const auto& row : verbs())
    if (row.use.handler) names.push_back(row.name);
  std::sort(names.begin(), names.end());
  return names;
}

Gathering for_one(const Call& call, const std::string& agent, RequestId& request) {
  Gathering gathering;
  gathering.bare = true;
  request = call.engine.next_request();
  gathering.waiting[request] = agent;
  return gathering;
}

Size size_from(int64_t cols, int64_t rows) {
  return {static_cast<uint16_t>(std::clamp<int64_t>(cols, 2, 1000)),
          static_cast<uint16_t>(std::clamp<int64_t>(rows, 1, 1000))};
}

}  // namespace pawl::api
