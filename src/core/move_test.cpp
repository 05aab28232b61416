// An agent goes to another machine: who may start it, at every step, and in every life of the daemon.

#include <gtest/gtest.h>

#include "core/supervisor_world.h"

namespace pawl::core {
namespace {

using model::MoveStep;

class MoveTest : public testing::Test {
 protected:
  World world;

  static MoveAsked step(MoveStep step, const std::string& move = "m1") {
    return {RequestId{7}, "a", {step, "gpu", move, "a", step == MoveStep::back ? "no" : "", {}}};
  }
  std::string feed(const Input& input) { return Told::of(world.feed(input)); }
  void talks() {
    world.bring(Condition::running);
    world.feed(ConversationTold{world.session(), "c1", "/t/c1.jsonl"});
    Perceived ready{world.session(), model::State::ready, "", {}, "its prompt", 1, {}, "", {}, ""};
    world.feed(ready);
  }
  void leaves() {
    talks();
    world.feed(step(MoveStep::leaving));
    world.feed(world.ended(0, 15));
  }
  static Arrived arrives(const std::string& name = "a") {
    Arrived ask;
    ask.request = RequestId{7};
    ask.spec = World::run().spec;
    ask.spec.name = name;
    ask.session_id = "c1";
    ask.transcript = "/t/c1.jsonl";
    ask.step = {MoveStep::came, "lap", "m1", "a"};
    return ask;
  }
};

TEST_F(MoveTest, ItIsWrittenDownBeforeItsProgramIsEnded) {
  talks();
  EXPECT_EQ(feed(step(MoveStep::leaving)), "move:leaving D:stop | TERM CONT | wait");
  EXPECT_EQ(feed(step(MoveStep::given)), "| | no: 'a' is in the middle of a stop");
  world.feed(world.ended(0, 15));
  EXPECT_EQ(feed(step(MoveStep::given)), "move:given | | ok");
  EXPECT_EQ(feed(step(MoveStep::gone)), "move:gone | | ok");
  EXPECT_EQ(world.folded().agents.at("a"), *world.agent());
}

TEST_F(MoveTest, NothingStartsItHereOnItsWayAndAfterwards) {
  leaves();
  for (const auto next : {MoveStep::given, MoveStep::gone}) {
    const std::string why = "| | no: " + away_text(*world.agent());
    EXPECT_EQ(feed(StartAsked{RequestId{7}, "a", "x"}), why);
    EXPECT_EQ(feed(RestartAsked{RequestId{7}, "a", "x"}), why);
    EXPECT_EQ(feed(World::run(7)), why);
    EXPECT_EQ(feed(RegisterAsked{RequestId{7}, World::run().spec, {}}), why);
    EXPECT_EQ(feed(RemoveAsked{RequestId{7}, "a", true}), why);
    EXPECT_EQ(feed(step(MoveStep::leaving, "m2")), "| | no: " + away_text(*world.agent()));
    EXPECT_TRUE(world.agent()->halted()) << "no rule does it";
    world.feed(step(next));
  }
  EXPECT_EQ(feed(StartAsked{RequestId{7}, "a", "x"}), "| | no: a has moved to gpu");
  EXPECT_EQ(feed(RemoveAsked{RequestId{7}, "a", false}), "removed | rm | ok") << "forgotten here";
}

TEST_F(MoveTest, NoRuleStartsItEither) {
  talks();
  Reconfigure ask{RequestId{7}, world.agent()->spec};
  ask.spec.strategy = "continuous";
  ask.spec.restart = model::Restart::resume;
  world.feed(ask);
  world.feed(step(MoveStep::leaving));
  world.feed(world.ended(1, 0));
  for (const auto next : {MoveStep::given, MoveStep::gone}) {
    world.pass(std::chrono::hours{1});
    EXPECT_EQ(feed(RulesDue{"a"}), "-");
    world.feed(step(next));
  }
}

TEST_F(MoveTest, ComingBackItGoesOnInItsConversation) {
  leaves();
  world.feed(step(MoveStep::given));
  EXPECT_EQ(feed(step(MoveStep::back, "another")), "| | no: 'a' is not on its way any more");
  EXPECT_EQ(feed(step(MoveStep::back)),
            "move:back alert D:start S:starting | sweep open-resume | wait");
  EXPECT_FALSE(world.agent()->away());
  EXPECT_EQ(feed(step(MoveStep::back)), "| | no: 'a' is not on its way any more");
}

TEST_F(MoveTest, ItDoesNotComeBackWhileItsProgramEnds) {
  talks();
  world.feed(step(MoveStep::leaving));
  EXPECT_EQ(feed(step(MoveStep::back)), "| | no: 'a' is in the middle of a stop");
  world.feed(world.ended(0, 15));
  EXPECT_EQ(feed(step(MoveStep::back)),
            "move:back alert D:start S:starting | sweep open-resume | wait");
}

TEST_F(MoveTest, WhatIsGoneDoesNotComeBackByItself) {
  leaves();
  world.feed(step(MoveStep::given));
  world.feed(step(MoveStep::gone));
  EXPECT_EQ(feed(step(MoveStep::back)), "| | no: 'a' is not on its way any more");
}

TEST_F(MoveTest, WhatCannotLeave) {
  EXPECT_EQ(feed(step(MoveStep::leaving)), "| | no: no agent named 'a'");
  world.bring(Condition::running);
  EXPECT_EQ(feed(step(MoveStep::leaving)), "| | no: it is not known which conversation 'a' is in");
  world.feed(ConversationTold{world.session(), "c1", ""});
  world.feed(
      Perceived{world.session(), model::State::typing, "", {}, "a draft", 1, {}, "", {}, ""});
  EXPECT_EQ(feed(step(MoveStep::leaving)), "| | no: 'a' has an unsent text in its box");
  world.feed(world.ended(0));
  EXPECT_EQ(feed(step(MoveStep::leaving)), "| | no: 'a' is not running");
}

TEST_F(MoveTest, ItArrivesInItsConversation) {
  EXPECT_EQ(feed(arrives()),
            "registered learned move:came D:start S:starting | env open-resume | wait");
  EXPECT_EQ(world.agent()->session_id, "c1");
  EXPECT_FALSE(world.agent()->halted());
  EXPECT_EQ(feed(arrives()), "| | no: an agent named 'a' is there already");
  EXPECT_EQ(feed(arrives("b")), "| | no: 'a' has that conversation already");
}

TEST_F(MoveTest, OneThatLeftFromHereMayComeBackFromThere) {
  leaves();
  world.feed(step(MoveStep::given));
  EXPECT_EQ(feed(arrives()), "| | no: an agent named 'a' is there already") << "it may run there";
  world.feed(step(MoveStep::gone));
  EXPECT_EQ(feed(arrives()),
            "registered learned move:came D:start S:starting | env sweep open-resume | wait")
      << feed(arrives());
  EXPECT_FALSE(world.agent()->away());
}

TEST_F(MoveTest, APausedOneStaysPaused) {
  Arrived ask = arrives();
  ask.paused = true;
  world.feed(ask);
  EXPECT_TRUE(world.agent()->paused);
}

}  // namespace
}  // namespace pawl::core
