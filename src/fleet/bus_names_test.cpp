#include "fleet/bus_names.h"

#include <gtest/gtest.h>

namespace pawl::fleet {
namespace {

TEST(BusNames, WhatWouldMeanMoreThanANameIsNone) {
  for (const char* good : {"gpu", "a-b_C9"}) {
    EXPECT_TRUE(valid_node(good)) << good;
    EXPECT_TRUE(valid_fleet(good)) << good;
  }
  for (const char* bad : {"", "gpu.example", "*", ">", "a b", "a\r\nPUB x", "ä", "a/b"}) {
    EXPECT_FALSE(valid_node(bad)) << bad;
    EXPECT_FALSE(valid_fleet(bad)) << bad;
  }
  EXPECT_FALSE(valid_fleet(std::string(33, 'a')));
  EXPECT_FALSE(valid_node(std::string(65, 'a')));
}

TEST(BusNames, SubjectsAndKeysHaveTokens) {
  for (const char* good : {"events.gpu._", "work.fix-1", "a/b=c"})
    EXPECT_TRUE(valid_key(good)) << good;
  for (const char* bad : {"", ".", "a..b", "a.", ".a", "a b", "a.*", "a.>", "a\r\n", "a\"b", "$JS"})
    EXPECT_FALSE(valid_key(bad)) << bad;
  for (const char* wild : {">", "events.*.docs", "events.>", "*"}) {
    EXPECT_TRUE(valid_subject(wild, Wildcards::some)) << wild;
    EXPECT_FALSE(valid_subject(wild, Wildcards::none)) << wild;
  }
  for (const char* bad : {"events.>.a", "a*", "ev>"})
    EXPECT_FALSE(valid_subject(bad, Wildcards::some)) << bad;
}

TEST(BusNames, WhereThingsAre) {
  EXPECT_EQ(subject_on_bus("home", "cmd.gpu.lap"), "pawl.home.cmd.gpu.lap");
  EXPECT_EQ(bucket_stream("home", Bucket::nodes), "KV_pawl_home_nodes");
  EXPECT_EQ(bucket_subject("home", Bucket::leases, "fix"), "$KV.pawl_home_leases.fix");
  EXPECT_EQ(plain_stream("home", "events"), "pawl_home_events");
  EXPECT_EQ(reply_prefix("home", "gpu"), "pawl.home.reply.gpu");
}

}  // namespace
}  // namespace pawl::fleet
