#include "daemon/commands.h"

#include <gtest/gtest.h>

#include "core/engine_world.h"

namespace pawl::daemon {
namespace {

// An agent whose login stopped working, and the command that is to renew it.
class CommandWorld : public core::EngineWorld {
 public:
  explicit CommandWorld(std::vector<std::string> renew) {
    core::RunAsked ask;
    ask.spec.name = "a";
    ask.spec.command = {"prog"};
    ask.spec.dir = home.path();
    ask.spec.recovery.auth_refresh = std::move(renew);
    ask.environment = {"PATH=/usr/bin:/bin", "WHO=me"};
    engine->submit(ask);
    turn();
    host.runs(session());
    turn();
    core::Perceived seen;
    seen.session = session();
    seen.state = model::State::ready;
    seen.notices = {{"auth", "please log in", {}}};
    engine->submit(seen);
    turn();
  }

  // Runs what rules asked for until its end is known; gives that.
  std::optional<model::Finished> renewal() {
    os::Loop loop;
    Commands commands(loop, *engine, home.path(), [&] { loop.stop(); });
    commands.follow();
    loop.run();
    turn();
    for (const auto& event : journal.events)
      if (const auto* done = std::get_if<model::Finished>(&event.fact))
        if (done->action == model::Action::refresh_auth) return *done;
    return std::nullopt;
  }
};

TEST(Commands, TheEndOfOneIsTheEndOfItsDecision) {
  CommandWorld world({"sh", "-c", "echo renewed"});
  const auto done = world.renewal();
  ASSERT_TRUE(done);
  EXPECT_EQ(done->verdict, model::Verdict::confirmed);
  EXPECT_EQ(done->witness, "exit code 0");
}

TEST(Commands, AFailureSaysWhatItPrintedLast) {
  CommandWorld world({"sh", "-c", "echo trying; echo no such account >&2; exit 4"});
  const auto done = world.renewal();
  ASSERT_TRUE(done);
  EXPECT_EQ(done->verdict, model::Verdict::failed);
  EXPECT_EQ(done->witness, "exit code 4: no such account");
}

TEST(Commands, WhatCannotBeRun) {
  CommandWorld world({"/no/such/tool"});
  const auto done = world.renewal();
  ASSERT_TRUE(done);
  EXPECT_EQ(done->witness, "exit code 127: cannot run /no/such/tool: No such file or directory");
}

TEST(Commands, RunsInTheAgentsFolderWithItsEnvironment) {
  CommandWorld world(
      {"sh", "-c", "echo \"$PWD $WHO $PAWL_AGENT $PAWL_HOME $(cat | wc -c)\"; exit 1"});
  const auto done = world.renewal();
  ASSERT_TRUE(done);
  EXPECT_EQ(done->witness,
            "exit code 1: " + world.home.path() + " me a " + world.home.path() + " 0");
}

}  // namespace
}  // namespace pawl::daemon
