#include "model/notice.h"

namespace pawl::model {

Json to_json(const Notice& notice) {
  Json out = Json::object({{"kind", notice.kind},
                           {"text", notice.text},
                           {"until", notice.until ? Json(rfc3339(*notice.until)) : Json()}});
  if (notice.of > 0) out.set("attempt", notice.attempt).set("of", notice.of);
  return out;
}

Notice notice_from(const Json& json) {
  Notice notice;
  notice.kind = json["kind"].as_string();
  notice.text = json["text"].as_string();
  WallTime until;
  if (parse_rfc3339(json["until"].as_string(), until)) notice.until = until;
  notice.attempt = static_cast<int>(json["attempt"].as_int());
  notice.of = static_cast<int>(json["of"].as_int());
  return notice;
}

Json to_json(const std::vector<Notice>& notices) {
  Json out = Json::array();
  for (const auto& notice : notices) out.push(to_json(notice));
  return out;
}

std::vector<Notice> notices_from(const Json& json) {
  std::vector<Notice> out;
  for (const auto& item : json.items())
    if (item.is_object() && out.size() < kMaxNotices) out.push_back(notice_from(item));
  return out;
}

}  // namespace pawl::model
