#include "model/forgotten_json.h"

#include "model/time_json.h"

namespace pawl::model {

Json to_json(const Forgotten& fact) {
  Json out = Json::object({{"what", word(fact.what)},
                           {"because", word(fact.why)},
                           {"names", fact.names},
                           {"count", fact.count},
                           {"bytes", fact.bytes}});
  if (!fact.folders.empty()) out.set("folders", fact.folders);
  if (fact.upto) out.set("upto", time_json(*fact.upto));
  return out;
}

Result<Fact> forgotten_from(const Json& json) {
  const auto what = forget_from(json["what"].as_string());
  const auto why = bound_from(json["because"].as_string());
  if (!what || !why)
    return fail("a retention event that is not known",
                "a newer pawl wrote this journal: use that one");
  return Forgotten{*what,
                   *why,
                   json["names"].as_strings(),
                   json["folders"].as_strings(),
                   static_cast<uint64_t>(json["count"].as_int()),
                   static_cast<uint64_t>(json["bytes"].as_int()),
                   time_from(json["upto"])};
}

}  // namespace pawl::model
