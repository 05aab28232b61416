// One case or more for every row of the table.

#include "perceive/rules.h"

#include <gtest/gtest.h>

#include "perceive/test_evidence.h"

namespace pawl::perceive {
namespace {

using model::State;
using test::expect;
using test::ms;
using test::World;

TEST(Rules, TheEnd) {
  expect({
      {"it said goodbye",
       [](World& w) {
         w.e.ending = model::Ending{0, 0, true};
       },
       "ended", State::exited, Tier::process},
      {"it failed",
       [](World& w) {
         w.e.ending = model::Ending{3, 0, true};
       },
       "ended", State::crashed, Tier::process},
      {"it was killed",
       [](World& w) {
         w.e.ending = model::Ending{-1, 9, true};
       },
       "ended", State::crashed, Tier::process},
      {"nobody saw",
       [](World& w) {
         w.e.ending = model::Ending{-1, 0, false};
       },
       "ended", State::crashed, Tier::process},
  });
}

TEST(Rules, AShellInFront) {
  expect({
      {"it edits a line", [](World& w) { w.front("bash", false, true); }, "shell-front",
       State::shell, Tier::process},
      {"it has a prompt",
       [](World& w) {
         w.front("dash", true, true);
         w.sight.shell = "$ ";
       },
       "shell-front", State::shell, Tier::process},
      {"a script that will start an agent",
       [](World& w) {
         w.front("bash", true, true);
         w.no_box();
         w.e.agent_seen = false;
       },
       "lost", State::unknown, Tier::screen},
      {"an agent ended in a shell without line editing, and nothing followed",
       [](World& w) {
         w.front("dash", true, true);
         w.no_box();
         w.e.now = w.e.moved() + std::chrono::seconds{1};
       },
       "shell-front", State::shell, Tier::process},
      {"… or may follow",
       [](World& w) {
         w.front("dash", true, true);
         w.no_box();
         w.e.now = w.e.moved() + std::chrono::milliseconds{900};
       },
       "shell-front", State::unknown, Tier::process},
  });
}

TEST(Rules, AShellOnTheScreenCountsWithoutFactsOnly) {
  const auto prompt = [](World& w) {
    w.no_box();
    w.e.shell_prompt = w.sight.shell = "me@host$ ";
    w.e.shell_shown.set(true, ms(5000));
  };
  expect({
      {"a prompt", prompt, "shell-shown", State::shell, Tier::screen},
      {"a mark",
       [](World& w) {
         w.no_box();
         w.e.agent_seen = false;
         w.e.shell_mark.kind = 'A';
       },
       "shell-shown", State::shell, Tier::osc},
      {"an agent's own mark",
       [](World& w) {
         w.title(TitleKind::idle);
         w.e.shell_mark.kind = 'A';
       },
       "prompt", State::ready, Tier::osc},
      {"facts say otherwise",
       [&](World& w) {
         prompt(w);
         w.front("toy");
       },
       "lost", State::unknown, Tier::screen},
  });
  World world;
  prompt(world);
  world.e.shell_shown.since = ms(99900);
  const Reading reading = judge(world.e);
  EXPECT_TRUE(reading.hold) << "a prompt must stand still for a moment";
  ASSERT_TRUE(reading.again);
  EXPECT_GT(*reading.again, world.e.now);
}

TEST(Rules, OtherPrograms) {
  expect({
      {"an editor",
       [](World& w) {
         w.front("vim");
         w.no_box();
       },
       "other-program", State::unknown, Tier::process},
      {"its box is there all the same", [](World& w) { w.front("vim"); }, "prompt", State::ready,
       Tier::screen},
      {"without an interface",
       [](World& w) {
         w.e.batch = true;
         w.no_box();
       },
       "batch", State::busy, Tier::process},
  });
}

TEST(Rules, TheStart) {
  expect({
      {"the terminal is not raw",
       [](World& w) {
         w.front("toy", true);
         w.e.up = false;
       },
       "not-raw", State::starting, Tier::process},
      {"it loads",
       [](World& w) {
         w.e.up = false;
         w.sight.start = w.seen(w.profile.start.signs);
       },
       "loading", State::starting, Tier::screen},
      {"no interface yet",
       [](World& w) {
         w.e.up = false;
         w.no_box();
       },
       "starting", State::starting, Tier::screen},
      {"drawn, but deaf", [](World& w) { w.e.up = false; }, "starting", State::starting,
       Tier::screen},
  });
}

TEST(Rules, ItAsks) {
  expect({
      {"a dialog", [](World& w) { w.menu(true); }, "dialog", State::waiting, Tier::screen},
      {"a menu nobody described", [](World& w) { w.menu(false); }, "dialog", State::waiting,
       Tier::screen},
      {"its report",
       [](World& w) {
         w.e.status.value.any = true;
         w.e.status.value.state = term::ProgramState::blocked;
       },
       "blocked", State::waiting, Tier::status},
      {"its title", [](World& w) { w.title(TitleKind::waiting); }, "asks", State::waiting,
       Tier::osc},
      {"a hook",
       [](World& w) {
         w.e.hook.set({Told::waiting, "permission", "a hook"}, w.e.now);
       },
       "asks", State::waiting, Tier::hook},
      {"its file",
       [](World& w) {
         w.e.file.set({Told::waiting, "permission", "a file"}, w.e.now);
       },
       "asks", State::waiting, Tier::file},
  });
}

TEST(Rules, KindsOfAsking) {
  World world;
  world.menu(true);
  EXPECT_EQ(judge(world.e).verdict.kind, "permission");
  for (const auto& [kind, word] : {std::pair{term::BlockedKind::permission, "permission"},
                                   std::pair{term::BlockedKind::auth, "login"},
                                   std::pair{term::BlockedKind::question, "question"},
                                   std::pair{term::BlockedKind::none, "question"}}) {
    World reported;
    reported.e.status.value.any = true;
    reported.e.status.value.state = term::ProgramState::blocked;
    reported.e.status.value.kind = kind;
    reported.e.status.value.message = "may I?";
    EXPECT_EQ(judge(reported.e).verdict.kind, word);
    EXPECT_NE(judge(reported.e).verdict.because.find("'may I?'"), std::string::npos);
  }
}

TEST(Rules, ItWorks) {
  const auto progress = [](World& w) {
    w.e.progress.set(term::Progress::State::indeterminate, ms(1000));
  };
  expect({
      {"its report",
       [](World& w) {
         w.e.status.value.any = true;
         w.e.status.value.state = term::ProgramState::working;
       },
       "working", State::busy, Tier::status},
      {"a hook",
       [](World& w) {
         w.e.hook.set({Told::busy, "", "a hook"}, w.e.now);
       },
       "working", State::busy, Tier::hook},
      {"its file",
       [](World& w) {
         w.e.file.set({Told::busy, "", "a file"}, w.e.now);
       },
       "working", State::busy, Tier::file},
      {"its title", [](World& w) { w.title(TitleKind::busy); }, "working", State::busy, Tier::osc},
      {"progress", progress, "working", State::busy, Tier::osc},
      {"progress of a profile without",
       [&](World& w) {
         progress(w);
         w.profile.progress = false;
       },
       "prompt", State::ready, Tier::screen},
      {"its spinner", [](World& w) { w.sight.busy = w.seen(w.profile.busy); }, "working",
       State::busy, Tier::screen},
  });
}

TEST(Rules, WhatAProgramNobodyDescribedSaysOfItselfCounts) {
  const auto unknown = [](auto says) {
    return [says](World& w) {
      w.no_box();
      w.e.up = false;
      w.profile.strict = true;
      w.profile.progress = false;
      says(w);
    };
  };
  expect({
      {"nothing", unknown([](World&) {}), "starting", State::unknown, Tier::screen},
      {"a report", unknown([](World& w) {
         w.e.status.value.any = true;
         w.e.status.value.state = term::ProgramState::working;
       }),
       "starting", State::busy, Tier::status},
      {"progress",
       unknown([](World& w) { w.e.progress.value = term::Progress::State::indeterminate; }),
       "starting", State::busy, Tier::osc},
      {"a shell's mark", unknown([](World& w) { w.e.shell_mark.kind = 'C'; }), "starting",
       State::busy, Tier::osc},
  });
}

TEST(Rules, AtItsBox) {
  expect({
      {"a draft", [](World& w) { w.sight.box.draft = true; }, "draft", State::typing, Tier::screen},
      {"jobs that report", [](World& w) { w.e.status.value.working_jobs = 2; }, "background",
       State::busy, Tier::status},
      {"jobs of a hook",
       [](World& w) {
         w.e.hook.set({Told::background, "", "jobs"}, w.e.now);
       },
       "background", State::busy, Tier::hook},
      {"jobs in the footer", [](World& w) { w.sight.background = w.seen(w.profile.background); },
       "background", State::busy, Tier::screen},
      {"empty", [](World&) {}, "prompt", State::ready, Tier::screen},
      {"empty, and its title", [](World& w) { w.title(TitleKind::idle); }, "prompt", State::ready,
       Tier::osc},
      {"a limit",
       [](World& w) {
         w.sight.notices = {test::notice(NoticeKind::limit, "You have hit your limit")};
       },
       "prompt", State::limited, Tier::screen},
      {"another notice",
       [](World& w) { w.sight.notices = {test::notice(NoticeKind::auth, "Not logged in")}; },
       "prompt", State::ready, Tier::screen},
      {"nothing known", [](World& w) { w.no_box(); }, "lost", State::unknown, Tier::screen},
      {"stopped", [](World& w) { w.e.facts.emplace().stopped = true; }, "stopped", State::unknown,
       Tier::process},
      {"suspended, and it says so",
       [](World& w) {
         w.no_box();
         w.sight.suspended = w.seen(w.profile.busy);
       },
       "stopped", State::unknown, Tier::screen},
      {"words about it above a box", [](World& w) { w.sight.suspended = w.seen(w.profile.busy); },
       "prompt", State::ready, Tier::screen},
  });
}

}  // namespace
}  // namespace pawl::perceive
