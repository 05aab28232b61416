#pragma once
// For tests of the table: evidence by hand, and what it has to say about it.

#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

#include "perceive/rules.h"
#include "perceive/test_screen.h"
#include "perceive/tracker.h"

namespace pawl::perceive::test {

using model::State;
using std::chrono::milliseconds;

inline MonoTime ms(int64_t count) {
  return MonoTime{milliseconds{count}};
}

inline NoticeSeen notice(NoticeKind kind, const std::string& text) {
  NoticeSeen seen;
  seen.kind = kind;
  seen.line = seen.text = text;
  return seen;
}

// An agent that has been at its empty box for a hundred seconds; a case changes what it is about.
struct World {
  World() : profile(profile_from(kToyProfile)) {
    sight.box.there = sight.box.framed = true;
    sight.blank = false;
    e.profile = &profile;
    e.quiet = profile.quiet;
    e.after_clear = kAfterClear;
    e.sight = &sight;
    e.now = ms(100000);
    e.up = e.agent_seen = true;
    e.box.set(true, ms(1000));
  }
  World(const World&) = delete;

  void front(const std::string& name, bool canonical = false, bool signals = false) {
    Facts facts;
    facts.front = facts.busiest = name;
    facts.front_count = 1;
    facts.canonical = canonical;
    facts.signals = signals;
    e.facts = facts;
  }
  void title(TitleKind kind) { e.title.set({"Toy: title", kind}, ms(1000)); }
  void menu(bool known) {
    sight.box = {};
    const std::string question = known ? "Do you want to run ls?" : "";
    sight.menu = Menu{known ? "permission" : "other", question, question, "", {"> yes"}, known};
  }
  void no_box() { sight.box = {}; }
  Seen seen(const std::vector<Sign>& signs) { return {&signs.front(), 3, "the row"}; }

  Profile profile;
  Sight sight;
  Evidence e;
};

struct Case {
  const char* name;
  std::function<void(World&)> given;
  const char* rule;
  State state;
  Tier tier;
};

inline void expect(const std::vector<Case>& cases) {
  for (const Case& c : cases) {
    World world;
    c.given(world);
    const Reading reading = judge(world.e);
    EXPECT_STREQ(reading.rule, c.rule) << c.name;
    EXPECT_EQ(reading.verdict.state, c.state) << c.name << ": " << reading.verdict.because;
    EXPECT_EQ(reading.verdict.tier, c.tier) << c.name;
    EXPECT_FALSE(reading.hold) << c.name;
    EXPECT_FALSE(reading.verdict.because.empty()) << c.name;
  }
}

}  // namespace pawl::perceive::test
