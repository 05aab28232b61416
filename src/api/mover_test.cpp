// An agent goes to another machine: a made-up one, which may fail at every step (fake_place.h).

#include "api/mover.h"

#include <gtest/gtest.h>

#include <fstream>

#include "api/fake_place.h"
#include "base/text.h"

namespace pawl::api {
namespace {

using namespace std::chrono_literals;
using model::MoveStep;

Json state_of(const std::string& state) {
  return Json::object({{"state", state}});
}

class MoverTest : public testing::Test {
 protected:
  PlacesWorld world;
  Mover mover{*world.engine, world.server,
              [this](ErrandBox errand, Duration, const std::function<void(ErrandBox)>& done) {
                if (hangs) return done(nullptr);
                errand->run();
                done(std::move(errand));
              },
              [] {}};
  FakePlace& gpu = world.place("gpu");
  bool hangs = false;
  std::string transcript = world.home.path() + "/c1.jsonl";
  std::string arrived;  // of its conversation
  std::string there = "ready", session_there = "c1";
  bool begun = false, gone_there = true;
  std::optional<Error> no_begin, no_part, no_start;

  MoverTest() {
    world.server.mover = &mover;
    gpu.answers["arrive"] = [this](const Json& args) { return arrive(args); };
    gpu.answers["arrive look"] = [this](const Json& args) { return look(args); };
    std::ofstream(transcript) << std::string(600'000, 'x');
    world.running("docs");
    core::Engine& engine = *world.engine;
    engine.submit(core::ConversationTold{world.session("docs"), "c1", transcript});
    is("ready");
  }

  void is(const std::string& state) {
    core::Perceived seen;
    seen.session = world.session("docs");
    seen.state = *model::state_from(state);
    seen.because = "its screen";
    world.engine->submit(seen);
    world.turn();
  }
  std::optional<Result<Json>> arrive(const Json& args) {
    const std::string what = args["what"].as_string();
    if (what == "begin" && no_begin) return tl::unexpected(*no_begin);
    if (what == "start" && no_start) return tl::unexpected(*no_start);
    if (what == "start") begun = true;
    if (what == "drop") {
      begun = begun && !gone_there;
      return Result<Json>(Json::object({{"gone", gone_there}}));
    }
    return Result<Json>(state_of("placing"));
  }
  std::optional<Result<Json>> look(const Json& args) {
    if (args["what"].as_string() == "part") {
      if (no_part) return tl::unexpected(*no_part);
      arrived += from_base64(args["data"].as_string()).value_or("?");
      return Result<Json>(state_of("staged"));
    }
    return Result<Json>(state_of("here").set(
        "agent",
        Json::object({{"state", there}, {"session_id", session_there}, {"because", "a reason"}})));
  }

  // Turns pass; what is ended here ends, and what is opened here runs.
  void pass(Duration time, Duration each = 50ms) {
    for (const MonoTime until = world.now.mono + time; world.now.mono < until;) {
      world.now = {world.now.mono + each, world.now.wall + each, world.now.boot + each};
      world.engine->turn(world.now);
      for (const auto& answer : world.engine->take_answers()) {
        mover.answered(world.now, answer);
        world.conversation.answered(world.now, answer);
      }
      mover.turn(world.now);
      world.publish();
      programs();
    }
  }
  void programs() {
    for (auto& [id, session] : world.host.sessions) {
      if (!session.opened) world.host.runs(id);
      if (!session.signals.empty() && !session.end) world.host.ends(id, 0, 15);
    }
  }
  void move(Json args = Json::object()) {
    world.send("move", args.set("name", "docs").set("machine", "gpu"));
  }
  std::vector<MoveStep> steps() const {
    std::vector<MoveStep> out;
    for (const auto& event : world.journal.events)
      if (const auto* fact = std::get_if<model::Moved>(&event.fact)) out.push_back(fact->step);
    return out;
  }
  std::string failed() { return world.error_of(world.reply()); }
  bool runs_here() const { return world.agent("docs")->running(); }
  void begins_to_run_here() {
    EXPECT_TRUE(runs_here());
    EXPECT_FALSE(world.agent("docs")->away());
    EXPECT_EQ(world.agent("docs")->session_id, "c1");
  }
};

TEST_F(MoverTest, ItGoesThereWholeAndIsEndedHereBefore) {
  move();
  pass(5s);
  const auto done = world.reply();
  ASSERT_TRUE(done) << text_of(done.error());
  EXPECT_EQ((*done)["state"].as_string(), "ready");
  EXPECT_EQ(arrived, std::string(600'000, 'x'));
  EXPECT_EQ(steps(), (std::vector{MoveStep::leaving, MoveStep::given, MoveStep::gone}));
  EXPECT_FALSE(runs_here());
  EXPECT_EQ(gpu.asked.front().second["spec"]["name"].as_string(), "docs");
  EXPECT_EQ(gpu.asked.back().second["what"].as_string(), "done");
}

TEST_F(MoverTest, WhatThatMachineRefusesChangesNothing) {
  no_begin = Error{"an agent named 'docs' is there already", "choose"};
  move();
  pass(2s);
  EXPECT_EQ(failed(), "machine gpu: an agent named 'docs' is there already: choose");
  EXPECT_TRUE(steps().empty());
  EXPECT_TRUE(runs_here());
}

TEST_F(MoverTest, AnOlderPawlThereIsNamed) {
  gpu.answers.erase("arrive");
  move();
  pass(2s);
  EXPECT_NE(failed().find("does not know 'arrive'"), std::string::npos);
  EXPECT_TRUE(steps().empty());
}

TEST_F(MoverTest, ABusyOneIsWaitedForUntilItsTimeIsOver) {
  is("busy");
  move(Json::object({{"timeout", "30"}}));
  pass(29s);
  EXPECT_TRUE(gpu.asked.empty());
  pass(2s);
  EXPECT_NE(failed().find("docs is busy"), std::string::npos);
  EXPECT_TRUE(runs_here());
}

TEST_F(MoverTest, WhoGivesUpWaitingHasNothingMoved) {
  is("busy");
  const auto id = mover.begin(world.now, {"docs", "gpu", "docs"});
  ASSERT_TRUE(id);
  pass(10s);
  is("ready");
  pass(10s);
  EXPECT_TRUE(steps().empty());
  ASSERT_TRUE(mover.story(*id) && mover.story(*id)->end);
}

TEST_F(MoverTest, AFullDiskThereBringsItBack) {
  no_part = Error{"no space left on device"};
  move();
  pass(20s);
  EXPECT_NE(failed().find("no space left on device: it goes on here"), std::string::npos);
  EXPECT_EQ(steps(), (std::vector{MoveStep::leaving, MoveStep::back}));
  EXPECT_FALSE(begun);
  begins_to_run_here();
}

TEST_F(MoverTest, AConversationThatCannotBeReadBringsItBack) {
  hangs = true;
  move();
  pass(20s);
  EXPECT_NE(failed().find("cannot be read"), std::string::npos);
  begins_to_run_here();
}

TEST_F(MoverTest, ItBeginsAnotherConversationThere) {
  session_there = "c2";
  move();
  pass(20s);
  EXPECT_NE(failed().find("another conversation"), std::string::npos);
  EXPECT_EQ(steps(), (std::vector{MoveStep::leaving, MoveStep::given, MoveStep::back}));
  begins_to_run_here();
}

TEST_F(MoverTest, ItDoesNotComeUpThere) {
  there = "starting";
  move();
  pass(80s, 250ms);
  EXPECT_FALSE(runs_here());
  pass(30s, 250ms);
  EXPECT_NE(failed().find("did not come up"), std::string::npos);
  begins_to_run_here();
}

// The line is cut when it may run there: it is started nowhere else before that machine says that it does not.
TEST_F(MoverTest, NobodyKnowsWhetherItRunsThere) {
  there = "starting";
  move();
  pass(5s);
  ASSERT_TRUE(begun);
  gpu.cut();
  gpu.how.online = false;
  pass(std::chrono::hours{1}, 1s);
  EXPECT_FALSE(runs_here());
  EXPECT_EQ(steps().back(), MoveStep::given);
  size_t told = 0;
  for (const auto& event : world.journal.events) {
    const auto* fact = std::get_if<model::Alerted>(&event.fact);
    told += fact && fact->text.find("not known whether it runs there") != std::string::npos;
  }
  EXPECT_EQ(told, 1u);
  gpu.how.online = true;
  there = "ready";
  pass(10s);
  EXPECT_EQ(steps().back(), MoveStep::gone);
}

TEST_F(MoverTest, WhatIsRemovedThereIsWaitedFor) {
  there = "crashed";
  gone_there = false;
  move();
  pass(60s, 250ms);
  EXPECT_FALSE(runs_here());
  EXPECT_TRUE(begun);
  gone_there = true;
  pass(10s);
  EXPECT_FALSE(begun);
  begins_to_run_here();
}

TEST_F(MoverTest, APersonSaysThatItDoesNotRunThere) {
  there = "starting";
  move();
  pass(5s);
  EXPECT_EQ(steps().back(), MoveStep::given);
  gpu.cut();
  gpu.how.online = false;
  pass(10s);
  ASSERT_TRUE(mover.here("docs"));
  pass(5s);
  begins_to_run_here();
  EXPECT_EQ(steps().back(), MoveStep::back);
}

TEST_F(MoverTest, TheDaemonIsKilledWhileItLeaves) {
  no_part = Error{"x"};
  move();
  pass(150ms);
  ASSERT_EQ(steps(), (std::vector{MoveStep::leaving}));
  Mover next(
      *world.engine, world.server, [](auto, auto, auto) {}, [] {});
  next.begin_again(world.now);
  for (int i = 0; i < 100; ++i) {
    world.now = {world.now.mono + 100ms, world.now.wall + 100ms, world.now.boot + 100ms};
    world.engine->turn(world.now);
    for (const auto& answer : world.engine->take_answers()) next.answered(world.now, answer);
    next.turn(world.now);
    programs();
  }
  EXPECT_EQ(steps().back(), MoveStep::back);
  begins_to_run_here();
}

TEST_F(MoverTest, BadWords) {
  const auto refused = [&](Json args) {
    world.send("move", std::move(args));
    pass(100ms);
    return failed();
  };
  EXPECT_NE(refused(named("nobody").set("machine", "gpu")).find("no agent named"),
            std::string::npos);
  EXPECT_NE(refused(named("docs")).find("where to?"), std::string::npos);
  EXPECT_NE(refused(named("docs").set("machine", "gpo")).find("no machine named"),
            std::string::npos);
  EXPECT_NE(refused(named("docs").set("machine", "gpu").set("dir", "x")).find("whole path"),
            std::string::npos);
  EXPECT_NE(refused(named("docs").set("here", true)).find("not on its way"), std::string::npos);
  EXPECT_NE(
      refused(named("docs").set("machine", "gpu").set("timeout", "soon")).find("not a duration"),
      std::string::npos);
}

}  // namespace
}  // namespace pawl::api
