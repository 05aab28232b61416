#pragma once
// Verbs that look back: what the journal says about a stretch of time. All of them answer once, after reading in pieces
// (api/journal_search.h).

#include "api/conversation.h"

namespace pawl::api {

Outcome timeline(const Call& call);
Outcome alerts(const Call& call);
Outcome report(const Call& call);

}  // namespace pawl::api
