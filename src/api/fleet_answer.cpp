#include "api/fleet_answer.h"

#include "api/conversation.h"
#include "api/fleet_tasks.h"

namespace pawl::api {

StreamEnd FleetAnswer::pump(const StreamContext& context) const {
  const Json about = Json::object({{"args", Json::object({{"ticket", ticket_}})}});
  auto said = server_->fleet("answer", about);
  if (!said) return said;
  if (!said->is_null()) return Result<Json>((*said)["item"].as_bool() ? *said : unit_view(*said));
  if (context.now.mono < until_) return std::nullopt;
  return Result<Json>(fail("no answer of the bus: nobody knows " + what_,
                           "see pawl fleet ls; look again with pawl task status", 124));
}

}  // namespace pawl::api
