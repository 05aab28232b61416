#pragma once
// The fleet as users see it: the shapes promised in interfaces ("pawl ls --json"). Unknown values are null, never absent.

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/json.h"
#include "model/fleet.h"

namespace pawl::api {

// What is not known is null.
Json time_or_null(const std::optional<WallTime>& time);
Json text_or_null(const std::string& text);

// One key of a view, and what it says of an agent.
struct Field {
  std::string_view key;
  Json (*value)(const model::Agent& agent, const Clock& now);
};
using Fields = std::vector<Field>;
const Fields& all_fields();
// Those of these keys that a view has, in its order: found once for a whole list.
Fields fields_of(const std::vector<std::string>& keys);

Json view_of(const model::Agent& agent, const Clock& now, const Fields& fields = all_fields());
// `last_line`: what the agent of this name said last, for its "last_line"; without it nobody knows. `keys`: nothing else is made of
// each agent; without any: everything. `wanted`: the others are left out.
Json list_view(const model::Fleet& fleet, const Clock& now,
               const std::function<Json(const std::string&)>& last_line = {},
               const std::vector<std::string>& keys = {},
               const std::function<bool(const std::string&)>& wanted = {});

}  // namespace pawl::api
