#include "api/alerts.h"

#include "api/view.h"

namespace pawl::api {

void AlertFold::take(const model::Event& event) {
  if (!std::holds_alternative<model::Alerted>(event.fact) || event.at > until_) return;
  alerts_.push_back(event);
  if (alerts_.size() <= kAlertsKept) return;
  alerts_.pop_front();
  cut_ = true;
}

Json AlertFold::list() const {
  Json list = Json::array();
  for (auto event = alerts_.rbegin(); event != alerts_.rend(); ++event) {
    const auto& alert = std::get<model::Alerted>(event->fact);
    list.push(Json::object({{"machine", Json()},
                            {"seq", event->seq.value},
                            {"at", rfc3339(event->at)},
                            {"agent", text_or_null(event->agent)},
                            {"severity", word(alert.severity)},
                            {"text", alert.text},
                            {"matter", text_or_null(alert.matter)},
                            {"todo", text_or_null(alert.todo)},
                            {"screen", text_or_null(alert.screen)}}));
  }
  return list;
}

Json AlertFold::finish(const model::Fleet&) const {
  return Json::object({{"version", 1},
                       {"since", rfc3339(since_)},
                       {"until", rfc3339(until_)},
                       {"cut", cut_},
                       {"alerts", list()}});
}

}  // namespace pawl::api
