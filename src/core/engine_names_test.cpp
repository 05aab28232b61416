// Programs that take a name for a conversation get one when they are started: after a crash each goes on with its own.

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "core/engine_world.h"
#include "core/parts/conversations.h"

namespace pawl::core {
namespace {

using Words = std::vector<std::string>;

class NameWorld : public EngineWorld {
 public:
  NameWorld() { again(); }

  // Another life of the daemon, with profiles.
  void again() {
    live();
    EngineOptions options{home.path(), {}, &catalog};
    options.new_id = [this] { return "0000000" + std::to_string(++ids) + "-name"; };
    engine = std::make_unique<Engine>(host, journal, options, *journal.recover());
    host.daemon_restarts();
    engine->recover(now);
  }
  void start(Words command, const std::string& name = "a", const std::string& restart = "resume") {
    RunAsked ask;
    ask.spec.name = name;
    ask.spec.command = std::move(command);
    ask.spec.dir = home.path();
    ask.spec.restart = model::written_restart(restart);
    ask.spec.mode = "active";
    ask.environment = {"HOME=" + home.path()};
    engine->submit(ask);
    turn();
    host.runs(session(name));
    turn();
  }
  void seen(const std::string& name = "a", model::State state = model::State::ready) {
    Perceived what;
    what.session = session(name);
    what.state = state;
    engine->submit(what);
    turn();
  }
  // … and whatever the rules make of that within a minute.
  void ends(int code, int signal = 0, const std::string& name = "a") {
    const SessionId before = session(name);
    host.ends(before, code, signal);
    for (int i = 0; i < 60 && session(name) == before; ++i) turn(std::chrono::seconds{1});
    if (session(name) == before) return;
    turn();
    host.runs(session(name));
    turn();
  }
  void write(const std::string& path) {
    std::filesystem::create_directories(std::filesystem::path(path).parent_path());
    std::ofstream(path) << "something was said\n";
  }
  // As Codex keeps a conversation: its file is there when something was said.
  void codex_says(const std::string& id, Duration after, const std::string& dir = {}) {
    const std::string path = home.path() + "/.codex/sessions/2026/11/18/rollout-" + id + ".jsonl";
    std::filesystem::create_directories(std::filesystem::path(path).parent_path());
    std::ofstream(path) << R"({"type":"session_meta","payload":{"id":")" << id << R"(","cwd":")"
                        << (dir.empty() ? home.path() : dir) << R"(","originator":"codex-tui",)"
                        << R"("timestamp":")" << rfc3339(now.wall + after) << "\"}}\n";
  }
  void turn_of(const std::string& name = "a") {
    seen(name, model::State::busy);
    seen(name, model::State::ready);
    turn();
  }
  const Words& argv(const std::string& name = "a") {
    return host.sessions.at(session(name)).launch.argv;
  }
  std::string chat(const std::string& id) const {
    return home.path() + "/.gemini/tmp/project/chats/session-2026-" + id + ".jsonl";
  }

  perceive::Catalog catalog = perceive::Catalog::built_in();
  int ids = 0;
};

TEST(EngineNames, TwoInOneFolderGoOnWithTheirOwn) {
  NameWorld world;
  world.start({"gemini"}, "a");
  world.start({"gemini"}, "b");
  EXPECT_EQ(world.argv("a"), (Words{"gemini", "--session-id", "00000001-name"}));
  EXPECT_EQ(world.argv("b"), (Words{"gemini", "--session-id", "00000002-name"}));
  for (const char* name : {"a", "b"}) world.seen(name);
  world.write(world.chat("00000001"));
  world.write(world.chat("00000002"));
  world.again();  // the names are in the journal
  world.ends(-1, 9, "b");
  world.ends(-1, 9, "a");
  EXPECT_EQ(world.argv("a"), (Words{"gemini", "--resume", "00000001-name"}));
  EXPECT_EQ(world.argv("b"), (Words{"gemini", "--resume", "00000002-name"}));
  EXPECT_EQ(world.agent("a")->transcript, world.chat("00000001"));
}

TEST(EngineNames, WhereNothingWasSaidANewOneBegins) {
  NameWorld world;
  world.start({"gemini"});
  world.seen();
  world.ends(-1, 9);
  EXPECT_EQ(world.argv(), (Words{"gemini", "--session-id", "00000002-name"}))
      << "told to resume it would not come up";
  EXPECT_EQ(world.agent()->session_id, "00000002-name");
}

