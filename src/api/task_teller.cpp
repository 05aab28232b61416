#include "api/task_teller.h"

namespace pawl::api {
namespace {

using model::Action;

// Its run ended, and nobody wanted that: of one that tells its result there is none, of another nobody knows what it means.
bool crashed(bool structured, const model::TaskReport& report,
             const std::optional<model::Ending>& ending) {
  if (structured) return !report.finished;
  return !ending || !ending->known || ending->signal != 0;
}

}  // namespace

TaskTeller::Story* TaskTeller::story_of(const model::Event& event) {
  if (const auto* given = std::get_if<model::TaskGiven>(&event.fact)) {
    const model::TaskOrder& order = given->order;
    auto& its = stories_[event.agent];
    its = Story{order.name, order.dir, order.structured() && !order.interactive};
    return &*its;
  }
  if (std::holds_alternative<model::Registered>(event.fact)) stories_.erase(event.agent);
  const auto known = stories_.find(event.agent);
  if (known != stories_.end()) return known->second ? &*known->second : nullptr;
  const AnyAgent agent = lookup_(event.agent);
  if (!agent && std::holds_alternative<model::Registered>(event.fact)) return nullptr;
  auto& its = stories_[event.agent];
  if (!agent || !agent->task) return nullptr;
  const model::TaskOrder& order = agent->task->order;
  its = Story{order.name, order.dir, order.structured() && !order.interactive};
  return &*its;
}

Json TaskTeller::told(const model::Event& event, const Story& story, const std::string& what) {
  return Json::object({{"version", 1},
                       {"seq", event.seq.value},
                       {"at", rfc3339(event.at)},
                       {"task", story.task},
                       {"event", what},
                       {"agent", event.agent},
                       {"tmpdir", story.dir}});
}

std::optional<Json> TaskTeller::state(const model::Event& event, Story& its,
                                      const model::StateChanged& fact) {
  if (fact.to == model::State::starting) {
    its.report = {};
    its.ended_by_us = false;
    return std::nullopt;
  }
  if (fact.to == model::State::waiting && fact.from != fact.to) {
    const std::string asks = fact.dialog ? fact.dialog->question : fact.because;
    return told(event, its, "waiting").set("detail", asks);
  }
  if (!model::ended(fact.to) || its.over || its.ended_by_us) return std::nullopt;
  if (its.report.trouble == "limit") {
    Json out = told(event, its, "limited");
    out.set("detail", its.report.message);
    return out.set("until", its.report.until ? Json(rfc3339(*its.report.until)) : Json());
  }
  if (!crashed(its.structured, its.report, fact.ending)) return std::nullopt;
  return told(event, its, "crashed").set("detail", fact.because);
}

std::optional<Json> TaskTeller::decision(const model::Event& event, Story& its,
                                         const model::Decided& fact) {
  const bool ends = fact.action == Action::finish || fact.action == Action::abandon ||
                    fact.action == Action::stop || fact.action == Action::remove;
  const bool hung = fact.action == Action::restart && fact.matter == "hung";
  if (ends || fact.action == Action::restart) its.ended_by_us = true;
  if (hung) return told(event, its, "hung").set("detail", fact.because);
  if (fact.action == Action::restart)
    return told(event, its, "resumed").set("detail", fact.because);
  if (fact.action != Action::limit_wait || its.report.trouble == "limit") return std::nullopt;
  Json out = told(event, its, "limited");
  out.set("detail", fact.because);
  return out.set("until", fact.until ? Json(rfc3339(*fact.until)) : Json());
}

Json TaskTeller::end(const model::Event& event, Story& its, const model::TaskEnded& fact) {
  its.over = true;
  Json out = told(event, its, std::string(word(fact.status)));
  out.set("reason", fact.reason);
  if (!fact.detail.empty()) out.set("detail", fact.detail);
  return out.set("exit_code", fact.exit_code ? Json(*fact.exit_code) : Json());
}

std::optional<Json> TaskTeller::take(const model::Event& event) {
  if (event.agent.empty()) return std::nullopt;
  Story* its = story_of(event);
  if (!its) return std::nullopt;
  if (std::holds_alternative<model::TaskGiven>(event.fact)) return told(event, *its, "started");
  if (const auto* fact = std::get_if<model::TaskTold>(&event.fact)) its->report = fact->report;
  if (const auto* fact = std::get_if<model::StateChanged>(&event.fact))
    return state(event, *its, *fact);
  if (const auto* fact = std::get_if<model::Decided>(&event.fact))
    return decision(event, *its, *fact);
  if (const auto* fact = std::get_if<model::TaskEnded>(&event.fact)) return end(event, *its, *fact);
  if (std::holds_alternative<model::TaskRead>(event.fact)) return told(event, *its, "read");
  if (std::holds_alternative<model::TaskFiled>(event.fact)) stories_.erase(event.agent);
  if (!std::holds_alternative<model::Removed>(event.fact)) return std::nullopt;
  Json out = told(event, *its, "removed");
  stories_.erase(event.agent);
  return out;
}

}  // namespace pawl::api
