#include "model/memory.h"

#include <algorithm>

#include "model/time_json.h"

namespace pawl::model {
namespace {

Duration seconds(double s) {
  return std::chrono::duration_cast<Duration>(std::chrono::duration<double>(s));
}

bool at_rest(State state) {
  return state == State::ready || state == State::typing || state == State::limited;
}

bool has_interface(State state) {
  return at_rest(state) || state == State::busy || state == State::waiting || state == State::stuck;
}

// Was it work, or only the answer "nothing to do" to a nudge, or a flicker?
bool productive(const Memory& memory, const AgentSpec& spec, WallTime end) {
  const Duration took = end - *memory.working;
  const bool answers = memory.nudged && *memory.working >= *memory.nudged &&
                       *memory.working - *memory.nudged <= seconds(kAnswerS);
  return took >= seconds(answers ? spec.nudge.productive_s : kFlickerS);
}

void turn_over(Memory& memory, const AgentSpec& spec, WallTime at) {
  if (!memory.working) return;
  if (productive(memory, spec, at)) {
    memory.sessions.worked = true;
    memory.rested = at;
    memory.nudged.reset();
    memory.matter = {};
  }
  memory.working.reset();
}

Json to_json(const Matter& matter) {
  return Json::object({{"id", matter.id},
                       {"tries", matter.tries},
                       {"last", time_json(matter.last)},
                       {"told", matter.told}});
}

}  // namespace

void remember(Memory& memory, const AgentSpec& spec, State from, State to, WallTime at) {
  if (to == State::starting && from != State::starting) {
    memory.rested.reset();
    memory.working.reset();
    memory.seen = false;
    memory.told =
        memory.resumed && !spec.loops();  // a session of a loop begins with what there is to do
  }
  if (has_interface(to)) memory.seen = true;
  if (to == State::busy && !memory.working) memory.working = at;
  if (to == State::busy) memory.told = true;
  if (at_rest(to)) {
    turn_over(memory, spec, at);
    if (!memory.rested) memory.rested = at;
  }
  if (ended(to) || to == State::shell) {
    turn_over(memory, spec, at);
    memory.rested.reset();
  }
  if (from == State::waiting && to != State::waiting && memory.matter.id.starts_with("dialog"))
    memory.matter = {};
}

void ended_before_seen(Memory& memory, const Ending& ending) {
  const bool refused = ending.known && ending.signal == 0 && ending.exit_code != 0;
  if (!memory.seen && refused) memory.nameless = memory.named;
}

void forget_gap(Memory& memory, Duration gap) {
  for (auto* time : {&memory.rested, &memory.working, &memory.nudged, &memory.woken, &memory.swept,
                     &memory.human, &memory.matter.last})
    if (*time) **time += gap;
  for (WallTime& at : memory.restarts) at += gap;
  if (memory.desk.given) memory.desk.given->at += gap;
}

void move_clock(Memory& memory, Duration by) {
  if (by == Duration{0}) return;
  for (auto* time : {&memory.sessions.began, &memory.sessions.ended, &memory.spending.forgotten})
    if (*time) **time += by;
  for (auto& mark : memory.spending.marks)
    if (mark.at) *mark.at += by;
}

Json to_json(const Memory& memory) {
  Json restarts = Json::array();
  for (const WallTime at : memory.restarts) restarts.push(time_json(at));
  Json answers = Json::array();
  for (const auto& one : memory.answers) answers.push(to_json(one));
  Json out = Json::object({{"rested", time_json(memory.rested)},
                           {"working", time_json(memory.working)},
                           {"nudged", time_json(memory.nudged)},
                           {"woken", time_json(memory.woken)},
                           {"swept", time_json(memory.swept)},
                           {"human", time_json(memory.human)},
                           {"restarts", std::move(restarts)},
                           {"seen", memory.seen},
                           {"resumed", memory.resumed},
                           {"named", memory.named},
                           {"nameless", memory.nameless},
                           {"told", memory.told},
                           {"dismissed", memory.dismissed},
                           {"matter", to_json(memory.matter)},
                           {"sessions", to_json(memory.sessions)},
                           {"desk", to_json(memory.desk)},
                           {"spending", to_json(memory.spending)},
                           {"answers", std::move(answers)},
                           {"task_unseen_us", int64_t{memory.task_unseen.count()}}});
  if (memory.answered) out.set("answered", to_json(*memory.answered));
  return out;
}

Memory memory_from(const Json& json) {
  Memory memory;
  memory.rested = time_from(json["rested"]);
  memory.working = time_from(json["working"]);
  memory.nudged = time_from(json["nudged"]);
  memory.woken = time_from(json["woken"]);
  memory.swept = time_from(json["swept"]);
  memory.human = time_from(json["human"]);
  for (const Json& at : json["restarts"].items())
    if (const auto time = time_from(at)) memory.restarts.push_back(*time);
  memory.seen = json["seen"].as_bool();
  memory.resumed = json["resumed"].as_bool();
  memory.named = json["named"].as_bool();
  memory.nameless = json["nameless"].as_bool();
  memory.told = json["told"].as_bool(true);
  memory.dismissed = json["dismissed"].as_bool();
  const Json& matter = json["matter"];
  memory.matter = {matter["id"].as_string(), static_cast<int>(matter["tries"].as_int()),
                   time_from(matter["last"]), matter["told"].as_bool()};
  memory.sessions = sessions_from(json["sessions"]);
  memory.desk = desk_from(json["desk"]);
  memory.spending = spending_from(json["spending"]);
  memory.task_unseen = Duration{json["task_unseen_us"].as_int()};
  if (const Json& answered = json["answered"]; answered.is_object())
    memory.answered = answer_from(answered);
  for (const Json& one : json["answers"].items()) memory.answers.push_back(answer_from(one));
  return memory;
}

}  // namespace pawl::model
