#include "perceive/drift.h"

#include <gtest/gtest.h>

#include "base/source_dir.h"
#include "perceive/opinion.h"
#include "perceive/test_recording.h"
#include "perceive/tracker.h"

namespace pawl::perceive {
namespace {

using model::State;
using namespace std::chrono_literals;

// A program with a profile, told turn by turn what it shows and what it says.
class DriftWorld {
 public:
  DriftWorld() {
    auto profile = parse_profile(R"(
name = "toy"
seen = ["1.0", "1.1"]
placeholders = ['Ask me']
[title]
idle = '^idle'
busy = '^busy'
[[box]]
prompt = '^> '
[[busy]]
where = "above"
pattern = 'esc to stop'
[[dialog]]
kind = "permission"
pattern = 'May I\?'
)",
                                 "toy.toml");
    EXPECT_TRUE(profile) << profile.error().what;
    profile_ = std::make_unique<Profile>(std::move(*profile));
    e_.profile = profile_.get();
    e_.sight = &sight_;
    e_.now = MonoTime{100s};
    sight_.box.there = true;
    e_.title.value = {"idle", TitleKind::idle};
  }
  void turn(bool sign, bool title = true, Duration length = 5s) {
    if (sign) sight_.busy = Seen{&profile_->busy[0], 1, "esc to stop"};
    e_.title.value = title ? Title{"busy", TitleKind::busy} : Title{"* toy", TitleKind::other};
    say(State::busy, Tier::status, kWorkingRule, length);
    sight_.busy.reset();
    e_.title.value = {"idle", TitleKind::idle};
    say(State::ready, Tier::status, kPromptRule, 3s);
  }
  // Its report, its status file and its title say idle, and the row stands there.
  void rest_under_a_row(Duration length) {
    sight_.busy = Seen{&profile_->busy[0], 1, "esc to stop"};
    e_.status.value = {true, term::ProgramState::idle, {}, "", 0, 1};
    e_.file.value.told = Told::idle;
    say(State::ready, Tier::status, kPromptRule, length);
    e_.status.value = {};
    e_.file.value = {};
    sight_.busy.reset();
    say(State::busy, Tier::screen, "other", 1s);
  }
  void asks(bool known) {
    e_.status.value = {true, term::ProgramState::blocked, {}, "", 0, 1};
    sight_.menu = Menu{"permission", "", "May I?", "", {}, known};
    sight_.box.there = false;
    say(State::waiting, Tier::screen, "dialog", 2s);
    e_.status.value = {};
    sight_.menu.reset();
    sight_.box.there = true;
    say(State::ready, Tier::osc, kPromptRule, 3s);
  }
  void say(State state, Tier tier, std::string_view rule, Duration length) {
    for (const MonoTime end = e_.now + length; e_.now < end; e_.now += 100ms)
      drift.look(e_, {state, "", tier, "", 1}, rule);
  }
  std::string alarm() { return drift.take_alarm().value_or(""); }
  std::vector<std::string> now() const { return drift.disagreements(*profile_); }

  Drift drift;
  Evidence e_;
  Sight sight_;

