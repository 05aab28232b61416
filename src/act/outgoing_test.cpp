#include "act/outgoing.h"

#include <gtest/gtest.h>

namespace pawl::act {
namespace {

using model::Severity;
using std::chrono::milliseconds;
using std::chrono::minutes;
using std::chrono::seconds;

// A channel, its clock, and what was sent through it.
class Line {
 public:
  Outgoing queue;
  Clock now{MonoTime{std::chrono::hours{5}}, WallTime{std::chrono::hours{24 * 365 * 50}}};
  std::vector<std::string> sent;
  std::vector<MonoTime> begun;
  bool works = true;
  size_t given_up = 0;

  bool add(const std::string& agent, const std::string& text, const std::string& matter = {},
           Severity severity = Severity::warning) {
    return queue.add(now.mono, {agent, now.wall, severity, text, matter, {}, {}});
  }
  // Sends what is due.
  void pump() {
    while (const auto message = queue.next(now)) {
      begun.push_back(now.mono);
      if (works) {
        sent.push_back(message->agent + "|" + message->text);
        queue.sent();
      } else {
        given_up += queue.failed(now.mono);
      }
    }
  }
  void pass(Duration time) {
    const MonoTime end = now.mono + time;
    while (const auto wake = queue.wake_at()) {
      if (*wake > end) break;
      go_to(std::max(*wake, now.mono));
      pump();
    }
    go_to(end);
  }

