// kill -9 of the daemon in the middle of deliveries: at any time, between the journal and the deed, and right after bytes went
// out. Whatever the moment, no text arrives twice, and none is lost without a word.

#include <fmt/core.h>
#include <gtest/gtest.h>

#include "core/rough_world.h"

namespace pawl::core {
namespace {

using namespace std::chrono_literals;
using model::State;
using model::Verdict;

constexpr uint32_t kKills = kSanitized ? 200 : 1200;
constexpr size_t kTexts = 4;

Faults faults_of(uint32_t seed) {
  Faults faults;
  if (seed % 4 == 1) faults.late = 0.3;
  if (seed % 4 == 2) faults.lost_enter = 0.5, faults.halves = 0.3;
  if (seed % 4 == 3) faults.dialog_at_enter = 0.1, faults.slow = 0.3, faults.clears = 0.1;
  return faults;
}

std::string text_of(size_t number, uint32_t seed) {
  std::string text = fmt::format("<{}> the text", number);
  if ((number + seed) % 3 == 0) text += " 端末\nof\nmany\nlines\n\n…";
  return text + fmt::format(" </{}>", number);
}

class KillDrama {
 public:
  explicit KillDrama(uint32_t seed) : chance_(seed), kills_(1 + below(3)) {
    world_.start("a", faults_of(seed), seed);
    arm();
    // Who was not told that a text waits sends it again.
    auto& sent = world_.programs.at("a").sent;
    for (size_t i = 0; i < kTexts; sent.resize(i = queued()))
      mortal([&] { world_.send("a", text_of(i, seed)); });
  }

  void play() {
    const MonoTime end = world_.now.mono + 600s;
    while ((!world_.idle() || kills_ > 0) && world_.now.mono < end) {
      mortal([&] { world_.step(); });
      const model::Agent* agent = world_.agent();
      if (agent && !agent->intent && agent->state == State::typing)
        world_.tui().person_clears(world_.now.mono);
    }
    ASSERT_TRUE(world_.idle()) << world_.screen();
    world_.step();
  }

  void judge() const {
    const RoughTui& tui = world_.programs.at("a").tui;
    const auto fates = world_.fates();
    EXPECT_EQ(fates.size(), kTexts);
    for (size_t i = 0; i < fates.size(); ++i) {
      const auto& fate = fates[i];
      SCOPED_TRACE(fmt::format("text {}: {}", i, fate.witness));
      size_t whole = 0, any = 0;
      for (const auto& one : tui.log) {
        whole += one.text == as_taken(fate.text);
        any += one.text.find(fmt::format("<{}>", i)) != std::string::npos;
      }
      EXPECT_LE(any, 1u) << "delivered twice";
      EXPECT_LE(std::count(tui.pastes.begin(), tui.pastes.end(), as_taken(fate.text)), 1)
          << "pasted twice";
      EXPECT_EQ(fate.ends, 1u);
      if (fate.verdict == Verdict::confirmed) {
        EXPECT_EQ(whole, 1u) << "lost, and nobody knows";
      } else {
        EXPECT_TRUE(fate.alerted) << "nobody was told";
      }
    }
    EXPECT_TRUE(world_.engine->files().texts("a").empty()) << "a text nobody needs any more";
    EXPECT_EQ(tui.seen_answers, 0u);
    world_.check_outcomes();
  }
  size_t confirmed() const {
    const auto fates = world_.fates();
    return static_cast<size_t>(std::count_if(fates.begin(), fates.end(), [](const auto& fate) {
      return fate.verdict == Verdict::confirmed;
    }));
  }

 private:
  size_t queued() const {
    return static_cast<size_t>(std::count_if(
        world_.journal.events.begin(), world_.journal.events.end(),
        [](const auto& event) { return std::holds_alternative<model::Queued>(event.fact); }));
  }
  size_t below(size_t limit) {
    return std::uniform_int_distribution<size_t>(0, limit - 1)(chance_);
  }

  void arm() {
    at_ = MonoTime::max();
    if (kills_ == 0) return;
    switch (below(3)) {
      case 0:
        at_ = world_.now.mono + std::chrono::microseconds{below(12'000'000)};
        break;
      case 1:
        world_.journal.deadly = world_.journal.events.size() + 1 + below(20);
        break;
      default:
        writes_ = 1 + below(8);
        world_.host.written = [this] {
          if (--writes_ == 0) throw Killed{};
        };
    }
  }
  template <class Act>
  void mortal(Act act) {
    try {
      act();
      if (world_.now.mono < at_) return;
    } catch (const Killed&) {
    }
    --kills_;
    world_.kill(std::chrono::milliseconds{below(2) == 0 ? below(50) : below(6000)});
    arm();
  }

  std::mt19937 chance_;
  size_t kills_;
  size_t writes_ = 0;
  MonoTime at_ = MonoTime::max();
  RoughWorld world_;
};

TEST(DeliverKill, NothingTwiceAndNothingLostInSilence) {
  size_t confirmed = 0;
  for (uint32_t seed = 0; seed < kKills && !HasFailure(); ++seed) {
    SCOPED_TRACE(fmt::format("seed {}", seed));
    KillDrama drama(seed);
    drama.play();
    drama.judge();
    confirmed += drama.confirmed();
  }
  EXPECT_GT(confirmed, kKills * kTexts / 2) << "what was not cut off goes on";
}

// One that gets its prompt from a rule.
void start_prompted(RoughWorld& world, const std::string& prompt) {
  RunAsked ask;
  ask.spec.name = "a";
  ask.spec.runtime = "claude";
  ask.spec.command = {"claude"};
  ask.spec.dir = "/";
  ask.spec.prompt = prompt;
  ask.spec.human_quiet_s = 0;
  world.engine->submit(ask);
  world.programs.try_emplace("a", RoughWorld::Program{RoughTui({}, 1), {}, {}});
  world.turn();
  world.come_up("a");
}

bool killed_at_paste(RoughWorld& world, const std::string& prompt) {
  const auto pasted = [&] {
    if (world.host.sessions.at(world.session()).written.find(prompt) != std::string::npos)
      throw Killed{};
  };
  world.host.written = pasted;
  try {
    world.pass(600s);
  } catch (const Killed&) {
    return true;
  }
  return false;
}

// It would stand in the box as somebody's draft, and nothing would be typed any more.
TEST(DeliverKill, ARulesPromptThatWasBeingTypedIsSentByTheNextLife) {
  const std::string prompt = "write the docs";
  for (const Duration gone : {Duration{10ms}, Duration{3s}}) {
    RoughWorld world;
    start_prompted(world, prompt);
    ASSERT_TRUE(killed_at_paste(world, prompt));
    world.kill(gone);
    ASSERT_TRUE(world.until([&] { return !world.agent()->intent; }, 30s));
    ASSERT_EQ(world.tui().log.size(), 1u) << world.screen();
    EXPECT_EQ(world.tui().log[0].text, prompt);
    EXPECT_EQ(world.tui().pastes.size(), 1u);
    EXPECT_EQ(world.agent()->decision->result, "confirmed") << world.agent()->decision->witness;
    EXPECT_NE(world.agent()->state, State::typing);
    world.check_outcomes();
  }
}

}  // namespace
}  // namespace pawl::core
