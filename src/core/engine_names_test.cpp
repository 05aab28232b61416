// Programs that take a name for a conversation get one when they are started: after a crash each goes on with its own.

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "core/engine_world.h"

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
  void seen(const std::string& name = "a") {
    Perceived what;
    what.session = session(name);
    what.state = model::State::ready;
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

}  // namespace
}  // namespace pawl::core
