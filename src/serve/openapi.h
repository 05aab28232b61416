#pragma once
// /openapi.json, from the routes and the verbs' rows: what is written here is what is there.

#include <string>

#include "base/json.h"

namespace pawl::serve {

Json openapi(const std::string& version, bool control);

}  // namespace pawl::serve
