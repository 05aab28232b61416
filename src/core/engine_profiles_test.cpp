// Profiles in the engine: a rule that no longer fits is told to the user, and other profiles can be used while agents run.

#include <gtest/gtest.h>

#include "core/engine_world.h"
#include "perceive/profile/catalog.h"

namespace pawl::core {
namespace {

using model::State;
using namespace std::chrono_literals;

constexpr const char* kToy = R"(
name = "toy"
seen = ["1.0"]
[recognise]
processes = ["prog"]
[[box]]
prompt = '^>(?: |$)'
[[busy]]
where = "above"
pattern = '%'
)";

std::string toy(const std::string& sign) {
  std::string text = kToy;
  return text.replace(text.find('%'), 1, sign);
}

perceive::Catalog with_toy(const std::string& sign) {
  perceive::Catalog catalog = perceive::Catalog::built_in();
  EXPECT_TRUE(catalog.add(toy(sign), "toy.toml"));
  return catalog;
}

class ProfileWorld : public EngineWorld {
 public:
  explicit ProfileWorld(perceive::Catalog profiles) : catalog(std::move(profiles)) {
    engine = std::make_unique<Engine>(host, journal, EngineOptions{home.path(), {}, &catalog},
                                      *journal.recover());
    engine->recover(now);
    running();
    prints("> ");
    pass(4s);
  }
  void prints(const std::string& bytes) {
    host.prints(session(), "\x1b[2J\x1b[H" + bytes);
    turn();
  }
  void pass(Duration time) {
    for (Duration step{}; step < time; step += 50ms) turn(50ms);
  }
  // Three seconds of work that the program reports, with this row on its screen.
  void works(const std::string& row) {
    prints(row + "\r\n> \x1b]7501;state=working\x1b\\");
    pass(3s);
    EXPECT_EQ(agent()->state, State::busy);
    prints("> \x1b]7501;state=idle\x1b\\");
    pass(3s);
    EXPECT_EQ(agent()->state, State::ready);
  }
  std::vector<std::string> alerts() const {
    std::vector<std::string> out;
    for (const auto& event : journal.events)
      if (const auto* alert = std::get_if<model::Alerted>(&event.fact)) out.push_back(alert->text);
    return out;
  }

  perceive::Catalog catalog;
};

TEST(EngineProfiles, ARuleThatNoLongerFitsIsAnAlertInTheJournal) {
  ProfileWorld world(with_toy("old words"));
  for (int turn = 0; turn < 5; ++turn) world.works("new words");
  ASSERT_EQ(world.alerts().size(), 1u);
  EXPECT_EQ(
      world.alerts()[0],
      "profile toy: none of its [[busy]] signs was seen in 3 turns in which the program "
      "reported that it works (profile written from 1.0): run pawl calibrate, or update Pawl");
}

TEST(EngineProfiles, OtherProfilesAreUsedForWhatRunsAlready) {
  ProfileWorld world(with_toy("old words"));
  world.prints("new words\r\n> ");
  world.pass(3s);
  EXPECT_EQ(world.agent()->state, State::ready);
  world.engine->use_profiles(world.now, with_toy("new words"));
  world.pass(1s);
  EXPECT_EQ(world.agent()->state, State::busy);
  world.engine->use_profiles(world.now, perceive::Catalog::built_in());
  world.pass(3s);
  EXPECT_EQ(world.agent()->state, State::unknown) << "nobody knows it any more";
}

// What it had drawn was in its recording, and nobody looked at that until it drew something else.
TEST(EngineProfiles, OneThatHadDrawnItselfWhenTheDaemonDiedIsRead) {
  const perceive::Catalog catalog = with_toy("old words");
  EngineWorld world(&catalog);
  world.running();
  world.host.prints(world.session(), "> ");
  world.turn();
  world.turn_and_flush();
  ASSERT_EQ(world.agent()->state, State::starting);
  world.live();
  for (int i = 0; i < 20; ++i) world.turn(1s);
  EXPECT_EQ(world.agent()->state, State::ready) << world.agent()->because;
}

}  // namespace
}  // namespace pawl::core