 private:
  void go_to(MonoTime when) { now = {when, now.wall + (when - now.mono)}; }
};

using Texts = std::vector<std::string>;

TEST(Outgoing, OnlyWarningsAndErrorsGo) {
  Line line;
  EXPECT_FALSE(line.add("a", "limit", "", Severity::info));
  EXPECT_TRUE(line.add("a", "bad", "", Severity::warning));
  EXPECT_TRUE(line.add("b", "worse", "", Severity::error));
  line.pump();
  EXPECT_EQ(line.sent, (Texts{"a|bad", "b|worse"}));
  EXPECT_EQ(line.queue.wake_at(), std::nullopt);
}

TEST(Outgoing, AMatterIsToldOnceInAnHour) {
  Line line;
  EXPECT_TRUE(line.add("a", "first", "auth"));
  EXPECT_FALSE(line.add("a", "second", "auth"));
  EXPECT_TRUE(line.add("b", "its own", "auth")) << "another agent's";
  EXPECT_TRUE(line.add("a", "first", "limit")) << "another matter";
  line.pump();
  line.pass(kMatterEvery - seconds{1});
  EXPECT_FALSE(line.add("a", "third", "auth"));
  line.pass(seconds{1});
  EXPECT_TRUE(line.add("a", "fourth", "auth"));
  line.pump();
  EXPECT_EQ(line.sent, (Texts{"a|first", "b|its own", "a|first", "a|fourth"}));
}

TEST(Outgoing, AMatterThatBecameWorseIsToldAgain) {
  Line line;
  EXPECT_TRUE(line.add("a", "warn", "crash"));
  EXPECT_TRUE(line.add("a", "parked", "crash", Severity::error));
  EXPECT_FALSE(line.add("a", "parked again", "crash", Severity::error));
  EXPECT_FALSE(line.add("a", "warn", "crash"));
  line.pump();
  EXPECT_EQ(line.sent, (Texts{"a|warn", "a|parked"}));
}

TEST(Outgoing, WithoutAMatterItsTextIsWhatItIsAbout) {
  Line line;
  EXPECT_TRUE(line.add("a", "one"));
  EXPECT_FALSE(line.add("a", "one"));
  EXPECT_TRUE(line.add("a", "two"));
}

TEST(Outgoing, MattersAreForgottenBeforeTheyFillTheMemory) {
  Line line;
  for (size_t i = 0; i < kMattersKept + 1; ++i) {
    EXPECT_TRUE(line.add("a", "t", "matter " + std::to_string(i)));
    line.now.mono += milliseconds{1};
  }
  EXPECT_FALSE(line.add("a", "t", "matter " + std::to_string(kMattersKept)));
  EXPECT_TRUE(line.add("a", "t", "matter 0")) << "told longest ago";
}

TEST(Outgoing, AFloodIsThreeMessagesAndADigest) {
  Line line;
  for (const char* agent : {"a", "b", "c", "d", "e"}) line.add(agent, "trouble\nmore of it");
  line.pump();
  EXPECT_EQ(line.sent.size(), 3u);
  line.pass(seconds{30});
  line.add("f", "late");
  line.pump();
  EXPECT_EQ(line.sent.size(), 3u);
  line.pass(seconds{29});
  EXPECT_EQ(line.sent.size(), 3u);
  line.pass(seconds{1});
  EXPECT_EQ(line.sent,
            (Texts{"a|trouble\nmore of it", "b|trouble\nmore of it", "c|trouble\nmore of it",
                   "|3 more alerts: d: trouble; e: trouble; f: late"}));
  EXPECT_EQ(line.queue.unsent(), 0u);
}

TEST(Outgoing, AnErrorIsNotHeldBackBehindWarnings) {
  Line line;
  for (const char* text : {"1", "2", "3", "4", "5"}) line.add("a", text);
  line.pump();
  EXPECT_EQ(line.sent, (Texts{"a|1", "a|2", "a|3"}));
  line.add("a", "parked", "", Severity::error);
  EXPECT_LE(*line.queue.wake_at(), line.now.mono);
  line.pump();
  EXPECT_EQ(line.sent.back(), "a|parked") << "at once, and alone";
  line.pass(seconds{59});
  EXPECT_EQ(line.sent.size(), 4u) << "the warnings wait as before";
  line.pass(minutes{2});
  EXPECT_EQ(line.sent.back(), "a|2 more alerts: a: 4; a: 5");
}

TEST(Outgoing, ManyErrorsAreADigestOfErrors) {
  Line line;
  for (int i = 0; i < 12; ++i) {
    const std::string agent = "a" + std::to_string(i);
    for (const char* text : {"it is started again", "it is started again (2)"})
      line.add(agent, text);
    line.add(agent, "parked", "", Severity::error);
  }
  line.pump();
  ASSERT_EQ(line.sent.size(), kMessages + kErrors);
  line.pass(minutes{1});
  ASSERT_EQ(line.sent.size(), kMessages + kErrors + 1);
  EXPECT_NE(line.sent.back().find("a11: parked"), std::string::npos) << line.sent.back();
  EXPECT_EQ(line.queue.unsent(), 0u);
}

TEST(Outgoing, AnErrorDoesNotWaitForAWarningThatIsTriedAgain) {
  Line line;
  line.works = false;
  line.add("a", "trouble");
  line.pump();
  line.pass(seconds{70});  // the next try is two minutes later
  line.works = true;
  line.add("a", "parked", "", Severity::error);
  EXPECT_LE(*line.queue.wake_at(), line.now.mono);
  line.pump();
  EXPECT_EQ(line.sent, Texts{"a|parked"});
  EXPECT_EQ(line.queue.unsent(), 1u);
  line.pass(minutes{3});
  EXPECT_EQ(line.sent, (Texts{"a|parked", "a|trouble"}));
}

TEST(Outgoing, WarningsAreDroppedBeforeErrors) {
  Line line;
  line.works = false;
  line.add("a", "dead", "", Severity::error);
  EXPECT_TRUE(line.queue.next(line.now));
  for (size_t i = 0; i < 5; ++i) line.add("e", "error " + std::to_string(i), "", Severity::error);
  for (size_t i = 0; i < kWaiting; ++i) line.add("b", "trouble " + std::to_string(i));
  EXPECT_FALSE(line.add("e", "error 0", "", Severity::error)) << "it waits still";
  EXPECT_TRUE(line.add("b", "trouble 0")) << "it was dropped";
}

TEST(Outgoing, WhoWaitsAloneIsNoDigest) {
  Line line;
  for (const char* agent : {"a", "b", "c", "d"}) line.add(agent, "trouble");
  line.pump();
  line.pass(minutes{1});
  EXPECT_EQ(line.sent.back(), "d|trouble");
}

TEST(Outgoing, ADigestSaysWhoseAndHowBad) {
  Line line;
  for (const char* text : {"1", "2", "3", "4", "5"}) line.add("a", text);
  line.pump();
  for (const char* text : {"e1", "e2", "e3"}) line.add("a", text, "", Severity::error);
  line.pump();
  ASSERT_EQ(line.sent.size(), 6u);
  line.add("a", "6", "", Severity::error);
  line.now.mono += kMessagesIn;
  const auto digest = line.queue.next(line.now);
  ASSERT_TRUE(digest);
  EXPECT_EQ(digest->agent, "a");
  EXPECT_EQ(digest->severity, Severity::error);
  EXPECT_EQ(digest->matter, "digest");
  EXPECT_EQ(digest->text, "3 more alerts: a: 4; a: 5; a: 6");
  EXPECT_FALSE(digest->todo.empty());
}

// An alert every second for ten minutes: whichever minute one looks at.
TEST(Outgoing, NeverMoreThanThreeInAnyMinute) {
  Line line;
  for (int i = 0; i < 600; ++i) {
    line.add("a", "trouble " + std::to_string(i));
    line.pump();
    line.pass(seconds{1});
  }
  line.pass(minutes{5});
  for (size_t i = kMessages; i < line.begun.size(); ++i)
    EXPECT_GE(line.begun[i] - line.begun[i - kMessages], kMessagesIn);
  EXPECT_GE(line.begun.size(), 20u);
  EXPECT_EQ(line.queue.unsent(), 0u);
}

TEST(Outgoing, TheOldestAreDroppedAndCounted) {
  Line line;
  for (int i = 0; i < 3; ++i) line.add("a", "sent " + std::to_string(i));
  line.pump();
  for (size_t i = 0; i < kWaiting + 7; ++i) line.add("b", "trouble " + std::to_string(i));
  EXPECT_EQ(line.queue.unsent(), kWaiting + 7);
  EXPECT_TRUE(line.add("b", "trouble 0")) << "nobody was told of it";
  line.pass(minutes{1});
  ASSERT_EQ(line.sent.size(), 4u);
  const std::string& digest = line.sent.back();
  EXPECT_EQ(digest.find("b|208 more alerts: b: trouble 8; b: trouble 9; "), 0u) << digest;
  EXPECT_NE(digest.find(" more; 8 older ones were dropped"), std::string::npos) << digest;
  EXPECT_LT(digest.size(), kDigestBytes + 100);
  EXPECT_EQ(line.queue.unsent(), 0u);
}

TEST(Outgoing, AFailureIsTriedAgainLaterAndLater) {
  Line line;
  line.works = false;
  line.add("a", "trouble");
  line.pump();
  const MonoTime first = line.now.mono;
  line.pass(std::chrono::hours{1});
  std::vector<Duration> after;
  for (const MonoTime when : line.begun) after.push_back(when - first);
  EXPECT_EQ(after, (std::vector<Duration>{seconds{0}, seconds{5}, seconds{20}, seconds{65},
                                          seconds{185}, seconds{485}}));
  EXPECT_EQ(line.given_up, 1u);
  EXPECT_EQ(line.queue.unsent(), 0u);
}

TEST(Outgoing, ARetryThatWorksEndsIt) {
  Line line;
  line.works = false;
  line.add("a", "trouble");
  line.pump();
  line.pass(seconds{6});
  line.works = true;
  line.pass(seconds{14});
  EXPECT_EQ(line.sent, Texts{"a|trouble"});
  EXPECT_EQ(line.begun.size(), 3u);
  line.pass(minutes{20});
  EXPECT_EQ(line.sent.size(), 1u);
  EXPECT_FALSE(line.add("a", "trouble")) << "it was told";
}

TEST(Outgoing, OneAtATimeInOrder) {
  Line line;
  line.add("a", "1");
  line.add("a", "2");
  EXPECT_EQ(line.queue.next(line.now)->text, "1");
  EXPECT_EQ(line.queue.next(line.now), std::nullopt);
  EXPECT_EQ(line.queue.wake_at(), std::nullopt) << "who sends will tell";
  EXPECT_EQ(line.queue.failed(line.now.mono), 0u);
  EXPECT_EQ(line.queue.wake_at(), line.now.mono + kRetryAfter[0]);
  line.now.mono += kRetryAfter[0];
  EXPECT_EQ(line.queue.next(line.now)->text, "1");
  line.queue.sent();
  EXPECT_EQ(line.queue.next(line.now)->text, "2");
}

TEST(Outgoing, AfterGivingUpTheRestIsOneDigest) {
  Line line;
  line.works = false;
  line.add("a", "lost", "auth");
  line.pump();
  line.add("a", "2");
  line.add("b", "3");
  line.pass(seconds{484});
  EXPECT_EQ(line.given_up, 0u);
  EXPECT_FALSE(line.add("a", "lost", "auth"));
  line.pass(minutes{6});
  line.works = true;
  line.pass(minutes{10});
  EXPECT_EQ(line.given_up, 1u);
  EXPECT_EQ(line.sent, Texts{"|2 more alerts: a: 2; b: 3"});
  EXPECT_TRUE(line.add("a", "lost", "auth")) << "nobody was told of it";
}

TEST(Outgoing, IdleWhenNothingIsLeftToRemember) {
  Line line;
  EXPECT_TRUE(line.queue.idle(line.now.mono));
  line.add("a", "trouble");
  EXPECT_FALSE(line.queue.idle(line.now.mono));
  line.pump();
  EXPECT_FALSE(line.queue.idle(line.now.mono));
  line.pass(kMatterEvery);
  EXPECT_TRUE(line.queue.idle(line.now.mono));
}

}  // namespace
}  // namespace pawl::act
