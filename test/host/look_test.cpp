// What every Host promises about look(), with real programs in front.

#include <gtest/gtest.h>
#include <signal.h>

#include <algorithm>

#include "world.h"

namespace pawl::host {
namespace {

using model::Facts;
using Names = std::vector<std::string>;

SessionId at_prompt(World& world) {
  const auto session =
      world.open({"bash", "--norc", "-i"}, {}, "/", {"PATH=/usr/bin:/bin", "PS1=prompt> "});
  EXPECT_TRUE(world.until_output(session, "prompt> "));
  return session;
}

bool raw(const Facts& facts) {
  return !facts.canonical && !facts.echo;
}

TEST(Look, AShellAtItsPromptIsAloneAndReadsKeys) {
  World world;
  const auto session = at_prompt(world);
  ASSERT_TRUE(world.until_facts(session, [](const Facts& facts) { return raw(facts); }));
  const Facts& facts = world.seen(session).facts;
  EXPECT_EQ(facts.front, "bash");
  EXPECT_EQ(facts.busiest, "bash");
  EXPECT_EQ(facts.front_count, 1);
  EXPECT_TRUE(facts.signals);
  EXPECT_FALSE(facts.zombie);
  EXPECT_EQ(facts.argv, (Names{"bash", "--norc", "-i"}));
  EXPECT_TRUE(facts.outside.empty());
  const auto process = world.seen(session).process;
  EXPECT_EQ(facts.processes, (std::vector<model::Process>{{process.pid, process.start_ticks}}));
}

TEST(Look, AProgramStartedFromTheShellIsInFront) {
  World world;
  const auto session = at_prompt(world);
  world.host().write(session, "sleep 1000\r");
  // In the middle of its start it has the name already and no words yet.
  ASSERT_TRUE(world.until_facts(
      session, [](const Facts& facts) { return facts.front == "sleep" && !facts.argv.empty(); }));
  const Facts& facts = world.seen(session).facts;
  EXPECT_TRUE(facts.canonical && facts.echo && facts.signals);
  EXPECT_EQ(facts.front_count, 1);
  EXPECT_EQ(facts.argv, (Names{"sleep", "1000"}));
  EXPECT_TRUE(facts.outside.empty()) << "the shell is the child itself";
  world.host().write(session, "\x03");
  EXPECT_TRUE(
      world.until_facts(session, [](const Facts& now) { return now.front == "bash" && raw(now); }));
}

TEST(Look, ARawProgramTakesItsOwnKeys) {
  World world;
  const auto session = world.shell("stty raw -echo; echo ready; exec sleep 1000");
  ASSERT_TRUE(world.until_output(session, "ready"));
  ASSERT_TRUE(
      world.until_facts(session, [](const Facts& facts) { return facts.front == "sleep"; }));
  EXPECT_TRUE(raw(world.seen(session).facts));
  EXPECT_FALSE(world.seen(session).facts.signals);
}

TEST(Look, AScriptAndWhatItRunsAreBothInFront) {
  World world;
  const auto session = world.shell("sleep 1000; true");
  ASSERT_TRUE(
      world.until_facts(session, [](const Facts& facts) { return facts.front_count == 2; }));
  const Facts& facts = world.seen(session).facts;
  EXPECT_EQ(facts.front, "sh");
  EXPECT_EQ(facts.processes.size(), 2u);
  EXPECT_EQ(facts.processes[0].pid, world.seen(session).process.pid);
}

TEST(Look, WhatRunsBehindIsOutside) {
  World world;
  const auto session = at_prompt(world);
  world.host().write(session, "sleep 1000 & setsid -w sleep 1001 &\r");
  ASSERT_TRUE(world.until_facts(session, [](const Facts& facts) {
    return facts.outside == Names{"sleep", "setsid", "sleep"};
  }));
  EXPECT_EQ(world.seen(session).facts.front, "bash");
  EXPECT_EQ(world.seen(session).facts.front_count, 1);
}

TEST(Look, AProgramInANamespaceIsSeenFromOutside) {
  World world;
  const auto session = world.shell("unshare -Urpf sleep 1000 || echo not allowed; cat");
  ASSERT_TRUE(world.until_facts(session, [&](const Facts& facts) {
    return facts.front_count == 3 ||
           world.seen(session).output.find("allowed") != std::string::npos;
  }));
  if (world.seen(session).facts.front_count != 3) GTEST_SKIP() << "no namespaces here";
  EXPECT_EQ(world.seen(session).facts.front, "sh");
}

TEST(Look, AskingTwiceAsksOnce) {
  World world;
  const auto session = at_prompt(world);
  for (int i = 0; i < 5; ++i) world.host().look(session, {});
  ASSERT_TRUE(world.until([&] { return world.seen(session).looks > 0; }));
  // A second one would have been answered before or with this one.
  const auto other = at_prompt(world);
  ASSERT_TRUE(world.until_facts(other, [](const Facts&) { return true; }));
  EXPECT_EQ(world.seen(session).looks, 1);
  world.host().look(session, {});
  EXPECT_TRUE(world.until([&] { return world.seen(session).looks == 2; }));
}

TEST(Look, ManyOfOneTurnAreAllAnswered) {
  World world;
  std::vector<SessionId> sessions;
  for (int i = 0; i < 24; ++i) sessions.push_back(world.shell("sleep 1000; true"));
  const auto all = [&](const auto& so) {
    return std::all_of(sessions.begin(), sessions.end(),
                       [&](SessionId session) { return so(world.seen(session)); });
  };
  ASSERT_TRUE(world.until([&] { return all([](const auto& seen) { return seen.opened; }); }));
  for (const SessionId session : sessions)
    ASSERT_TRUE(world.until_facts(session, [](const Facts& f) { return f.front_count == 2; }));
  for (const SessionId session : sessions) {
    world.seen(session).looks = 0;
    world.seen(session).facts = {};
    world.host().look(session, {});
  }
  ASSERT_TRUE(world.until([&] { return all([](const auto& seen) { return seen.looks == 1; }); }));
  EXPECT_TRUE(all([](const auto& seen) {
    return seen.facts.front == "sh" && seen.facts.front_count == 2 && seen.facts.canonical &&
           seen.facts.processes[0].pid == seen.process.pid;
  }));
}

TEST(Look, NothingComesOfTheUnopenedTheEndedAndTheClosed) {
  World world;
  const auto living = at_prompt(world);
  const auto ended = world.open({"true"});
  world.host().look(ended, {});
  ASSERT_TRUE(world.until_ended(ended));
  const auto closed = at_prompt(world);
  const auto answered = at_prompt(world);
  world.seen(ended).looks = 0;
  for (const SessionId session : {ended, closed, answered, SessionId{999}})
    world.host().look(session, {});
  world.host().close(closed);
  ASSERT_TRUE(world.until_facts(living, [](const Facts&) { return true; }));
  ASSERT_TRUE(world.until([&] { return world.seen(answered).looks > 0; }));
  EXPECT_EQ(world.seen(ended).looks, 0);
  EXPECT_EQ(world.seen(closed).looks, 0);
}

TEST(Look, SessionsThatWereFoundAreLookedAtToo) {
  World world;
  const auto session = at_prompt(world);
  world.host().look(session, {});  // unanswered when the daemon goes
  world.restart();
  EXPECT_TRUE(world.until_facts(session, [](const Facts& facts) { return facts.front == "bash"; }));
}

TEST(Look, NoEndIsLostOrChangedByLooking) {
  World world;
  for (int round = 0; round < 30; ++round) {
    const auto session = world.shell("echo first; read x; echo last; exit 3");
    ASSERT_TRUE(world.until_output(session, "first"));
    world.host().write(session, "\n");
    ASSERT_TRUE(world.until([&] {
      world.host().look(session, {});
      return world.seen(session).ended;
    }));
    EXPECT_EQ(world.seen(session).end.exit_code, 3);
    EXPECT_EQ(world.seen(session).output, "first\r\n\r\nlast\r\n");
    world.close(session);
  }
}

}  // namespace
}  // namespace pawl::host
