#include "sim/fleet/play.h"

#include <gtest/gtest.h>

#include "base/test_sanitized.h"
#include "sim/fleet/shorten.h"

namespace pawl::sim {
namespace {

using std::chrono::seconds;

FleetStory drawn(uint64_t seed, const std::string& faults) {
  return *draw_fleet(seed, faults);
}

std::string wrong_in(const FleetStory& story) {
  const auto report = FleetPlay(story).run();
  std::string out;
  for (const auto& one : report.violations)
    out += one.judge + " at " + short_duration(one.at) + ": " + one.what + "\n";
  return out;
}

TEST(FleetPlay, HundredsOfSeedsWithAllFaults) {
  for (uint64_t seed = 1; seed <= (kSanitized ? 15 : 200); ++seed)
    ASSERT_EQ(wrong_in(drawn(seed, "all")), "") << "pawl simulate --fleet-bus --seed " << seed;
}

TEST(FleetPlay, EachFaultAlone) {
  for (const char* fault :
       {"none", "network", "partition", "slow", "restart", "stall", "clock", "freeze", "sleep",
        "pause", "kill", "bus", "reboot", "remove", "rate", "fork", "leader"})
    for (uint64_t seed = 1; seed <= (kSanitized ? 1 : 8); ++seed)
      ASSERT_EQ(wrong_in(drawn(seed, fault)), "") << fault << ", seed " << seed;
}

// Two are told that they were first, what was acknowledged is lost, and nodes and their links die besides.
TEST(FleetPlay, AClusterThatAcknowledgesTwoAndForgets) {
  for (uint64_t seed = 1; seed <= (kSanitized ? 5 : 60); ++seed) {
    auto story = drawn(seed, "fork,leader,partition,kill,slow,freeze");
    story.network.forked = 1;
    story.cluster = true;
    ASSERT_EQ(wrong_in(story), "") << seed;
  }
}

TEST(FleetPlay, WithoutFaultsNothingIsRunTwiceAndAllIsDoneSoon) {
  for (uint64_t seed = 1; seed <= 10; ++seed) {
    const auto report = FleetPlay(drawn(seed, "none")).run();
    EXPECT_TRUE(report.violations.empty()) << seed;
    EXPECT_EQ(report.takeovers, 0u) << seed;
    EXPECT_EQ(report.superseded, 0u) << seed;
    EXPECT_GT(report.accepted, 0u) << seed;
  }
}

TEST(FleetPlay, TwoPlaysOfOneSeedAreTheSame) {
  const auto story = drawn(7, "all");
  EXPECT_EQ(FleetPlay(story).run().digest, FleetPlay(story).run().digest);
}

TEST(FleetPlay, FaultsLeadToTakeoversAndToRunsThatDoNotCount) {
  if (kSanitized) GTEST_SKIP() << "it counts";
  size_t takeovers = 0, superseded = 0;
  for (uint64_t seed = 1; seed <= 60; ++seed) {
    const auto report = FleetPlay(drawn(seed, "all")).run();
    takeovers += report.takeovers;
    superseded += report.superseded;
  }
  EXPECT_GT(takeovers, 20u);
  EXPECT_GT(superseded, 0u);
}

TEST(FleetStory, IsTheSameWhenItIsReadAgain) {
  const auto story = drawn(3, "all");
  const auto text = to_json(story).dump(1);
  const auto again = fleet_story_from(*Json::parse(text));
  ASSERT_TRUE(again);
  EXPECT_EQ(to_json(*again).dump(1), text);
  EXPECT_EQ(FleetPlay(*again).run().digest, FleetPlay(story).run().digest);
  EXPECT_FALSE(fleet_story_from(*Json::parse(R"({"fleet_story":1,"doings":[{"does":"sings"}]})")));
  EXPECT_FALSE(draw_fleet(1, "earthquake"));
}

// The judges can fail.
TEST(FleetJudge, SeesAUnitOnTwoNodesAndAStartWithoutAClaim) {
  ModelServer server;
  FleetJudge judge(server);
  const auto write = [&](uint64_t revision, const char* state, const char* node, uint64_t token) {
    const auto value = Json::object({{"state", state}, {"node", node}, {"token", token}});
    judge.stored({fleet::Bucket::work, "u", value.dump(), revision});
  };
  judge.stored({fleet::Bucket::leases, "u", R"({"node":"n0"})", 4});
  judge.begins("u", 0, "n0", {"u", 4, "x", "", {}});
  ASSERT_EQ(judge.violations().size(), 1u) << "it was never written into the unit";
  write(5, "claimed", "n0", 4);
  judge.begins("u", 1, "n1", {"u", 4, "x", "", {}});
  EXPECT_EQ(judge.violations().size(), 4u) << "no lease, no claim, and it runs twice";
  judge.ends("u", 0);
  judge.ends("u", 1);
  judge.stored({fleet::Bucket::leases, "u", R"({"node":"n1"})", 6});
  write(7, "claimed", "n1", 6);
  judge.begins("u", 1, "n1", {"u", 6, "x", "", {}});
  EXPECT_EQ(judge.violations().size(), 4u);
  write(8, "ended", "n1", 6);
  write(9, "ended", "n0", 4);
  EXPECT_EQ(judge.violations().size(), 5u) << "it ends twice";
}

TEST(FleetJudge, SeesEventsThatAreMissingDoubledOrOutOfOrder) {
  ModelServer server;
  FleetJudge judge(server);
  judge.event("r", {"n1", "id", 4, "", "", 0});
  judge.event("r", {"n1", "id", 5, "", "", 0});
  EXPECT_TRUE(judge.violations().empty());
  judge.event("r", {"n1", "id", 5, "", "", 0});
  judge.event("r", {"n1", "id", 7, "", "", 0});
  judge.event("r", {"n1", "id", 9, "", "", 1});
  EXPECT_EQ(judge.violations().size(), 2u) << "8 is not there so far";
  judge.appended({3, "events.n1._", "", "id-8", {}});
  EXPECT_EQ(judge.violations().size(), 3u);
  judge.appended({1, "events.n1._", "", "id-1", {}});
  judge.appended({2, "events.n1._", "", "id-1", {}});
  EXPECT_EQ(judge.violations().size(), 4u);
}

TEST(ModelServer, AClusterAcknowledgesTwoThatRaceAndLosesTheNewest) {
  using fleet::Bucket;
  using fleet::BusEnd;
  using fleet::BusOp;
  ModelServer server;
  server.forks = 1;
  const auto write = [&](BusOp op, uint64_t revision) {
    return server.answer({.op = op, .bucket = Bucket::work, .key = "u", .revision = revision});
  };
  server.go_to(seconds{10});
  const auto first = write(BusOp::create, 0).revision;
  EXPECT_EQ(write(BusOp::update, first).end, BusEnd::done);
  EXPECT_EQ(write(BusOp::update, first).end, BusEnd::done) << "both were checked by the first";
  server.go_to(seconds{10} + kForkWindow);
  EXPECT_EQ(write(BusOp::update, first).end, BusEnd::stale) << "it is too late for a race";
  EXPECT_EQ(server.lose(Bucket::work, seconds{11}).size(), 0u);
  EXPECT_EQ(server.lose(Bucket::work, seconds{10}).size(), 3u);
  EXPECT_FALSE(server.find(Bucket::work, "u"));
  EXPECT_EQ(write(BusOp::create, 0).revision, first) << "its numbers are used again";
}

TEST(ModelServer, KeepsToWhatNatsDoes) {
  using fleet::Bucket;
  using fleet::BusEnd;
  using fleet::BusOp;
  ModelServer server;
  const fleet::BusAsk create{
      .op = BusOp::create, .bucket = Bucket::leases, .key = "u", .value = "a"};
  const auto first = server.answer(create);
  EXPECT_EQ(first.end, BusEnd::done);
  EXPECT_EQ(server.answer(create).end, BusEnd::taken);
  fleet::BusAsk update{
      .op = BusOp::update, .bucket = Bucket::leases, .key = "u", .value = "b", .revision = 9};
  EXPECT_EQ(server.answer(update).end, BusEnd::stale);
  update.revision = first.revision;
  EXPECT_EQ(server.answer(update).end, BusEnd::done);
  server.go_to(seconds{31});
  EXPECT_EQ(server.answer({.bucket = Bucket::leases, .key = "u"}).end, BusEnd::missing);
  EXPECT_GT(server.answer(create).revision, first.revision) << "a fencing token";
  const fleet::BusAsk publish{.op = BusOp::publish, .subject = "events.n._", .message_id = "1"};
  EXPECT_EQ(server.answer(publish).revision, server.answer(publish).revision);
  server.go_to(seconds{31} + kDuplicateWindow);
  EXPECT_EQ(server.answer(publish).revision, 2u) << "the window is over";
  server.answer({.op = BusOp::publish, .subject = "work.q"});
  EXPECT_TRUE(server.take("work.q"));
  EXPECT_FALSE(server.take("work.q"));
  server.go_to(seconds{62} + kDuplicateWindow);
  const auto again = server.take("work.q");
  ASSERT_TRUE(again);
  server.settle("work.q", again->sequence, true);
  EXPECT_EQ(server.queued(), 0u);
}

}  // namespace
}  // namespace pawl::sim
