// Programs that run while the journal does not know them, and holders that are killed or do not answer.
#include <gtest/gtest.h>

#include <csignal>

#include "core/engine_world.h"
#include "core/parts/holders.h"

namespace pawl::core {
namespace {

using namespace std::chrono_literals;

std::vector<model::Alerted> alerts_of(const EngineWorld& world) {
  std::vector<model::Alerted> found;
  for (const auto& event : world.journal.events)
    if (const auto* alert = std::get_if<model::Alerted>(&event.fact)) found.push_back(*alert);
  return found;
}

// An agent runs, and the journal is put away under it.
struct StrangersTest : ::testing::Test {
  EngineWorld world;
  SessionId old = world.running();
  void SetUp() override {
    world.journal.events.clear();
    world.answers.clear();
    world.live();
    world.turn();
  }
  std::string answer_to(RequestId request) {
    for (const auto& answer : world.answers)
      if (answer.request == request) return answer.done ? "done" : text_of(answer.done.error());
    return "";
  }
};

TEST_F(StrangersTest, TheyAreNamedAndTold) {
  ASSERT_EQ(world.engine->strangers().size(), 1u);
  EXPECT_EQ(world.engine->strangers()[0].name, "a");
  EXPECT_EQ(world.engine->strangers()[0].session, old);
  ASSERT_EQ(alerts_of(world).size(), 1u);
  EXPECT_EQ(alerts_of(world)[0].text, "1 running program is not in this journal: a");
}

TEST_F(StrangersTest, NothingOfTheSameNameIsStartedBesideThem) {
  const auto request = world.run();
  world.turn();
  EXPECT_EQ(
      answer_to(request),
      "'a' runs already (pid 42), but is not in this journal: end it first with: pawl stop a, "
      "or put the old journal.db back");
  EXPECT_EQ(world.agent(), nullptr);
  world.run("b");
  world.turn();
  EXPECT_GT(world.session("b"), old) << "no terminal has a number twice";
}

TEST_F(StrangersTest, TheyAreEndedByName) {
  const auto request = world.ask<StopAsked>();
  world.turn();
  EXPECT_EQ(world.host.sessions.at(old).signals, (std::vector<int>{SIGTERM, SIGCONT}));
  EXPECT_EQ(answer_to(request), "");
  world.turn(10s);
  EXPECT_EQ(world.host.sessions.at(old).signals.back(), SIGKILL);
  world.host.prints(old, "bye");
  world.host.ends(old, -1, SIGKILL);
  world.turn();
  world.turn_and_flush();
  EXPECT_EQ(answer_to(request), "done");
  EXPECT_TRUE(world.engine->strangers().empty());
  EXPECT_FALSE(world.host.sessions.contains(old)) << "its holder may forget it";
  EXPECT_FALSE(world.host.lost_bytes);
  EXPECT_EQ(world.recorded(old), "bye");
  world.run();
  world.turn();
  EXPECT_NE(world.agent(), nullptr);
}

TEST(Holders, AKilledOneIsToldWithItsAgents) {
  EngineWorld world;
  const SessionId session = world.running();
  const auto alert = alert_of(world.engine->fleet(),
                              {host::HolderSeen::What::ended, {7, 70}, "holder 0", {session}});
  EXPECT_EQ(alert.severity, model::Severity::error);
  EXPECT_EQ(alert.text, "the holder (pid 7) was killed; it held 1 agent (a)");
  EXPECT_EQ(alert_of(world.engine->fleet(),
                     {host::HolderSeen::What::stopped, {7, 70}, "holder 0", {session}})
                .todo,
            "let it go on: kill -CONT 7");
}

}  // namespace
}  // namespace pawl::core
