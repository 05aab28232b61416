#pragma once
// AccountSeen as a line of the journal.

#include "model/event.h"

namespace pawl::model {

Json to_json(const AccountSeen& fact);
AccountSeen account_seen_from(const Json& json);

}  // namespace pawl::model
