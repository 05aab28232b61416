#include "bus/stores.h"

#include <gtest/gtest.h>

namespace pawl::bus {
namespace {

using std::chrono::seconds;

const Stream& named(const std::vector<Stream>& all, const std::string& name) {
  for (const auto& stream : all)
    if (stream.name == name) return stream;
  ADD_FAILURE() << name;
  return all[0];
}

TEST(Stores, EveryStreamHasItsLimits) {
  const auto all = streams_of("home", seconds{30});
  EXPECT_EQ(all.size(), 9u);
  for (const auto& stream : all) {
    const Json wish = wish_of(stream, 3);
    EXPECT_GT(wish["max_bytes"].as_int(), 0) << stream.name;
    EXPECT_GT(wish["max_age"].as_int(), 0);
    EXPECT_GT(wish["max_msg_size"].as_int(), 0);
    EXPECT_LE(wish["duplicate_window"].as_int(), wish["max_age"].as_int())
        << "or the server refuses it";
    EXPECT_EQ(wish["num_replicas"].as_int(), 3);
    EXPECT_TRUE(check(stream, wish)) << "it is as we make it";
  }
  EXPECT_EQ(wish_of(named(all, "KV_pawl_home_leases"), 1)["max_age"].as_int(), 30'000'000'000);
  EXPECT_EQ(wish_of(named(all, "pawl_home_work"), 1)["retention"].as_string(), "workqueue");
  EXPECT_EQ(wish_of(named(all, "pawl_home_work"), 1)["discard"].as_string(), "new");
  EXPECT_EQ(wish_of(named(all, "pawl_home_events"), 1)["discard"].as_string(), "old");
}

TEST(Stores, OneThatDoesMoreOrLessIsNotUsed) {
  const auto all = streams_of("home", seconds{30});
  const auto& events = named(all, "pawl_home_events");
  for (const auto& [key, value] : {std::pair<const char*, Json>{"mirror", Json::object()},
                                   {"sources", Json::array()},
                                   {"republish", Json::object()},
                                   {"subject_transform", Json::object()},
                                   {"sealed", true},
                                   {"retention", "workqueue"},
                                   {"max_msgs_per_subject", 1},
                                   {"subjects", Json(Json::Array{Json("pawl.home.>")})}})
    EXPECT_FALSE(check(events, wish_of(events, 1).set(key, value))) << key;
  const auto& leases = named(all, "KV_pawl_home_leases");
  EXPECT_FALSE(check(leases, wish_of(named(streams_of("home", seconds{60}), leases.name), 1)));
}

TEST(Stores, WhichStreamASubjectIsIn) {
  EXPECT_EQ(stream_with("home", "events.gpu._")->name, "pawl_home_events");
  EXPECT_EQ(stream_with("home", "inbox.>")->name, "pawl_home_inbox");
  EXPECT_FALSE(stream_with("home", "cmd.gpu.lap"));
  EXPECT_FALSE(stream_with("home", "nodes"));
  EXPECT_FALSE(stream_with("home", ""));
}

TEST(Stores, QueuesThatANodeMayReadOff) {
  EXPECT_EQ(queue_reader("home", "gpu", "work.fixes")->name, "fixes");
  EXPECT_EQ(queue_reader("home", "gpu", "inbox.gpu.>")->filter, "pawl.home.inbox.gpu.>");
  for (const char* bad :
       {"inbox.lap.>", "inbox.>", "inbox.gpu.docs", "work.>", "work.*", "work.a.b", "events.>", ""})
    EXPECT_FALSE(queue_reader("home", "gpu", bad)) << bad;
}

TEST(Stores, WhereAMessageCameFrom) {
  const auto old = given("$JS.ACK.pawl_home_events.r1.1.77.5.1700000000000000000.3");
  ASSERT_TRUE(old);
  EXPECT_EQ(old->reader, "r1");
  EXPECT_EQ(old->sequence, 77u);
  EXPECT_EQ(old->number, 5u);
  const auto newer =
      given("$JS.ACK.hub.ACC.pawl_home_events.r1.1.77.5.1700000000000000000.3.random");
  ASSERT_TRUE(newer);
  EXPECT_EQ(newer->reader, "r1");
  EXPECT_EQ(newer->sequence, 77u);
  for (const char* bad : {"", "$JS.ACK.x", "$JS.ACK.s.r.1.x.5.1.3", "a.b.c.d.e.f.g.h.i"})
    EXPECT_FALSE(given(bad)) << bad;
}

TEST(Stores, WhatAServerRefusesIsSaidWithWhatToDo) {
  const auto said = [](int code) { return sentence_of({code, 503, "words"}); };
  EXPECT_NE(said(10077).find("full"), std::string::npos);
  EXPECT_NE(said(10047).find("max_file_store"), std::string::npos);
  EXPECT_NE(said(10039).find("jetstream {"), std::string::npos);
  EXPECT_NE(said(12345).find("words (12345)"), std::string::npos);
}

}  // namespace
}  // namespace pawl::bus
