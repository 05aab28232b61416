#pragma once
// How the journal has what retention took away (doc/journal.md). For event.cpp.

#include "model/event.h"

namespace pawl::model {

Json to_json(const Forgotten& fact);
Result<Fact> forgotten_from(const Json& json);

}  // namespace pawl::model
