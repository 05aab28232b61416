// The engine on a disk in memory, and what that can do to it.

#include <gtest/gtest.h>

#include "core/engine_world.h"
#include "core/parts/ground.h"
#include "os/file.h"
#include "store/memory_disk.h"

namespace pawl::core {
namespace {

struct DiskWorld : EngineWorld {
  explicit DiskWorld(bool keep_recordings = true) : memory(keep_recordings) {
    memory.set_time(now.wall);
    memory.put(home.path(), store::Kind::folder);
    disk = &memory;
    live();
  }
  ~DiskWorld() { engine.reset(); }  // it has files open there
  DiskWorld(const DiskWorld&) = delete;
  DiskWorld& operator=(const DiskWorld&) = delete;

  size_t told(const std::string& text) const {
    size_t count = 0;
    for (const auto& event : journal.events)
      if (const auto* alert = std::get_if<model::Alerted>(&event.fact))
        count += alert->text.find(text) != std::string::npos ? 1 : 0;
    return count;
  }
  store::MemoryDisk memory;
};

TEST(EngineDisk, NothingIsWrittenToTheMachine) {
  DiskWorld world;
  const SessionId session = world.running();
  world.host.prints(session, "hello\r\n");
  world.turn();
  world.turn_and_flush();
  EXPECT_EQ(world.recorded(session), "hello\r\n");
  EXPECT_EQ(world.host.sessions.at(session).acknowledged, 7u);
  EXPECT_TRUE(world.memory.exists(world.engine->files().dir("a") + "/environment"));
  EXPECT_TRUE(os::list_dir(world.home.path()).empty());
}

TEST(EngineDisk, AKilledDaemonGoesOn) {
  DiskWorld world;
  const SessionId session = world.running();
  world.host.prints(session, "hello");
  world.turn();
  world.turn_and_flush();
  world.host.prints(session, " again");
  world.live();
  world.turn();
  world.turn_and_flush();
  EXPECT_EQ(world.screen().substr(0, 11), "hello again");
  EXPECT_EQ(world.recorded(session), "hello again");
}

TEST(EngineDisk, FullAndEmptyAgain) {
  DiskWorld world;
  const SessionId session = world.running();
  world.memory.set_capacity(world.memory.used());
  world.host.prints(session, "hello");
  world.turn();
  world.turn_and_flush();
  ASSERT_TRUE(world.engine->trouble());
  EXPECT_TRUE(world.engine->trouble()->what.ends_with("No space left on device"))
      << world.engine->trouble()->what;
  EXPECT_EQ(world.host.sessions.at(session).acknowledged, 0u);
  world.memory.set_capacity(1u << 30);
  world.turn(kRetryEvery);
  EXPECT_FALSE(world.engine->trouble());
  EXPECT_EQ(world.host.sessions.at(session).acknowledged, 5u);
  EXPECT_EQ(world.recorded(session), "hello");
}

// Nobody wrote down that a person was there; and the daemon that knew it is gone.
TEST(EngineDisk, APersonWhoTypedWhileItWasFullIsRememberedByTheNextDaemon) {
  DiskWorld world;
  world.running();
  world.memory.set_capacity(world.memory.used());
  world.journal.broken = true;
  world.ask<StopAsked>();
  world.turn();
  world.memory.set_time(world.now.wall);
  const WallTime typed = world.now.wall;
  ASSERT_TRUE(world.engine->type(world.now, "a", "x", "attach"));
  world.turn();
  EXPECT_FALSE(world.agent()->human_last_seen);
  world.memory.set_capacity(1u << 30);
  world.journal.broken = false;
  world.live();
  SendAsked ask;
  ask.agent = "a";
  ask.request = world.engine->next_request();
  ASSERT_TRUE(world.engine->send(world.now, ask, "text"));
  world.turn();
  EXPECT_EQ(world.agent()->human_last_seen,
            WallTime{std::chrono::floor<std::chrono::milliseconds>(typed.time_since_epoch())});
  EXPECT_EQ(world.agent()->outbox.size(), 1u);
}

TEST(EngineDisk, RecordingsThatAreOnlyCountedAreAcknowledgedAndFoundAgain) {
  DiskWorld world(false);
  const SessionId session = world.running();
  world.host.prints(session, "hello");
  world.turn();
  world.turn_and_flush();
  EXPECT_EQ(world.host.sessions.at(session).acknowledged, 5u);
  world.host.prints(session, " again");
  world.live();
  world.turn();
  world.turn_and_flush();
  EXPECT_EQ(world.host.sessions.at(session).acknowledged, 11u) << "nothing twice, nothing lost";
  EXPECT_EQ(world.screen().substr(0, 6), " again") << "what was on the screen before is not kept";
}

TEST(EngineDisk, APipeWhereAFileShouldBeIsToldOnce) {
  DiskWorld world;
  world.running();
  world.memory.put(world.engine->files().dir("a") + "/" + store::kModeName, store::Kind::pipe);
  for (int i = 0; i < 3; ++i) {
    world.engine->look_for_wakeup("a");
    world.turn();
  }
  EXPECT_EQ(world.told("is a named pipe, not a file"), 1u);
}

TEST(EngineDisk, NobodyWaitsForAHungMountThatIsNotLookedAt) {
  DiskWorld world;
  world.memory.hang("/mnt/far");
  const SessionId session = world.running();
  world.host.prints(session, "hello");
  for (int i = 0; i < 3; ++i) {
    world.engine->look_for_wakeup("a");
    world.turn_and_flush();
  }
  EXPECT_TRUE(world.memory.hung().empty());
}

TEST(EngineDisk, ADeletedHomeIsMadeAnew) {
  DiskWorld world;
  const SessionId session = world.running();
  ASSERT_TRUE(world.memory.remove_tree(world.home.path()));
  world.host.prints(session, "hello");
  world.turn();
  world.turn_and_flush();
  EXPECT_EQ(world.host.sessions.at(session).acknowledged, 5u) << "an open file goes on";
  world.running("b");
  EXPECT_TRUE(world.memory.is_dir(world.engine->files().recordings("b")));
}

}  // namespace
}  // namespace pawl::core
