#include "perceive/tracker.h"

#include <gtest/gtest.h>

#include "perceive/test_screen.h"

namespace pawl::perceive {
namespace {

using model::State;
using std::chrono::milliseconds;
using test::kToyProfile;
using test::options_of;

const std::string kTrackerBox =
    "\x1b[2J\x1b[HToy v1\r\n──────────\r\n❯ \r\n──────────\r\nhints\x1b[3;3H";
const std::string kWork = "\x1b[1;1H* Thinking…\x1b[K\x1b[3;3H";
const std::string kNoWork = "\x1b[1;1HToy v1\x1b[K\x1b[3;3H";
const std::string kClear = "\x1b[2J\x1b[H";

MonoTime at_ms(int64_t count) {
  return MonoTime{milliseconds{count}};
}

Facts in_front(const std::string& name, bool canonical = false) {
  Facts facts;
  facts.front = facts.busiest = name;
  facts.front_count = 1;
  facts.canonical = canonical;
  facts.signals = name == "bash";
  return facts;
}

// A terminal and somebody who looks at it, in made-up time.
class Stage {
 public:
  explicit Stage(const std::string& runtime = "toy", Channels channels = {},
                 std::vector<std::string> argv = {})
      : catalog_(Catalog::built_in()) {
    const auto added = catalog_.add(kToyProfile, "toy.toml");
    EXPECT_TRUE(added);
    tracker_.emplace(catalog_, options_of(runtime, channels, std::move(argv)), at_ms(0));
  }
  // The program writes; somebody looks.
  State draw(int64_t at, const std::string& bytes) {
    terminal_.feed(bytes);
    tracker_->screen(at_ms(at), terminal_.screen());
    return read(at);
  }
  State facts(int64_t at, const Facts& facts) {
    tracker_->facts(at_ms(at), facts);
    return read(at);
  }
  State read(int64_t at) {
    edge_ = tracker_->read(at_ms(at));
    return tracker_->verdict().state;
  }
  // Reads at every time the tracker asks for, up to `until`.
  State pass(int64_t until) {
    for (int i = 0; i < 1000 && tracker_->wake_at() && *tracker_->wake_at() <= at_ms(until); ++i)
      tracker_->read(*tracker_->wake_at());
    return read(until);
  }
  // Up to where it waits at its box.
  void start() {
    draw(1000, kTrackerBox);
    ASSERT_EQ(pass(2000), State::ready);
  }
  Tracker& tracker() { return *tracker_; }
  const std::optional<Verdict>& edge() const { return edge_; }

