#include "model/spending.h"

#include <gtest/gtest.h>

#include "model/everything.h"

namespace pawl::model {
namespace {

using namespace std::chrono_literals;

const WallTime kNoon = [] {
  WallTime out;
  parse_rfc3339("2026-11-16T12:00:00.000Z", out);
  return out;
}();

TEST(Spending, DaysAreThoseOfUtc) {
  EXPECT_EQ(day_of(kNoon), "2026-11-16");
  EXPECT_EQ(day_of(kNoon + 12h - 1us), "2026-11-16");
  EXPECT_EQ(day_of(kNoon + 12h), "2026-11-17");
  EXPECT_EQ(next_day(kNoon), kNoon + 12h);
  EXPECT_EQ(next_day(kNoon + 12h), kNoon + 36h);
}

TEST(Spending, ANewDayBeginsWithNothing) {
  Spending its;
  spend(its, {"2026-11-16", 100, 0.5}, kNoon);
  spend(its, {"2026-11-16", 20}, kNoon);
  told_of_budget(its, BudgetMark::soft);
  told_of_budget(its, BudgetMark::hard);
  EXPECT_EQ(today(its, kNoon).tokens, 120);
  EXPECT_EQ(today(its, kNoon).cost_usd, 0.5);
  EXPECT_EQ(today(its, kNoon + 24h).tokens, 0);
  EXPECT_FALSE(today(its, kNoon + 24h).cost_usd);
  spend(its, {"2026-11-17", 3}, kNoon + 24h);
  EXPECT_EQ(today(its, kNoon + 24h).tokens, 3);
  EXPECT_FALSE(its.told_soft || its.told_hard) << "people are told each day";
  spend(its, {"2026-11-16", 7, 0.25}, kNoon + 24h);
  EXPECT_EQ(today(its, kNoon + 24h).tokens, 3) << "that was yesterday's";
  EXPECT_EQ(its.all_tokens, 130);
  EXPECT_EQ(its.all_cost_usd, 0.75);
}

TEST(Spending, AFileThatSaysTomorrowDoesNotEndToday) {
  Spending its;
  spend(its, {"2026-11-16", 100}, kNoon);
  spend(its, {"2999-01-01", 5}, kNoon);
  EXPECT_EQ(today(its, kNoon).tokens, 105);
}

TEST(Spending, CountsStayWithinWhatCanBe) {
  Spending its;
  spend(its, {"2026-11-16", INT64_MAX, 1e300}, kNoon);
  spend(its, {"2026-11-16", INT64_MAX, 1e300}, kNoon);
  EXPECT_GT(its.tokens, 0);
  EXPECT_LE(*its.cost_usd, 1e12);
  spend(its, {"2026-11-16", INT64_MIN, -1e300}, kNoon);
  EXPECT_EQ(its.tokens, 0);
  EXPECT_EQ(its.cost_usd, 0.0);
}

TEST(Spending, AFileHasOneMarkAndTheOldestGo) {
  Spending its;
  spend(its, {"2026-11-16", 1, {}, {"/a", 10, "", {}}}, kNoon);
  spend(its, {"2026-11-16", 1, {}, {"/a", 20, "", {}}}, kNoon + 1s);
  ASSERT_EQ(its.marks.size(), 1u);
  EXPECT_EQ(mark_of(its, "/a")->offset, 20u);
  EXPECT_EQ(mark_of(its, "/b"), nullptr);
  for (size_t i = 0; i < kMarksKept; ++i)
    spend(its, {"2026-11-16", 1, {}, {"/f" + std::to_string(i), 1, "", {}}}, kNoon + 2s);
  EXPECT_EQ(its.marks.size(), kMarksKept);
  EXPECT_EQ(mark_of(its, "/a"), nullptr);
  EXPECT_EQ(its.forgotten, kNoon + 1s) << "what is older than that was counted";
}

TEST(Spending, TheLargerPartOfABudgetCounts) {
  EXPECT_EQ(used_of({}, {1000, 5.0}), 0);
  EXPECT_EQ(used_of({2000, 0, 80}, {1000, 5.0}), 0.5);
  EXPECT_EQ(used_of({2000, 2.5, 80}, {1000, 5.0}), 2);
  EXPECT_EQ(used_of({2000, 2.5, 80}, {1000, {}}), 0.5);
}

Fleet one_task() {
  Fleet fleet;
  AgentSpec spec;
  spec.name = "t";
  apply(fleet, {Seq{1}, kNoon, "t", Registered{spec}});
  apply(fleet, {Seq{2}, kNoon, "t", TaskGiven{}});
  return fleet;
}

// A run's last record corrects what its earlier ones said, and the next run counts from nothing.
TEST(Spending, ATaskSpendsWhatItsRecordsSay) {
  Fleet fleet = one_task();
  const auto told = [&](int64_t tokens, double cost) {
    TaskTold fact;
    fact.report.tokens = tokens;
    fact.report.cost_usd = cost;
    apply(fleet, {Seq{3}, kNoon, "t", fact});
    return today(fleet.find("t")->memory.spending, kNoon);
  };
  EXPECT_EQ(told(1000, 0).tokens, 1000);
  EXPECT_FALSE(told(3000, 0).cost_usd);
  EXPECT_EQ(told(2500, 0.5).tokens, 2500);
  EXPECT_EQ(told(2500, 0.5).cost_usd, 0.5);
  begin_run(*fleet.agents["t"].task);
  EXPECT_EQ(told(100, 0.25).tokens, 2600);
  EXPECT_EQ(told(100, 0.25).cost_usd, 0.75);
}

TEST(Spending, ABudgetsWordIsNoTroubleOfTheAgent) {
  Fleet fleet = one_task();
  fleet.agents["t"].memory.matter = {"auth", 2, kNoon, true};
  Decided fact{Action::limit_wait, "used up", 1};
  fact.rule = kBudgetRule;
  fact.how = "hard";
  fact.matter = "budget hard 2026-11-16";
  apply(fleet, {Seq{4}, kNoon, "t", fact});
  EXPECT_TRUE(fleet.find("t")->memory.spending.told_hard);
  EXPECT_EQ(fleet.find("t")->memory.matter.id, "auth");
}

}  // namespace
}  // namespace pawl::model
