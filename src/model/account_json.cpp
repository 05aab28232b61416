#include "model/account_json.h"

namespace pawl::model {
namespace {

Json time_or_null(const std::optional<WallTime>& time) {
  return time ? Json(rfc3339(*time)) : Json();
}

std::optional<WallTime> told_time(const Json& json) {
  WallTime at;
  return parse_rfc3339(json.as_string(), at) ? std::optional(at) : std::nullopt;
}

}  // namespace

Json to_json(const AccountSeen& fact) {
  return Json::object({{"account", fact.account},
                       {"node", fact.node.empty() ? Json() : Json(fact.node)},
                       {"until", time_or_null(fact.until)},
                       {"turn", time_or_null(fact.turn)}});
}

AccountSeen account_seen_from(const Json& json) {
  return {json["account"].as_string(), json["node"].as_string(), told_time(json["until"]),
          told_time(json["turn"])};
}

}  // namespace pawl::model
