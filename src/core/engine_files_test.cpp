#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/engine_world.h"
#include "core/parts/wakeups.h"
#include "os/file.h"

namespace pawl::core {
namespace {

using namespace std::chrono_literals;

struct FileWorld : EngineWorld {
  FileWorld() { running(); }
  std::string pending() const { return engine->files().dir("a") + "/wakeup_pending"; }
  void leave(const std::string& text) {
    ASSERT_TRUE(os::write_atomically(pending(), text));
    engine->look_for_wakeup("a");
  }
  std::vector<std::string> queued() const {
    std::vector<std::string> out;
    for (const auto& event : journal.events)
      if (const auto* item = std::get_if<model::Queued>(&event.fact)) out.push_back(item->from);
    return out;
  }
  bool outbox_empty() const { return os::list_dir(engine->files().outbox("a")).empty(); }
  // Until what is on its way has arrived.
  void settle() {
    for (int i = 0; i < 20; ++i) turn(200ms);
  }
};

TEST(Wakeup, WhoAndWhat) {
  EXPECT_EQ(words_of(wakeup_in("")), "Wake-up from wakeup_pending: look at your work and go on.");
  EXPECT_EQ(words_of(wakeup_in("one\ntwo\n\n")), "Wake-up from wakeup_pending: one\ntwo");
  EXPECT_EQ(words_of(wakeup_in("from: ci\nred\n")), "Wake-up from ci: red");
  EXPECT_EQ(words_of(wakeup_in("from: ci")), "Wake-up from ci: look at your work and go on.");
  EXPECT_EQ(words_of(wakeup_in("from:\nred")), "Wake-up from wakeup_pending: red");
  EXPECT_EQ(words_of(wakeup_in("said\nfrom: ci")), "Wake-up from wakeup_pending: said\nfrom: ci");
  EXPECT_EQ(wakeup_in("from: " + std::string(500, 'x') + "\nred").from.size(), 64u);
}

TEST(EngineFiles, AFileWakesAndIsGone) {
  FileWorld world;
  world.leave("from: ci\nred");
  world.settle();
  EXPECT_NE(world.host.sessions.at(world.session()).written.find("Wake-up from ci: red"),
            std::string::npos);
  EXPECT_FALSE(os::exists(world.pending()));
  EXPECT_TRUE(world.outbox_empty());
  EXPECT_EQ(world.queued(), (std::vector<std::string>{"ci"}));
  world.settle();
  EXPECT_EQ(world.queued().size(), 1u);
  world.check_outcomes();
}

TEST(EngineFiles, AKillAtAnyStepWakesOnce) {
  for (const bool journaled : {false, true}) {
    FileWorld world;
    // As a kill leaves it: claimed, and queued or not.
    ASSERT_TRUE(os::write_atomically(world.pending(), "red"));
    ASSERT_TRUE(world.engine->files().claim_wakeup("a", 77));
    if (journaled) {
      ASSERT_TRUE(world.engine->files().put_text("a", 77, "Wake-up from wakeup_pending: red"));
      SendAsked ask;
      ask.agent = "a";
      ask.item = {77, model::Action::wake, 32, "wakeup_pending", false};
      world.journal.events.push_back(
          {Seq{world.engine->fleet().last.value + 1}, world.now.wall, "a", ask.item});
    }
    ASSERT_TRUE(os::write_atomically(world.engine->files().outbox("a") + "/55.new", "torn"));
    world.live();
    world.settle();
    EXPECT_EQ(world.queued().size(), 1u);
    EXPECT_TRUE(world.outbox_empty());
    world.check_outcomes();
  }
}

TEST(EngineFiles, AJournalThatRefusesLosesNoWakeup) {
  FileWorld world;
  world.journal.broken = true;
  world.leave("red");
  world.settle();
  EXPECT_EQ(world.queued().size(), 0u);
  world.journal.broken = false;
  world.settle();
  EXPECT_EQ(world.queued().size(), 1u);
  EXPECT_TRUE(world.outbox_empty());
}

TEST(EngineFiles, AFullOutboxIsWaitedFor) {
  FileWorld world;
  world.engine->type(world.now, "a", "x", "attach");  // keeps the others waiting
  world.turn();
  for (int i = 0; i < 100; ++i) {
    SendAsked ask;
    ask.agent = "a";
    ASSERT_TRUE(world.engine->send(world.now, ask, "text"));
  }
  world.turn();
  ASSERT_EQ(world.agent()->outbox.size(), 100u);
  world.leave("red");
  world.turn();
  EXPECT_EQ(world.queued().size(), 100u);
  for (int i = 0; i < 1000 && !world.agent()->outbox.empty(); ++i) world.turn(1s);
  EXPECT_EQ(world.queued().size(), 101u);
}

TEST(EngineFiles, AnAgentThatDoesNotRunIsWokenWhenItDoes) {
  FileWorld world;
  world.ask<StopAsked>();
  world.turn();
  world.host.ends(world.session(), 0);
  world.turn();
  world.leave("red");
  world.settle();
  EXPECT_TRUE(os::exists(world.pending()));
  world.ask<StartAsked>();
  world.turn();
  world.host.runs(world.session());
  world.settle();
  EXPECT_FALSE(os::exists(world.pending()));
  EXPECT_EQ(world.queued().size(), 1u);
}

TEST(EngineFiles, APersonElsewhereClosesTheGate) {
  FileWorld world;
  const WallTime seen = world.now.wall - 30s;
  ASSERT_TRUE(os::write_atomically(world.engine->files().dir("a") + "/last_human_interaction",
                                   rfc3339(seen)));
  SendAsked ask;
  ask.agent = "a";
  ask.request = world.engine->next_request();
  ASSERT_TRUE(world.engine->send(world.now, ask, "text"));
  world.turn();
  ASSERT_EQ(world.answers.size(), 2u);
  ASSERT_TRUE(world.answers.back().receipt);
  EXPECT_EQ(world.answers.back().receipt->until, seen + 120s);
  EXPECT_EQ(world.agent()->human_last_seen, seen);
  world.turn(80s);
  EXPECT_EQ(world.agent()->outbox.size(), 1u);
  world.turn(11s);
  world.settle();
  EXPECT_TRUE(world.agent()->outbox.empty());
  world.check_outcomes();
}

std::vector<std::string> warnings(const EngineWorld& world) {
  std::vector<std::string> out;
  for (const auto& event : world.journal.events)
    if (const auto* alert = std::get_if<model::Alerted>(&event.fact);
        alert && alert->severity == model::Severity::warning && event.agent == "a")
      out.push_back(alert->text);
  return out;
}

// Its program made a pipe of it: the whole fleet stood still.
TEST(EngineFiles, APipeNamedEnvIsToldOfOnceAndHoldsNobodyUp) {
  EngineWorld world;
  TestDir place;
  RunAsked ask;
  ask.request = world.engine->next_request();
  ask.spec.name = "a";
  ask.spec.command = {"prog"};
  ask.spec.dir = place.path();
  world.engine->submit(ask);
  world.turn();
  world.host.runs(world.session());
  world.turn();
  ASSERT_EQ(::mkfifo((place / ".env").c_str(), 0600), 0);
  world.turn();
  EXPECT_TRUE(warnings(world).empty()) << "it is not read while its program runs";
  world.host.ends(world.session(), 0);
  for (int i = 0; i < 5; ++i) world.turn(10s);
  const std::string text = place / ".env" + " is a named pipe, not a file: Pawl does not read it";
  EXPECT_EQ(warnings(world), std::vector<std::string>{text});
}

TEST(EngineFiles, WhatIsNoFileInItsFolderIsToldOf) {
  FileWorld world;
  const std::string dir = world.engine->files().dir("a");
  ASSERT_EQ(::mkfifo(world.pending().c_str(), 0600), 0);
  ASSERT_TRUE(os::make_private_dir(world.engine->files().inbox("a")));
  ASSERT_EQ(::mkfifo((world.engine->files().inbox("a") + "/work.md").c_str(), 0600), 0);
  ASSERT_EQ(::symlink("/dev/zero", (dir + "/claude_mode.json").c_str()), 0);
  for (int i = 0; i < 3; ++i) {
    world.engine->look_for_wakeup("a");
    world.turn(2s);
  }
  const auto told = warnings(world);
  ASSERT_EQ(told.size(), 3u);
  for (const char* name : {"wakeup_pending is a named pipe", "inbox/work.md is a named pipe",
                           "claude_mode.json is a link"})
    EXPECT_TRUE(std::any_of(told.begin(), told.end(), [&](const std::string& one) {
      return one.find(name) != std::string::npos;
    })) << name;
  os::remove_file(world.pending());
  world.leave("mended");
  world.settle();
  EXPECT_EQ(world.queued().size(), 1u);
  ASSERT_EQ(::mkfifo(world.pending().c_str(), 0600), 0);
  world.engine->look_for_wakeup("a");
  world.turn(2s);
  EXPECT_EQ(warnings(world).size(), 4u) << "it was mended in between";
}

}  // namespace
}  // namespace pawl::core
