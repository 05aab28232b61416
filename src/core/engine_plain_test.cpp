// Tasks without records: a question on their terminal, silence that is a hang, and what an interface leaves in output.log.

#include "core/engine_world.h"
#include "os/file.h"
#include "store/task_files.h"

namespace pawl::core {
namespace {

const perceive::Catalog& plain_catalog() {
  static const perceive::Catalog catalog = perceive::Catalog::built_in();
  return catalog;
}

struct PlainWorld : EngineWorld {
  PlainWorld() : EngineWorld(&plain_catalog()) {}

  TaskAsked ask;
  model::Facts facts;
  SessionId run;

  void begin() {
    ask.spec.name = "task-t";
    ask.spec.command = ask.order.start = {"prog"};
    ask.spec.dir = "/";
    ask.order.name = "t";
    ask.order.format = "plain";
    ask.order.dir = store::make_task_dir(engine->files().disk(), home.path(), "t", {"do it\n", {}})
                        .value_or(store::TaskDir{})
                        .path;
    engine->submit(ask);
    turn();
    run = session("task-t");
    host.runs(run);
    facts.effort = model::Effort{};
    turn();
  }
  // Time passes, its processes are looked at when somebody wants to know, and nothing else happens.
  void passes(double s, bool works = false) {
    for (double gone = 0; gone < s; ++gone) {
      host.looks.clear();
      turn(std::chrono::seconds{1});
      if (works) ++facts.effort->moved;
      if (!host.looks.empty()) host.sees(run, facts);
      turn();
    }
  }
  void prints(const std::string& bytes) {
    host.prints(run, bytes);
    turn();
  }
  std::string file(const std::string& name) const {
    return os::read_file(ask.order.dir + "/" + name).value_or("");
  }
  // The last decision about it, and why.
  std::string decided() const {
    std::string out;
    for (const auto& event : journal.events)
      if (const auto* fact = std::get_if<model::Decided>(&event.fact))
        out =
            std::string(word(fact->action)) + " " + fact->how + fact->matter + ": " + fact->because;
    return out;
  }
};

TEST(EnginePlain, AQuestionOnItsTerminalIsGivenUpAfterTwoLooks) {
  PlainWorld world;
  world.begin();
  world.prints("Overwrite it? [y/N] ");
  world.facts.effort->reads_terminal = true;
  world.passes(35);
  EXPECT_EQ(world.agent("task-t")->state, model::State::waiting);
  EXPECT_EQ(world.agent("task-t")->because, "it asks on its terminal: 'Overwrite it? [y/N]'");
  EXPECT_EQ(model::pane_state(*world.agent("task-t")), "waiting_for_input");
  world.passes(20);
  EXPECT_EQ(world.agent("task-t")->state, model::State::waiting) << "not at once";
  world.passes(20);
  EXPECT_TRUE(world.decided().starts_with("abandon waiting_for_input")) << world.decided();
}

TEST(EnginePlain, OneThatIsAnsweredGoesOn) {
  PlainWorld world;
  world.begin();
  world.prints("Overwrite it? [y/N] ");
  world.facts.effort->reads_terminal = true;
  world.passes(35);
  world.prints("y\r\n");
  EXPECT_EQ(world.agent("task-t")->state, model::State::busy);
  world.facts.effort->reads_terminal = false;
  world.passes(600);
  EXPECT_EQ(world.agent("task-t")->state, model::State::busy);
  EXPECT_TRUE(world.decided().starts_with("start")) << world.decided();
}

TEST(EnginePlain, WhatComputesInSilenceIsNoQuestionWhateverItPrinted) {
  PlainWorld world;
  world.begin();
  world.prints("really? [y/N] ");
  world.passes(600);
  EXPECT_EQ(world.agent("task-t")->state, model::State::busy) << "nobody waits for a key";
  world.facts.effort->reads_terminal = true;
  world.prints("\r\nreading keys, as players do\r\n");
  world.passes(600);
  EXPECT_EQ(world.agent("task-t")->state, model::State::busy) << "there is no question";
  EXPECT_TRUE(world.decided().starts_with("start")) << world.decided();
}

TEST(EnginePlain, StaleIsAHangAndWorkIsNone) {
  PlainWorld world;
  world.ask.spec.task_health.stale_s = 30;
  world.ask.spec.task_health.retries = 0;
  world.begin();
  world.prints("begun\r\n");
  world.passes(300, true);
  EXPECT_TRUE(world.decided().starts_with("start")) << world.decided();
  world.passes(60);
  EXPECT_EQ(
      world.decided(),
      "abandon max_retries_exceededtask over: gave up: it hung: no output and no CPU for 30s");
}

TEST(EnginePlain, WhatBrokeIsInTheManifest) {
  PlainWorld world;
  world.begin();
  world.prints("Traceback (most recent call last):\r\nValueError: x\r\n");
  world.passes(40);
  world.turn(kRetryEvery);
  EXPECT_NE(world.file("manifest").find("pane_state=crash_text\n"), std::string::npos)
      << world.file("manifest");
  world.prints("it goes on\r\n");
  EXPECT_EQ(model::pane_state(*world.agent("task-t")), "running");
}

// K11: what is drawn over again and again is one line.
TEST(EnginePlain, AnInterfaceLeavesWhatAPersonWouldHaveRead) {
  PlainWorld world;
  world.ask.order.interactive = true;
  world.ask.spec.size = {20, 3};
  world.begin();
  for (int i = 0; i < 5; ++i)
    world.prints("line " + std::to_string(i) + "\r\n\x1b[2Kwork.\rwork..\r");
  world.turn_and_flush();
  EXPECT_EQ(world.file("output.log"), "line 0\nline 1\nline 2\n");
  world.live();
  world.prints("\x1b[2Kthe end");
  world.host.ends(world.run, 0);
  for (int i = 0; i < 4; ++i) world.turn(std::chrono::seconds{1});
  EXPECT_EQ(world.file("output.log"), "line 0\nline 1\nline 2\nline 3\nline 4\nthe end\n");
}

}  // namespace
}  // namespace pawl::core
