#include "base/agenda.h"

#include <gtest/gtest.h>

#include <string>

namespace pawl {
namespace {

using Names = std::vector<std::string>;

TEST(Agenda, TheEarliestFirstAndTheOthersNotAtAll) {
  Agenda<std::string, int> agenda;
  EXPECT_FALSE(agenda.first());
  agenda.set("late", 30);
  agenda.set("first", 10);
  agenda.set("second", 20);
  EXPECT_EQ(agenda.due(20), (Names{"first", "second"}));
  EXPECT_EQ(agenda.first(), 10);
  EXPECT_EQ(agenda.next(20), 30);
  EXPECT_EQ(agenda.next(30), std::nullopt);
}

TEST(Agenda, ALaterWordReplacesTheEarlierOne) {
  Agenda<std::string, int> agenda;
  agenda.set("one", 10);
  agenda.set("one", 20);
  EXPECT_TRUE(agenda.due(19).empty());
  agenda.set("one", 5);
  EXPECT_EQ(agenda.due(30), Names{"one"}) << "once";
}

TEST(Agenda, WhoIsDueStaysUntilDropped) {
  Agenda<std::string, int> agenda;
  agenda.set("one", 10);
  EXPECT_EQ(agenda.due(10), Names{"one"});
  EXPECT_EQ(agenda.due(10), Names{"one"});
  agenda.drop("one");
  agenda.drop("nobody");
  EXPECT_TRUE(agenda.due(10).empty());
  EXPECT_FALSE(agenda.contains("one"));
  EXPECT_FALSE(agenda.first());
}

}  // namespace
}  // namespace pawl
