#pragma once
// What the parts of the engine stand on. A part owns its own fields and knows no other part; it reads the fleet, which is the
// fold of the journal, and gives what it found as inputs for the next decision. What needs two parts is done by the engine.
//
// Each part says when it wants to be woken (wake_at). One that waits for something that may never come says until when.

#include <deque>
#include <optional>

#include "core/input.h"
#include "core/options.h"
#include "host/host.h"
#include "model/fleet.h"
#include "store/agent_files.h"

namespace pawl::core {

using Inputs = std::deque<Input>;

inline constexpr Duration kRetryEvery = std::chrono::seconds{1};  // a journal or disk that refused

struct Ground {
  host::Host& host;
  const model::Fleet& fleet;
  const store::AgentFiles& files;
  const EngineOptions& options;
};

// What its specification allows it (launches.cpp).
host::Limits limits_of(const model::Agent& agent);

}  // namespace pawl::core
