// Texts on their way to agents, from the outbox to the program's own log (rough_tui.h), in virtual time.

#include <gtest/gtest.h>

#include <numeric>

#include "core/rough_world.h"
#include "model/event.h"

namespace pawl::core {
namespace {

using namespace std::chrono_literals;
using model::State;
using model::Verdict;

std::vector<std::string> taken(const RoughTui& tui) {
  std::vector<std::string> out;
  for (const auto& one : tui.log) out.push_back(one.text);
  return out;
}

std::string lines(size_t count, const std::string& mark) {
  std::string out;
  for (size_t i = 1; i <= count; ++i)
    out += "line " + std::to_string(i) + " of " + mark + (i < count ? "\n" : "");
  return out;
}

TEST(Deliver, ATextArrivesByteForByte) {
  RoughWorld world;
  RoughTui& tui = world.start("a");
  world.send("a", "please: look into src/x.cpp, \"twice\"");
  ASSERT_TRUE(world.until([&] { return world.idle(); }, 30s));
  EXPECT_EQ(taken(tui), std::vector<std::string>{"please: look into src/x.cpp, \"twice\""});
  const auto fates = world.fates();
  ASSERT_EQ(fates.size(), 1u);
  EXPECT_EQ(fates[0].ends, 1u);
  EXPECT_EQ(fates[0].put_off, 0u);
  EXPECT_EQ(fates[0].verdict, Verdict::confirmed) << fates[0].witness;
  EXPECT_FALSE(fates[0].alerted);
  EXPECT_TRUE(world.engine->files().texts("a").empty()) << "it is not needed any more";
  for (const auto& event : world.journal.events)
    EXPECT_EQ(model::to_json(event).dump().find("look into"), std::string::npos);
  world.check_outcomes();
}

struct Sample {
  const char* what;
  std::string text;
};

std::string repeated(const std::string& piece, size_t bytes) {
  std::string out;
  while (out.size() + piece.size() <= bytes) out += piece;
  return out;
}

std::vector<Sample> samples() {
  return {
      {"a byte", "y"},
      {"a sign", "?"},
      {"a few signs", "-> (!?)"},
      {"two lines", "one\ntwo"},
      {"ends in line ends", "one\n\n"},
      {"begins with blanks", "   indented\n\ttab"},
      {"line ends of all kinds", "a\r\nb\rc\nd"},
      {"forty lines", lines(40, "forty")},
      {"a thousand lines", lines(1000, "a thousand")},
      {"blank lines", "a\n\n\n\n\n\n\n\nb"},
      {"emoji and CJK",
       "端末のエージェント 🦀🎉 naïve Ünïcödé — „quotes“ 한국어 "
       "مرحبا"},
      {"emoji alone", "🦀🎉🦀"},
      {"many emoji", repeated("🦀", 4000)},
      {"joined emoji", "👩‍💻 and 👍🏽 and ❤️ and e\u0301"},
      {"control characters",
       "a\x01"
       "b\x1b[201~c\x03\x7f\xC2\x9B"
       "d\x1b[A"},
      {"keys in words", "Enter C-c <esc> \\e[31m ^[[A {Escape} \\n $(true) `id` \"'; %s ~ & |"},
      {"a note in it", "see [Pasted text #1 +2 lines] there"},
      {"a frame in it", "│ cell ┃ || ▌"},
      {"500 bytes in a line", repeated("word and ", 500)},
      {"2 KiB in a line", repeated("word and ", 2048)},
      {"64 KiB", repeated("the quick brown fox\n", 64u << 10)},
      {"256 KiB", repeated("the lazy dog sleeps\n", 256u << 10)},
  };
}

TEST(Deliver, AnyTextOfAnySize) {
  for (const Sample& sample : samples()) {
    SCOPED_TRACE(sample.what);
    RoughWorld world;
    RoughTui& tui = world.start("a");
    world.send("a", sample.text);
    ASSERT_TRUE(world.until([&] { return world.idle(); }, 60s));
    ASSERT_EQ(taken(tui).size(), 1u) << world.screen();
    EXPECT_TRUE(taken(tui)[0] == as_taken(sample.text)) << world.screen();
    EXPECT_EQ(world.fates()[0].verdict, Verdict::confirmed) << world.fates()[0].witness;
  }
}

TEST(Deliver, ABackslashAtTheEndIsNoLineEnd) {
  RoughWorld world;
  RoughTui& tui = world.start("a");
  world.send("a", "a path\\");
  ASSERT_TRUE(world.until([&] { return world.idle(); }, 60s));
  EXPECT_EQ(taken(tui), std::vector<std::string>{"a path\\"});
}

TEST(Deliver, OrderIsKept) {
  RoughWorld world;
  RoughTui& tui = world.start("a");
  std::vector<std::string> texts;
  for (int i = 0; i < 20; ++i) texts.push_back("text " + std::to_string(i));
  for (const auto& text : texts) world.send("a", text);
  ASSERT_TRUE(world.until([&] { return world.idle(); }, 300s));
  EXPECT_EQ(taken(tui), texts);
  for (const auto& fate : world.fates()) EXPECT_EQ(fate.verdict, Verdict::confirmed);
}

TEST(Deliver, NoAgentWaitsForAnother) {
  RoughWorld world;
  Faults mute;
  mute.mute = 1;
  world.start("a", mute);
  RoughTui& quick = world.start("b");
  ASSERT_TRUE(world.until([&] { return world.agent("b")->state == State::ready; }, 30s));
  world.send("a", "into the void");
  world.send("b", "first");
  world.send("b", "second");
  ASSERT_TRUE(world.until([&] { return quick.log.size() == 1; }, 3s));
  EXPECT_TRUE(world.agent("a")->intent) << "it is still being typed";
  ASSERT_TRUE(world.until([&] { return world.all_idle(); }, 60s));
  EXPECT_EQ(world.fates("a")[0].verdict, Verdict::failed);
  EXPECT_TRUE(world.fates("a")[0].alerted);
  EXPECT_EQ(taken(quick), (std::vector<std::string>{"first", "second"}));
}

TEST(Deliver, WhatCannotWaitGoesFirstAndWhileItWorks) {
  RoughWorld world;
  RoughTui& tui = world.start("a");
  world.send("a", "first");
  ASSERT_TRUE(world.until([&] { return world.agent()->state == State::busy; }, 30s));
  world.send("a", "patient");
  world.send("a", "urgent", true);
  ASSERT_TRUE(world.until([&] { return tui.log.size() == 2; }, 1s)) << "it is still working";
  ASSERT_TRUE(world.until([&] { return world.idle(); }, 60s));
  EXPECT_EQ(taken(tui), (std::vector<std::string>{"first", "urgent", "patient"}));
  EXPECT_EQ(world.fates()[2].verdict, Verdict::unverified) << "a turn that went on proves nothing";
}

// A tmux pane refuses while a person is at it: whichever write that is, the text comes once, and the draft stays.
TEST(Deliver, WhatTheTerminalRefusedComesLater) {
  for (const bool draft : {false, true}) {
    for (int before = 0; before < 4; ++before) {
      SCOPED_TRACE(before);
      RoughWorld world;
      RoughTui& tui = world.start("a");
      ASSERT_TRUE(world.until([&] { return world.agent()->state == State::ready; }, 30s));
      if (draft) tui.reads(world.now.mono, "half a thou");
      world.pass(2s);
      int written = 0;
      world.host.written = [&] { world.host.refusals = ++written == before ? 1 : 0; };
      if (before == 0) world.host.refusals = 1;
      world.send("a", "the text", draft);
      ASSERT_TRUE(world.until([&] { return world.idle(); }, 60s));
      EXPECT_EQ(taken(tui), std::vector<std::string>{"the text"}) << world.screen();
      EXPECT_EQ(tui.text(), draft ? "half a thou" : "");
      EXPECT_FALSE(world.fates()[0].alerted);
    }
  }
}

TEST(Deliver, ATextThatCannotWaitLeavesTheDraftAsItWas) {
  RoughWorld world;
  RoughTui& tui = world.start("a");
  ASSERT_TRUE(world.until([&] { return world.agent()->state == State::ready; }, 30s));
  tui.reads(world.now.mono, "half a thou");
  ASSERT_TRUE(world.until([&] { return world.agent()->state == State::typing; }, 30s));
  world.send("a", "patient");
  world.send("a", "urgent", true);
  world.pass(30s);
  EXPECT_EQ(taken(tui), std::vector<std::string>{"urgent"});
  EXPECT_EQ(tui.text(), "half a thou");
  EXPECT_EQ(world.agent()->outbox.size(), 1u);
  tui.person_clears(world.now.mono);
  ASSERT_TRUE(world.until([&] { return world.idle(); }, 30s));
  EXPECT_EQ(taken(tui), (std::vector<std::string>{"urgent", "patient"}));
}

}  // namespace
}  // namespace pawl::core
