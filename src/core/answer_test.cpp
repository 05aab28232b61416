// What a person chose in a dialog, kept as a rule.

#include <gtest/gtest.h>

#include "core/supervisor_world.h"

namespace pawl::core {
namespace {

const model::Dialog kWhich{
    "Which way?", {{"Short"}, {"Long"}, {"Buy a car", model::Cost::money}}, true};

struct AnswerTest : testing::Test {
  World world;
  void SetUp() override { world.bring(Condition::running); }

  void asks(const std::string& kind, const model::Dialog& dialog) {
    Perceived seen;
    seen.session = world.session();
    seen.state = model::State::waiting;
    seen.kind = kind;
    seen.dialog = dialog;
    world.feed(seen);
  }
  void works() {
    Perceived seen;
    seen.session = world.session();
    seen.state = model::State::busy;
    world.feed(seen);
  }
  // What the person is told of it.
  Receipt answers(const std::string& row) {
    const Plan plan = world.feed(AnswerAsked{RequestId{5}, "a", row});
    const Seq intent = plan.events.at(0).seq;
    world.answers.clear();
    world.feed(Delivered{intent, {act::Verdict::confirmed, "the dialog is gone"}});
    works();
    return world.answers.at(0).receipt.value();
  }
  // What rules choose when they look; empty: nothing.
  std::string chosen() {
    const Plan plan = world.feed(RulesDue{"a"});
    for (const auto& effect : plan.effects)
      if (const auto* press = std::get_if<PressRow>(&effect)) return press->row;
    return {};
  }
  std::string keep() {
    const Plan plan = world.feed(KeepAnswer{RequestId{6}, "a", true});
    return plan.answers.at(0).done ? "" : plan.answers.at(0).done.error().what;
  }
};

TEST_F(AnswerTest, IsARuleOnlyOnceItIsKept) {
  asks("question", kWhich);
  EXPECT_TRUE(answers("2").keepable);
  asks("question", kWhich);
  EXPECT_EQ(chosen(), "");
  works();
  EXPECT_EQ(keep(), "");
  asks("question", kWhich);
  EXPECT_EQ(chosen(), "Long");
  EXPECT_EQ(world.folded(), world.supervisor.fleet());
}

TEST_F(AnswerTest, OneThatWasNotTakenIsNone) {
  asks("question", kWhich);
  const Seq intent = world.feed(AnswerAsked{RequestId{5}, "a", "2"}).events.at(0).seq;
  world.feed(Delivered{intent, {act::Verdict::stuck, "the dialog did not go away"}});
  EXPECT_NE(keep().find("nobody has answered"), std::string::npos);
}

TEST_F(AnswerTest, HoldsForTheSameDialogOnly) {
  asks("question", kWhich);
  answers("Sho");
  EXPECT_EQ(keep(), "");
  model::Dialog other = kWhich;
  other.rows.push_back({"Wait"});
  asks("question", other);
  EXPECT_EQ(chosen(), "");
  works();
  other = kWhich;
  other.question = "Which way now?";
  asks("question", other);
  EXPECT_EQ(chosen(), "");
}

TEST_F(AnswerTest, ADialogNobodyDescribedMayBeKeptToo) {
  model::Dialog unknown = kWhich;
  unknown.known = false;
  asks("other", unknown);
  answers("1");
  EXPECT_EQ(keep(), "");
  asks("other", unknown);
  EXPECT_EQ(chosen(), "Short");
}

TEST_F(AnswerTest, MoneyAndPermissionsAreNeverKept) {
  EXPECT_NE(keep().find("nobody has answered"), std::string::npos);
  asks("question", kWhich);
  EXPECT_FALSE(answers("Buy").keepable);
  EXPECT_NE(keep().find("'Buy a car' cannot be kept"), std::string::npos);
  asks("permission", kWhich);
  EXPECT_FALSE(answers("1").keepable);
  EXPECT_NE(keep().find("cannot be kept"), std::string::npos);
}

TEST_F(AnswerTest, IsForTheDialogItNamesAndForNoOther) {
  model::Dialog first = kWhich, second = kWhich;
  first.subject = "ls -l", second.subject = "git push --force";
  model::identify(first, first.subject);
  model::identify(second, second.subject);
  asks("question", second);
  const Plan refused = world.feed(AnswerAsked{RequestId{5}, "a", "1", first.id});
  ASSERT_EQ(refused.answers.size(), 1u);
  EXPECT_TRUE(refused.effects.empty());
  EXPECT_NE(refused.answers[0].done.error().what.find("git push --force"), std::string::npos);
  const Plan plan = world.feed(AnswerAsked{RequestId{6}, "a", "1", second.id});
  ASSERT_EQ(plan.effects.size(), 1u);
  EXPECT_EQ(std::get<PressRow>(plan.effects[0]).dialog, second.id) << "looked at again at Enter";
}

TEST_F(AnswerTest, ARowWithAKeyOfItsOwnIsChosenByIt) {
  model::Dialog buttons = kWhich;
  buttons.rows = {{"Reject", model::Cost::deny, "Escape"}};
  asks("permission", buttons);
  for (const char* wish : {"1", "rej"}) {
    const Plan plan = world.feed(AnswerAsked{RequestId{5}, "a", wish});
    ASSERT_EQ(plan.effects.size(), 1u);
    EXPECT_EQ(std::get<PressRow>(plan.effects[0]).key, "Escape");
    world.feed(Delivered{plan.events.at(0).seq, {act::Verdict::stuck, "not yet"}});
  }
}

TEST_F(AnswerTest, IsKeptForAPatternThatFitsWhatItWasAbout) {
  model::Dialog shop = kWhich, house = kWhich;
  shop.subject = "shop 12", house.subject = "house 12";
  asks("question", shop);
  answers("2");
  const auto keeps = [&](const std::string& about) {
    return bool(world.feed(KeepAnswer{RequestId{6}, "a", true, about}).answers.at(0).done);
  };
  EXPECT_FALSE(keeps("house *"));
  EXPECT_TRUE(keeps("shop *"));
  shop.subject = "shop 13";
  asks("question", shop);
  EXPECT_EQ(chosen(), "Long");
  works();
  asks("question", house);
  EXPECT_EQ(chosen(), "");
}

TEST_F(AnswerTest, TheNewestHoldsAndAllAreForgottenTogether) {
  for (const char* row : {"1", "2"}) {
    asks("question", kWhich);
    answers(row);
    EXPECT_EQ(keep(), "");
  }
  ASSERT_EQ(world.agent()->memory.answers.size(), 1u);
  asks("question", kWhich);
  EXPECT_FALSE(answers("2").keepable) << "it is kept already";
  world.feed(KeepAnswer{RequestId{6}, "a", false});
  asks("question", kWhich);
  EXPECT_EQ(chosen(), "");
}

}  // namespace
}  // namespace pawl::core
