#include <gtest/gtest.h>

#include "core/engine_world.h"
#include "core/wakeups.h"
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

}  // namespace
}  // namespace pawl::core
