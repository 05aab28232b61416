#pragma once
// A turn that an end would cut off. Work that was given is one until it is settled; so is a run of a task that has ended and is
// looked at again before its result counts.

#include "model/fleet.h"

namespace pawl::daemon {

bool under_way(const model::Agent& agent, WallTime now);

}  // namespace pawl::daemon
