// A recording that cannot be opened is told of; its terminal is used all the same, and recorded when that is possible again.
#include <gtest/gtest.h>

#include <csignal>
#include <filesystem>

#include "core/engine_world.h"
#include "os/file.h"

namespace pawl::core {
namespace {

using namespace std::chrono_literals;
namespace fs = std::filesystem;

struct BrokenRecording : EngineWorld {
  std::string rec, away;

  // It printed something, its daemon was killed, and a file is where its recordings were.
  BrokenRecording() {
    running();
    host.prints(session(), "before ");
    turn();
    turn_and_flush();
    rec = engine->files().recordings("a");
    away = home / "away";
    fs::rename(rec, away);
    EXPECT_TRUE(os::write_atomically(rec, "in the way"));
    live();
    turn();
  }
  std::vector<std::string> alerts() const {
    std::vector<std::string> out;
    for (const auto& event : journal.events)
      if (const auto* alert = std::get_if<model::Alerted>(&event.fact); alert && event.agent == "a")
        out.push_back(std::string(word(alert->severity)) + ": " + alert->text);
    return out;
  }
  void pass(Duration time) {
    for (Duration gone{}; gone < time; gone += 1s) turn(1s);
  }
};

TEST(EngineRecording, ATerminalThatCannotBeRecordedIsUsedAllTheSame) {
  BrokenRecording world;
  ASSERT_EQ(world.alerts().size(), 1u);
  EXPECT_EQ(world.alerts()[0].find("warning: its terminal is not recorded: "), 0u)
      << world.alerts()[0];
  world.host.prints(world.session(), "after");
  world.turn();
  EXPECT_EQ(world.screen().substr(0, 5), "after");
  ASSERT_TRUE(world.engine->type(world.now, "a", "x", "attach"));
  EXPECT_EQ(world.host.sessions.at(world.session()).written, "x");
  world.pass(10min);
  EXPECT_EQ(world.alerts().size(), 1u) << "once";
  EXPECT_EQ(world.host.sessions.at(world.session()).acknowledged, 7u) << "its holder keeps it";
  const auto next = world.engine->wake_at();
  ASSERT_TRUE(next);
  EXPECT_GT(*next, world.now.mono + 5s) << "nobody spins";
  EXPECT_LE(*next, world.now.mono + 5min);
}

TEST(EngineRecording, ItsProgramIsMadeToPaintAgain) {
  BrokenRecording world;
  const Size size = world.agent()->spec.size;
  EXPECT_EQ(world.host.sessions.at(world.session()).size.rows, size.rows - 1);
  world.pass(3s);
  EXPECT_EQ(world.host.sessions.at(world.session()).size, size);
}

TEST(EngineRecording, WhatWasPrintedMeanwhileIsRecordedLater) {
  for (const bool kept : {true, false}) {
    BrokenRecording world;
    world.host.prints(world.session(), "after");
    world.pass(3s);
    os::remove_file(world.rec);
    if (kept) fs::rename(world.away, world.rec);
    world.pass(10s);
    EXPECT_EQ(world.recorded(world.session()), kept ? "before after" : "after");
    EXPECT_EQ(world.host.sessions.at(world.session()).acknowledged, 12u);
    EXPECT_EQ(world.alerts().back(), "info: its terminal is recorded again");
    EXPECT_EQ(world.screen().substr(0, 5), "after");
    world.live();
    world.turn();
    EXPECT_EQ(world.screen().find("after"), kept ? 7u : 0u) << "as the next life sees it";
  }
}

TEST(EngineRecording, ItCanBeStopped) {
  BrokenRecording world;
  world.ask<StopAsked>();
  world.turn();
  EXPECT_EQ(world.host.sessions.at(world.session()).signals.at(0), SIGTERM);
  world.host.ends(world.session(), 0);
  world.turn();
  EXPECT_EQ(world.host.closes, std::vector<SessionId>{world.session()});
  world.pass(10s);
  EXPECT_FALSE(world.engine->wake_at());
  world.check_outcomes();
}

TEST(EngineRecording, AStartIsNotRefusedForIt) {
  EngineWorld world;
  ASSERT_TRUE(os::make_private_dir(world.engine->files().dir("a")));
  ASSERT_TRUE(os::write_atomically(world.engine->files().recordings("a"), "in the way"));
  const SessionId session = world.running();
  world.host.prints(session, "hello");
  world.turn();
  EXPECT_EQ(world.screen().substr(0, 5), "hello");
  os::remove_file(world.engine->files().recordings("a"));
  for (int i = 0; i < 5; ++i) world.turn(1s);
  EXPECT_EQ(world.recorded(session), "hello");
}

}  // namespace
}  // namespace pawl::core
