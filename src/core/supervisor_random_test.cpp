// What must hold whatever happens, in whatever order: thousands of made-up lives, each from its seed.

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "core/supervisor_world.h"

namespace pawl::core {
namespace {

// xorshift: the same lives on every machine.
class SupervisorDice {
 public:
  explicit SupervisorDice(uint64_t seed) : state_(seed * 0x9E3779B97F4A7C15u + 1) {}
  uint64_t roll(uint64_t sides) {
    state_ ^= state_ << 13;
    state_ ^= state_ >> 7;
    state_ ^= state_ << 17;
    return state_ % sides;
  }

 private:
  uint64_t state_;
};

class Life {
 public:
  explicit Life(uint64_t seed) : dice_(seed) {}

  void step() {
    if (dice_.roll(40) == 0) return be_reborn();
    world_.pass(std::chrono::milliseconds{static_cast<int64_t>(dice_.roll(4000))});
    const Input input = invent();
    const Plan plan = world_.supervisor.plan(world_.now, input);
    ASSERT_EQ(Told::of(plan), Told::of(world_.supervisor.plan(world_.now, input)))
        << "plan() is pure";
    ASSERT_EQ(plan.events, world_.supervisor.plan(world_.now, input).events);
    world_.feed(input);
  }

  void check() const {
    ASSERT_EQ(world_.folded(), world_.supervisor.fleet());
    std::map<std::string, std::set<Seq>> open;
    std::set<Seq> finished;
    for (size_t i = 0; i < world_.journal.size(); ++i) {
      const auto& event = world_.journal[i];
      ASSERT_EQ(event.seq.value, i + 1) << "numbers without a gap";
      if (std::holds_alternative<model::Decided>(event.fact)) open[event.agent].insert(event.seq);
      if (const auto* outcome = std::get_if<model::Finished>(&event.fact)) {
        ASSERT_TRUE(finished.insert(outcome->decision).second)
            << "a second outcome of " << outcome->decision.value;
        ASSERT_EQ(open[event.agent].erase(outcome->decision), 1u)
            << "an outcome without its decision";
      }
      ASSERT_LE(open[event.agent].size(), 1u) << "two things at once with " << event.agent;
      if (!std::holds_alternative<model::Removed>(event.fact)) continue;
      ASSERT_TRUE(open[event.agent].empty()) << "removed in the middle of something";
    }
    for (const auto& [name, agent] : world_.supervisor.fleet().agents)
      ASSERT_EQ(agent.intent.has_value(), !open[name].empty());
    check_answers();
  }

 private:
  void check_answers() const {
    std::set<RequestId> answered;
    for (const auto& answer : world_.answers)
      ASSERT_TRUE(answer.request.value == 0 || answered.insert(answer.request).second)
          << "request " << answer.request.value << " answered twice";
  }

  std::string name() { return std::string(1, static_cast<char>('a' + dice_.roll(3))); }

  SessionId session() {
    const auto* agent = world_.supervisor.fleet().find(name());
    return agent && dice_.roll(8) ? agent->session
                                  : SessionId{dice_.roll(world_.journal.size() + 2)};
  }

  Input invent() {
    const RequestId request{++requests_};
    switch (dice_.roll(15)) {
      case 0:
      case 1: {
        RunAsked ask = World::run();
        ask.request = request;
        ask.spec.name = name();
        return ask;
      }
      case 2:
        return StartAsked{request, name(), "x"};
      case 3:
        return StopAsked{request, name(), "x"};
      case 4:
        return RestartAsked{request, name(), "x"};
      case 5:
        return RemoveAsked{request, name(), dice_.roll(2) == 0};
      case 6:
        return WriteAsked{request, name(), model::Action::keys, "x", "w"};
      case 7:
      case 8:
        return TerminalOpened{session(), {static_cast<int64_t>(dice_.roll(1000)), 1}};
      case 9:
        return TerminalFailed{session(), {"no", "", 1}};
      case 10:
        return ProgramEnded{session(), {static_cast<int>(dice_.roll(3)), 0, true}};
      case 11:
        return WriteLost{session(), "x"};
      case 12:
        return HumanTyped{name(), "attach"};
      case 13:
        return ConversationTold{session(), std::to_string(dice_.roll(3)), "/t"};
      default:
        return Tick{};
    }
  }

  // kill -9, and a new daemon that finds some of the terminals.
  void be_reborn() {
    const auto journal = world_.journal;
    World next(world_.folded());
    next.journal = journal;
    world_ = std::move(next);
    Recovered seen;
    for (const auto& [name, agent] : world_.supervisor.fleet().agents)
      if (agent.running() && dice_.roll(3)) seen.terminals.push_back({agent.session, {1, 1}});
    world_.feed(seen);
    for (const auto& [name, agent] : world_.supervisor.fleet().agents)
      ASSERT_FALSE(agent.intent && agent.intent->seq.value == agent.session.value)
          << "every start has been looked at";
  }

  World world_;
  SupervisorDice dice_;
  uint64_t requests_ = 0;
};

TEST(SupervisorRandom, InvariantsHoldInEveryLife) {
  for (uint64_t seed = 1; seed <= 150; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Life life(seed);
    for (int i = 0; i < 150; ++i) {
      life.step();
      if (HasFatalFailure()) return;
    }
    life.check();
    if (HasFatalFailure()) return;
  }
}

}  // namespace
}  // namespace pawl::core
