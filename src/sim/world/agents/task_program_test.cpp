// The ways of a task's run, and that what it logs is what it prints.

#include "sim/world/agents/task_program.h"

#include <gtest/gtest.h>

#include <csignal>

#include "perceive/records/headless.h"

namespace pawl::sim {
namespace {

using namespace std::chrono_literals;

// One run, played to its end or for so long.
struct Played {
  std::string printed;
  std::vector<Entry> log;
  std::optional<model::Ending> ended;
  MonoTime now{1h};

  explicit Played(Prints prints, const TaskWays& ways, std::vector<std::string> argv = {},
                  Duration lasts = 3h) {
    TaskProgram program(prints, ways, 7);
    Launch launch;
    launch.argv = std::move(argv);
    launch.wall = WallTime{1000h};
    program.start(now, launch);
    const MonoTime end = now + lasts;
    for (auto at = program.wake_at(); at && *at <= end; at = program.wake_at()) {
      now = *at;
      printed += program.print(now);
    }
    log = program.take_log();
    ended = program.ended();
  }
  model::TaskReport report() const {
    perceive::Headless reader("claude");
    reader.feed(printed, WallTime{1001h});
    reader.end(WallTime{1001h});
    return reader.report();
  }
  std::string told() const {
    for (const auto& one : log)
      if (one.what == Entry::What::told) return one.text;
    return "";
  }
  MonoTime longest_silence() const {
    Duration out{};
    std::optional<MonoTime> before;
    for (const auto& one : log) {
      if (one.what != Entry::What::spoke) continue;
      if (before) out = std::max(out, one.at - *before);
      before = one.at;
    }
    return MonoTime{out};
  }
};

TEST(TaskProgram, AnOrdinaryRunComesToItsEndAndSaysSo) {
  const Played plain(Prints::lines, {});
  ASSERT_TRUE(plain.ended);
  EXPECT_TRUE(plain.ended->clean());
  EXPECT_TRUE(plain.printed.starts_with("line 1000.1 "));
  const Played records(Prints::records, {});
  ASSERT_TRUE(records.ended);
  EXPECT_TRUE(records.ended->clean());
  EXPECT_TRUE(records.report().finished && !records.report().failed);
  EXPECT_EQ(records.told(), "completed");
  EXPECT_LE(records.longest_silence(), MonoTime{TaskWays{}.says_every});
}

TEST(TaskProgram, EachWayIsReadAsItIsMeant) {
  const auto run = [](double TaskWays::*way) {
    TaskWays ways;
    ways.*way = 1;
    return Played(Prints::records, ways);
  };
  EXPECT_TRUE(run(&TaskWays::fails).report().failed);
  EXPECT_EQ(run(&TaskWays::overload).report().trouble, "overload");
  EXPECT_EQ(run(&TaskWays::auth).report().trouble, "auth");
  EXPECT_EQ(run(&TaskWays::denied).report().denials, 1);
  const auto limited = run(&TaskWays::limits);
  EXPECT_EQ(limited.report().trouble, "limit");
  EXPECT_TRUE(limited.report().until && *limited.report().until > WallTime{1000h});
  EXPECT_FALSE(run(&TaskWays::vanishes).report().finished);
  EXPECT_TRUE(run(&TaskWays::vanishes).ended->clean());
  EXPECT_NE(run(&TaskWays::crashes).ended->signal, 0);
  EXPECT_FALSE(run(&TaskWays::hangs).ended);
  EXPECT_FALSE(run(&TaskWays::lingers).ended);
  EXPECT_TRUE(run(&TaskWays::lingers).report().finished);
  EXPECT_GE(run(&TaskWays::silent).longest_silence(), MonoTime{3min});
  EXPECT_GT(run(&TaskWays::floods).printed.size(), 50'000u);
}

TEST(TaskProgram, AConversationThatIsNotThereIsToldInItsWords) {
  TaskWays ways;
  ways.forgets = 1;
  const Played played(Prints::records, ways, {"claude", "-p", "--resume", "c-1"});
  EXPECT_EQ(played.report().trouble, "session");
  EXPECT_EQ(played.ended->exit_code, 1);
  EXPECT_TRUE(Played(Prints::records, ways).ended->clean()) << "there is nothing to go on with";
}

TEST(TaskProgram, OneThatIsDeafIsEndedByTheKernelOnly) {
  TaskWays ways;
  ways.deaf = ways.hangs = 1;
  TaskProgram program(Prints::lines, ways, 1);
  program.start(MonoTime{1h}, {});
  program.signal(MonoTime{1h}, SIGTERM);
  EXPECT_FALSE(program.ended());
  program.signal(MonoTime{1h}, SIGKILL);
  ASSERT_TRUE(program.ended());
  EXPECT_EQ(program.ended()->signal, SIGKILL);
}

TEST(TaskProgram, APlainOneMayAskOnItsTerminalAndThenWaits) {
  TaskWays ways;
  ways.asks = 1;
  const Played asks(Prints::lines, ways);
  EXPECT_TRUE(asks.printed.ends_with("[y/N] ")) << asks.printed;
  EXPECT_EQ(asks.told(), "asks");
  EXPECT_FALSE(asks.ended);
  const Played records(Prints::records, ways);
  EXPECT_EQ(records.told(), "completed") << "what tells of its turn in records has no terminal";
}

}  // namespace
}  // namespace pawl::sim