 private:
  Catalog catalog_;
  std::optional<Tracker> tracker_;
  term::Terminal terminal_{{40, 12}, {.answers = false, .scrollback_lines = 0}};
  std::optional<Verdict> edge_;
};

TEST(Tracker, StartsBeforeAnythingIsKnown) {
  Stage stage;
  EXPECT_EQ(stage.read(0), State::starting);
  EXPECT_FALSE(stage.edge()) << "that is what it was from the beginning";
}

TEST(Tracker, ItIsReadyOnceItsBoxStoodLongEnough) {
  Stage stage;
  EXPECT_EQ(stage.draw(1000, kTrackerBox), State::starting);
  ASSERT_TRUE(stage.tracker().wake_at());
  EXPECT_GT(*stage.tracker().wake_at(), at_ms(1000));
  EXPECT_EQ(stage.pass(1200), State::starting) << "it still settles";
  EXPECT_EQ(stage.pass(1600), State::ready);
}

TEST(Tracker, OutputProlongsTheStart) {
  Stage stage;
  stage.draw(1000, kTrackerBox);
  EXPECT_EQ(stage.draw(1250, "\x1b[6;1H1\x1b[3;3H"), State::starting);
  EXPECT_EQ(stage.pass(1500), State::starting);
  EXPECT_EQ(stage.pass(1800), State::ready);
}

TEST(Tracker, ASignOfLoadingKeepsItStarting) {
  Stage stage;
  stage.draw(1000, kTrackerBox + "\x1b[1;1HLoading \x1b[3;3H");
  EXPECT_EQ(stage.pass(9000), State::starting);
  stage.draw(9000, kNoWork);
  EXPECT_EQ(stage.pass(9700), State::ready);
}

TEST(Tracker, AnEdgeComesOnceForEveryChange) {
  Stage stage;
  stage.start();
  EXPECT_EQ(stage.draw(3000, kWork), State::busy);
  ASSERT_TRUE(stage.edge());
  EXPECT_EQ(stage.edge()->state, State::busy);
  stage.read(3010);
  EXPECT_FALSE(stage.edge());
}

TEST(Tracker, NothingIsReadyWithinTheQuietWindow) {
  Stage stage;
  stage.start();
  stage.draw(3000, kWork);
  EXPECT_EQ(stage.draw(5000, kNoWork), State::busy) << "it may go on";
  EXPECT_FALSE(stage.edge());
  EXPECT_EQ(stage.pass(5140), State::busy);
  EXPECT_EQ(stage.pass(5160), State::ready);
}

TEST(Tracker, ABriefPauseOfTheSpinnerIsNoEnd) {
  Stage stage;
  stage.start();
  stage.draw(3000, kWork);
  for (int64_t at = 3100; at < 5000; at += 200) {
    stage.draw(at, kNoWork);
    EXPECT_EQ(stage.pass(at + 90), State::busy);
    stage.draw(at + 100, kWork);
    EXPECT_EQ(stage.read(at + 100), State::busy);
  }
}

TEST(Tracker, AfterTheScreenWasClearedNothingIsReadyForHalfASecond) {
  Stage stage;
  stage.start();
  stage.draw(3000, kWork);
  stage.draw(4000, kClear);
  stage.draw(4020, kTrackerBox);
  EXPECT_NE(stage.pass(4490), State::ready);
  EXPECT_EQ(stage.pass(4520), State::ready);
}

TEST(Tracker, ADraftIsSeenAtOnceAndItsEndToo) {
  Stage stage;
  stage.start();
  EXPECT_EQ(stage.draw(3000, "x"), State::typing);
  stage.draw(4000, "\b \b");
  EXPECT_EQ(stage.pass(4200), State::ready);
}

TEST(Tracker, ADraftThatVanishesAtOnceWasSent) {
  Stage stage;
  stage.start();
  stage.draw(3000, "do it now");
  stage.draw(4000, "\x1b[3;3H\x1b[K");
  EXPECT_EQ(stage.pass(4300), State::busy)
      << "it has not shown that it works, but it got something to do";
  EXPECT_EQ(stage.pass(6000), State::ready);
}

TEST(Tracker, ADraftThatWasRemovedIsNoWorkForEver) {
  Stage stage;
  stage.start();
  stage.draw(3000, "do it now");
  stage.draw(4000, "\x1b[3;3H\x1b[K");
  ASSERT_EQ(stage.pass(10'000), State::ready);
  stage.draw(11'000, "\x1b[2J\x1b[Ha list of old prompts");
  EXPECT_EQ(stage.pass(3'600'000), State::unknown)
      << "somebody looks at something: it hangs at no work";
}

TEST(Tracker, WhoHasJustWrittenIsNotSilent) {
  Stage stage;
  stage.start();
  ASSERT_EQ(stage.draw(3000, kWork), State::busy);
  stage.tracker().wrote(at_ms(3'599'990));
  EXPECT_EQ(stage.read(3'600'000), State::busy) << "nobody has looked at it yet";
  EXPECT_EQ(stage.read(7'200'000), State::stuck);
}

TEST(Tracker, TextThatKeepsChangingIsWork) {
  Stage stage;
  stage.start();
  for (int64_t at = 3000; at < 5000; at += 100)
    stage.draw(at, "\x1b[1;1Hstep " + std::to_string(at) + "\x1b[3;3H");
  EXPECT_EQ(stage.read(5000), State::busy);
  EXPECT_EQ(stage.pass(7000), State::ready);
}

TEST(Tracker, ADialogIsSeenAtOnce) {
  Stage stage;
  stage.start();
  EXPECT_EQ(stage.draw(3000, kClear + "Do you want to run ls?"), State::waiting);
  ASSERT_TRUE(stage.edge());
  EXPECT_EQ(stage.edge()->kind, "permission");
}

TEST(Tracker, ItsTitleTellsWorkFromWaiting) {
  Stage stage;
  stage.start();
  EXPECT_EQ(stage.draw(3000, "\x1b]0;Toy: busy\a"), State::busy);
  stage.draw(4000, "\x1b]0;Toy: idle\a");
  EXPECT_EQ(stage.pass(4200), State::ready);
  EXPECT_EQ(stage.tracker().verdict().tier, Tier::osc);
  EXPECT_EQ(stage.draw(5000, "\x1b]0;Toy: asks\a"), State::waiting);
}

TEST(Tracker, WithoutTheOscChannelTitlesSayNothing) {
  Stage stage("toy", {.process = true, .osc = false});
  stage.start();
  stage.draw(3000, "\x1b]0;Toy: busy\a\x1b]9;4;3\a\x1b]7501;state=blocked\a");
  EXPECT_EQ(stage.pass(3300), State::ready);
}

TEST(Tracker, WithoutTheProcessChannelFactsSayNothing) {
  Stage stage("toy", {.process = false, .osc = true});
  stage.start();
  EXPECT_EQ(stage.facts(3000, in_front("bash")), State::ready);
}

TEST(Tracker, ItsOwnReportsCount) {
  Stage stage;
  stage.start();
  EXPECT_EQ(stage.draw(3000, "\x1b]7501;state=working\a"), State::busy);
  EXPECT_EQ(stage.tracker().verdict().tier, Tier::status);
  EXPECT_EQ(stage.draw(3500, "\x1b]7501;state=blocked:kind=permission\a"), State::waiting);
  EXPECT_EQ(stage.edge()->kind, "permission");
  stage.draw(4000, "\x1b]7501;state=idle\a");
  EXPECT_EQ(stage.pass(4300), State::ready);
  EXPECT_EQ(stage.draw(5000, "\x1b]7501;id=a:state=working\a"), State::busy)
      << "a job behind the prompt";
  EXPECT_STREQ(stage.tracker().rule(), "background");
}

TEST(Tracker, ProgressIsWork) {
  Stage stage;
  stage.start();
  EXPECT_EQ(stage.draw(3000, "\x1b]9;4;3\a"), State::busy);
  stage.draw(4000, "\x1b]9;4;0\a");
  EXPECT_EQ(stage.pass(4300), State::ready);
}

TEST(Tracker, HooksAndFilesHaveTheirSay) {
  Stage stage;
  stage.start();
  stage.tracker().told(at_ms(3000), true, {Told::busy, "", "a prompt was sent"});
  EXPECT_EQ(stage.read(3000), State::busy);
  EXPECT_EQ(stage.tracker().verdict().tier, Tier::hook);
  stage.tracker().told(at_ms(3500), true,
                       {Told::waiting, "permission", "a permission is asked for"});
  EXPECT_EQ(stage.read(3500), State::waiting);
  EXPECT_EQ(stage.edge()->kind, "permission");
  stage.tracker().told(at_ms(4000), true, {Told::idle, "", "its turn is over"});
  EXPECT_EQ(stage.pass(4300), State::ready);
}

TEST(Tracker, AShellInFrontEndsItAtOnce) {
  Stage stage;
  stage.start();
  EXPECT_EQ(stage.facts(3000, in_front("toy")), State::ready);
  EXPECT_EQ(stage.facts(4000, in_front("bash")), State::shell);
}

TEST(Tracker, ALaunchFromAShellVoidsTheTitle) {
  Stage stage;
  stage.facts(0, in_front("toy"));
  stage.start();
  stage.draw(3000, "\x1b]0;Toy: busy\a");
  ASSERT_EQ(stage.read(3000), State::busy);
  ASSERT_EQ(stage.facts(4000, in_front("bash")), State::shell);
  stage.draw(4500, kClear + "me@host:~$ toy\r\n");
  EXPECT_EQ(stage.facts(5000, in_front("toy", true)), State::starting)
      << "the title is the last program's";
  EXPECT_NE(stage.draw(5100, kTrackerBox), State::busy);
  stage.facts(5200, in_front("toy"));
  EXPECT_EQ(stage.pass(6500), State::ready);
  EXPECT_EQ(stage.draw(7000, "\x1b]0;Toy: busy \a"), State::busy)
      << "a title of its own counts again";
}

TEST(Tracker, TheEndIsTheEnd) {
  Stage stage;
  stage.start();
  stage.tracker().ended(at_ms(3000), {.exit_code = 0});
  EXPECT_EQ(stage.read(3000), State::exited);
  stage.draw(3100, kWork);
  EXPECT_EQ(stage.pass(9000), State::exited);
  Stage killed;
  killed.start();
  killed.tracker().ended(at_ms(3000), {.exit_code = -1, .signal = 9});
  EXPECT_EQ(killed.read(3000), State::crashed);
}

TEST(Tracker, ARunWithoutAnInterfaceIsBusyUntilItEnds) {
  Stage stage("toy", {}, {"toy", "-p", "hello"});
  EXPECT_EQ(stage.read(0), State::busy);
  stage.draw(1000, "the answer\r\n");
  EXPECT_EQ(stage.pass(60000), State::busy);
}

TEST(Tracker, NothingIsReadInTheMiddleOfDrawing) {
  Stage stage;
  stage.start();
  EXPECT_EQ(stage.draw(3000, "\x1b[?2026h" + kClear), State::ready);
  EXPECT_EQ(stage.draw(3010, kTrackerBox + "\x1b[?2026l"), State::ready);
  EXPECT_EQ(stage.pass(4000), State::ready);
}

TEST(Tracker, ItNeverAsksToBeWokenInThePast) {
  Stage stage;
  for (int64_t at = 0; at < 8000; at += 70) {
    stage.draw(at, at % 210 == 0 ? kTrackerBox : at % 140 == 0 ? kWork : kNoWork);
    EXPECT_GT(stage.tracker().wake_at().value_or(MonoTime::max()), at_ms(at));
  }
}

TEST(Tracker, RecognisesTheProgram) {
  const auto name = [](Stage& stage) { return stage.tracker().profile().name; };
  Stage by_command("auto", {}, {"/usr/bin/toy"});
  EXPECT_EQ(name(by_command), "toy");
  Stage by_script("auto", {}, {"node", "/lib/node_modules/@toys/toy/cli.js"});
  EXPECT_EQ(name(by_script), "toy");
  Stage by_process("auto");
  EXPECT_EQ(name(by_process), "generic");
  by_process.facts(10, in_front("toy"));
  EXPECT_EQ(name(by_process), "toy");
  Stage by_title("auto");
  by_title.draw(10, "\x1b]0;Toy: idle\a");
  EXPECT_EQ(name(by_title), "toy");
  Stage by_screen("auto");
  by_screen.draw(10, "Toy v2");
  EXPECT_EQ(name(by_screen), "toy");
  Stage by_status("auto");
  by_status.draw(10, "\x1b]7501;state=idle:app=toy-app\a");
  EXPECT_EQ(name(by_status), "toy");
  Stage told("claude");
  told.facts(10, in_front("toy"));
  told.draw(20, "Toy v2");
  EXPECT_EQ(name(told), "claude") << "what was said is not second-guessed";
  Stage unknown("no-such-runtime");
  EXPECT_EQ(name(unknown), "generic");
}

}  // namespace
}  // namespace pawl::perceive
