// What hooks of agents' programs do to the engine, and what programs are started with so that they call.

#include <gtest/gtest.h>

#include "core/engine_world.h"
#include "core/parts/ground.h"
#include "core/parts/hooks.h"
#include "os/file.h"
#include "perceive/profile/catalog.h"
#include "perceive/records/hook.h"
#include "perceive/tracker.h"

namespace pawl::core {
namespace {

using Words = std::vector<std::string>;

class HookWorld : public EngineWorld {
 public:
  HookWorld() { again(); }

  // Another life of the daemon, with profiles.
  void again() {
    live();
    engine = std::make_unique<Engine>(host, journal,
                                      EngineOptions{home.path(), {}, &catalog, {}, "/opt/pawl"},
                                      *journal.recover());
    host.daemon_restarts();
    engine->recover(now);
  }
  SessionId start(Words command, const std::function<void(model::AgentSpec&)>& change = {}) {
    RunAsked ask;
    ask.spec.name = "a";
    ask.spec.command = std::move(command);
    ask.spec.dir = home.path();
    if (change) change(ask.spec);
    engine->submit(ask);
    turn();
    host.runs(session());
    turn();
    return session();
  }
  const host::Launch& launch() { return host.sessions.at(session()).launch; }
  void hook(SessionId from, const std::string& json, const std::string& runtime = "claude") {
    heard = now.mono;
    engine->hook(now, "a", from, runtime, json);
    turn();
  }
  size_t learned() const {
    return static_cast<size_t>(std::count_if(
        journal.events.begin(), journal.events.end(),
        [](const auto& event) { return std::holds_alternative<model::Learned>(event.fact); }));
  }

