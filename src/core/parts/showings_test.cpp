#include "core/parts/showings.h"

#include <gtest/gtest.h>

namespace pawl::core {
namespace {

using Last = std::optional<std::string>;

TEST(Showings, EachWorldHasItsOwn) {
  Showings seen;
  EXPECT_EQ(seen.last("person", "a"), Last());
  seen.shown("person", "a", "one");
  seen.shown("web", "a", "two");
  EXPECT_EQ(seen.last("person", "a"), "one");
  EXPECT_EQ(seen.last("web", "a"), "two");
  EXPECT_EQ(seen.last("person", "b"), Last());
  seen.forget("a");
  EXPECT_EQ(seen.last("web", "a"), Last());
}

TEST(Showings, ThatItAsksIsNoLookAtAnotherDialog) {
  Showings seen;
  seen.shown("person", "a", "one");
  seen.told("person", "a", "two");
  EXPECT_EQ(seen.last("person", "a"), "one") << "what 'two' asks was not shown";
  seen.told("person", "a", std::nullopt);
  EXPECT_EQ(seen.last("person", "a"), "one");
  seen.told("person", "a", "");
  EXPECT_EQ(seen.last("person", "a"), "") << "they know that it is gone";
  seen.told("person", "a", "three");
  EXPECT_EQ(seen.last("person", "a"), "three") << "better than nothing: a fourth one is another";
  seen.told("person", "a", std::nullopt);
  EXPECT_EQ(seen.last("person", "a"), Last()) << "it asks, and nobody can say what yet";
}

TEST(Showings, WhoseAnswerWasTakenIsNotHeldToThatDialog) {
  Showings seen;
  seen.shown("person", "a", "one");
  seen.shown("web", "a", "one");
  seen.answers("person", "a");
  seen.answered("a", false);
  EXPECT_EQ(seen.last("person", "a"), "one") << "it is still there";
  seen.answers("person", "a");
  seen.answered("a", true);
  EXPECT_EQ(seen.last("person", "a"), Last());
  EXPECT_EQ(seen.last("web", "a"), "one") << "nobody told them";
}

TEST(Showings, TooManyWorldsAreNotRemembered) {
  Showings seen;
  for (size_t i = 0; i < 2 * kMaxWorlds; ++i) seen.shown(std::to_string(i), "a", "one");
  EXPECT_EQ(seen.last("0", "a"), "one");
  EXPECT_EQ(seen.last(std::to_string(2 * kMaxWorlds - 1), "a"), Last());
}

TEST(Showings, TheNextDaemonKnowsThem) {
  Showings seen;
  EXPECT_FALSE(seen.changed());
  seen.shown("person ", "a", "one");
  seen.told("web token from 127.0.0.1", "a", "two");
  seen.shown("person ", "b", "");
  EXPECT_TRUE(seen.changed());
  seen.kept();
  EXPECT_FALSE(seen.changed());
  seen.shown("person ", "a", "one");
  EXPECT_FALSE(seen.changed()) << "as it was";
  Showings next;
  next.read(seen.text() + "a\tshown\n\nb\tseen\tthree\tperson \n");
  EXPECT_FALSE(next.changed());
  EXPECT_EQ(next.last("person ", "a"), "one");
  EXPECT_EQ(next.last("web token from 127.0.0.1", "a"), "two");
  EXPECT_EQ(next.last("person ", "b"), Last());
  next.told("person ", "a", "three");
  EXPECT_EQ(next.last("person ", "a"), "one") << "that one was shown, the other only told of";
  next.forget("a");
  EXPECT_TRUE(next.changed());
  EXPECT_EQ(next.text(), "");
}

}  // namespace
}  // namespace pawl::core
