#include "fleet/talk_ends.h"

#include <gtest/gtest.h>

#include <deque>
#include <random>

namespace pawl::fleet {
namespace {

constexpr MonoTime kStart{std::chrono::hours{1}};

// Both ends, and a way between them that may lose a question or its answer. What is said comes back, in small pieces.
struct World {
  NearEnd near{"t1", "person"};
  FarEnd far{kStart};
  MonoTime now = kStart;
  std::string at_far;
  std::mt19937 chance{7};
  double loses = 0;
  int tokens = 0;

  bool lost() { return std::uniform_real_distribution<>(0, 1)(chance) < loses; }

  std::optional<std::string> ask(const NearEnd::Question& question) {
    if (lost()) return std::nullopt;
    const auto value = talk_value(question.value);
    EXPECT_TRUE(value);
    std::string answer;
    if (question.what == NearEnd::What::say) {
      const auto fresh =
          far.said(now, static_cast<uint64_t>(value->head["say"].as_int()), value->bytes);
      EXPECT_TRUE(fresh) << "no part is missing";
      if (fresh) at_far += *fresh;
      answer = text_of(TalkValue{Json::object({{"ok", true}})});
    } else {
      far.hears(now, static_cast<uint64_t>(value->head["hear"].as_int()), std::to_string(++tokens));
      auto said = far.answer(now);
      if (!said) {
        now += kTalkHears;
        said = far.answer(now);
      }
      EXPECT_TRUE(said) << "after kTalkHears it is answered in any case";
      if (said) answer = said->value;
    }
    if (lost()) return std::nullopt;
    return answer;
  }

  // Until nothing is to be said or heard any more.
  std::string converse(int rounds) {
    std::string heard;
    for (int i = 0; i < rounds && !near.over(); ++i) {
      if (const auto question = near.next()) near.answered(question->what, ask(*question));
      heard += near.hear();
    }
    return heard;
  }
};

TEST(TalkEnds, WhatIsSaidArrivesAndWhatIsPutIsHeard) {
  World world;
  world.near.say("hello");
  world.far.put("hi");
  EXPECT_EQ(world.converse(3), "hi");
  EXPECT_EQ(world.at_far, "hello");
  EXPECT_FALSE(world.near.over());
}

TEST(TalkEnds, LostQuestionsAndLostAnswersLoseAndDoubleNothing) {
  std::string want;
  for (int i = 0; i < 300; ++i) want += "part " + std::to_string(i) + "; ";
  for (unsigned seed = 1; seed <= 200; ++seed) {
    World world;
    world.chance.seed(seed);
    world.loses = 0.15;
    std::string heard;
    for (int i = 0; i < 60 && !world.near.over(); ++i) {
      const std::string piece =
          want.substr(want.size() * i / 60, want.size() * (i + 1) / 60 - want.size() * i / 60);
      world.near.say(piece);
      world.far.put(piece);
      heard += world.converse(2);
    }
    heard += world.converse(100);
    if (world.near.over()) continue;  // three in a row were lost: that is said
    EXPECT_EQ(world.at_far, want) << "seed " << seed;
    EXPECT_EQ(heard, want) << "seed " << seed;
  }
}

TEST(TalkEnds, WhoNeverAnswersEndsIt) {
  World world;
  world.loses = 1;
  world.near.say("x");
  world.converse(kTalkTries);
  ASSERT_TRUE(world.near.over());
  EXPECT_EQ(world.near.over()->what, "the other node does not answer any more");
  EXPECT_FALSE(world.near.next()) << "nothing is asked any more";
}

TEST(TalkEnds, MuchIsSaidInParts) {
  World world;
  const std::string much(3 * kTalkPart + 17, 'x');
  world.near.say(much);
  world.far.put(much);
  EXPECT_EQ(world.converse(12).size(), much.size());
  EXPECT_EQ(world.at_far.size(), much.size());
}

TEST(TalkEnds, TheEndIsHeardAfterTheLastByte) {
  World world;
  world.near.say("x");
  world.far.put("the last");
  world.far.finish();
  EXPECT_EQ(world.converse(6), "the last");
  ASSERT_TRUE(world.near.over());
  EXPECT_TRUE(world.far.gone(world.now)) << "it was told";
}

TEST(TalkEnds, ANearEndThatIsNotHeardOfIsGone) {
  FarEnd far(kStart);
  EXPECT_FALSE(far.gone(kStart + kTalkSilent - std::chrono::milliseconds{1}));
  EXPECT_TRUE(far.gone(kStart + kTalkSilent));
  far.hears(kStart + std::chrono::seconds{40}, 1, "t");
  EXPECT_FALSE(far.gone(kStart + kTalkSilent));
  EXPECT_FALSE(far.said(kStart, 3, "x")) << "parts 1 and 2 are missing";
}

}  // namespace
}  // namespace pawl::fleet
