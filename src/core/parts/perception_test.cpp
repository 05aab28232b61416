#include "core/parts/perception.h"

#include <fmt/core.h>
#include <gtest/gtest.h>

#include "perceive/profile/catalog.h"
#include "perceive/tracker.h"
#include "term/terminal.h"

namespace pawl::core {
namespace {

using namespace std::chrono_literals;
using model::State;

const SessionId kSession{7};
const std::string kRule = "────────────────────────\r\n";
const std::string kIdle = "\x1b[2J\x1b[H" + kRule + "❯ \r\n" + kRule + "? for shortcuts\x1b[2;3H";
const std::string kBusy =
    "\x1b[2J\x1b[H✻ Thinking…\r\n" + kRule + "❯ \r\n" + kRule + "esc to interrupt\x1b[3;3H";
const std::string kLimit = "\x1b[2J\x1b[H  ⎿  You've hit your limit · resets 3am (UTC)\r\n" +
                           kRule + "❯ \r\n" + kRule + "? for shortcuts\x1b[3;3H";

// One terminal of Claude Code, its time, and what was told of it.
class PerceptionWorld {
 public:
  explicit PerceptionWorld(bool running = true, std::vector<model::Notice> notices = {},
                           const char* runtime = "claude") {
    spec.name = "a";
    spec.runtime = runtime;
    perception.opened(now.mono, kSession, spec, {.running = running}, std::move(notices));
  }
  void write(const std::string& bytes) {
    terminal.feed(bytes);
    perception.wrote(now.mono, kSession);
  }
  // In small steps; every question about processes is answered, with this much CPU used so far, unless nobody answers.
  void pass(Duration time, std::optional<double> cpu_per_s = 0.0) {
    for (const MonoTime end = now.mono + time; now.mono < end;) {
      now = {now.mono + 20ms, now.wall + 20ms};
      asked += step(cpu_per_s);
      for (auto& seen : perception.look(now, [this](SessionId) { return &terminal.screen(); }))
        told.push_back(std::move(seen));
    }
  }
  size_t step(std::optional<double> cpu_per_s) {
    const auto sessions = perception.ask_facts(now.mono);
    cpu += cpu_per_s.value_or(0) * 0.02;
    model::Facts facts;
    facts.front = facts.busiest = "claude";
    facts.front_count = 1;
    facts.cpu_s = cpu;
    facts.transcript = transcript;
    facts.transcript_size = transcript.size();
    if (!sessions.empty() && cpu_per_s) perception.facts(now.mono, kSession, facts);
    return sessions.size();
  }
  void tell_again() { perception.tell_again(now.mono, kSession); }
  State state() const { return perception.tracker(kSession)->verdict().state; }

  perceive::Catalog catalog = perceive::Catalog::built_in();
  Perception perception{&catalog, [](std::string_view) { return Result<Zone>(Zone::utc()); }};
  model::AgentSpec spec;
  term::Terminal terminal{{40, 12}};
  Clock now{MonoTime{1000s}, WallTime{std::chrono::hours{24 * 365 * 50}}};
  std::vector<Perceived> told;
  size_t asked = 0;
  double cpu = 0;
  std::string transcript;
};

// The next daemon called one that it did not know yet "just started" when a text for it was done.
TEST(Perception, NothingIsToldBeforeItIsCertain) {
  PerceptionWorld world(true, {}, "generic");
  world.terminal.feed("some words\r\n");
  world.tell_again();
  world.pass(200ms);
  EXPECT_TRUE(world.told.empty()) << world.told.front().because;
  world.pass(3s);
  ASSERT_EQ(world.told.size(), 1u);
  EXPECT_EQ(world.told.front().state, State::unknown);
}

TEST(Perception, AQuietTerminalCostsNothing) {
  PerceptionWorld world;
  world.write(kIdle);
  world.pass(5s);
  ASSERT_EQ(world.state(), State::ready);
  world.asked = 0;
  world.pass(600s);
  EXPECT_EQ(world.asked, 0u);
  EXPECT_EQ(world.perception.wake_at(), std::nullopt);
}

TEST(Perception, WhoIsKnownByItsProcessLaterIsLookedAtAgain) {
  PerceptionWorld world(false, {}, "generic");
  world.write(kIdle);
  world.pass(3s, std::nullopt);
  EXPECT_NE(world.state(), State::ready) << "nobody knows what it is";
  world.pass(10s);
  EXPECT_EQ(world.state(), State::ready) << "nothing was drawn since";
}

TEST(Perception, SilentWorkIsStuckOnlyWhenItsProcessesRest) {
  PerceptionWorld world;
  world.write(kBusy);
  world.pass(90s, 0.5);  // a tool computes without a word
  EXPECT_EQ(world.state(), State::busy);
  world.pass(45s, 0.01);  // an idle program uses some, too
  EXPECT_EQ(world.state(), State::stuck);
  world.write(kIdle);
  world.pass(2s);
  EXPECT_EQ(world.state(), State::ready);
}

TEST(Perception, WorkThatItsTranscriptTellsOfIsNotStuck) {
  PerceptionWorld world;
  world.write(kBusy);
  for (int i = 0; i < 120; ++i) {  // a line a second; its screen stands still
    world.transcript += R"({"type":"assistant","timestamp":"2026-01-01T00:)" +
                        fmt::format("{:02}:{:02}", i / 60, i % 60) +
                        R"(Z","message":{}})"
                        "\n";
    world.pass(1s);
  }
  EXPECT_EQ(world.state(), State::busy);
  world.pass(60s);
  EXPECT_EQ(world.state(), State::stuck);
}

TEST(Perception, FactsThatNobodyAnswersAnyMoreAreVoid) {
  PerceptionWorld world;
  world.write(kIdle);
  world.pass(2s);
  ASSERT_TRUE(world.perception.tracker(kSession)->evidence().facts);
  for (int i = 0; i < 10; ++i) {
    world.write("\x1b[12;1Hx" + std::to_string(i) + "\x1b[2;3H");
    world.pass(1s, std::nullopt);
  }
  EXPECT_FALSE(world.perception.tracker(kSession)->evidence().facts);
}

TEST(Perception, TheTimeOfALimitIsWorkedOutOnce) {
  PerceptionWorld first;
  first.write(kLimit);
  first.pass(2s);
  ASSERT_EQ(first.state(), State::limited);
  ASSERT_EQ(first.told.back().notices.size(), 1u);
  const auto until = first.told.back().notices[0].until;
  ASSERT_TRUE(until);
  // Another life of the daemon, hours after that time: the same text does not mean tomorrow.
  PerceptionWorld second(true, first.told.back().notices);
  second.now = {second.now.mono + 6h, second.now.wall + 6h};
  second.write(kLimit);
  second.pass(2s);
  ASSERT_EQ(second.state(), State::limited);
  EXPECT_EQ(second.told.back().notices[0].until, until);
}

TEST(Perception, LooksBecomeRarerWhileAProgramKeepsWriting) {
  PerceptionWorld world;
  size_t looks = 0;
  for (int i = 0; i < 500; ++i) {  // 10 s, a byte each 20 ms
    world.write(i % 2 ? "\x1b[1;1H✻ Thinking…" : kBusy);
    world.now = {world.now.mono + 20ms, world.now.wall + 20ms};
    world.perception.look(world.now, [&](SessionId) {
      ++looks;
      return &world.terminal.screen();
    });
  }
  EXPECT_GE(looks, 20u);
  EXPECT_LE(looks, 60u);
}

}  // namespace
}  // namespace pawl::core
