// A turn that does not come to an end because of one agent: that one is left alone and told of, and the others go on (X15).

#include "core/engine_world.h"

namespace pawl::core {
namespace {

// Rules that decide anything at all have not settled after this many rounds.
class Quarantine : public testing::Test {
 protected:
  Quarantine() {
    world.rule_rounds = 1;
    world.live();
  }
  // Started again by a rule when it ends.
  void comes_back(const std::string& name) {
    RunAsked ask;
    ask.spec.name = name;
    ask.spec.command = {"prog"};
    ask.spec.dir = "/";
    ask.spec.restart = model::Restart::fresh;
    world.engine->submit(ask);
    world.turn();
    world.host.runs(world.session(name));
    world.turn();
  }
  void crash(const std::string& name) {
    world.host.ends(world.session(name), 1);
    world.turn();
    world.turn(std::chrono::seconds{10});
  }
  size_t alerts() const {
    size_t count = 0;
    for (const auto& event : world.journal.events)
      if (const auto* alert = std::get_if<model::Alerted>(&event.fact))
        count += alert->matter == "quarantine" && alert->severity == model::Severity::error ? 1 : 0;
    return count;
  }

  EngineWorld world;
};

TEST_F(Quarantine, TheOneThatTheTurnIsAboutIsLeftAloneAndToldOf) {
  comes_back("a");
  comes_back("b");
  crash("a");
  EXPECT_EQ(world.agent("a")->quarantined, "its rules did not come to an end");
  EXPECT_EQ(world.agent("b")->quarantined, "");
  EXPECT_EQ(alerts(), 1u);
}

TEST_F(Quarantine, ItOutlivesTheDaemonUntilAPersonTriesAgain) {
  comes_back("a");
  crash("a");
  world.live();
  world.turn();
  ASSERT_NE(world.agent("a")->quarantined, "");
  EXPECT_EQ(alerts(), 1u) << "told once";
  const size_t opens = world.host.opens.size();
  world.turn(std::chrono::minutes{5});
  EXPECT_EQ(world.host.opens.size(), opens) << "no rule does anything to it";

  PauseAsked resume;
  resume.request = world.engine->next_request();
  resume.agent = "a";
  resume.paused = false;
  world.engine->submit(resume);
  world.rule_rounds = 32;
  world.turn();
  EXPECT_EQ(world.agent("a")->quarantined, "");
}

TEST_F(Quarantine, NothingIsTypedIntoIt) {
  comes_back("a");
  crash("a");
  world.host.runs(world.session("a"));
  world.turn();
  SendAsked ask;
  ask.agent = "a";
  ASSERT_TRUE(world.engine->send(world.now, ask, "hello"));
  world.turn();
  world.turn(std::chrono::seconds{30});
  EXPECT_EQ(world.host.sessions.at(world.session("a")).written, "");
  EXPECT_EQ(world.agent("a")->outbox.size(), 1u);
}

}  // namespace
}  // namespace pawl::core
