#include "policy/forget.h"

#include <gtest/gtest.h>

#include "base/text.h"

namespace pawl::policy {
namespace {

using model::Bound;
using model::Forget;

constexpr uint64_t kMb = 1u << 20;
constexpr WallTime kNow{std::chrono::hours{24 * 20'000}};

WallTime days_ago(double days) {
  return kNow - std::chrono::duration_cast<Duration>(
                    std::chrono::duration<double, std::ratio<86400>>(days));
}

// A home, told by hand. `left` says what goes: "t:old age, r:old/1 total".
struct Home {
  model::Retention keep{.recordings_days = 30,
                        .tasks_days = 30,
                        .tasks_max = 0,
                        .unread_days = 90,
                        .archive_days = 90};
  model::Holdings held = {};
  std::vector<model::TaskRow> finished = {};
  std::set<std::string> in_use = {}, of_fleet = {};
  std::optional<model::LastWord> told = {};
  std::optional<ToTell> tell = {};

  // The oldest first, as the journal has them.
  Home& task(const std::string& name, double days, bool read = true, uint64_t mb = 1) {
    finished.push_back({"task-" + name, name, name + ".X", days_ago(days), read});
    held.tasks.push_back({"", name + ".X", mb * kMb, days_ago(days)});
    return *this;
  }
  Home& part(const std::string& agent, const std::string& name, double days, uint64_t mb = 1) {
    held.recordings.push_back({agent, name, mb * kMb, days_ago(days)});
    return *this;
  }
  Home& archived(const std::string& id, double days, uint64_t mb = 1) {
    held.archive.push_back({"docs", id, mb * kMb, days_ago(days)});
    return *this;
  }
  std::string going() {
    auto made = to_forget({keep, held, finished, in_use, of_fleet, told, kNow});
    tell = made.tell;
    std::vector<std::string> out;
    for (const auto& one : made.going) {
      std::string name = one.held.name;
      if (one.what == Forget::tasks) name = one.task.task;
      if (one.what == Forget::recordings) name = one.held.agent + "/" + name;
      out.push_back(std::string(word(one.what)) + ":" + name + " " + std::string(word(one.why)));
    }
    return join(out, ", ");
  }
};

TEST(Forget, ByAge) {
  Home home;
  home.task("old", 31).task("unread", 31, false).task("new", 29);
  home.part("task-new", "1", 31).part("docs", "1", 31).part("docs", "2", 29);
  home.archived("a", 91).archived("b", 89);
  EXPECT_EQ(home.going(),
            "recordings:docs/1 age, recordings:task-new/1 age, tasks:old age, archive:a age");
  EXPECT_FALSE(home.tell) << "an unread one has time";
}

TEST(Forget, NothingHasALimitOfNone) {
  Home home;
  home.keep = {.recordings_days = 0,
               .tasks_days = 0,
               .tasks_max = 0,
               .unread_days = 0,
               .archive_days = 0,
               .archive_mb = 0,
               .total_mb = 0};
  home.task("a", 9000).task("b", 9000, false).part("x", "1", 9000).archived("c", 9000);
  home.held.tasks.push_back({"", "nobodys.X", 1, days_ago(9000)});
  EXPECT_EQ(home.going(), "");
  EXPECT_FALSE(home.tell);
}

TEST(Forget, WhatIsInUseStays) {
  Home home;
  home.keep.total_mb = 1;
  home.part("docs", "1", 400, 5).part("idle", "1", 400, 5).part("docs", "2", 1, 5);
  home.in_use = {"docs"};
  EXPECT_EQ(home.going(), "recordings:idle/1 age") << "however much it is";
}

TEST(Forget, ByCountTheOldestThatWereReadGoFirst) {
  Home home;
  home.keep.tasks_max = 2;
  home.task("a", 9, false).task("b", 8).task("c", 7, false).task("d", 6).task("e", 5);
  EXPECT_EQ(home.going(), "tasks:b count, tasks:d count, tasks:e count");
  EXPECT_FALSE(home.tell);
  home.keep.tasks_max = 1;
  EXPECT_EQ(home.going(), "tasks:b count, tasks:d count, tasks:e count");
  ASSERT_TRUE(home.tell) << "an unread one would have to go";
  EXPECT_EQ(home.tell->tasks, std::vector<std::string>{"a"});
  EXPECT_EQ(home.tell->why, Bound::count);
}

TEST(Forget, AnUnreadOneIsToldOfADayBeforeItGoes) {
  Home home;
  home.task("a", 89.5, false).task("b", 88.5, false);
  EXPECT_EQ(home.going(), "");
  ASSERT_TRUE(home.tell);
  EXPECT_EQ(home.tell->tasks, std::vector<std::string>{"a"});
  EXPECT_EQ(home.tell->upto, days_ago(89.5));
  EXPECT_EQ(text_of(*home.tell, kNow),
            "1 unread task result will be removed in 1d00h (nobody has read them): a");
  home.told = {kNow, home.tell->upto};
  EXPECT_EQ(home.going(), "");
  EXPECT_FALSE(home.tell) << "once";
  home.told->told = days_ago(2);
  EXPECT_EQ(home.going(), "") << "told, but not old enough";
  home.keep.unread_days = 89;
  EXPECT_EQ(home.going(), "tasks:a age");
  ASSERT_TRUE(home.tell) << "and the next is told of";
  EXPECT_EQ(home.tell->tasks, std::vector<std::string>{"b"});
  home.finished[0].read = true;
  home.keep.tasks_days = 0;
  EXPECT_EQ(home.going(), "") << "somebody has read it";
}

TEST(Forget, OneThatIsDueLongAgoIsToldOfAllTheSame) {
  Home home;
  home.task("a", 400, false);
  EXPECT_EQ(home.going(), "");
  ASSERT_TRUE(home.tell);
  home.told = {days_ago(0.9), home.tell->upto};
  EXPECT_EQ(home.going(), "");
  home.told = {days_ago(1.1), days_ago(401)};
  EXPECT_EQ(home.going(), "") << "that word was about others";
  EXPECT_TRUE(home.tell);
  home.told = {days_ago(1.1), days_ago(400)};
  EXPECT_EQ(home.going(), "tasks:a age");
}

TEST(Forget, ManyAreNamedInPart) {
  Home home;
  for (const char* name : {"a", "b", "c", "d", "e", "f", "g"}) home.task(name, 100, false);
  home.going();
  EXPECT_EQ(text_of(home.tell.value_or(ToTell{}), kNow),
            "7 unread task results will be removed in 1d00h (nobody has read them): a, b, c, d, e, "
            "…");
}

TEST(Forget, WhatIsTooMuchTogetherGoesInOrder) {
  const auto at = [](int64_t total_mb, std::optional<model::LastWord> told = {}) {
    Home home;
    home.keep.total_mb = total_mb;
    home.task("u", 9, false, 10).task("r1", 8, true, 10).task("r2", 7, true, 10);
    home.part("task-r2", "1", 5, 10).part("task-u", "1", 6, 10).part("docs", "1", 20, 10);
    home.archived("a", 3, 10);
    home.told = told;
    const std::string going = home.going();
    return going + (home.tell ? " told: " + join(home.tell->tasks, ",") : "");
  };
  EXPECT_EQ(at(70), "");
  EXPECT_EQ(at(69), "recordings:task-u/1 total");
  EXPECT_EQ(at(45), "recordings:task-u/1 total, recordings:task-r2/1 total, tasks:r1 total");
  EXPECT_EQ(
      at(20),
      "recordings:task-u/1 total, recordings:task-r2/1 total, tasks:r1 total, tasks:r2 total, "
      "archive:a total");
  EXPECT_EQ(
      at(10),
      "recordings:task-u/1 total, recordings:task-r2/1 total, tasks:r1 total, tasks:r2 total, "
      "archive:a total, recordings:docs/1 total");
  const std::string all = at(10);
  EXPECT_EQ(at(5), all + " told: u");
  EXPECT_EQ(at(5, model::LastWord{days_ago(0.5), days_ago(9)}), all);
  EXPECT_EQ(at(5, model::LastWord{days_ago(1.5), days_ago(9)}), all + ", tasks:u total");
}

TEST(Forget, TheArchiveHasALimitOfItsOwn) {
  Home home;
  home.keep.archive_mb = 3;
  home.archived("a", 5, 2).archived("b", 4, 2).archived("c", 3, 1);
  EXPECT_EQ(home.going(), "archive:a total");
}

TEST(Forget, AFolderThatNobodyKnowsIsKeptAsLongAsAnUnreadResult) {
  Home home;
  home.held.tasks = {{"", "kill.X", 1, days_ago(91)},
                     {"", "lately.X", 1, days_ago(89)},
                     {"", "running.X", 1, days_ago(400)}};
  home.of_fleet = {"running.X"};
  EXPECT_EQ(home.going(), "folders:kill.X age");
  home.keep.unread_days = 1e-5;
  home.held.tasks = {{"", "being-made.X", 1, days_ago(0.01)}};
  EXPECT_EQ(home.going(), "") << "its task may be given in a moment";
}

TEST(Forget, WhereTheTasksAreElsewhereTheyStay) {
  Home home;
  home.task("a", 400).task("b", 400, false);
  home.held.elsewhere = true;
  home.held.tasks.clear();
  EXPECT_EQ(home.going(), "");
  EXPECT_FALSE(home.tell);
}

TEST(Forget, LooksOftenWhereLittleIsKept) {
  model::Retention keep;
  EXPECT_EQ(look_every(keep), std::chrono::hours{1});
  EXPECT_EQ(word_before(keep), std::chrono::hours{24});
  keep.tasks_days = 1e-5;
  EXPECT_EQ(look_every(keep), std::chrono::seconds{1});
  keep.unread_days = 0.5;
  EXPECT_EQ(word_before(keep), std::chrono::hours{12});
  keep.unread_days = 0;
  EXPECT_EQ(word_before(keep), std::chrono::hours{24});
}

}  // namespace
}  // namespace pawl::policy
