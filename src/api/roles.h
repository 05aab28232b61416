#pragma once
// Who may ask for what (interfaces: "Input, dialogs, and who asks"). A person may do everything. A process inside an agent or a
// task may look, start tasks and deal with its own, use its own inbox, send and wake; for anything else its configuration has to
// name the verb: may = ["answer"]. Pure.

#include <string>

#include "base/json.h"
#include "base/result.h"
#include "model/asker.h"
#include "model/fleet.h"

namespace pawl::api {

inline constexpr int kNotAllowed = 6;  // exit code

// The agent that this asker is inside of; null: none, or not known for sure.
const model::Agent* agent_of_asker(const model::Fleet& fleet, const model::Asker& asker);

// An error when the asker may not.
Done allowed(const model::Fleet& fleet, const model::Asker& asker, const std::string& verb,
             const Json& args);

// The same for a task that the fleet may not have any more.
Done allowed_task(const model::Fleet& fleet, const model::Asker& asker, const std::string& verb,
                  const model::Agent& task);

// The same for a verb about one agent, where only the handler knows which one.
Done allowed_on(const model::Fleet& fleet, const model::Asker& asker, const std::string& verb,
                const std::string& agent);

}  // namespace pawl::api
