#include "api/hook_handlers.h"

#include <gtest/gtest.h>

#include "api/client_world.h"

namespace pawl::api {
namespace {

using model::Asker;

// Agents a and b, with secrets "secret 1" and so on, and profiles: a hook that is heard teaches the conversation.
struct HookedWorld : ClientWorld {
  HookedWorld() {
    engine = std::make_unique<core::Engine>(
        host, journal, core::EngineOptions{home.path(), {}, &catalog}, *journal.recover());
    engine->recover(now);
    server.secret = [](SessionId session) { return "secret " + std::to_string(session.value); };
    for (const char* name : {"a", "b"}) {
      core::RunAsked ask;
      ask.spec.name = name;
      ask.spec.command = {"claude"};
      ask.spec.dir = "/";
      engine->submit(ask);
      engine->turn(now);
      host.runs(session(name));
      engine->turn(now);
    }
  }
  // What agent a's conversation is called after this hook, said by `asker`.
  std::string told(const Asker& asker, const std::string& id, const std::string& secret,
                   const std::string& agent = "a") {
    now = {now.mono + std::chrono::seconds{2}, now.wall + std::chrono::seconds{2}};
    Conversation its{*engine, server, asker};
    const std::string json = R"({"hook_event_name":"SessionStart","session_id":")" + id + "\"}";
    its.receive(
        now,
        {Kind::json,
         Json::object({{"version", 1},
                       {"verb", "hook"},
                       {"args", Json::object({{"runtime", "claude"},
                                              {"agent", agent},
                                              {"session", std::to_string(session(agent).value)},
                                              {"secret", secret},
                                              {"json", json}})}})
             .dump()});
    engine->turn(now);
    return engine->fleet().find("a")->session_id;
  }
  std::string secret(const std::string& agent = "a") { return server.secret(session(agent)); }
  size_t refused() const {
    size_t count = 0;
    for (const auto& event : journal.events)
      if (const auto* it = std::get_if<model::Requested>(&event.fact))
        count += it->verb == "hook" && it->refused ? 1 : 0;
    return count;
  }
  perceive::Catalog catalog = perceive::Catalog::built_in();
};

TEST(HookHandlers, ItsOwnAndWhoeverHasTheSecretIsHeard) {
  HookedWorld world;
  EXPECT_EQ(world.told({model::kAgent, "a", 7}, "own", ""), "own") << "of a daemon without secrets";
  EXPECT_EQ(world.told({model::kAgent, "a", 7}, "own2", world.secret()), "own2");
  EXPECT_EQ(world.told({model::kAgent, "", 7}, "gone", world.secret()), "gone")
      << "it ended before it was looked at";
  EXPECT_EQ(world.told({model::kPerson, "", 7}, "away", world.secret()), "away")
      << "from a container";
  EXPECT_EQ(world.refused(), 0u);
}

TEST(HookHandlers, NobodySpeaksForAnother) {
  HookedWorld world;
  ASSERT_EQ(world.told({model::kAgent, "a", 7}, "own", world.secret()), "own");
  const Asker other{model::kAgent, "b", 8};
  EXPECT_EQ(world.told(other, "x1", world.secret()), "own") << "also with the secret";
  EXPECT_EQ(world.told(other, "x2", world.secret("b")), "own");
  EXPECT_EQ(world.told({model::kAgent, "", 9}, "x3", ""), "own");
  EXPECT_EQ(world.told({model::kAgent, "", 9}, "x4", world.secret("b")), "own");
  EXPECT_EQ(world.told({model::kPerson, "", 9}, "x5", "secret"), "own");
  EXPECT_EQ(world.refused(), 3u) << "each liar is written down once";
  for (int i = 0; i < 50; ++i) world.told(other, "x", "");
  EXPECT_EQ(world.refused(), 3u);
}

// Its environment, with the secret, is of whoever started the server.
TEST(HookHandlers, InASharedServerTheConversationTellsWhose) {
  HookedWorld world;
  ASSERT_EQ(world.told({model::kAgent, "a", 7}, "mine", world.secret()), "mine");
  const Asker shared{model::kAgent, "", 8, false};
  EXPECT_EQ(world.told(shared, "new", world.secret(), "a"), "mine");
  EXPECT_EQ(world.told(shared, "mine", world.secret("b"), "b"), "mine");
  EXPECT_EQ(world.engine->fleet().find("b")->session_id, "");
  EXPECT_EQ(world.engine->hook_of("b"), nullptr);
}

}  // namespace
}  // namespace pawl::api
