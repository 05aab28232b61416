// What outranks what, and how long it has to be so.

#include <gtest/gtest.h>

#include "perceive/rules.h"
#include "perceive/test_evidence.h"

namespace pawl::perceive {
namespace {

using model::State;
using test::expect;
using test::ms;
using test::World;

// What outranks what: each case has the signs of both.
TEST(RulesOrder, WhoIsInFront) {
  const auto shell = [](World& w) { w.front("bash", false, true); };
  expect({
      {"the end outranks a shell",
       [&](World& w) {
         shell(w);
         w.e.ending = model::Ending{0, 0, true};
       },
       "ended", State::exited, Tier::process},
      {"a shell outranks a dialog left on the screen",
       [&](World& w) {
         w.menu(true);
         shell(w);
       },
       "shell-front", State::shell, Tier::process},
      {"a shell outranks a busy title",
       [&](World& w) {
         w.title(TitleKind::busy);
         shell(w);
       },
       "shell-front", State::shell, Tier::process},
      {"a shell outranks an empty box", shell, "shell-front", State::shell, Tier::process},
      {"a shell outranks a run without interface",
       [&](World& w) {
         w.e.batch = true;
         shell(w);
       },
       "shell-front", State::shell, Tier::process},
  });
}

TEST(RulesOrder, WhatItShowsAndSays) {
  expect({
      {"a dialog outranks a busy title",
       [](World& w) {
         w.menu(true);
         w.title(TitleKind::busy);
       },
       "dialog", State::waiting, Tier::screen},
      {"a dialog outranks a report of work",
       [](World& w) {
         w.menu(true);
         w.e.status.value.any = true;
         w.e.status.value.state = term::ProgramState::working;
       },
       "dialog", State::waiting, Tier::screen},
      {"a dialog outranks the start",
       [](World& w) {
         w.menu(true);
         w.e.up = false;
       },
       "dialog", State::waiting, Tier::screen},
      {"loading outranks a dialog",
       [](World& w) {
         w.menu(true);
         w.e.up = false;
         w.sight.start = w.seen(w.profile.start.signs);
       },
       "loading", State::starting, Tier::screen},
      {"asking outranks work",
       [](World& w) {
         w.title(TitleKind::waiting);
         w.sight.busy = w.seen(w.profile.busy);
       },
       "asks", State::waiting, Tier::osc},
      {"work outranks a draft",
       [](World& w) {
         w.sight.box.draft = true;
         w.title(TitleKind::busy);
       },
       "working", State::busy, Tier::osc},
      {"a draft outranks jobs behind",
       [](World& w) {
         w.sight.box.draft = true;
         w.sight.background = w.seen(w.profile.background);
       },
       "draft", State::typing, Tier::screen},
      {"a draft outranks a limit",
       [](World& w) {
         w.sight.box.draft = true;
         w.sight.notices = {test::notice(NoticeKind::limit, "You have hit your limit")};
       },
       "draft", State::typing, Tier::screen},
      {"a hook outranks the title",
       [](World& w) {
         w.e.hook.set({Told::busy, "", "a hook"}, w.e.now);
         w.title(TitleKind::busy);
       },
       "working", State::busy, Tier::hook},
      {"the start outranks a draft",
       [](World& w) {
         w.sight.box.draft = true;
         w.e.up = false;
       },
       "starting", State::starting, Tier::screen},
  });
}

TEST(RulesOrder, NothingIsReadyBeforeItIsQuiet) {
  const auto held = [](const std::function<void(World&)>& given, int64_t until) {
    World world;
    given(world);
    const Reading reading = judge(world.e);
    EXPECT_TRUE(reading.hold);
    EXPECT_EQ(reading.again, ms(until));
    world.e.now = ms(until);
    EXPECT_EQ(judge(world.e).verdict.state, State::ready);
  };
  held([](World& w) { w.e.moved_above = ms(99900); }, 100050);
  held([](World& w) { w.e.moved_box = ms(99900); }, 100050);
  held([](World& w) { w.e.worked = ms(99900); }, 100050);
  held([](World& w) { w.e.box.since = ms(99900); }, 100050);
  held([](World& w) { w.e.cleared = ms(99900); }, 100400);
  World below;
  below.e.moved_below = ms(99900);
  EXPECT_EQ(judge(below.e).verdict.state, State::ready) << "hints may change";
}

TEST(RulesOrder, AMenuNobodyDescribedMustStandStill) {
  World world;
  world.menu(false);
  world.e.moved_above = ms(99950);
  EXPECT_TRUE(judge(world.e).hold);
  world.e.now = *judge(world.e).again;
  EXPECT_EQ(judge(world.e).verdict.state, State::waiting);
}

TEST(RulesOrder, ItListensWhenItsBoxStoodForAWhile) {
  World world;
  world.e.up = false;
  world.e.moved_above = ms(99800);
  EXPECT_FALSE(listening(world.e));
  EXPECT_EQ(judge(world.e).again, ms(100100));
  world.e.now = ms(100100);
  EXPECT_TRUE(listening(world.e));
  world.profile.start.title = true;
  EXPECT_FALSE(listening(world.e)) << "it names its window first";
  world.title(TitleKind::idle);
  EXPECT_TRUE(listening(world.e));
  world.sight.start = world.seen(world.profile.start.signs);
  EXPECT_FALSE(listening(world.e));
  world.sight.start.reset();
  world.no_box();
  EXPECT_FALSE(listening(world.e));
}

TEST(RulesOrder, EveryRowHasANameAndSaysWhatItIsFor) {
  std::vector<std::string> names;
  for (const RuleRow& row : rules()) {
    EXPECT_FALSE(std::string(row.name).empty());
    EXPECT_FALSE(std::string(row.says).empty()) << row.name;
    EXPECT_EQ(std::count(names.begin(), names.end(), row.name), 0) << row.name;
    names.emplace_back(row.name);
  }
}

TEST(RulesOrder, EndlessTalkWithTheTerminalIsNoStart) {
  World world;
  world.e.up = false;
  world.e.output = world.e.now;
  EXPECT_TRUE(listening(world.e)) << "nothing on the screen moves";
}

TEST(RulesOrder, WhatWasSentIsWorkedOn) {
  World world;
  world.e.sent = ms(99500);
  EXPECT_EQ(judge(world.e).verdict.state, State::busy);
  ASSERT_TRUE(judge(world.e).again);
  world.e.now = *judge(world.e).again;
  EXPECT_EQ(judge(world.e).verdict.state, State::ready) << "nothing came of it";
}

TEST(RulesOrder, AHooksWordDoesNotLiveForEver) {
  for (const Told told : {Told::busy, Told::waiting}) {
    World world;
    world.e.hook.set({told, "", "a hook"}, world.e.now);
    EXPECT_EQ(judge(world.e).verdict.tier, Tier::hook);
    ASSERT_TRUE(judge(world.e).again) << "no hook tells of Esc";
    world.e.now = *judge(world.e).again;
    EXPECT_EQ(judge(world.e).verdict.state, State::ready);
    world.no_box();
    EXPECT_EQ(judge(world.e).verdict.tier, Tier::hook) << "the screen does not deny it";
  }
}

TEST(RulesOrder, MovementNobodyExplainedIsWork) {
  World world;
  world.e.restless = ms(99500);
  EXPECT_EQ(judge(world.e).verdict.state, State::busy);
  EXPECT_STREQ(judge(world.e).rule, kMovingRule.data());
  ASSERT_TRUE(judge(world.e).again);
  world.e.now = *judge(world.e).again;
  EXPECT_EQ(judge(world.e).verdict.state, State::ready);
}

TEST(RulesOrder, ATurnWhoseEndWasNotSeenIsOpen) {
  World world;
  world.profile.done = world.profile.busy;
  world.e.turn_open = true;
  world.e.moved_above = ms(90000);
  EXPECT_EQ(judge(world.e).verdict.state, State::busy);
  world.sight.done = world.seen(world.profile.done);
  EXPECT_EQ(judge(world.e).verdict.state, State::ready);
  world.sight.done.reset();
  world.title(TitleKind::idle);
  EXPECT_EQ(judge(world.e).verdict.state, State::ready) << "it tells by its title";
}

TEST(RulesOrder, ABoxOfNobodyKnowsWhomIsNotReady) {
  World world;
  world.e.declared = false;
  EXPECT_EQ(judge(world.e).verdict.state, State::unknown);
  world.e.seen_work = true;
  EXPECT_EQ(judge(world.e).verdict.state, State::ready);
  world.front("toy", true);
  EXPECT_EQ(judge(world.e).verdict.state, State::unknown)
      << "no agent leaves the terminal like that";
}

// A user's own status line may say "esc to interrupt" for ever.
TEST(Rules, ARowThatLooksLikeWorkDoesNotOutvoteEverythingTheProgramSays) {
  const auto rests = [](World& w) {
    w.sight.busy = w.seen(w.profile.busy);
    Status status;
    status.any = true;
    w.e.status.set(status, ms(1000));
    w.e.file.set({Told::idle, "", "its status file says idle"}, ms(1000));
    w.title(TitleKind::idle);
  };
  World w;
  rests(w);
  EXPECT_EQ(judge(w.e).verdict.state, State::ready);
  EXPECT_NE(judge(w.e).verdict.because.find("does not move"), std::string::npos);
  w.e.moved_above = ms(98000);
  EXPECT_EQ(judge(w.e).verdict.state, State::busy) << "something turned";
  EXPECT_EQ(judge(w.e).again, ms(101000));
  const auto busy = [&](const std::function<void(World&)>& change) {
    World other;
    rests(other);
    change(other);
    return judge(other.e).verdict.state == State::busy;
  };
  EXPECT_TRUE(busy([](World& o) { o.e.file = {}; })) << "its file says nothing";
  EXPECT_TRUE(busy([](World& o) { o.title(TitleKind::busy); }));
  EXPECT_TRUE(busy([](World& o) { o.e.status = {}; }));
  EXPECT_TRUE(busy([](World& o) { o.e.sent = ms(99000); })) << "a prompt was just sent";
}

TEST(Rules, AStillPictureThatIsNotKnownIsUnknown) {
  World w;
  w.no_box();
  w.e.up = false;
  w.e.still = true;
  EXPECT_EQ(judge(w.e).verdict.state, State::unknown);
}

}  // namespace
}  // namespace pawl::perceive
