// Small worlds, all of them: one agent, and five things that happen to it once each (a text, a dialog, a limit, a person's draft, a
// kill of the daemon), in every order and at several distances, far apart and close together inside a delivery. Nothing here is
// drawn. Every checker looks on; and when it is over the text has arrived, or somebody was told.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <string>
#include <vector>

#include "base/test_sanitized.h"
#include "perceive/test_dialog.h"
#include "sim/world/night/marks.h"
#include "sim/world/night/night.h"
#include "sim/world/night/story_file.h"

namespace pawl::sim {
namespace {

using namespace std::chrono_literals;

// Under sanitizers a part of them has to do.
constexpr size_t kEvery = kSanitized ? 11 : 1;

constexpr Duration kFirstAt = 100s;  // it has come up, and what it was told is done
enum class Thing : uint8_t { text, dialog, limit, draft, kill };
constexpr size_t kThings = 5;

Doing doing_of(Thing thing, const std::string& agent) {
  Doing one;
  one.agent = agent;
  switch (thing) {
    case Thing::text:
      one.does = Does::sends;
      one.text = "please look at " + mark_of(1);
      break;
    case Thing::dialog:
      one.does = Does::befalls;
      one.text = "ask command rm -rf build";
      break;
    case Thing::limit:
      one.does = Does::befalls;
      one.text = "fail limit 9m";
      break;
    case Thing::draft:
      one.does = Does::types;
      one.text = "a draft " + mark_of(2);
      break;
    case Thing::kill:
      one.does = Does::kills_daemon;
      one.length = 2s;
      break;
  }
  return one;
}

void add(NightStory& story, Duration at, Doing one) {
  one.at = at;
  one.agent = story.actors.front().spec.name;
  story.doings.push_back(std::move(one));
}

NightStory small_world(const std::string& model) {
  NightStory story;
  story.length = 40min;
  Actor& actor = story.actors.emplace_back();
  actor.model = actor.spec.runtime = actor.spec.name = model;
  actor.spec.command = {model};
  actor.spec.dir = "/home/dev/" + model;
  actor.spec.mode = "active";
  actor.spec.restart = model::Restart::resume;
  actor.seed = 7;
  return story;
}

// After a while a person comes, sees what is asked, and empties the box.
void person_comes(NightStory& story) {
  add(story, 12min, {.does = Does::answers});
  add(story, 13min, {.does = Does::answers});
  add(story, 14min, {.does = Does::clears});
}

// What became of the text.
struct Fate {
  std::string violation = {};
  bool queued = false, told = false;
  uint64_t taken = 0;
  bool fine() const { return violation.empty() && (!queued || told || taken > 0); }
};

Fate play_small(const NightStory& story) {
  Night night(story, perceive::test::all_profiles());
  Fate out;
  bool failed = false;
  night.saw = [&](const Clock&, const model::Event& event) {
    out.queued = out.queued || std::holds_alternative<model::Queued>(event.fact);
    const auto* finished = std::get_if<model::Finished>(&event.fact);
    if (finished && finished->action == model::Action::send && !finished->kept)
      failed = finished->verdict != model::Verdict::confirmed;
    out.told = out.told || (failed && std::holds_alternative<model::Alerted>(event.fact));
  };
  const auto report = night.run();
  if (!report.violations.empty())
    out.violation = report.violations.front().checker + ": " + report.violations.front().what;
  out.taken = report.taken;
  return out;
}

// Counts, and stops at the first that goes wrong.
class Worlds {
 public:
  ~Worlds() {
    std::printf("%zu worlds: %zu texts were queued, %zu senders told\n", played_, queued_, told_);
  }
  bool play(const NightStory& story) {
    if (number_++ % kEvery != 0) return true;
    const Fate fate = play_small(story);
    ++played_, queued_ += fate.queued, told_ += fate.told;
    if (fate.fine()) return true;
    ADD_FAILURE() << (fate.violation.empty() ? "the text did not arrive" : fate.violation)
                  << "; pawl simulate FILE:\n"
                  << write_night(story, {});
    return false;
  }
  size_t played() const { return played_; }

 private:
  size_t number_ = 0, played_ = 0, queued_ = 0, told_ = 0;
};

using Gaps = std::array<Duration, kThings - 1>;

// A cluster of near ones anywhere among far ones.
std::vector<Gaps> clusters() {
  std::vector<Gaps> out;
  for (size_t from = 0; from < Gaps{}.size(); ++from)
    for (size_t to = from; to < Gaps{}.size(); ++to) {
      Gaps& gaps = out.emplace_back();
      for (size_t i = 0; i < gaps.size(); ++i) gaps[i] = i >= from && i <= to ? 60ms : 30s;
    }
  return out;
}

std::vector<Gaps> even_gaps() {
  std::vector<Gaps> out;
  for (const Duration each : {400ms, 4000ms, 30000ms, 120000ms}) out.emplace_back().fill(each);
  return out;
}

bool in_every_order(Worlds& worlds, const std::string& model, const std::vector<Gaps>& all) {
  std::array order{Thing::text, Thing::dialog, Thing::limit, Thing::draft, Thing::kill};
  do {
    for (const Gaps& gaps : all) {
      NightStory story = small_world(model);
      Duration now = kFirstAt;
      for (size_t i = 0; i < kThings; ++i) {
        add(story, now, doing_of(order[i], model));
        if (i < gaps.size()) now += gaps[i];
      }
      person_comes(story);
      if (!worlds.play(story)) return false;
    }
  } while (std::next_permutation(order.begin(), order.end()));
  return true;
}

// The text waits for the end of a turn; when it is decided that it is typed, the others come one after the other. The daemon dies at
// once, or of the next things it does.
bool in_a_delivery(Worlds& worlds, const std::string& model, size_t most_killed) {
  std::array order{Thing::dialog, Thing::limit, Thing::draft, Thing::kill};
  do {
    for (const Duration apart : {15ms, 40ms, 90ms, 150ms, 300ms, 700ms})
      for (size_t killed = 0; killed <= most_killed; ++killed) {
        NightStory story = small_world(model);
        add(story, kFirstAt - 10s, {.does = Does::befalls, .text = "work 1m"});
        for (size_t i = 0; i < order.size(); ++i) {
          Doing one = doing_of(order[i], model);
          one.upon = model::Action::send;
          one.after = apart * static_cast<int>(i + 1);
          if (order[i] == Thing::kill) one.number = killed;
          add(story, kFirstAt - 5s, std::move(one));
        }
        add(story, kFirstAt, doing_of(Thing::text, model));
        person_comes(story);
        if (!worlds.play(story)) return false;
      }
  } while (std::next_permutation(order.begin(), order.end()));
  return true;
}

TEST(SmallWorlds, EveryOrderInClusters) {
  Worlds worlds;
  in_every_order(worlds, "claude", clusters());
  EXPECT_GE(worlds.played(), 120 * 10 / kEvery);
}

TEST(SmallWorlds, EveryOrderAtEvenDistances) {
  Worlds worlds;
  for (const char* model : {"claude", "codex"})
    if (!in_every_order(worlds, model, even_gaps())) break;
  EXPECT_GE(worlds.played(), 2 * 120 * 4 / kEvery);
}

TEST(SmallWorlds, EveryOrderInsideADelivery) {
  Worlds worlds;
  if (in_a_delivery(worlds, "claude", 4)) in_a_delivery(worlds, "codex", 0);
  EXPECT_GE(worlds.played(), 24 * 6 * 6 / kEvery);
}

}  // namespace
}  // namespace pawl::sim
