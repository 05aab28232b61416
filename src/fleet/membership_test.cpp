#include "fleet/membership.h"

#include <gtest/gtest.h>

#include "base/test_dir.h"
#include "os/file.h"

namespace pawl::fleet {
namespace {

Membership gpu() {
  return {"nats://a:4222,tls://b:4222", "home", "gpu", "id-1", "/k/gpu.creds", "/k/ca.pem"};
}

TEST(Membership, ItIsTheSameAfterARestart) {
  const TestDir dir;
  ASSERT_TRUE(save_membership(dir.path(), gpu()));
  const auto back = load_membership(dir.path());
  ASSERT_TRUE(back && *back);
  EXPECT_EQ(**back, gpu());
  ASSERT_TRUE(forget_membership(dir.path()));
  const auto gone = load_membership(dir.path());
  ASSERT_TRUE(gone);
  EXPECT_FALSE(*gone) << "it is in no fleet";
}

TEST(Membership, ADamagedFileIsSaidAndNotTakenForNone) {
  const TestDir dir;
  ASSERT_TRUE(os::write_atomically(dir.path() + "/fleet.json", "{\"urls\": \"nats://a"));
  const auto back = load_membership(dir.path());
  ASSERT_FALSE(back);
  EXPECT_NE(back.error().what.find("is damaged"), std::string::npos) << back.error().what;
}

TEST(Membership, WhatIsWrongWithAnAddressIsSaid) {
  for (const char* bad :
       {"", "bus", "http://bus", "nats://", "nats://a,", "nats://a/b", "nats://me:secret@bus"}) {
    Membership membership = gpu();
    membership.urls = bad;
    EXPECT_FALSE(check(membership)) << bad;
  }
  Membership membership = gpu();
  membership.urls = "nats://me:secret@bus";
  EXPECT_EQ(check(membership).error().what.find("secret"), std::string::npos)
      << "a password is not repeated";
}

TEST(Membership, ANameThatASubjectCannotCarryIsRefused) {
  for (const char* bad : {"", "a.b", "a b", "*", ">", "_", "a/b"}) {
    Membership membership = gpu();
    membership.node = bad;
    EXPECT_FALSE(check(membership)) << bad;
  }
  EXPECT_EQ(node_name("gpu.example.org"), "gpu");
  EXPECT_EQ(node_name("my host"), "my-host");
  EXPECT_EQ(node_name(""), "node");
}

TEST(Membership, AContainerSaysItWithItsEnvironment) {
  EXPECT_FALSE(membership_of({"PAWL_FLEET_NODE=gpu"}, "pod-1")) << "without a URL there is none";
  const auto there = membership_of(
      {"PAWL_FLEET_URL=nats://bus:4222", "PAWL_FLEET_NAME=team", "PAWL_FLEET_CREDS=/k/pod.creds"},
      "pod-1.cluster");
  ASSERT_TRUE(there);
  EXPECT_EQ(there->urls, "nats://bus:4222");
  EXPECT_EQ(there->fleet, "team");
  EXPECT_EQ(there->node, "pod-1");
  EXPECT_EQ(there->creds, "/k/pod.creds");
}

}  // namespace
}  // namespace pawl::fleet
