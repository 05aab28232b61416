// Programs nobody described: what makes them ready, busy, waiting, and what does not.
#include <gtest/gtest.h>

#include "perceive/player.h"

namespace pawl::perceive {
namespace {

using model::State;

// A terminal in virtual time, with the generic profile forced.
class Stranger {
 public:
  explicit Stranger(const std::string& runtime = "generic") {
    TrackerOptions options;
    options.runtime = runtime;
    options.channels.process = false;
    player_.emplace(catalog_, Size{80, 24}, options);
  }
  Stranger& at(double t, const std::string& bytes) {
    player_->output(t, bytes);
    return *this;
  }
  State state(double t) {
    player_->advance_to(t);
    return player_->tracker().verdict().state;
  }
  const Evidence& evidence() const { return player_->tracker().evidence(); }
  std::string because() const { return player_->tracker().verdict().because; }

 private:
  Catalog catalog_ = Catalog::built_in();
  std::optional<Player> player_;
};

std::string row(int number, const std::string& text) {
  return "\x1b[" + std::to_string(number) + ";1H\x1b[K" + text;
}

// A pointer with the cursor behind it, a footer under it.
std::string prompt(const std::string& draft = "") {
  return row(22, "  ? for help") + row(20, "> " + draft);
}

Stranger started(const std::string& runtime = "generic") {
  Stranger one(runtime);
  one.at(0.1, "\x1b[?2004hplainchat 1.0\r\nhello\r\nall is well\r\none more row\r\n");
  one.at(1.5, prompt());
  return one;
}

TEST(Unknown, IsReadyAtAnEmptyPointerWhenItWritesNothing) {
  Stranger one = started();
  EXPECT_EQ(one.state(3.0), State::starting);
  EXPECT_EQ(one.state(6.0), State::ready);
}

TEST(Unknown, WhatWasDrawnInOneGoIsGivenLonger) {
  Stranger one;
  one.at(0.2, "plainchat 1.0\r\n" + prompt());
  EXPECT_EQ(one.state(6.0), State::starting) << one.because();
  EXPECT_EQ(one.state(9.5), State::ready);
}

TEST(Unknown, IsNotReadyWhileItWritesWhateverThatIs) {
  Stranger one = started();
  ASSERT_EQ(one.state(6.0), State::ready);
  one.at(6.5, prompt("do it")).at(7.0, prompt());
  for (int i = 0; i < 80; ++i) {
    one.at(7.1 + i * 0.1, "\x1b]0;" + std::string(i % 2 ? "-" : "+") + " title\x07");
    EXPECT_NE(one.state(7.15 + i * 0.1), State::ready) << i;
    if (i > 10) {
      EXPECT_EQ(one.state(7.15 + i * 0.1), State::busy) << i << " " << one.because();
    }
  }
  EXPECT_EQ(one.state(19.2), State::ready);
}

TEST(Unknown, ASpinnerThatStandsStillIsDecoration) {
  Stranger one;
  one.at(0.1, "plainchat 1.0\r\n").at(1.5, row(19, "  ◐ medium") + prompt());
  EXPECT_EQ(one.state(2.0), State::busy);
  EXPECT_EQ(one.state(6.0), State::ready) << one.because();
}

TEST(Unknown, AFooterThatAlwaysOffersToInterruptIsNoWork) {
  Stranger one;
  one.at(0.1, "auggie\r\n").at(1.5, row(22, "  Esc/Ctrl+C to interrupt") + row(20, "> "));
  EXPECT_EQ(one.state(3.0), State::busy);
  EXPECT_EQ(one.state(7.0), State::ready) << one.because();
}

TEST(Unknown, AnOfferToInterruptThatCameWithATurnIsBelievedLonger) {
  Stranger one = started();
  ASSERT_EQ(one.state(6.0), State::ready);
  one.at(6.5, prompt("do it")).at(7.0, row(18, "working (esc to interrupt)") + prompt());
  EXPECT_EQ(one.state(14.0), State::busy) << one.because();
}

TEST(Unknown, AnOverlookedSignIsBelievedAgainWhenWorkGoesOnByItself) {
  Stranger one;
  one.at(0.1, "auggie\r\n").at(1.5, row(18, "x: esc to interrupt") + prompt());
  ASSERT_EQ(one.state(7.0), State::ready);
  for (int i = 0; i < 15; ++i) one.at(8 + i * 0.1, row(10, "line " + std::to_string(i)) + prompt());
  EXPECT_EQ(one.state(9.5), State::busy);
  EXPECT_EQ(one.state(25.0), State::busy) << "it was wrong once: " << one.because();
}

TEST(Unknown, ItsReportsAreBelieved) {
  Stranger one = started();
  ASSERT_EQ(one.state(6.0), State::ready);
  one.at(6.5, "\x1b]7501;state=working\x1b\\");
  EXPECT_EQ(one.state(30.0), State::busy);
  one.at(30.0, "\x1b]7501;state=blocked:kind=permission\x1b\\");
  EXPECT_EQ(one.state(30.1), State::waiting);
  one.at(31.0, "\x1b]7501;state=done\x1b\\");
  EXPECT_EQ(one.state(31.6), State::ready) << one.because();
}

TEST(Unknown, AReportThatWasNeverFollowedByWorkMakesNothingFaster) {
  Stranger one = started();
  ASSERT_EQ(one.state(6.0), State::ready);
  one.at(6.5, prompt("do it")).at(7.0, prompt());
  one.at(7.1, row(10, "out") + prompt()).at(8.0, "\x1b]7501;state=idle\x1b\\");
  EXPECT_NE(one.state(8.8), State::ready);
}

TEST(Unknown, TheChosenRowOfAMenuIsNoBox) {
  Stranger one = started();
  ASSERT_EQ(one.state(6.0), State::ready);
  one.at(7.0, row(22, "Enter to confirm · Esc to cancel") + row(21, "  No") + row(20, "❯ Yes"));
  EXPECT_EQ(one.state(8.0), State::waiting) << one.because();
}

TEST(Unknown, APageThatWasOpenedIsNotItsPrompt) {
  Stranger one = started();
  ASSERT_EQ(one.state(6.0), State::ready);
  one.at(7.0, "\x1b[H\x1b[2JSessions\r\n first\r\n second\r\n third\r\n fourth" + prompt());
  EXPECT_EQ(one.state(12.0), State::unknown);
  one.at(13.0, "\x1b[H\x1b[2Jplainchat 1.0\r\nhello\r\nall is well\r\none more row\r\n" + prompt());
  EXPECT_EQ(one.state(16.0), State::ready) << one.because();
}

// A box that no shape of the generic profile fits.
std::string odd(const std::string& draft = "") {
  return row(20, "chat λ " + draft);
}

Stranger after_a_turn() {
  Stranger one("auto");
  one.at(0.1, "\x1b[?2004hoddchat 1.0\r\n").at(1.5, odd());
  EXPECT_NE(one.state(7.0), State::ready);
  for (int i = 1; i <= 5; ++i) one.at(7 + i * 0.1, odd(std::string("hello").substr(0, size_t(i))));
  for (int i = 0; i < 30; ++i) one.at(8 + i * 0.1, row(5, "thinking " + std::to_string(i)) + odd());
  return one;
}

TEST(Unknown, ABoxIsLearntFromTheFirstTurn) {
  Stranger one = after_a_turn();
  EXPECT_NE(one.state(12.0), State::ready);
  EXPECT_EQ(one.state(16.0), State::ready) << one.because();
  EXPECT_FALSE(one.evidence().learnt.empty());
  one.at(17.0, odd("next"));
  EXPECT_EQ(one.state(17.5), State::typing) << one.because();
}

TEST(Unknown, ALearntBoxIsTakenBackWhenWorkGoesOnByItself) {
  Stranger one = after_a_turn();
  ASSERT_EQ(one.state(16.0), State::ready);
  for (int i = 0; i < 30; ++i) one.at(17 + i * 0.1, row(18, "more " + std::to_string(i)) + odd());
  one.state(20.0);
  EXPECT_TRUE(one.evidence().learnt.empty());
  EXPECT_NE(one.state(30.0), State::ready);
}

TEST(Unknown, NothingIsLearntWhenTheTextDidNotFollowTheCursor) {
  Stranger one("auto");
  one.at(0.1, "oddchat 1.0\r\n").at(1.5, odd());
  one.state(7.0);
  for (int i = 0; i < 30; ++i) one.at(8 + i * 0.1, row(5, "news " + std::to_string(i)) + odd());
  EXPECT_NE(one.state(16.0), State::ready);
  EXPECT_TRUE(one.evidence().learnt.empty());
}

}  // namespace
}  // namespace pawl::perceive