  perceive::Catalog catalog = perceive::Catalog::built_in();
  MonoTime heard{};
};

std::string event(const std::string& name, const std::string& id = "facc") {
  return R"({"session_id":")" + id + R"(","transcript_path":"/t/)" + id +
         R"(.jsonl","hook_event_name":")" + name + "\"}";
}

TEST(EngineHook, IsRememberedPerAgent) {
  HookWorld world;
  const SessionId session = world.start({"claude"});
  EXPECT_FALSE(world.engine->hook_of("a"));
  world.hook(session, event("SessionStart"));
  EXPECT_FALSE(world.engine->hook_of("a")) << "that says nothing about the prompt";
  world.hook(session, event("UserPromptSubmit"));
  ASSERT_TRUE(world.engine->hook_of("a"));
  EXPECT_EQ(world.engine->hook_of("a")->word->told, perceive::Told::busy);
  world.hook(session, event("SubagentStop"));
  EXPECT_EQ(world.engine->hook_of("a")->event, "UserPromptSubmit");
  EXPECT_FALSE(world.engine->hook_of("b"));
}

// The reading itself is tested in perceive/hook_rules_test.cpp.
TEST(EngineHook, IsEvidenceForTheTracker) {
  HookWorld world;
  const SessionId session = world.start({"claude"});
  world.hook(session, event("UserPromptSubmit"));
  ASSERT_TRUE(world.engine->tracker("a"));
  EXPECT_EQ(world.engine->tracker("a")->evidence().hook.value.told, perceive::Told::busy);
  EXPECT_EQ(world.engine->tracker("a")->evidence().hook.heard, world.heard);
}

TEST(EngineHook, TheConversationIsLearntOnceAndKept) {
  HookWorld world;
  const SessionId session = world.start({"claude"});
  for (const char* name : {"SessionStart", "UserPromptSubmit", "Stop", "OfTheNextVersion"})
    world.hook(session, event(name));
  EXPECT_EQ(world.learned(), 1u);
  EXPECT_EQ(world.agent()->session_id, "facc");
  EXPECT_EQ(world.agent()->transcript, "/t/facc.jsonl");
  world.again();
  EXPECT_EQ(world.agent()->session_id, "facc") << "after kill -9";
  world.hook(session, R"({"thread-id":"facc","type":"agent-turn-complete"})", "codex");
  EXPECT_EQ(world.agent()->transcript, "/t/facc.jsonl") << "not said is not unsaid";
}

TEST(EngineHook, ALiarDoesNotFloodTheJournal) {
  HookWorld world;
  const SessionId session = world.start({"claude"});
  for (int i = 0; i < 500; ++i) world.hook(session, event("Stop", std::to_string(i)));
  EXPECT_LE(world.learned(), 2u);
  world.turn(kLearnEvery);
  world.hook(session, event("Stop", "last"));
  EXPECT_EQ(world.agent()->session_id, "last");
}

TEST(EngineHook, StrangersAndNonsenseAreIgnored) {
  HookWorld world;
  const SessionId session = world.start({"claude"});
  const size_t events = world.journal.events.size();
  world.hook(SessionId{session.value + 1}, event("Stop"));
  world.hook(SessionId{}, event("Stop"));
  world.hook(session, event("Stop"), "no-such-runtime");
  world.hook(session, "garbage");
  world.hook(session, "");
  world.engine->hook(world.now, "nobody", session, "claude", event("Stop"));
  world.turn();
  EXPECT_FALSE(world.engine->hook_of("a"));
  EXPECT_EQ(world.journal.events.size(), events);
  world.host.ends(session, 0);
  world.turn();
  world.hook(session, event("Stop"));
  EXPECT_FALSE(world.engine->hook_of("a")) << "it has ended";
}

TEST(EngineHook, AnOldSessionsWordIsNotTheNewOnes) {
  HookWorld world;
  const SessionId old = world.start({"claude"});
  world.hook(old, event("UserPromptSubmit"));
  world.host.ends(old, 0);
  world.turn();
  world.ask<RestartAsked>();
  world.turn();
  world.host.runs(world.session());
  world.turn();
  EXPECT_FALSE(world.engine->hook_of("a"));
  world.hook(old, event("UserPromptSubmit"));
  EXPECT_FALSE(world.engine->hook_of("a")) << "late, of the program before";
}

TEST(EngineHook, AJournalThatRefusesLosesNoWordAndQueuesNothing) {
  HookWorld world;
  const SessionId session = world.start({"claude"});
  world.journal.broken = true;
  for (int i = 0; i < 100; ++i) world.hook(session, event("Stop", std::to_string(i)));
  EXPECT_TRUE(world.engine->hook_of("a"));
  world.journal.broken = false;
  for (int i = 0; i < 3; ++i) world.turn(kRetryEvery);
  EXPECT_LE(world.learned(), 1u);
}

TEST(EngineLaunch, ClaudeIsStartedWithHooksAndItsSpecificationStays) {
  HookWorld world;
  world.start({"claude", "go on"});
  ASSERT_EQ(world.launch().argv.size(), 4u);
  EXPECT_EQ(world.launch().argv[1], "--settings");
  EXPECT_NE(world.launch().argv[2].find("'/opt/pawl' hook claude"), std::string::npos);
  EXPECT_EQ(world.launch().argv[3], "go on");
  EXPECT_EQ(world.agent()->spec.command, (Words{"claude", "go on"}));
  EXPECT_EQ(world.launch().terminal, (Words{"TERM_PROGRAM=ghostty", "TERM_PROGRAM_VERSION=1.2.0"}));
}

TEST(EngineLaunch, ARestartNamesItsOwnSession) {
  HookWorld world;
  RunAsked beside;
  beside.spec.name = "b";
  beside.spec.command = {"codex"};
  beside.spec.dir = world.home.path();
  world.engine->submit(beside);
  const SessionId old = world.start({"codex"});
  const auto names = [&](SessionId session) {
    return world.launch().argv.at(2).find("PAWL_SESSION=" + std::to_string(session.value) + "\"") !=
           std::string::npos;
  };
  EXPECT_TRUE(names(old));
  world.host.ends(old, 0);
  world.turn();
  world.ask<RestartAsked>();
  world.turn();
  EXPECT_NE(world.session(), old);
  EXPECT_TRUE(names(world.session()));
}

// Its arguments would take away the server that all its windows share.
TEST(EngineLaunch, AloneInItsFolderCodexKeepsItsServer) {
  HookWorld world;
  RunAsked elsewhere;
  elsewhere.spec.name = "b";
  elsewhere.spec.command = {"codex"};
  elsewhere.spec.dir = "/";
  world.engine->submit(elsewhere);
  RunAsked another = elsewhere;
  another.spec.name = "c";
  another.spec.command = {"claude"};
  another.spec.dir = world.home.path();
  world.engine->submit(another);
  world.start({"codex"});
  EXPECT_EQ(world.launch().argv, Words{"codex"});
}

TEST(EngineLaunch, HooksCanBeTurnedOff) {
  HookWorld world;
  world.start({"claude"}, [](auto& spec) { spec.hooks = false; });
  EXPECT_EQ(world.launch().argv, Words{"claude"});
}

TEST(EngineLaunch, OthersGetNothing) {
  HookWorld world;
  world.start({"bash"}, [](auto& spec) { spec.runtime = "claude"; });
  EXPECT_EQ(world.launch().argv, Words{"bash"});
}

TEST(EngineLaunch, TheUsersOwnTerminalNameWins) {
  HookWorld world;
  ASSERT_TRUE(os::write_atomically(world.home / ".env", "TERM_PROGRAM=mine\n"));
  world.start({"claude"}, [](auto& spec) { spec.env_file = ".env"; });
  EXPECT_EQ(world.launch().terminal[0], "TERM_PROGRAM=mine");
}

}  // namespace
}  // namespace pawl::core
