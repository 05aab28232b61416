#pragma once
// The fleet as users see it: the shapes promised in interfaces ("pawl ls --json"). Unknown values are null, never absent.

#include <functional>
#include <optional>
#include <string>

#include "base/clock.h"
#include "base/json.h"
#include "model/fleet.h"

namespace pawl::api {

// What is not known is null.
Json time_or_null(const std::optional<WallTime>& time);
Json text_or_null(const std::string& text);

Json view_of(const model::Agent& agent, const Clock& now);
// `last_line`: what the agent of this name said last, for its "last_line"; without it nobody knows.
Json list_view(const model::Fleet& fleet, const Clock& now,
               const std::function<Json(const std::string&)>& last_line = {});

}  // namespace pawl::api
