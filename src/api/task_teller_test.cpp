#include "api/task_teller.h"

#include <gtest/gtest.h>

#include "model/everything.h"

namespace pawl::api {
namespace {

using namespace model;

struct TellerTest : testing::Test {
  Agent known;  // as the lookup has it
  bool there = false;
  uint64_t seq = 0;
  TaskTeller teller{[this](const std::string&) { return there ? AnyAgent(known) : AnyAgent(); }};

  Json take(Fact fact, const std::string& agent = "claude-t") {
    return teller.take({Seq{++seq}, wall(static_cast<int64_t>(seq)), agent, std::move(fact)})
        .value_or(Json());
  }
  std::string says(Fact fact) { return take(std::move(fact))["event"].as_string(); }
  void give(const std::string& format = "claude") {
    TaskOrder order;
    order.name = "t";
    order.dir = "/x/t.1";
    order.format = format;
    ASSERT_EQ(says(TaskGiven{order}), "started");
  }
  static StateChanged ends(Ending ending) {
    StateChanged fact{State::busy, State::crashed, "", {}, "ended by itself", 1, ending};
    return fact;
  }
};

TEST_F(TellerTest, AnAgentsEventsAreNoTasks) {
  EXPECT_TRUE(take(Registered{}).is_null());
  EXPECT_TRUE(take(ends({1, 0, true})).is_null());
  EXPECT_TRUE(take(Removed{}).is_null());
  EXPECT_TRUE(take(Gap{}, "").is_null());
}

TEST_F(TellerTest, ARunThatEndsWithoutAResultCrashed) {
  give();
  EXPECT_EQ(says(ends({1, 0, true})), "crashed");
  EXPECT_EQ(says(Decided{.action = Action::restart, .because = "again", .matter = "crashed"}),
            "resumed");
  EXPECT_EQ(says(StateChanged{State::crashed, State::starting, "", {}, "", 1, {}}), "");
  TaskReport done;
  done.finished = true;
  EXPECT_EQ(says(TaskTold{done}), "");
  EXPECT_EQ(says(ends({0, 0, true})), "") << "its result follows";
  const Json over = take(TaskEnded{TaskStatus::completed, "it came to its end", 0});
  EXPECT_EQ(over["event"].as_string(), "completed");
  EXPECT_EQ(over["task"].as_string(), "t");
  EXPECT_EQ(over["tmpdir"].as_string(), "/x/t.1");
  EXPECT_EQ(over["exit_code"].as_int(-1), 0);
  EXPECT_EQ(says(TaskRead{}), "read");
}

TEST_F(TellerTest, OfAPlainProgramOnlyASignalIsACrash) {
  give("plain");
  EXPECT_EQ(says(ends({3, 0, true})), "");
  EXPECT_EQ(says(ends({-1, 9, true})), "crashed");
}

TEST_F(TellerTest, OneThatIsEndedDidNotCrash) {
  give();
  EXPECT_EQ(says(Decided{.action = Action::restart, .because = "silent", .matter = "hung"}),
            "hung");
  EXPECT_EQ(says(ends({-1, 15, true})), "");
  EXPECT_EQ(says(StateChanged{State::crashed, State::starting, "", {}, "", 1, {}}), "");
  EXPECT_EQ(says(Decided{.action = Action::abandon, .because = "asked"}), "");
  EXPECT_EQ(says(ends({-1, 15, true})), "");
  const Json over = take(TaskEnded{TaskStatus::abandoned, "deadline", {}, "its time is over"});
  EXPECT_EQ(over["reason"].as_string(), "deadline");
  EXPECT_EQ(over["detail"].as_string(), "its time is over");
  EXPECT_TRUE(over["exit_code"].is_null());
}

TEST_F(TellerTest, ALimitIsToldOnceWithItsEnd) {
  give();
  TaskReport limit;
  limit.trouble = "limit";
  limit.until = wall(3'000'000);
  EXPECT_EQ(says(TaskTold{limit}), "");
  const Json told = take(ends({1, 0, true}));
  EXPECT_EQ(told["event"].as_string(), "limited");
  EXPECT_EQ(told["until"].as_string(), "1970-01-01T00:00:03.000Z");
  EXPECT_EQ(says(Decided{.action = Action::limit_wait, .because = "its limit"}), "");
}

TEST_F(TellerTest, OneWhoseBeginningWasNotReadIsLookedUp) {
  known = full_agent("claude-t");
  there = true;
  EXPECT_EQ(take(TaskEnded{TaskStatus::failed, "why", 1})["task"].as_string(),
            known.task->order.name);
  EXPECT_EQ(says(TaskFiled{}), "");
  EXPECT_EQ(says(Removed{}), "removed") << "also when it was filed";
  known.task.reset();
  EXPECT_TRUE(take(TaskEnded{}, "other").is_null());
}

TEST_F(TellerTest, OneThatAsksWaits) {
  give();
  StateChanged asks{State::busy, State::waiting, "permission", Tier::screen, "it asks", 1, {}};
  asks.dialog = Dialog{"May I?", {{"Yes", Cost::allow}}, true};
  EXPECT_EQ(take(asks)["detail"].as_string(), "May I?");
}

}  // namespace
}  // namespace pawl::api
