#pragma once
// The fleet as users see it: the shapes promised in interfaces ("pawl ls --json"). Unknown values are null, never absent.

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
Json list_view(const model::Fleet& fleet, const Clock& now);

}  // namespace pawl::api
