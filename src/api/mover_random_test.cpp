// An agent goes to another machine in bad nights, each from a seed: lines are cut and slow, the daemon here is killed, it does not come up
// there. At no moment it runs in both places, and at the end it runs in exactly one.

#include <gtest/gtest.h>

#include <fstream>
#include <random>

#include "api/fake_place.h"
#include "api/mover.h"

namespace pawl::api {
namespace {

using namespace std::chrono_literals;

constexpr int kNights = 150;

// That machine: what it was told, and whether the agent runs there.
struct There {
  bool staged = false, runs = false, healthy = true;
  std::string state = "starting";

  std::optional<Result<Json>> told(const Json& args) {
    const std::string what = args["what"].as_string();
    if (what == "begin") staged = true;
    if (what == "start" && !staged) return Result<Json>(fail("that move is not known here"));
    if (what == "start") runs = true;
    if (what == "drop" || what == "done") staged = false;
    if (what == "drop") runs = false;
    if (what == "drop") return Result<Json>(Json::object({{"gone", true}}));
    if (what != "status") return Result<Json>(Json::object({{"state", "placing"}}));
    if (!runs) return Result<Json>(Json::object({{"state", staged ? "staged" : "unknown"}}));
    return Result<Json>(Json::object(
        {{"state", "here"},
         {"agent", Json::object({{"state", healthy ? state : "crashed"}, {"session_id", "c1"}})}}));
  }
};

class Night {
 public:
  explicit Night(uint64_t seed) : dice_(seed) {
    for (const char* verb : {"arrive", "arrive look"})
      gpu_.answers[verb] = [this](const Json& args) { return there_.told(args); };
    there_.healthy = dice_() % 3 != 0;
    const std::string transcript = world_.home.path() + "/c1.jsonl";
    std::ofstream(transcript) << std::string(700'000, 'x');
    world_.running("docs");
    world_.engine->submit(core::ConversationTold{world_.session("docs"), "c1", transcript});
    core::Perceived seen;
    seen.session = world_.session("docs");
    seen.state = model::State::ready;
    world_.engine->submit(seen);
    world_.turn();
    live();
  }

  void play() {
    id_ = *mover_->begin(world_.now, {"docs", "gpu", "docs"});
    for (int i = 0; i < 400; ++i) {
      misfortune();
      step(50ms);
    }
    gpu_.how.online = true;
    gpu_.stalled = false;
    gpu_.delay = {};
    for (int i = 0; i < 2000; ++i) step(100ms);
    const bool here = world_.agent("docs")->running();
    EXPECT_NE(here, there_.runs);
    const auto& move = world_.agent("docs")->move;
    EXPECT_EQ(!here, move && move->step == model::MoveStep::gone);
  }

 private:
  void live() {
    mover_ = std::make_unique<Mover>(
        *world_.engine, world_.server,
        [](ErrandBox errand, Duration, const std::function<void(ErrandBox)>& done) {
          errand->run();
          done(std::move(errand));
        },
        [] {});
    mover_->begin_again(world_.now);
  }
  void misfortune() {
    const auto die = dice_() % 400;
    if (die < 6) gpu_.cut(), gpu_.how.online = false;
    if (die < 12 && die >= 6) gpu_.cut();
    if (die >= 12 && die < 30) gpu_.how.online = true;
    if (die == 30) gpu_.stalled = !gpu_.stalled;
    if (die == 31) gpu_.delay = std::chrono::milliseconds(dice_() % 3000);
    if (die >= 32 && die < 60) there_.state = "ready";
    if (die < 60 || die > 63) return;
    mover_.reset();
    world_.live();
    live();
  }
  void step(Duration time) {
    world_.now = {world_.now.mono + time, world_.now.wall + time, world_.now.boot + time};
    world_.engine->turn(world_.now);
    for (const auto& answer : world_.engine->take_answers()) mover_->answered(world_.now, answer);
    mover_->watched(id_, world_.now);
    mover_->turn(world_.now);
    bool here = false;
    for (auto& [session, one] : world_.host.sessions) {
      if (!one.opened) world_.host.runs(session);
      if (!one.signals.empty() && !one.end && dice_() % 4 == 0) world_.host.ends(session, 0, 15);
      here = here || !one.end;
    }
    EXPECT_FALSE(here && there_.runs) << "it runs in both places";
  }

  std::mt19937_64 dice_;
  PlacesWorld world_;
  FakePlace& gpu_ = world_.place("gpu");
  There there_;
  std::unique_ptr<Mover> mover_;
  std::string id_;
};

TEST(MoverNights, ItNeverRunsInBothPlacesAndAtTheEndInOne) {
  for (uint64_t seed = 1; seed <= kNights; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Night(seed).play();
    if (testing::Test::HasFailure()) return;
  }
}

}  // namespace
}  // namespace pawl::api
