// Each checker notices what it is there for: none of them passes a night that breaks its rule.

#include <gtest/gtest.h>

#include "sim/world/invariants/test_told.h"
#include "sim/world/night/marks.h"

namespace pawl::sim {
namespace {

using namespace std::chrono_literals;
using model::Action;
using model::State;

TEST(Checkers, FoldSeesAStateThatIsNotTheJournals) {
  Told told(check_fold());
  told.begins();
  told.turn();
  EXPECT_EQ(told.found(), "");
  model::Fleet live = told.fleet();
  live.agents["a"].restarts = 3;
  told.state(State::busy);
  live.last = told.fleet().last;
  told.turn(live);
  EXPECT_EQ(told.found(), "the engine's state is not the fold of its journal");
}

TEST(Checkers, IntentsSeeAnOutcomeTooManyAndOneTooFew) {
  Told told(check_intents());
  told.begins();
  EXPECT_EQ(told.found(), "");
  told.write(model::Finished{Action::send, Seq{77}, model::Verdict::confirmed, "?", 0, {}});
  EXPECT_EQ(told.found(), "send has an outcome and no decision");
  told.write(model::Decided{Action::nudge, "it is idle"});
  told.write(model::Decided{Action::restart, "it is dead"});
  EXPECT_EQ(told.found(), "restart is decided while nudge is under way");
  told.pass(50min);
  told.turn();
  EXPECT_EQ(told.found(), "nudge was decided and has no outcome after 45 min");
}

TEST(Checkers, TextsSeeWhatArrivesTwiceOrNotAtAll) {
  Told told(check_texts());
  told.begins();
  told.queue(1, "please " + mark_of(1));
  told.took("please " + mark_of(1));
  EXPECT_EQ(told.found(), "");
  told.took("please " + mark_of(1));
  EXPECT_EQ(told.found(), "a text arrived twice: please #1#");
  told.queue(2, "please " + mark_of(2));
  told.fleet().agents["a"].outbox.clear();
  told.end();
  EXPECT_EQ(told.found(), "a text is lost: please #2#");
}

TEST(Checkers, TextsSeeWhatIsRunOrJoined) {
  Told told(check_texts());
  told.begins();
  told.queue(1, "please " + mark_of(1));
  told.took("please " + mark_of(1), Reached::shell);
  EXPECT_EQ(told.found(), "a text went to its shell: please #1#");
  told.queue(2, "please " + mark_of(2));
  told.took("a draft #9#please #2#");
  EXPECT_EQ(told.found(), "two texts were sent as one: a draft #9#please #2#");
}

TEST(Checkers, TextsSeeAConfirmationThatIsNotTrue) {
  Told told(check_texts());
  told.begins();
  told.queue(1, "please " + mark_of(1));
  model::Decided send{Action::send, "a text"};
  send.item = 1;
  const Seq seq = told.write(send);
  told.write(
      model::Finished{Action::send, seq, model::Verdict::confirmed, "its box emptied", 0, {}});
  told.turn();
  EXPECT_EQ(told.found(), "a text was called confirmed and nobody took it: please #1#");
}

TEST(Checkers, AnswersSeeWhoChoseWhat) {
  Told told(check_answers());
  told.spec.answer_permissions = "deny";
  told.begins();
  told.answered(model::Cost::free);
  EXPECT_EQ(told.found(), "nobody answered, and '1' was chosen: ");
  told.decide(Action::answer, "dialog");
  told.answered(model::Cost::deny);
  EXPECT_EQ(told.found(), "");
  for (const auto cost :
       {model::Cost::allow, model::Cost::permission, model::Cost::money, model::Cost::destroys}) {
    told.answered(cost);
    EXPECT_NE(told.found(), "") << word(cost);
  }
  told.checker().asked(told.now.mono, "a");
  told.answered(model::Cost::allow);
  EXPECT_EQ(told.found(), "") << "a person may";
}

TEST(Checkers, PeopleSeeWhatIsTypedBesideAPerson) {
  Told told(check_people());
  told.begins();
  told.checker().person(told.now.mono, "a", "hello");
  told.pass(30s);
  told.checker().wrote(told.now.mono, "a", "\x1b[?62c");
  EXPECT_EQ(told.found(), "") << "a terminal's own answer";
  told.checker().wrote(told.now.mono, "a", "\x1b[200~go on\x1b[201~");
  EXPECT_NE(told.found(), "");
  told.pass(120s);
  told.checker().wrote(told.now.mono, "a", "go on");
  EXPECT_EQ(told.found(), "");
}

TEST(Checkers, RestartsSeeAPauseThatIsTooShortAndALoop) {
  Told told(check_restarts());
  told.begins();
  told.decide(Action::restart, "restart");
  told.pass(30s);
  told.decide(Action::restart, "restart");
  EXPECT_EQ(told.found(), "restarted again after 30 s, within its pause of 90 s");
  for (int i = 0; i < 4; ++i) {
    told.pass(100s);
    told.decide(Action::restart, "restart");
  }
  EXPECT_EQ(told.found(), "restarted 6 times within 900 s");
}

TEST(Checkers, LimitsSeeATextBeforeItsTime) {
  Told told(check_limits());
  told.begins();
  model::StateChanged limited;
  limited.to = State::limited;
  limited.notices = {{"limit", "resets at 3", told.now.wall + 1h}};
  told.write(limited);
  told.decide(Action::nudge, "nudge");
  EXPECT_EQ(told.found(), "nudge before its limit is over");
  told.pass(61min);
  told.decide(Action::wake, "limit");
  EXPECT_EQ(told.found(), "");
}

TEST(Checkers, SilenceSeesWhatIsNobodys) {
  for (const auto state :
       {State::unknown, State::starting, State::waiting, State::stuck, State::crashed}) {
    Told told(check_silence());
    told.begins();
    told.state(state);
    told.pass(30min);
    told.turn();
    EXPECT_EQ(told.found(), "") << word(state);
    told.pass(40min);
    told.turn();
    EXPECT_NE(told.found(), "") << word(state);
  }
}

TEST(Checkers, SilenceIsContentWhenAPersonWasTold) {
  Told told(check_silence());
  told.begins();
  told.state(State::unknown);
  told.pass(10min);
  told.write(model::Alerted{model::Severity::warning, "nobody knows what it is doing"});
  told.pass(5h);
  told.turn();
  EXPECT_EQ(told.found(), "");
}

TEST(Checkers, SilenceSeesATextThatWaits) {
  Told told(check_silence());
  told.spec.mode = "paused";
  told.begins();
  told.state(State::busy);
  told.queue(1, "please " + mark_of(1));
  told.pass(2h);
  told.turn();
  EXPECT_NE(told.found(), "");
}

TEST(Checkers, ConsentSeesWhatIsDoneToOneThatWasHalted) {
  Told told(check_consent());
  told.begins();
  told.decide(Action::nudge, "nudge");
  EXPECT_EQ(told.found(), "");
  told.write(model::Paused{true, "a person"});
  told.decide(Action::escalate, "patience");
  EXPECT_EQ(told.found(), "") << "a word is nothing done";
  told.decide(Action::nudge, "nudge");
  EXPECT_EQ(told.found(), "nudge although it is paused");
  told.write(model::Paused{false, "a person"});
  told.write(model::Quarantined{"its rules did not come to an end"});
  told.decide(Action::restart, "restart");
  EXPECT_EQ(told.found(), "restart although it is quarantined");
}

}  // namespace
}  // namespace pawl::sim
