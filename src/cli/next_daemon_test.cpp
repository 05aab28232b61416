#include "cli/next_daemon.h"

#include <gtest/gtest.h>

namespace pawl::cli {
namespace {

using Do = NextDaemon::Do;
using std::chrono::seconds;

TEST(NextDaemon, OneThatWasKilledIsStartedAgainWhenNobodyElseDoes) {
  NextDaemon next;
  next.lost(MonoTime{}, false);
  EXPECT_EQ(next.what(MonoTime{}), Do::wait) << "a service may be faster";
  EXPECT_EQ(next.what(MonoTime{} + kLeftToOthers), Do::start);
  EXPECT_EQ(next.what(MonoTime{} + kNextDaemon), Do::give_up);
}

TEST(NextDaemon, OneThatWasEndedIsNotStartedAgain) {
  NextDaemon next;
  next.lost(MonoTime{}, true);
  EXPECT_EQ(next.what(MonoTime{} + kNextDaemon - seconds{1}), Do::wait);
  EXPECT_EQ(next.what(MonoTime{} + kNextDaemon), Do::give_up);
  EXPECT_EQ(next.given_up(), "[the daemon was ended; the agent keeps running]");
}

TEST(NextDaemon, ManyInARowAreEnough) {
  NextDaemon next;
  MonoTime now{};
  for (size_t i = 1; i < kDaemonsLost; ++i) next.lost(now += seconds{1}, false);
  EXPECT_EQ(next.what(now), Do::wait);
  next.lost(now += seconds{1}, false);
  EXPECT_EQ(next.what(now), Do::give_up);
  EXPECT_NE(next.given_up().find("again and again"), std::string::npos);
  next.lost(now += kLostWithin, false);
  EXPECT_EQ(next.what(now), Do::wait) << "that was long ago";
}

}  // namespace
}  // namespace pawl::cli
