#include "bus/server.h"

#include <gtest/gtest.h>

namespace pawl::bus {
namespace {

TEST(Server, WhereABusIs) {
  EXPECT_EQ(*places_of("nats://a:4222, tls://b ,[::1]:7"),
            (std::vector<Place>{{"a", 4222, false}, {"b", 4222, true}, {"::1", 7, false}}));
  EXPECT_EQ((*places_of("[::1]:7"))[0].text(), "[::1]:7");
  for (const char* bad :
       {"", ",", "http://a", "nats://", "nats://a:0", "nats://a:65536", "nats://a:x",
        "nats://u:p@a", "nats://[::1", "nats://a b", "nats://a/x", "nats://a\r\nCONNECT"})
    EXPECT_FALSE(places_of(bad)) << bad;
  std::string many = "a";
  for (int i = 0; i < 20; ++i) many += ",a";
  EXPECT_FALSE(places_of(many));
}

TEST(Server, WhoCanReachIt) {
  for (const char* own : {"localhost", "127.0.0.1", "127.1.2.3", "[::1]"})
    EXPECT_TRUE((*places_of(own))[0].loopback()) << own;
  for (const char* open : {"bus", "10.0.0.1", "192.168.1.1", "[fe80::1]"})
    EXPECT_FALSE((*places_of(open))[0].loopback()) << open;
}

TEST(Server, WhatItSaysOfItself) {
  const Place place{"a"};
  const auto info = server_info(
      R"(INFO {"version":"2.9.10","headers":true,"max_payload":1048576,"cluster":"c","tls_required":true,"auth_required":true} )",
      place);
  ASSERT_TRUE(info) << text_of(info.error());
  EXPECT_EQ(info->version, "2.9.10");
  EXPECT_EQ(info->cluster, "c");
  EXPECT_TRUE(info->wants_tls && info->wants_credentials);
  for (const char* bad :
       {"", "SSH-2.0-OpenSSH_9.2p1", "INFO", "INFO {", "INFO []", R"(INFO {"version":7})"})
    EXPECT_NE(server_info(bad, place).error().what.find("no NATS server"), std::string::npos)
        << bad;
  for (const char* old : {"2.8.4", "2.0", "1.4.1", "", "x"})
    EXPECT_NE(server_info(R"(INFO {"headers":true,"version":")" + std::string(old) + "\"}", place)
                  .error()
                  .what.find("too old"),
              std::string::npos)
        << old;
}

TEST(Server, WhatIsKnownOfItsVersion) {
  EXPECT_NE(note_on("2.9.10", false).find("2.11.15"), std::string::npos);
  EXPECT_EQ(note_on("2.9.10", false).find("two nodes"), std::string::npos);
  EXPECT_NE(note_on("2.9.10", true).find("the same work to two nodes"), std::string::npos);
  EXPECT_NE(note_on("2.11.14", false), "");
  EXPECT_EQ(note_on("2.11.15", true), "");
  EXPECT_EQ(note_on("2.12.3-beta.1", true), "");
}

}  // namespace
}  // namespace pawl::bus
