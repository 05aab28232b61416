#pragma once
// What the rows of `pawl fleet …` do (fleet_verbs.cpp): the daemon's bus room answers.

#include "api/handlers.h"

namespace pawl::api {

Outcome fleet_join(const Call& call);
Outcome fleet_leave(const Call& call);
Outcome fleet_ls(const Call& call);

}  // namespace pawl::api
