#include "model/move.h"

#include <array>

#include "model/fleet.h"

namespace pawl::model {
namespace {

constexpr std::array<std::string_view, 5> kMoveSteps{"leaving", "given", "gone", "back", "came"};

std::string name_there(const Moved& move) {
  return move.machine + "/" + move.there;
}

}  // namespace

std::string_view word(MoveStep step) {
  return kMoveSteps[static_cast<size_t>(step)];
}

Json to_json(const Moved& fact) {
  Json out = Json::object({{"what", word(fact.step)},
                           {"machine", fact.machine},
                           {"move", fact.move},
                           {"there", fact.there},
                           {"by", to_json(fact.by)}});
  if (!fact.because.empty()) out.set("because", fact.because);
  return out;
}

Moved moved_from(const Json& json) {
  const std::string what = json["what"].as_string();
  Moved out{MoveStep::leaving,         json["machine"].as_string(), json["move"].as_string(),
            json["there"].as_string(), json["because"].as_string(), asker_from(json["by"])};
  for (size_t i = 0; i < kMoveSteps.size(); ++i)
    if (kMoveSteps[i] == what) out.step = static_cast<MoveStep>(i);
  return out;
}

void fold(Agent& agent, const Event&, const Moved& fact) {
  if (fact.step == MoveStep::back)
    agent.move.reset();
  else
    agent.move = fact;
}

std::string away_text(const Agent& agent) {
  if (!agent.away()) return {};
  switch (agent.move->step) {
    case MoveStep::leaving:
      return agent.spec.name + " is on its way to " + agent.move->machine;
    case MoveStep::given:
      return agent.spec.name + " was given to " + agent.move->machine +
             ", and it is not known yet whether it runs there";
    case MoveStep::gone:
      return agent.spec.name + " has moved to " + agent.move->machine;
    case MoveStep::back:
    case MoveStep::came:
      break;
  }
  return {};
}

std::string away_todo(const Agent& agent) {
  if (!agent.away()) return {};
  if (agent.move->step == MoveStep::leaving)
    return "wait a moment: pawl why " + agent.spec.name + " says what becomes of it";
  if (agent.move->step == MoveStep::given)
    return "it is settled when " + agent.move->machine +
           " answers; if you know that it does not run" + " there: pawl move " + agent.spec.name +
           " --here";
  return "it is there: pawl show " + name_there(*agent.move) + "; to forget it here: pawl rm " +
         agent.spec.name;
}

}  // namespace pawl::model
