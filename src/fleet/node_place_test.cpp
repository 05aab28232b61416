#include "fleet/node_place.h"

#include <gtest/gtest.h>

namespace pawl::fleet {
namespace {

struct TalksWorld {
  int woken = 0;
  NodeTalks talks{"life", [this] { ++woken; }};
};

std::string ok() {
  return text_of(TalkValue{Json::object({{"ok", true}})});
}

TEST(NodePlace, ItIsAskedOfItsNodeAndTheAnswerIsHeard) {
  TalksWorld world;
  NodePlace gpu(world.talks, "gpu");
  const auto talk = gpu.talk("laptop/agent docs");
  talk->say("ls");
  EXPECT_GT(world.woken, 0) << "somebody has to ask it";
  auto asked = world.talks.take_questions();
  ASSERT_EQ(asked.size(), 1u);
  EXPECT_EQ(asked[0].node, "gpu");
  EXPECT_EQ(talk_value(asked[0].value)->head["who"].as_string(), "agent docs")
      << "which machine asks is not said: the bus vouches for it";
  world.talks.answered(asked[0].ticket, ok(), "");
  asked = world.talks.take_questions();
  ASSERT_EQ(asked.size(), 1u) << "it listens";
  world.talks.answered(asked[0].ticket, text_of(TalkValue{Json::object({{"part", 1}}), "a list"}),
                       "");
  EXPECT_EQ(talk->hear(), "a list");
  EXPECT_FALSE(talk->over());
}

TEST(NodePlace, WhoLetsGoSaysSo) {
  TalksWorld world;
  NodePlace gpu(world.talks, "gpu");
  gpu.talk("laptop/person").reset();
  const auto asked = world.talks.take_questions();
  ASSERT_EQ(asked.size(), 1u);
  EXPECT_TRUE(talk_value(asked[0].value)->head["bye"].as_bool());
  world.talks.answered(asked[0].ticket, std::nullopt, "");
  EXPECT_TRUE(world.talks.take_questions().empty());
  EXPECT_EQ(world.talks.open_talks(), 0u);
}

TEST(NodePlace, ANodeThatRefusesEndsItAtOnce) {
  TalksWorld world;
  NodePlace gpu(world.talks, "gpu");
  const auto talk = gpu.talk("laptop/person");
  talk->say("ls");
  world.talks.answered(world.talks.take_questions()[0].ticket, std::nullopt, "gpu is offline");
  ASSERT_TRUE(talk->over());
  EXPECT_EQ(talk->over()->what, "gpu is offline");
}

TEST(NodePlace, NoTwoConversationsHaveOneId) {
  TalksWorld world;
  NodePlace gpu(world.talks, "gpu");
  const auto one = gpu.talk("laptop/person"), two = gpu.talk("laptop/person");
  one->say("x");
  two->say("y");
  const auto asked = world.talks.take_questions();
  ASSERT_EQ(asked.size(), 2u);
  EXPECT_NE(talk_value(asked[0].value)->head["talk"].as_string(),
            talk_value(asked[1].value)->head["talk"].as_string());
}

}  // namespace
}  // namespace pawl::fleet
