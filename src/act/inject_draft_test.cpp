// A text that cannot wait meets a person's draft.

#include <gtest/gtest.h>

#include "act/inject_play.h"

namespace pawl::act {
namespace {

using namespace std::chrono_literals;
using model::State;

TEST(InjectDraft, ADraftIsSavedClearedAndPutBack) {
  Play play(order(true));
  play.inject = Inject(order(true), play.view.now);
  play.writes.clear();
  play.view.state = State::typing;
  play.view.draft = true;
  play.view.rows = {"half a thou"};
  play.look();
  EXPECT_EQ(play.kept, Writes{"half a thou"});
  EXPECT_EQ(play.writes, Writes{"\x05\x15"}) << "C-e C-u";
  play.box({}).pass(100ms);
  ASSERT_EQ(play.writes.size(), 2u);
  EXPECT_EQ(play.writes[1], kPaste);
  play.box({"hello you"}).pass(300ms).box({}).works().pass(100ms);
  EXPECT_EQ(play.writes.back(), "\x1b[200~half a thou\x1b[201~");
  EXPECT_FALSE(play.outcome);
  play.box({"half a thou"}).pass(100ms);
  EXPECT_EQ(play.verdict(), Verdict::confirmed);
  EXPECT_FALSE(play.outcome->draft_lost);
  EXPECT_EQ(play.enters(), 1u) << "the draft is not sent";
}

TEST(InjectDraft, ADraftThatWouldNotSurviveIsLeftAlone) {
  for (const bool pasted : {false, true}) {
    Play play(order(true));
    play.inject = Inject(order(true), play.view.now);
    play.writes.clear();
    play.view.draft = true;
    play.view.pasted = pasted;
    play.view.rows = pasted ? Writes{"[Pasted text #1 +39 lines]"} : Writes{"one", "two"};
    play.look();
    EXPECT_EQ(play.verdict(), Verdict::withdrawn);
    EXPECT_TRUE(play.writes.empty());
  }
}

// A text that cannot wait meets a draft; what the box shows after C-u.
Outcome after_clear(const std::vector<std::string>& rows) {
  Play play(order(true));
  play.inject = Inject(order(true), play.view.now);
  play.view.draft = true;
  play.view.rows = {"half a thou"};
  play.look();
  play.box(rows).pass(20s);
  EXPECT_TRUE(play.outcome);
  return play.outcome.value_or(Outcome{});
}

TEST(InjectDraft, ADraftThatCannotBeClearedIsStillThereOrKept) {
  const Outcome same = after_clear({"half a thou"});
  EXPECT_EQ(same.verdict, Verdict::withdrawn);
  EXPECT_FALSE(same.draft_lost) << "it is where it was";
  const Outcome cut = after_clear({"half"});
  EXPECT_EQ(cut.verdict, Verdict::withdrawn);
  EXPECT_TRUE(cut.draft_lost) << "the file has it";
}

TEST(InjectDraft, ADraftThatCannotBePutBackIsTold) {
  Play play(order(true));
  play.inject = Inject(order(true), play.view.now);
  play.view.draft = true;
  play.view.rows = {"half a thou"};
  play.look();
  play.box({}).pass(100ms).box({"hello you"}).pass(300ms).box({}).works().pass(20s);
  EXPECT_EQ(play.verdict(), Verdict::confirmed);
  EXPECT_TRUE(play.outcome->draft_lost);
  EXPECT_EQ(std::count(play.writes.begin(), play.writes.end(), "\x1b[200~half a thou\x1b[201~"), 1)
      << "once";
}

}  // namespace
}  // namespace pawl::act
