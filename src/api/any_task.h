#pragma once
// A task, or the agent of one, wherever it is: in the fleet, or filed in the journal because it is over.

#include <optional>
#include <string>
#include <utility>

#include "base/result.h"
#include "core/face.h"
#include "model/fleet.h"

namespace pawl::api {

// One of the fleet, or a copy of its own of one that was filed. As it is now: not to be kept over a turn.
class AnyAgent {
 public:
  AnyAgent() = default;  // there is none
  explicit AnyAgent(const model::Agent* of_fleet) : of_fleet_(of_fleet) {}
  explicit AnyAgent(model::Agent filed) : filed_(std::move(filed)) {}

  bool filed() const { return filed_.has_value(); }
  explicit operator bool() const { return filed_ || of_fleet_; }
  const model::Agent& operator*() const { return filed_ ? *filed_ : *of_fleet_; }
  const model::Agent* operator->() const { return &**this; }

 private:
  const model::Agent* of_fleet_ = nullptr;
  std::optional<model::Agent> filed_;
};

// By the task's name, or its agent's; null: there is none. An error when the journal cannot be read.
Result<AnyAgent> any_task(core::Engine& engine, const std::string& name);
// Its agent's name alone, which is quick; empty: there is no such task.
std::string agent_of_task(core::Engine& engine, const std::string& name);
// By the agent's name alone; the agent of a task that was filed as well.
Result<AnyAgent> any_agent(core::Engine& engine, const std::string& name);

}  // namespace pawl::api
