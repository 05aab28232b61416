#include "model/asker.h"

namespace pawl::model {

std::string world_of(const Asker& asker) {
  return asker.kind + " " + asker.name;
}

std::string text_of(const Asker& asker) {
  if (!asker.known()) return "nobody known";
  if (asker.kind == kWeb) return asker.name;
  const std::string pid = asker.pid == 0 ? "" : " (pid " + std::to_string(asker.pid) + ")";
  if (!asker.name.empty()) return asker.kind + " " + asker.name + pid;
  if (asker.inside()) return "an unknown " + asker.kind + pid;
  return "a " + asker.kind + pid;
}

Json to_json(const Asker& asker) {
  if (!asker.known()) return {};
  return Json::object({{"kind", asker.kind},
                       {"name", asker.name.empty() ? Json() : Json(asker.name)},
                       {"pid", asker.pid == 0 ? Json() : Json(asker.pid)}});
}

Asker asker_from(const Json& json) {
  if (json.is_string())
    return json.as_string().empty() ? Asker{} : Asker{kWeb, json.as_string(), 0};
  return {json["kind"].as_string(), json["name"].as_string(), json["pid"].as_int()};
}

}  // namespace pawl::model
