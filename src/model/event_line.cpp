// An event as one line: of what users see, and of the journal.

#include "model/event.h"

namespace pawl::model {

Json to_json(const Event& event) {
  Json out = Json::object({{"seq", event.seq.value},
                           {"at", rfc3339(event.at)},
                           {"agent", event.agent.empty() ? Json() : Json(event.agent)},
                           {"type", type_of(event.fact)}});
  const Json body = body_of(event);
  for (const auto& [key, value] : body.members()) out.set(key, value);
  return out;
}

Json body_of(const Event& event) {
  Json out = body_of(event.fact);
  if (!event.unit.empty()) out.set("unit", event.unit).set("fence", event.fence);
  return out;
}

void read_fence(const Json& body, Event& event) {
  event.unit = body["unit"].as_string();
  event.fence = static_cast<uint64_t>(body["fence"].as_int());
}

}  // namespace pawl::model
