#include "api/fleet_answer.h"

#include "api/conversation.h"

namespace pawl::api {

StreamEnd FleetAnswer::pump(const StreamContext& context) const {
  const Json about = Json::object({{"args", Json::object({{"ticket", ticket_}})}});
  auto said = server_->fleet("answer", about);
  if (!said || !said->is_null()) return said;
  if (context.now.mono < until_) return std::nullopt;
  return Result<Json>(fail("no answer of the bus: nobody knows " + what_,
                           "see pawl fleet ls; look again with pawl task status", 124));
}

}  // namespace pawl::api
