#include "os/certificate.h"

#include <gtest/gtest.h>

#include "os/tls.h"

namespace pawl::os {
namespace {

using namespace std::chrono_literals;

const WallTime kMade{std::chrono::seconds{1'800'000'000}};

TEST(Certificate, AnAuthorityAndWhatItSigns) {
  const auto ca = make_authority("Pawl on box 123456", {"localhost", "Box", "203.0.113.7"}, kMade);
  ASSERT_TRUE(ca);
  const auto above = read_certificate(ca->certificate);
  ASSERT_TRUE(above);
  EXPECT_TRUE(above->authority);
  EXPECT_EQ(above->begins, kMade - kBackdated);
  EXPECT_EQ(above->ends, kMade + kAuthorityLasts);
  EXPECT_EQ(above->fingerprint.size(), 64u);

  const auto leaf = issue(*ca, {"localhost", "127.0.0.1", "box", "::1", "box", "no way"}, kMade);
  ASSERT_TRUE(leaf);
  const auto facts = read_certificate(leaf->certificate);
  ASSERT_TRUE(facts);
  EXPECT_FALSE(facts->authority);
  EXPECT_EQ(facts->begins, kMade - kBackdated);
  EXPECT_EQ(facts->ends - facts->begins, kCertificateLasts);
  EXPECT_EQ(facts->names, (std::vector<std::string>{"localhost", "127.0.0.1", "box", "::1"}));
  EXPECT_TRUE(fits(*leaf) && fits(*ca));
  EXPECT_FALSE(fits({leaf->certificate, ca->key}));
  EXPECT_TRUE(signed_by(leaf->certificate, ca->certificate));
  EXPECT_TRUE(covers(leaf->certificate, "127.0.0.1") && covers(leaf->certificate, "box"));
  EXPECT_FALSE(covers(leaf->certificate, "127.0.0.2") || covers(leaf->certificate, "other"));
  EXPECT_TRUE(TlsServer::of(*leaf));
  EXPECT_FALSE(TlsServer::of({leaf->certificate, ca->key}));
}

TEST(Certificate, SomebodyElsesIsNotOurs) {
  const auto one = make_authority("same", {"localhost"}, kMade),
             other = make_authority("same", {"localhost"}, kMade);
  const auto leaf = issue(*one, {"localhost"}, kMade);
  EXPECT_TRUE(signed_by(leaf->certificate, one->certificate));
  EXPECT_FALSE(signed_by(leaf->certificate, other->certificate));
  EXPECT_FALSE(issue({one->certificate, "no key"}, {"localhost"}, kMade));
}

TEST(Certificate, AnAuthorityMaySignForWhatItWasMadeForOnly) {
  const auto ca = make_authority("c", {"localhost", "Box", "203.0.113.7", "2001:db8::7"}, kMade);
  for (const char* name :
       {"localhost", "box", "BOX", "a.box", "127.9.9.9", "10.1.2.3", "172.16.0.1", "172.31.255.255",
        "192.168.1.1", "100.64.0.1", "100.127.255.255", "203.0.113.7", "::1", "fd00::1", "fe80::1",
        "2001:db8::7"})
    EXPECT_TRUE(may_sign(ca->certificate, name)) << name;
  for (const char* name :
       {"example.org", "xbox", "box.org", "local", "8.8.8.8", "172.32.0.1", "100.128.0.1",
        "203.0.113.8", "2001:db8::8", "::2", "", ".box", "a b", "*.box", "a,DNS:b"})
    EXPECT_FALSE(may_sign(ca->certificate, name)) << name;
}

TEST(Certificate, NothingOutlivesItsAuthority) {
  const auto ca = make_authority("c", {"localhost"}, kMade);
  const WallTime ends = read_certificate(ca->certificate)->ends;
  EXPECT_EQ(read_certificate(issue(*ca, {"localhost"}, ends - 24h)->certificate)->ends, ends);
  // A clock that has not been set yet: good from the authority's beginning on.
  const auto early = read_certificate(issue(*ca, {"localhost"}, WallTime{})->certificate);
  EXPECT_EQ(early->begins, kMade - kBackdated);
  EXPECT_EQ(early->ends - early->begins, kCertificateLasts);
}

TEST(Certificate, WhatIsNone) {
  for (const char* text :
       {"", "hello", "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n"}) {
    EXPECT_FALSE(read_certificate(text)) << text;
    EXPECT_EQ(certificate_in(text), "") << text;
    EXPECT_FALSE(may_sign(text, "localhost") || covers(text, "localhost") || fits({text, text}));
  }
  const auto ca = make_authority("c", {"localhost"}, kMade);
  EXPECT_EQ(certificate_in(ca->key + ca->certificate), ca->certificate);
  EXPECT_TRUE(fits({ca->certificate, ca->key + ca->certificate}));
}

}  // namespace
}  // namespace pawl::os
