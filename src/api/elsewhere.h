#pragma once
// Whether a request is other machines' business, as its names and its row say, and how it goes there. For conversation.cpp.

#include "api/aim.h"
#include "api/conversation.h"

namespace pawl::api {

// Nothing: it is answered here, by its handler.
std::optional<Outcome> elsewhere(const Call& call, const Verb& row, const Aim& aim,
                                 const Caller& caller);

}  // namespace pawl::api
