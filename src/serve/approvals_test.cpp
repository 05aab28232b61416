#include "serve/approvals.h"

#include <gtest/gtest.h>

#include <set>

#include "base/test_dir.h"
#include "os/file.h"

namespace pawl::serve {
namespace {

constexpr int64_t kNow = 1'800'000'000;

WallTime at(int64_t seconds) {
  return WallTime{std::chrono::seconds{seconds}};
}

struct Home {
  TestDir dir;
  Credentials credentials = *Credentials::open(dir.path(), false);
  Approvals approvals{dir.path(), credentials, at(kNow)};
  Approvals again() { return {dir.path(), credentials, at(kNow)}; }
};

Approval approval(const std::string& dialog = "0123456789abcdef", int place = 0) {
  return {"team.docs-1", dialog, kNow + 100, place, place == 0 ? "ntfy" : "slack"};
}

TEST(Approvals, ALinkIsReadAsItWasMade) {
  Home home;
  const std::string link = home.approvals.link(approval());
  EXPECT_EQ(home.approvals.read(link), approval());
  EXPECT_EQ(home.again().read(link), approval()) << "also by the next daemon";
  EXPECT_EQ(link.find_first_of("/?#%&=+ ,;\""), link.npos) << "nothing that a message would break";
}

TEST(Approvals, NoLetterOfALinkCanBeAnother) {
  Home home;
  const std::string link = home.approvals.link(approval());
  for (size_t i = 0; i < link.size(); ++i) {
    std::string other = link;
    other[i] = other[i] == '1' ? '2' : '1';
    EXPECT_FALSE(home.approvals.read(other)) << other;
    EXPECT_FALSE(home.approvals.read(link.substr(0, i))) << i;
  }
  EXPECT_FALSE(home.approvals.read(link + "x"));
  EXPECT_FALSE(home.approvals.read(std::string(1000, '.')));
  const auto tokens = Credentials::open(home.dir.path(), true);
  EXPECT_FALSE(Approvals(home.dir.path(), *tokens, at(kNow)).read(link)) << "other tokens";
}

TEST(Approvals, WorksOnceWithAllItsLinks) {
  Home home;
  EXPECT_FALSE(home.approvals.used(approval()));
  ASSERT_TRUE(home.approvals.take(approval(), at(kNow)));
  EXPECT_TRUE(home.approvals.used(approval()));
  EXPECT_TRUE(home.approvals.used(approval("0123456789abcdef", 1))) << "the other channel's";
  EXPECT_FALSE(home.approvals.take(approval("0123456789abcdef", 1), at(kNow)));
  EXPECT_FALSE(home.approvals.used(approval("fedcba9876543210")));
  EXPECT_TRUE(home.again().used(approval()));
}

TEST(Approvals, WhatWasNotDoneMayBeTriedAgain) {
  Home home;
  ASSERT_TRUE(home.approvals.take(approval(), at(kNow)));
  home.approvals.give_back(approval());
  EXPECT_FALSE(home.approvals.used(approval()));
  EXPECT_FALSE(home.again().used(approval()));
  EXPECT_TRUE(home.approvals.take(approval(), at(kNow)));
}

TEST(Approvals, End) {
  Home home;
  EXPECT_FALSE(home.approvals.over(approval(), at(kNow + 99)));
  EXPECT_TRUE(home.approvals.over(approval(), at(kNow + 100)));
  EXPECT_FALSE(home.approvals.take(approval(), at(kNow + 100)));
}

TEST(Approvals, ACodeIsOfOneLink) {
  Home home;
  const std::string code = home.approvals.code(approval());
  EXPECT_EQ(code.size(), 9u) << code;
  EXPECT_NE(code, home.approvals.code(approval("0123456789abcdef", 1)));
  EXPECT_FALSE(home.approvals.fits(approval("0123456789abcdef", 1), code));
  EXPECT_FALSE(home.approvals.fits(approval(), ""));
  EXPECT_TRUE(home.approvals.fits(approval(), code));
  EXPECT_TRUE(home.approvals.fits(approval(), " " + code.substr(0, 4) + code.substr(5) + "\n"));
  std::set<std::string> codes;
  for (int i = 0; i < 1000; ++i)
    codes.insert(home.approvals.code(approval("d" + std::to_string(i))));
  EXPECT_GT(codes.size(), 990u);
}

TEST(Approvals, WrongCodesAreCountedAlsoByTheNextDaemon) {
  Home home;
  for (int i = 0; i < kWrongCodes - 1; ++i) EXPECT_FALSE(home.approvals.fits(approval(), "1"));
  EXPECT_TRUE(home.approvals.takes_codes(approval()));
  Approvals next = home.again();
  EXPECT_FALSE(next.fits(approval(), "1"));
  EXPECT_FALSE(next.takes_codes(approval()));
  EXPECT_FALSE(next.fits(approval(), next.code(approval()))) << "the right one comes too late";
  EXPECT_TRUE(next.take(approval(), at(kNow))) << "refusing is still possible";
}

TEST(Approvals, TenThousandAtOnceEachWorkOnce) {
  Home home;
  for (int i = 0; i < 10'000; ++i) {
    const auto one = approval("d" + std::to_string(i));
    ASSERT_EQ(home.approvals.read(home.approvals.link(one)), one);
    ASSERT_TRUE(home.approvals.take(one, at(kNow)));
    ASSERT_FALSE(home.approvals.take(one, at(kNow)));
  }
  Approvals next = home.again();
  for (int i = 0; i < 10'000; ++i) ASSERT_TRUE(next.used(approval("d" + std::to_string(i))));
  for (int i = 10'000; i < static_cast<int>(kMaxUsedLinks); ++i)
    ASSERT_TRUE(next.take(approval("d" + std::to_string(i)), at(kNow)));
  EXPECT_FALSE(next.take(approval("one more"), at(kNow))) << "none is forgotten for another";
  EXPECT_TRUE(next.used(approval("d0")));
  Approval later = approval("later");
  later.until = kNow + 1000;
  EXPECT_TRUE(next.take(later, at(kNow + 500))) << "those that ended make room";
}

TEST(Approvals, ATornLineIsNone) {
  Home home;
  ASSERT_TRUE(home.approvals.take(approval(), at(kNow)));
  const std::string path = home.dir / "approvals.used";
  const std::string whole = *os::read_file(path);
  ASSERT_TRUE(os::write_atomically(path, whole + "0123 18000"));
  Approvals next = home.again();
  EXPECT_TRUE(next.used(approval()));
  ASSERT_TRUE(next.take(approval("other"), at(kNow)));
  EXPECT_TRUE(home.again().used(approval("other"))) << "what follows a torn line is whole";
}

TEST(Approvals, NothingIsAnsweredWhenItCannotBeKept) {
  Home home;
  ASSERT_TRUE(os::make_private_dir(home.dir / "approvals.used"));
  Approvals next = home.again();
  EXPECT_FALSE(next.take(approval(), at(kNow)));
  EXPECT_FALSE(next.used(approval()));
  EXPECT_TRUE(next.read(next.link(approval())));
}

}  // namespace
}  // namespace pawl::serve
