#include "serve/patience.h"

#include <gtest/gtest.h>

namespace pawl::serve {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr MonoTime kStart{std::chrono::hours{5}};

TEST(Account, FillsUpAgain) {
  const Allowance allowance{milliseconds{10}, 0.01};
  Account account;
  EXPECT_FALSE(account.until(allowance, kStart));
  account.charge(allowance, kStart, milliseconds{9});
  EXPECT_FALSE(account.until(allowance, kStart)) << "some is left";
  account.charge(allowance, kStart, milliseconds{3});
  const auto due = account.until(allowance, kStart);
  ASSERT_TRUE(due);
  EXPECT_NEAR(std::chrono::duration<double>(*due - kStart).count(), 0.2, 0.01)
      << "2 ms too many, at 10 ms a second";
  EXPECT_FALSE(account.until(allowance, *due));
  EXPECT_TRUE(account.full(allowance, kStart + seconds{10}));
  account.charge(allowance, kStart + std::chrono::hours{9}, milliseconds{9});
  EXPECT_FALSE(account.until(allowance, kStart + std::chrono::hours{9})) << "no more than a burst";
}

// Does what it may, as fast as it may, for so long; gives how much that cost.
Duration cost(Patience& patience, const std::vector<std::string>& addresses, Duration time) {
  Duration spent{};
  for (MonoTime now = kStart; now < kStart + time; now += milliseconds{1}) {
    patience.next_turn();
    for (const auto& address : addresses)
      if (!patience.until(address, now)) {
        patience.charge(address, now, std::chrono::microseconds{500});
        spent += std::chrono::microseconds{500};
      }
  }
  return spent;
}

TEST(Patience, StrangersHaveASmallShareHoweverManyAddressesTheyHave) {
  Patience one, many;
  EXPECT_LE(cost(one, {"10.0.0.1"}, seconds{60}), milliseconds{60'000 * 15 / 1000 + 110});
  std::vector<std::string> all;
  for (int i = 0; i < 200; ++i) all.push_back("10.0.1." + std::to_string(i));
  EXPECT_LE(cost(many, all, seconds{60}), milliseconds{60'000 * 4 / 100 + 250});
  Patience other;
  EXPECT_GE(cost(other, {"10.0.0.2"}, seconds{60}), milliseconds{800}) << "and they have it";
}

TEST(Patience, StrangersDoNotHaveAWholeTurnToThemselves) {
  Patience patience;
  patience.came_in("10.0.0.7", kStart);
  patience.charge("10.0.0.1", kStart, kOfTurn);
  EXPECT_TRUE(patience.until("10.0.0.2", kStart));
  EXPECT_FALSE(patience.until("10.0.0.7", kStart));
  patience.next_turn();
  EXPECT_FALSE(patience.until("10.0.0.2", kStart));
}

TEST(Patience, AnAddressFromWhichSomebodyCameInIsNotEmptiedByOthers) {
  Patience patience;
  patience.came_in("10.0.0.7", kStart);
  for (int i = 0; i < 100; ++i)
    patience.charge("10.0.1." + std::to_string(i), kStart, milliseconds{30});
  EXPECT_TRUE(patience.until("10.0.0.8", kStart)) << "a newcomer waits with the others";
  EXPECT_FALSE(patience.until("10.0.0.7", kStart));
  patience.charge("10.0.0.7", kStart, seconds{1});
  EXPECT_TRUE(patience.until("10.0.0.7", kStart)) << "it has an end, too";
  EXPECT_TRUE(patience.until("10.0.0.7", kStart + milliseconds{1}));
}

TEST(Patience, WhoComesInPaysNothing) {
  Patience patience;
  MonoTime now = kStart;
  for (int i = 0; i < 10'000; ++i, now += milliseconds{50}) {
    EXPECT_FALSE(patience.until("10.0.0.7", now)) << "its " << i << "th connection waits";
    patience.charge("10.0.0.7", now, milliseconds{3});
    patience.came_in("10.0.0.7", now);
    patience.give_back("10.0.0.7", now, milliseconds{3});
  }
  patience.charge("10.0.0.7", now, seconds{1});
  EXPECT_TRUE(patience.until("10.0.0.7", now)) << "nothing was saved up";
}

TEST(Patience, StrangersGetNothingBack) {
  Patience patience;
  patience.charge("10.0.0.1", kStart, seconds{1});
  patience.give_back("10.0.0.1", kStart, seconds{1});
  EXPECT_TRUE(patience.until("10.0.0.1", kStart));
}

TEST(Patience, RemembersAFewAddressesAndNeverForgetsThoseWhoCameIn) {
  Patience patience;
  patience.came_in("10.0.0.7", kStart);
  for (int i = 0; i < 5000; ++i)
    patience.charge("a" + std::to_string(i), kStart, std::chrono::microseconds{10});
  EXPECT_LE(patience.addresses(), kAddressesKept);
  patience.charge("stranger", kStart, seconds{1});
  EXPECT_FALSE(patience.until("10.0.0.7", kStart));
}

TEST(Patience, OneNetworkOfIPv6IsOneAddress) {
  EXPECT_EQ(network_of("2001:db8::1"), network_of("2001:db8::ffff:1234"));
  EXPECT_NE(network_of("2001:db8::1"), network_of("2001:db8:0:1::1"));
  EXPECT_NE(network_of("10.0.0.1"), network_of("10.0.0.2"));
  EXPECT_NE(network_of("::ffff:10.0.0.1"), network_of("::ffff:10.0.0.2"));
}

}  // namespace
}  // namespace pawl::serve
