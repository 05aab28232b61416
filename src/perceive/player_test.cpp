#include "perceive/player.h"

#include <gtest/gtest.h>

#include <random>

#include "perceive/test_screen.h"

namespace pawl::perceive {
namespace {

using model::State;
using test::kToyProfile;
using test::load_tape;
using test::options_of;
using test::Tape;

const std::string kPlayerBox =
    "\x1b[2J\x1b[HToy v1\r\n──────────\r\n❯ \r\n──────────\r\nhints\x1b[3;3H";

const Catalog& toy_catalog() {
  static const Catalog all = [] {
    Catalog made = Catalog::built_in();
    EXPECT_TRUE(made.add(kToyProfile, "toy.toml"));
    return made;
  }();
  return all;
}

std::string lines(const std::vector<Played>& edges) {
  std::string out;
  for (const auto& [t, verdict] : edges)
    out += std::to_string(t) + " " + std::string(model::word(verdict.state)) + " " + verdict.kind +
           " " + std::string(word(verdict.tier)) + " " + verdict.because + "\n";
  return out;
}

// How an event is handed over: whole, or in pieces of a few bytes.
using Feed = std::function<void(Player&, double, const std::string&)>;

std::string play(const Tape& tape, const std::string& runtime, const Feed& feed) {
  Player player(toy_catalog(), tape.size, options_of(runtime));
  for (const auto& piece : tape.pieces) feed(player, piece.t, piece.bytes);
  player.finish();
  return lines(player.take());
}

void whole(Player& player, double t, const std::string& bytes) {
  player.output(t, bytes);
}

void expect_chunking_changes_nothing(const std::string& name, uint32_t seed) {
  const Tape tape = load_tape(name);
  const std::string runtime = name.substr(0, name.find_first_of("/-"));
  const std::string expected = play(tape, runtime, whole);
  ASSERT_FALSE(expected.empty()) << name;
  std::mt19937 chance(seed);
  for (const size_t most : {size_t{2}, size_t{40}, size_t{3000}}) {
    const auto cut = [&](Player& player, double t, const std::string& bytes) {
      for (size_t at = 0; at < bytes.size();) {
        const size_t n = std::min<size_t>(chance() % most + 1, bytes.size() - at);
        player.output(t, std::string_view(bytes).substr(at, n));
        at += n;
      }
    };
    EXPECT_EQ(play(tape, runtime, cut), expected)
        << name << ", pieces of up to " << most << ", seed " << seed;
  }
}

TEST(Player, AnyChunkingGivesTheSameLines) {
  uint32_t seed = 1;
  for (const char* name :
       {"claude/perm_bash", "claude-ps/interrupt", "codex/trust", "codex/bash_kill9",
        "gemini/trust", "pi/tool5", "opencode/bash_exit", "copilot/perm_bash", "controls/vim"})
    expect_chunking_changes_nothing(name, seed++);
}

TEST(Player, EventsWithinOneLookMayBePutTogether) {
  for (const char* name : {"claude/slow", "codex/slow", "gemini/slow"}) {
    const Tape tape = load_tape(name);
    const std::string runtime = std::string(name).substr(0, std::string(name).find('/'));
    Tape joined = tape;
    joined.pieces.clear();
    const auto slot = [](double t) {
      return static_cast<int64_t>(std::ceil(t * 1e6 / kLookGrid.count()));
    };
    for (const auto& piece : tape.pieces) {
      if (!joined.pieces.empty() && slot(joined.pieces.back().t) == slot(piece.t))
        joined.pieces.back().bytes += piece.bytes;
      else
        joined.pieces.push_back(piece);
    }
    ASSERT_LT(joined.pieces.size(), tape.pieces.size());
    EXPECT_EQ(play(joined, runtime, whole), play(tape, runtime, whole)) << name;
  }
}

TEST(Player, ThingsHappenInVirtualTime) {
  Player player(toy_catalog(), {40, 12}, options_of("toy"));
  player.output(1000, kPlayerBox);
  player.advance_to(1000.2);
  EXPECT_EQ(player.tracker().verdict().state, State::starting);
  player.advance_to(1001);
  EXPECT_EQ(player.tracker().verdict().state, State::ready);
  const auto edges = player.take();
  ASSERT_FALSE(edges.empty());
  EXPECT_EQ(edges.back().verdict.state, State::ready);
  EXPECT_GT(edges.back().t, 1000.2);
  EXPECT_LT(edges.back().t, 1001);
  EXPECT_TRUE(player.take().empty()) << "each edge is handed out once";
}

TEST(Player, TimesThatJumpBackGoOnWhereItWas) {
  Player player(toy_catalog(), {40, 12}, options_of("toy"));
  player.output(10, kPlayerBox);
  player.output(3, "\x1b[6;1H1\x1b[3;3H");
  player.output(-5, "\x1b[6;1H2\x1b[3;3H");
  player.output(std::nan(""), "\x1b[6;1H3\x1b[3;3H");
  player.output(-INFINITY, "\x1b[6;1H4\x1b[3;3H");
  player.resize(2, {50, 12});
  player.facts(1, {});
  player.advance_to(4);
  player.finish();
  double last = 0;
  for (const auto& edge : player.take()) {
    EXPECT_GE(edge.t, last);
    last = edge.t;
  }
  EXPECT_EQ(player.terminal().screen().row_text(5), "4");
}

TEST(Player, ATimeWithoutEndEndsAllTheSame) {
  Player player(toy_catalog(), {40, 12}, options_of("toy"));
  player.output(1, kPlayerBox);
  player.output(1e300, "x");
  player.output(INFINITY, "y");
  player.finish();
  for (const auto& edge : player.take()) EXPECT_LE(edge.t, 1e9 + 10);
}

TEST(Player, WithoutEventsItHasNotStarted) {
  Player player(toy_catalog(), {40, 12}, options_of("toy"));
  player.finish();
  EXPECT_TRUE(player.take().empty());
  EXPECT_EQ(player.tracker().verdict().state, State::starting);
}

TEST(Player, AnExitEventIsTheEnd) {
  for (const auto& [code, state] :
       {std::pair{0, State::exited}, std::pair{3, State::crashed}, std::pair{-1, State::crashed}}) {
    Player player(toy_catalog(), {40, 12}, options_of("toy"));
    player.output(1, kPlayerBox);
    player.exited(5, code);
    player.output(6, kPlayerBox);
    player.finish();
    const auto edges = player.take();
    ASSERT_FALSE(edges.empty());
    EXPECT_EQ(edges.back().verdict.state, state);
    EXPECT_NEAR(edges.back().t, 5, 0.05);
  }
}

TEST(Player, WhatOnlyTimeBringsStillComes) {
  Player player(toy_catalog(), {40, 12}, options_of("toy"));
  player.output(1, kPlayerBox);
  player.finish();
  const auto edges = player.take();
  ASSERT_FALSE(edges.empty()) << "the recording ended before it was ready";
  EXPECT_EQ(edges.back().verdict.state, State::ready);
}

TEST(Player, AResizeIsLookedAt) {
  Player player(toy_catalog(), {40, 12}, options_of("toy"));
  player.output(1, kPlayerBox);
  player.resize(2, {100, 50});
  player.advance_to(3);
  EXPECT_EQ(player.terminal().screen().size(), (Size{100, 50}));
  player.resize(4, {0, 0});
  player.resize(5, {65535, 65535});
  player.advance_to(6);
  EXPECT_LE(player.terminal().screen().size().rows, term::kMaxRows);
}

}  // namespace
}  // namespace pawl::perceive
