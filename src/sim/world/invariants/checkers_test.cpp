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

TEST(Checkers, ConversationsSeeAnothersGoneOnWith) {
  Told told(check_conversations());
  const auto begins = [&](const std::string& agent, const std::string& id, bool resumed) {
    Entry entry;
    entry.what = Entry::What::began;
    entry.text = id;
    entry.resumed = resumed;
    told.checker().took(agent, entry);
  };
  begins("a", "c1", false);
  begins("b", "c2", false);
  begins("a", "c1", true);
  EXPECT_EQ(told.found(), "");
  begins("a", "c2", true);
  EXPECT_EQ(told.found(), "it goes on with the conversation of b");
  begins("b", "c3", true);
  EXPECT_EQ(told.found(), "it goes on with a conversation that nobody began");
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

TEST(Checkers, RestartsSeeOneThatIsNotToComeBackOrNotSettled) {
  Told told(check_restarts());
  told.begins();
  told.pass(1h);
  told.state(State::crashed);
  told.decide(Action::restart, "restart");
  EXPECT_EQ(told.found(), "restarted 0.0 s after it ended");
  told.spec.restart = model::Restart::never;
  told.write(model::Registered{told.spec});
  told.pass(1h);
  told.decide(Action::restart, "restart");
  EXPECT_EQ(told.found(), "restarted although it is not to be");
}

TEST(Checkers, RestartsSeeThatItIsNotTooLate) {
  Told told(check_restarts());
  told.begins();
  told.state(State::crashed);
  told.pass(60s);
  model::Decided fact{Action::escalate, "because"};
  fact.rule = "restart";
  fact.matter = "restart too late";
  told.write(fact);
  EXPECT_EQ(told.found(), "called too late 60 s after it ended");
}

TEST(Checkers, TriesSeeWhatIsTriedInVainAndToldToNobody) {
  for (const bool alerted : {false, true}) {
    Told told(check_tries());
    told.begins();
    model::Decided fact{Action::wake, "because"};
    fact.rule = "outage";
    fact.matter = "outage";
    told.write(fact);
    if (alerted) told.write(model::Alerted{model::Severity::warning, "no answer", "outage"});
    fact.attempt = 9;
    told.write(fact);
    EXPECT_EQ(told.found().empty(), alerted);
  }
}

TEST(Checkers, PeopleSeeKeysThatAreLost) {
  Told told(check_people());
  told.begins();
  told.checker().person(told.now.mono, "a", "hello");
  told.checker().held(told.now.mono, "a", "hello");
  told.pass(1min);
  told.checker().wrote(told.now.mono, "a", "hello");
  told.pass(10min);
  told.turn();
  EXPECT_EQ(told.found(), "");
  told.checker().held(told.now.mono, "a", "again");
  told.pass(10min);
  told.turn();
  EXPECT_EQ(told.found(), "keys of a person are lost: again");
}

TEST(Checkers, AnswersSeeOneThatGoesToAnotherDialog) {
  Told told(check_answers());
  told.begins();
  told.checker().asked(told.now.mono, "a");
  told.checker().answers(told.now.mono, "a", 1);
  told.pass(1s);
  told.answered(model::Cost::allow, 1);
  EXPECT_EQ(told.found(), "");
  told.answered(model::Cost::allow, 2);
  EXPECT_EQ(told.found(), "what was chosen in dialog 1 went to dialog 2: ");
}

TEST(Checkers, LimitsSeeTwoOfAnAccountThatAreWokenAtOnce) {
  Told told(check_limits());
  told.spec.account = "ours";
  told.begins();
  model::AgentSpec other = told.spec;
  other.name = "b";
  told.write(model::Registered{other}, "b");
  model::StateChanged limited;
  limited.to = State::limited;
  limited.notices = {{"limit", "resets at 3", told.now.wall}};
  told.write(limited);
  told.write(limited, "b");
  told.pass(2min);
  told.decide(Action::wake, "limit");
  told.pass(1s);
  model::Decided fact{Action::wake, "because"};
  fact.rule = "limit";
  told.write(fact, "b");
  EXPECT_EQ(told.found(), "woken together with a of its account");
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

TEST(Checkers, LimitsSeeANudgeWhileAnotherMachineSaysItsAccountIsUsedUp) {
  Told told(check_limits());
  told.spec.account = "ours";
  told.begins();
  told.write(model::AccountSeen{"theirs", "there", told.now.wall + 1h, {}}, "");
  told.decide(Action::nudge, "nudge");
  EXPECT_EQ(told.found(), "");
  told.write(model::AccountSeen{"ours", "there", told.now.wall + 1h, {}}, "");
  told.decide(Action::nudge, "nudge");
  EXPECT_EQ(told.found(), "nudge while its account is limited elsewhere");
}

TEST(Checkers, LimitsSeeANudgeBesideOneWhoseAccountIsUsedUp) {
  Told told(check_limits());
  told.spec.account = "ours";
  told.begins();
  model::StateChanged limited;
  limited.to = State::limited;
  limited.notices = {{"limit", "resets at 3", told.now.wall + 1h}};
  told.write(limited, "b");
  told.decide(Action::nudge, "nudge");
  EXPECT_EQ(told.found(), "") << "b is nobody";
  model::AgentSpec other = told.spec;
  other.name = "b";
  told.write(model::Registered{other}, "b");
  told.write(limited, "b");
  told.decide(Action::nudge, "nudge");
  EXPECT_EQ(told.found(), "nudge while b of its account is limited");
}

TEST(Checkers, TriesSeeTooManyNudgesAndTooSoon) {
  Told told(check_tries());
  told.begins();
  told.decide(Action::nudge, "nudge");
  told.pass(30s);
  told.decide(Action::nudge, "nudge");
  EXPECT_EQ(told.found(), "nudged 30 s after a nudge");
  told.pass(24h);
  told.queue(1, "please " + mark_of(1));
  told.decide(Action::nudge, "nudge");
  EXPECT_EQ(told.found(), "nudged although a text waits for it");
  told.pass(24h);
  model::Decided fact{Action::nudge, "because"};
  fact.rule = "nudge";
  fact.attempt = told.spec.nudge.attempts + 1;
  told.write(fact);
  EXPECT_NE(told.found(), "");
}

TEST(Checkers, TextsSeeWhatWasGivenUpAndIsStillInTheBox) {
  for (const bool left : {false, true}) {
    Told told(check_texts());
    told.begins();
    told.queue(1, "please " + mark_of(1));
    model::Decided fact{Action::send, "because"};
    fact.item = 1;
    const Seq seq = told.write(fact);
    told.write(model::Finished{Action::send,
                               seq,
                               model::Verdict::failed,
                               left ? "no; it may still be in the box" : "no",
                               0,
                               {}});
    told.box = "please " + mark_of(1);
    told.turn();
    EXPECT_EQ(told.found().empty(), left);
  }
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
