#include "os/clock.h"

#include <gtest/gtest.h>

namespace pawl::os {
namespace {

using namespace std::chrono_literals;

MonoTime at(Duration time) {
  return MonoTime{1h + time};
}

TEST(LivedTime, IsTheKernelsWithoutAnExpectation) {
  LivedTime time;
  EXPECT_EQ(time.of(at(0s)), at(0s));
  EXPECT_EQ(time.of(at(1h)), at(1h));
}

TEST(LivedTime, AStopEndsNoWait) {
  LivedTime time;
  EXPECT_EQ(time.of(at(0s)), at(0s));
  time.expect(at(2s));
  EXPECT_EQ(time.of(at(130s)), at(2s)) << "it was to be read then, and everything after is a stop";
  EXPECT_EQ(time.stopped(), 128s);
  EXPECT_EQ(time.of(at(131s)), at(3s));
  time.expect(at(3s));
  EXPECT_EQ(time.of(at(200s)), at(3s));
  EXPECT_EQ(time.stopped(), 197s);
}

TEST(LivedTime, ALittleLateIsNothing) {
  LivedTime time;
  time.expect(at(2s));
  EXPECT_EQ(time.of(at(5s)), at(5s));
  EXPECT_EQ(time.stopped(), 0s);
}

TEST(LivedTime, NeverGoesBack) {
  LivedTime time;
  time.expect(at(1s));
  EXPECT_EQ(time.of(at(4s)), at(4s));
  EXPECT_EQ(time.of(at(100s)), at(4s)) << "read after it was expected";
  EXPECT_EQ(time.of(at(101s)), at(5s));
}

}  // namespace
}  // namespace pawl::os
