#include "serve/own_certificate.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include "base/test_dir.h"
#include "base/test_full_disk.h"
#include "os/file.h"

namespace pawl::serve {
namespace {

using namespace std::chrono_literals;
constexpr auto kDay = std::chrono::hours{24};

// A folder for the files, a clock that only the test moves, and the names that are wanted.
struct CertificateWorld {
  TestDir home;
  std::string dir = home / "tls";
  Clock now{MonoTime{1h}, WallTime{std::chrono::seconds{1'800'000'000}}};
  CertificateNames names{{"proxy.example.org"}, {"box", "box.local", "192.168.1.5"}};

  Result<OwnCertificate> open(bool fresh = false) {
    return OwnCertificate::open(dir, names, fresh, now.wall);
  }
  bool later(OwnCertificate& own, Duration time, bool awake = true) {
    now.wall += time;
    now.mono += awake ? time : kLookAtCertificate;
    return own.follow(now, [this] { return names; });
  }
  std::string text(const char* name) { return os::read_file(dir + "/" + name).value_or(""); }
  std::string refused(bool fresh = false) {
    const auto opened = open(fresh);
    return opened ? "" : text_of(opened.error());
  }
};

bool mentions(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(OwnCertificate, IsMadeOnceAndKept) {
  CertificateWorld world;
  auto own = world.open();
  ASSERT_TRUE(own) << text_of(own.error());
  EXPECT_TRUE(own->take_news().empty());
  EXPECT_TRUE(os::signed_by(own->pair().certificate, own->authority()));
  for (const char* name :
       {"localhost", "127.0.0.1", "::1", "proxy.example.org", "box", "192.168.1.5"})
    EXPECT_TRUE(os::covers(own->pair().certificate, name)) << name;
  for (const char* file : {"ca.key", "ca.crt", "certificate.pem", "key.pem"}) {
    struct stat info {};
    ASSERT_EQ(::stat((world.dir + "/" + file).c_str(), &info), 0) << file;
    EXPECT_EQ(info.st_mode & 0777, 0600u) << file;
  }
  EXPECT_EQ(world.text("ca.crt"), own->authority());
  EXPECT_FALSE(mentions(world.text("ca.crt"), "PRIVATE"));
  world.now.wall += 30 * kDay;
  const auto again = world.open();
  EXPECT_EQ(again->authority(), own->authority());
  EXPECT_EQ(again->pair().certificate, own->pair().certificate);
}

TEST(OwnCertificate, IsRenewedAtTwoThirdsOfItsLife) {
  CertificateWorld world;
  auto own = *world.open();
  const std::string first = own.pair().certificate, authority = own.authority();
  EXPECT_FALSE(world.later(own, 58 * kDay));
  EXPECT_TRUE(world.later(own, kDay));
  EXPECT_NE(own.pair().certificate, first);
  EXPECT_EQ(world.text("certificate.pem"), own.pair().certificate);
  EXPECT_EQ(own.authority(), authority);
  EXPECT_FALSE(world.later(own, 1h)) << "once";
  for (int day = 0; day < 365; ++day) {
    world.later(own, kDay);
    ASSERT_LT(world.now.wall + 29 * kDay, own.facts().ends) << "never near its end, day " << day;
  }
  EXPECT_TRUE(own.take_news().empty());
}

TEST(OwnCertificate, ASuspendAndAClockThatWasSet) {
  CertificateWorld world;
  auto own = *world.open();
  EXPECT_TRUE(world.later(own, 200 * kDay, false)) << "the machine slept";
  EXPECT_GT(own.facts().ends, world.now.wall + 80 * kDay);
  EXPECT_TRUE(world.later(own, -190 * kDay, false)) << "by this clock it has not begun";
  EXPECT_LE(own.facts().begins, world.now.wall);
  const std::string good = own.pair().certificate;
  // No certificate of this CA is good by such clocks: the one there is stays, and nothing is made every minute.
  EXPECT_FALSE(world.later(own, -365 * kDay, false));
  EXPECT_FALSE(world.later(own, 20 * 365 * kDay, false));
  EXPECT_EQ(own.pair().certificate, good);
}

TEST(OwnCertificate, ANewAddressIsCoveredWithinAMinute) {
  CertificateWorld world;
  auto own = *world.open();
  world.names.found.back() = "10.0.0.9";
  EXPECT_FALSE(world.later(own, 1s) && world.later(own, 1s)) << "looked at once a minute";
  world.later(own, kLookAtCertificate);
  EXPECT_TRUE(os::covers(own.pair().certificate, "10.0.0.9"));
  EXPECT_FALSE(world.later(own, kLookAtCertificate));
  world.names.found.back() = "8.8.8.8";
  EXPECT_FALSE(world.later(own, kLookAtCertificate)) << "no CA of ours signs for that";
  EXPECT_TRUE(own.take_news().empty());
}

TEST(OwnCertificate, ANameItsCaMayNotSignForIsSaidOnceAndReplacesNothing) {
  CertificateWorld world;
  const std::string authority = world.open()->authority();
  world.names.asked.emplace_back("later.example.org");
  auto own = *world.open();
  EXPECT_EQ(own.authority(), authority);
  const auto news = own.take_news();
  ASSERT_EQ(news.size(), 1u);
  EXPECT_TRUE(mentions(news[0], "later.example.org") && mentions(news[0], "--new-ca")) << news[0];
  world.later(own, 2h);
  EXPECT_TRUE(own.take_news().empty());
  auto fresh = *world.open(true);
  EXPECT_NE(fresh.authority(), authority);
  EXPECT_TRUE(os::covers(fresh.pair().certificate, "later.example.org"));
  EXPECT_TRUE(mentions(world.text("ca.key.old"), authority)) << "nothing is lost";
  ASSERT_EQ(fresh.take_news().size(), 1u);
}

TEST(OwnCertificate, AFullDiskKeepsNobodyFromRenewal) {
  CertificateWorld world;
  auto own = *world.open();
  const std::string first = own.pair().certificate;
  {
    const FullDisk full(0);
    EXPECT_TRUE(world.later(own, 61 * kDay));
    const auto news = own.take_news();
    ASSERT_EQ(news.size(), 1u);
    EXPECT_TRUE(mentions(news[0], "cannot be saved")) << news[0];
    EXPECT_FALSE(world.later(own, 2h));
    EXPECT_TRUE(own.take_news().empty()) << "said once";
  }
  EXPECT_NE(own.pair().certificate, first);
  EXPECT_EQ(world.text("certificate.pem"), first);
  EXPECT_FALSE(world.later(own, 2h));
  EXPECT_EQ(world.text("certificate.pem"), own.pair().certificate) << "kept when that is possible";
}

TEST(OwnCertificate, NothingIsKeptOfACaThatCannotBeWritten) {
  CertificateWorld world;
  {
    const FullDisk full(0);
    EXPECT_TRUE(mentions(world.refused(), "cannot write"));
  }
  EXPECT_FALSE(os::exists(world.dir + "/ca.key"));
  const std::string authority = world.open()->authority();
  {
    const FullDisk full(0);
    EXPECT_NE(world.refused(true), "");
  }
  EXPECT_EQ(world.open()->authority(), authority) << "the old one is back in its place";
}

TEST(OwnCertificate, TheEndOfACaIsSaidBeforehand) {
  CertificateWorld world;
  auto own = *world.open();
  const WallTime ends = own.authority_facts().ends;
  world.later(own, ends - kAuthorityEndsSoon - kDay - world.now.wall, false);
  EXPECT_TRUE(own.take_news().empty());
  world.later(own, 2 * kDay);
  const auto soon = own.take_news();
  ASSERT_EQ(soon.size(), 1u);
  EXPECT_TRUE(mentions(soon[0], "ends on") && mentions(soon[0], "--new-ca")) << soon[0];
  for (int renewed = 0; world.now.wall < ends - kDay;) {
    renewed += world.later(own, 6h) ? 1 : 0;
    ASSERT_LE(renewed, 2) << "another would end as soon";
  }
  EXPECT_EQ(own.facts().ends, ends);
  world.later(own, 3 * kDay);
  const auto news = own.take_news();
  ASSERT_EQ(news.size(), 1u);
  EXPECT_TRUE(mentions(news[0], "ended on")) << news[0];
  EXPECT_TRUE(mentions(world.refused(), "ended on")) << world.refused();
  EXPECT_TRUE(mentions(world.refused(), "pawl serve --new-ca"));
  EXPECT_EQ(world.refused(true), "");
}

TEST(OwnCertificate, ACaThatIsNotRightIsRefusedAndLeftAlone) {
  CertificateWorld world;
  const auto own = *world.open();
  const std::string path = world.dir + "/ca.key", good = world.text("ca.key");
  const std::string certificate = own.authority(), leaf = own.pair().certificate;
  const auto other = *os::make_authority("other", {"localhost"}, world.now.wall);
  struct Case {
    const char* name;
    std::string text;
    const char* says;
  };
  for (const auto& it :
       std::vector<Case>{{"empty", "", "holds no certificate"},
                         {"torn", good.substr(0, good.size() / 2), "holds no certificate"},
                         {"nonsense", "hello\n", "holds no certificate"},
                         {"no key", certificate, "is missing, or not that of"},
                         {"another key", other.key + certificate, "is missing, or not that of"},
                         {"no CA", own.pair().key + leaf, "is no CA"},
                         {"much too large", std::string(1u << 20, 'x'), "is larger than"}}) {
    ASSERT_TRUE(os::write_atomically(path, it.text));
    const std::string why = world.refused();
    EXPECT_TRUE(mentions(why, it.says)) << it.name << ": " << why;
    const auto checked = OwnCertificate::check(world.dir, world.now.wall);
    EXPECT_EQ(checked ? "" : text_of(checked.error()), why) << it.name;
    EXPECT_TRUE(mentions(why, "pawl serve --new-ca")) << it.name << ": " << why;
    EXPECT_EQ(world.text("ca.key"), it.text) << it.name;
    EXPECT_EQ(world.text("ca.crt"), certificate) << it.name;
    EXPECT_EQ(world.text("certificate.pem"), leaf) << it.name;
  }
  ASSERT_TRUE(os::write_atomically(path, good));
  ASSERT_EQ(::chmod(path.c_str(), 0644), 0);
  EXPECT_TRUE(mentions(world.refused(), "other users may read"));
  ASSERT_EQ(::chmod(path.c_str(), 0600), 0);
  EXPECT_EQ(world.refused(), "");
  os::remove_file(path);
  EXPECT_TRUE(mentions(world.refused(), "is gone")) << "it may be installed somewhere";
}

TEST(OwnCertificate, ACheckChangesNothing) {
  CertificateWorld world;
  EXPECT_TRUE(OwnCertificate::check(world.dir, world.now.wall));
  EXPECT_FALSE(os::exists(world.dir));
  ASSERT_TRUE(world.open());
  os::remove_file(world.dir + "/ca.crt");
  EXPECT_TRUE(OwnCertificate::check(world.dir, world.now.wall));
  EXPECT_FALSE(os::exists(world.dir + "/ca.crt"));
  EXPECT_FALSE(OwnCertificate::check(world.dir, world.now.wall + 4000 * kDay));
}

TEST(OwnCertificate, WhatCanBeMadeAgainIsMadeAgain) {
  CertificateWorld world;
  const std::string authority = world.open()->authority();
  os::remove_file(world.dir + "/ca.crt");
  ASSERT_TRUE(os::write_atomically(world.dir + "/key.pem", "torn"));
  auto own = world.open();
  ASSERT_TRUE(own);
  EXPECT_EQ(world.text("ca.crt"), authority);
  EXPECT_TRUE(os::fits({world.text("certificate.pem"), world.text("key.pem")}));
  EXPECT_TRUE(own->take_news().empty());
}

TEST(OwnCertificate, OneThatSignedItselfIsReplacedWithAWord) {
  CertificateWorld world;
  const auto old = *os::make_authority("pawl on this machine", {"localhost"}, world.now.wall);
  ASSERT_TRUE(os::make_private_dir(world.dir));
  ASSERT_TRUE(os::write_atomically(world.dir + "/certificate.pem", old.certificate));
  ASSERT_TRUE(os::write_atomically(world.dir + "/key.pem", old.key));
  auto own = *world.open();
  const auto news = own.take_news();
  ASSERT_EQ(news.size(), 1u);
  EXPECT_TRUE(mentions(news[0], "pawl serve --ca")) << news[0];
  EXPECT_NE(world.text("certificate.pem"), old.certificate);
}

}  // namespace
}  // namespace pawl::serve
