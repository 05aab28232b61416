// kill -9 of the daemon at every moment of a life: between any two steps, and between the journal and the deed.
// Whatever the moment, every decision gets one outcome, every byte is recorded once, and no terminal is left behind.

#include <gtest/gtest.h>

#include <functional>

#include "core/engine_world.h"
#include "core/parts/ground.h"
#include "os/file.h"

namespace pawl::core {
namespace {

class Drama {
 public:
  Drama() { live(); }

  DeadlyJournal journal;
  FakeHost host;

  void live() {
    engine_.reset();
    host.daemon_restarts();
    engine_ = std::make_unique<Engine>(host, journal, EngineOptions{home_.path(), {}},
                                       *journal.recover());
    engine_->recover(now_);
  }

  // The steps of the life, in order.
  std::vector<std::function<void()>> steps() {
    return {
        [this] { ask_run(); },
        [this] { turn(); },
        [this] { let_run(); },
        [this] { turn(); },
        [this] { print("one \xc3\xa4 \xff \xe2\x82"); },
        [this] { turn(); },
        [this] { turn(kFlushEvery); },
        [this] { print("\xac two"); },
        [this] { turn(); },
        [this] { ask<RestartAsked>(); },
        [this] { turn(); },
        [this] { print(" bye"), let_end(); },
        [this] { turn(); },
        [this] { let_run(); },
        [this] { print("again"); },
        [this] { turn(); },
        [this] { ask<StopAsked>(); },
        [this] { turn(); },
        [this] { print(" over"), let_end(); },
        [this] { turn(); },
    };
  }

  // The play goes on without its operator until nothing moves any more.
  void finish() {
    for (int i = 0; i < 3; ++i) {
      turn(kRetryEvery);
      let_run();
      turn(kRetryEvery);
      if (const auto* agent = engine_->fleet().find("a");
          agent && agent->running() && !agent->intent)
        ask<StopAsked>();
      turn(kRetryEvery);
      print(" last");
      let_end();
      turn(kRetryEvery);
    }
  }

  void check() {
    std::set<Seq> decided, finished;
    for (const auto& event : journal.events) {
      if (std::holds_alternative<model::Decided>(event.fact)) decided.insert(event.seq);
      if (const auto* outcome = std::get_if<model::Finished>(&event.fact)) {
        EXPECT_TRUE(finished.insert(outcome->decision).second) << "two outcomes";
      }
    }
    EXPECT_EQ(decided, finished);
    EXPECT_EQ(*journal.recover(), engine_->fleet());
    EXPECT_FALSE(host.lost_bytes);
    EXPECT_TRUE(host.sessions.empty()) << "a terminal nobody will ever close";
    for (const auto& [session, printed] : host.history) {
      std::vector<store::Part> parts;
      for (const auto& part :
           store::parts_in(engine_->files().disk(), engine_->files().recordings("a")))
        if (part.session == session) parts.push_back(part);
      EXPECT_EQ(store::output_of(engine_->files().disk(), parts), printed)
          << "session " << session.value;
    }
  }

 private:
  void turn(Duration later = std::chrono::milliseconds{1}) {
    now_ = {now_.mono + later, now_.wall + later};
    engine_->turn(now_);
  }
  void ask_run() {
    RunAsked ask;
    ask.spec.name = "a";
    ask.spec.command = {"prog"};
    ask.spec.dir = "/";
    engine_->submit(ask);
  }
  template <class Ask>
  void ask() {
    Ask wish;
    wish.agent = "a";
    engine_->submit(wish);
  }
  void let_run() {
    for (auto& [session, it] : host.sessions)
      if (!it.opened) host.runs(session);
  }
  void print(const std::string& bytes) {
    for (auto& [session, it] : host.sessions)
      if (it.opened && !it.end) host.prints(session, bytes);
  }
  void let_end() {
    for (auto& [session, it] : host.sessions)
      if (it.opened && !it.end) host.ends(session, 0);
  }

  TestDir home_;
  Clock now_{MonoTime{std::chrono::seconds{100}}, WallTime{std::chrono::hours{24 * 365 * 50}}};
  std::unique_ptr<Engine> engine_;
};

TEST(EngineKill, BetweenAnyTwoSteps) {
  const size_t steps = Drama().steps().size();
  for (size_t kill = 0; kill <= steps; ++kill) {
    SCOPED_TRACE("killed before step " + std::to_string(kill));
    Drama drama;
    const auto script = drama.steps();
    for (size_t i = 0; i < script.size(); ++i) {
      if (i == kill) drama.live();
      script[i]();
    }
    if (kill == steps) drama.live();
    drama.finish();
    drama.check();
  }
}

TEST(EngineKill, BetweenTheJournalAndTheDeed) {
  size_t written = 0;
  {
    Drama undisturbed;
    for (const auto& step : undisturbed.steps()) step();
    undisturbed.finish();
    undisturbed.check();
    written = undisturbed.journal.events.size();
  }
  ASSERT_GT(written, 10u);
  for (size_t deadly = 1; deadly <= written; ++deadly) {
    SCOPED_TRACE("killed after event " + std::to_string(deadly));
    Drama drama;
    drama.journal.deadly = deadly;
    for (const auto& step : drama.steps()) {
      try {
        step();
      } catch (const Killed&) {
        drama.live();
      }
    }
    drama.finish();
    drama.check();
  }
}

TEST(EngineKill, TheScreenComesBackWithTheSizeTheProgramHas) {
  EngineWorld world;
  const SessionId session = world.running();
  world.host.prints(session, "hello");
  world.turn_and_flush();
  ASSERT_TRUE(world.engine->resize(world.now, "a", {77, 22}));
  world.live();  // before the resize is in the recording
  world.turn_and_flush();
  EXPECT_EQ(world.engine->terminal("a")->terminal().screen().size(), (Size{77, 22}));
  EXPECT_EQ(world.screen().substr(0, 5), "hello");
  world.live();
  EXPECT_EQ(world.engine->terminal("a")->terminal().screen().size(), (Size{77, 22}));
  EXPECT_EQ(world.agent()->state, model::State::unknown) << "it never noticed";
}

TEST(EngineKill, ASessionOfAnotherJournalIsLeftAlone) {
  EngineWorld world;
  const SessionId session = world.running();
  world.journal.events.clear();
  world.live();
  world.turn(kRetryEvery);
  EXPECT_TRUE(world.host.closes.empty());
  EXPECT_TRUE(world.host.sessions.at(session).signals.empty());
}

TEST(EngineKill, GoesOnAfterARecordingThatWasDeleted) {
  EngineWorld world;
  const SessionId session = world.running();
  world.host.prints(session, "gone ");
  world.turn();
  world.turn_and_flush();
  ASSERT_TRUE(os::remove_tree(world.engine->files().recordings("a")));
  world.host.prints(session, "kept");
  world.live();
  world.turn();
  world.turn_and_flush();
  EXPECT_EQ(world.recorded(session), "kept") << "what was acknowledged is with nobody any more";
  world.host.prints(session, " more");
  world.turn();
  world.turn_and_flush();
  world.live();  // and the offsets are right: nothing twice, nothing missing
  world.turn_and_flush();
  EXPECT_EQ(world.recorded(session), "kept more");
  EXPECT_EQ(world.screen().substr(0, 9), "kept more");
}

}  // namespace
}  // namespace pawl::core