TEST(EngineNames, PiIsGivenAFileWhereItKeepsItsOwn) {
  NameWorld world;
  world.start({"pi"});
  world.seen();
  ASSERT_EQ(world.argv().size(), 3u);
  const std::string file = world.argv()[2];
  EXPECT_EQ(file.find(world.home.path() + "/.pi/agent/sessions/--"), 0u) << file;
  EXPECT_TRUE(file.ends_with("--/00000001-name.jsonl")) << file;
  EXPECT_TRUE(std::filesystem::is_directory(std::filesystem::path(file).parent_path()))
      << "it does not always make it itself";
  world.write(file);
  world.ends(-1, 9);
  EXPECT_EQ(world.argv(), (Words{"pi", "--session", file}));
}

TEST(EngineNames, WhoDoesNotTakeANameIsStartedWithoutOne) {
  NameWorld world;
  world.start({"gemini"}, "a", "never");
  world.ends(1);
  EXPECT_EQ(world.argv(), Words{"gemini"}) << "the argument was ours, and so is the second start";
  EXPECT_EQ(world.agent()->session_id, "");
  world.seen();
  world.ends(-1, 9);
  EXPECT_EQ(world.agent()->starts, 2) << "it is not to be restarted";
  world.ask<RestartAsked>();
  world.turn();
  EXPECT_EQ(world.argv()[1], "--session-id") << "a person may have brought another version";
}

TEST(EngineNames, ThatIsNotTriedForEver) {
  NameWorld world;
  world.start({"gemini"}, "a", "never");
  world.ends(1);
  world.ends(1);
  EXPECT_EQ(world.agent()->starts, 2);
  EXPECT_FALSE(world.agent()->memory.nameless) << "the name was not why";
}

TEST(EngineNames, WhoIsKnownToTakeNoneGetsNoneAgain) {
  NameWorld world;
  world.start({"gemini"});
  world.ends(1);
  world.seen();
  for (int i = 0; i < 60; ++i) world.turn(std::chrono::minutes{1});  // its restart is long ago
  world.ends(-1, 9);
  EXPECT_EQ(world.agent()->starts, 3);
  EXPECT_EQ(world.argv(), Words{"gemini"});
}

TEST(EngineNames, WhoeverNamesOneHimselfKeepsIt) {
  NameWorld world;
  world.start({"gemini", "--resume", "latest"});
  EXPECT_EQ(world.argv(), (Words{"gemini", "--resume", "latest"}));
  EXPECT_EQ(world.agent()->session_id, "");
}

// Codex alone in its folder is not asked: that would take its shared server away.
TEST(EngineNames, AConversationIsFoundByItsFolder) {
  NameWorld world;
  world.start({"codex"});
  world.codex_says("c1", std::chrono::seconds{2});
  world.seen();
  EXPECT_EQ(world.agent()->session_id, "")
      << "before a turn of its own it could be somebody else's";
  world.turn_of();
  EXPECT_EQ(world.agent()->session_id, "c1");
  EXPECT_NE(world.agent()->transcript.find("rollout-c1.jsonl"), std::string::npos);
  world.ends(-1, 9);
  EXPECT_EQ(world.argv(), (Words{"codex", "resume", "c1"}));
  EXPECT_EQ(world.agent()->session_id, "c1");
}

TEST(EngineNames, WhatMayBeAnothersConversationIsNotTaken) {
  NameWorld world;
  world.start({"codex"});
  world.codex_says("before", std::chrono::seconds{-5});
  world.codex_says("later", kBegunWithin + std::chrono::seconds{1});
  world.codex_says("elsewhere", std::chrono::seconds{1}, "/");
  world.turn_of();
  EXPECT_EQ(world.agent()->session_id, "");
  world.codex_says("c1", std::chrono::seconds{1});
  world.codex_says("c2", std::chrono::seconds{1});
  world.turn_of();
  EXPECT_EQ(world.agent()->session_id, "") << "two could be";
}

TEST(EngineNames, WithAnotherInItsFolderNoneIsTaken) {
  NameWorld world;
  world.start({"codex"});
  world.start({"codex"}, "b");
  world.codex_says("c1", std::chrono::seconds{1});
  world.turn_of();
  EXPECT_EQ(world.agent()->session_id, "")
      << "it may be that of the other, and its own not written";
}

TEST(EngineNames, ANewConversationIsLookedForAnew) {
  NameWorld world;
  world.start({"codex"}, "a", "fresh");
  world.codex_says("c1", std::chrono::seconds{1});
  world.turn_of();
  ASSERT_EQ(world.agent()->session_id, "c1");
  world.now = {world.now.mono + std::chrono::hours{1}, world.now.wall + std::chrono::hours{1}};
  world.ends(-1, 9);
  EXPECT_EQ(world.argv(), (Words{"codex"}));
  EXPECT_EQ(world.agent()->session_id, "") << "it is not the one that begins";
  world.codex_says("c2", std::chrono::seconds{1});
  world.turn_of();
  EXPECT_EQ(world.agent()->session_id, "c2");
}

}  // namespace
}  // namespace pawl::core
