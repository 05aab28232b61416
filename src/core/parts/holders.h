#pragma once
// What people are told of the processes that hold terminals: one matter of its own, whatever it means for each agent.

#include "host/host.h"
#include "model/event.h"
#include "model/fleet.h"

namespace pawl::core {

model::Alerted alert_of(const model::Fleet& fleet, const host::HolderSeen& seen);

}  // namespace pawl::core
