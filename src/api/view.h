#pragma once
// The fleet as users see it: the shapes promised in interfaces ("pawl ls --json"). Unknown values are null, never absent.

#include "base/clock.h"
#include "base/json.h"
#include "model/fleet.h"

namespace pawl::api {

Json view_of(const model::Agent& agent, const Clock& now);
Json list_view(const model::Fleet& fleet, const Clock& now);

}  // namespace pawl::api