 private:
  std::unique_ptr<Profile> profile_;
};

TEST(Drift, AgreementIsSilent) {
  DriftWorld world;
  for (int i = 0; i < 10; ++i) world.turn(true);
  for (int i = 0; i < 4; ++i) world.asks(true);
  EXPECT_EQ(world.alarm(), "");
  EXPECT_TRUE(world.now().empty());
}

TEST(Drift, ThreeTurnsWithoutASignAreOneAlarm) {
  DriftWorld world;
  world.turn(false);
  world.turn(false);
  EXPECT_EQ(world.alarm(), "");
  ASSERT_EQ(world.now().size(), 1u);
  EXPECT_EQ(world.now()[0],
            "none of its [[busy]] signs was seen in 2 turns in which the program reported that it "
            "works");
  world.turn(false);
  EXPECT_EQ(world.alarm(),
            "profile toy: none of its [[busy]] signs was seen in 3 turns in which the program "
            "reported that it works (profile written from 1.0, 1.1): run pawl calibrate, or update "
            "Pawl");
  for (int i = 0; i < 5; ++i) world.turn(false);
  EXPECT_EQ(world.alarm(), "") << "once for each start";
  world.drift.restart();
  for (int i = 0; i < 3; ++i) world.turn(false);
  EXPECT_NE(world.alarm(), "");
}

TEST(Drift, OneTurnWithASignEndsTheStreak) {
  DriftWorld world;
  for (const bool sign : {false, false, true, false, false, true}) world.turn(sign);
  EXPECT_EQ(world.alarm(), "");
  EXPECT_TRUE(world.now().empty());
}

TEST(Drift, ShortTurnsAndTurnsOutOfViewProveNothing) {
  DriftWorld world;
  for (int i = 0; i < 5; ++i) world.turn(false, true, 1s);
  world.sight_.box.there = false;  // the signs are looked for above the box only
  for (int i = 0; i < 5; ++i) world.say(State::busy, Tier::status, kWorkingRule, 4s);
  EXPECT_EQ(world.alarm(), "");
}

TEST(Drift, WorkThatOnlyTheScreenSawIsNoMeasure) {
  DriftWorld world;
  for (int i = 0; i < 5; ++i) {
    world.say(State::busy, Tier::screen, kWorkingRule, 5s);
    world.say(State::busy, Tier::status, "background", 5s);
    world.say(State::ready, Tier::screen, kPromptRule, 3s);
  }
  EXPECT_EQ(world.alarm(), "");
}

TEST(Drift, ATitleThatIsWrittenInAnotherWayIsNamed) {
  DriftWorld world;
  world.turn(true);
  for (int i = 0; i < 3; ++i) world.turn(true, false);
  const std::string alarm = world.alarm();
  EXPECT_NE(
      alarm.find("its [title] busy = '^busy' matched no title in 3 turns; the last was '* toy'"),
      std::string::npos)
      << alarm;
}

TEST(Drift, TwoDialogsNobodyKnowsAreEnough) {
  DriftWorld world;
  world.asks(false);
  EXPECT_EQ(world.alarm(), "");
  world.asks(false);
  EXPECT_NE(world.alarm().find("none of its [[dialog]] patterns was seen 2 times in a row"),
            std::string::npos);
}

TEST(Drift, ReadyWithoutABoxMeansTheBoxChanged) {
  DriftWorld world;
  for (int i = 0; i < 3; ++i) {
    world.sight_.box.there = true;
    world.say(State::busy, Tier::osc, kWorkingRule, 3s);
    world.sight_.box.there = false;
    world.say(State::unknown, Tier::screen, kLostRule, 3s);
  }
  EXPECT_NE(world.alarm().find("no [[box]] of it was seen after 3 turns"), std::string::npos);
}

TEST(Drift, TheSameTextInTheBoxAfterEveryTurnIsAPlaceholder) {
  DriftWorld world;
  for (const char* text : {"fix it", "and test it", "thanks"}) {
    world.sight_.box.draft = true;
    world.sight_.box.text = text;
    world.turn(true);
  }
  EXPECT_EQ(world.alarm(), "") << "a person who types ahead";
  for (int i = 0; i < 4; ++i) {
    world.sight_.box.text = "What next?";
    world.turn(true);
  }
  const std::string alarm = world.alarm();
  EXPECT_NE(alarm.find("so none of its placeholders fits: 'What next?'"), std::string::npos)
      << alarm;
}

TrackerOptions as(const std::string& runtime) {
  TrackerOptions options;
  options.runtime = runtime;
  return options;
}

// A status line of a user's, say. One stretch is enough: it stands there for good.
TEST(Drift, ASignOfWorkThatEverythingElseDeniesIsTold) {
  DriftWorld world;
  world.rest_under_a_row(1s);
  EXPECT_EQ(world.alarm(), "");
  world.rest_under_a_row(3s);
  const std::string told = world.alarm();
  EXPECT_NE(told.find("a row fits a sign of work"), std::string::npos) << told;
  EXPECT_NE(told.find("esc to stop"), std::string::npos) << told;
  EXPECT_EQ(world.now().size(), 1u);
  world.turn(true);
  EXPECT_TRUE(world.now().empty()) << "it is gone";
  world.rest_under_a_row(3s);
  EXPECT_EQ(world.alarm(), "") << "once";
}

TEST(DriftCorpus, NoRecordingDisagreesWithItsOwnProfile) {
  const Catalog catalog = Catalog::built_in();
  for (const std::string agent :
       {"claude", "claude-ps", "codex", "copilot", "gemini", "opencode", "pi"})
    for (const auto& name : test_recordings(agent)) {
      const TestRecording recording = test_recording(name);
      Player player(catalog, recording.header.size, as(agent.substr(0, agent.find('-'))));
      test_play(player, recording);
      player.finish();
      const auto& tracker = player.tracker();
      EXPECT_FALSE(Drift(tracker.drift()).take_alarm()) << name;
      for (const auto& text : tracker.drift().disagreements(tracker.profile()))
        ADD_FAILURE() << name << ": " << text;
    }
}

// The built-in profile of Claude Code with patterns that fit nothing.
Catalog broken_catalog() {
  Catalog catalog = Catalog::built_in();
  std::string text = test_file(std::string(source_dir()) + "/profiles/claude.toml");
  for (size_t at = text.find("[[busy]]"); at != std::string::npos;
       at = text.find("[[busy]]", at + 1)) {
    const size_t begin = text.find("pattern = '", at) + 11;
    text.replace(begin, text.find("'\n", begin) - begin, "an older version of it");
  }
  EXPECT_TRUE(catalog.add(text, "claude.toml"));
  return catalog;
}

TEST(DriftCorpus, BrokenSignsOfWorkAreFoundInRealTurns) {
  const Catalog catalog = broken_catalog();
  Player player(catalog, {120, 40}, as("claude"));
  double shift = 0;
  for (const char* name :
       {"claude-ps/slow", "claude-ps/think", "claude-ps/tool5", "claude-ps/stall"}) {
    const TestRecording recording = test_recording(name);
    test_play(player, recording, 1e9, shift);
    shift += recording.events.back().t + 5;
    player.advance_to(shift);
  }
  const auto alarm = Drift(player.tracker().drift()).take_alarm();
  ASSERT_TRUE(alarm);
  EXPECT_NE(alarm->find("profile claude: none of its [[busy]] signs was seen in 3 turns"),
            std::string::npos)
      << *alarm;
  EXPECT_EQ(alarm->find("[title]"), std::string::npos) << *alarm;
  const Json why = explain(player.tracker(), MonoTime{1000s});
  ASSERT_EQ(why["drift"].items().size(), 1u);
  EXPECT_NE(why["drift"].items()[0].as_string().find("[[busy]]"), std::string::npos);
}

}  // namespace
}  // namespace pawl::perceive
