#include "fleet/bus_process.h"

#include <gtest/gtest.h>

#include <csignal>
#include <cstdlib>

#include "base/test_dir.h"
#include "os/file.h"

namespace pawl::fleet {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

// A program in place of pawl-bus: a shell script that says frames which were written into files before.
struct Bench {
  TestDir dir;
  os::Loop loop;
  Parting parting;
  std::vector<BusNews> news;
  std::function<bool()> enough;
  std::unique_ptr<BusProcess> bus;

  std::string frame(const std::string& name, const FromBus& said) {
    EXPECT_TRUE(os::write_atomically(dir / name, bus_frame(said)));
    return "cat " + (dir / name) + "; ";
  }
  std::string up(uint64_t number = 1) {
    return frame("up" + std::to_string(number), {BusNews{BusLink{true, "", "2.9.10", ""}}, number});
  }
  void begin(const std::string& script) {
    bus = std::make_unique<BusProcess>(
        loop, parting, BusJoin{"nats://127.0.0.1:1", "home", "gpu"},
        [this](const BusNews& one) {
          news.push_back(one);
          if (enough && enough()) loop.stop();
        },
        std::vector<std::string>{"sh", "-c", script});
  }
  void run(std::function<bool()> until, Duration limit = seconds{20}) {
    enough = std::move(until);
    if (enough()) return;
    os::Timer late(loop, [this] {
      ADD_FAILURE() << "it did not happen";
      loop.stop();
    });
    late.start(limit);
    loop.run();
  }
  template <class One>
  std::vector<One> all() const {
    std::vector<One> found;
    for (const auto& one : news)
      if (const auto* it = std::get_if<One>(&one)) found.push_back(*it);
    return found;
  }
  bool linked(bool wanted) const {
    const auto links = all<BusLink>();
    return !links.empty() && links.back().up == wanted;
  }
};

TEST(BusProcess, WhatItSaysIsHeardAndItsRepliesAreCounted) {
  Bench bench;
  bench.begin(
      bench.up() + bench.frame("entry", {BusNews{BusEntry{Bucket::nodes, "lap", "v", 3}}, 1}) +
      "head -c 1 >/dev/null; read line; " +
      bench.frame("reply", {BusNews{BusReply{7, BusEnd::done, 4}}, 1}) + "exec cat >/dev/null");
  bench.run([&] { return bench.linked(true); });
  EXPECT_TRUE(bench.bus->up());
  bench.bus->ask({7, BusOp::put, Bucket::nodes, "", "gpu", "\n"});
  EXPECT_EQ(bench.bus->unanswered(), 1u);
  // The script waits for a line end, and base64 has none: it comes with the next name.
  BusAsk more{0, BusOp::put, Bucket::nodes, "", "gpu"};
  more.message_id = "x";
  bench.bus->ask(more);
  EXPECT_EQ(bench.bus->unanswered(), 1u) << "nobody waits for one without an id";
  bench.run([&] { return !bench.all<BusEntry>().empty(); });
  EXPECT_EQ(bench.all<BusEntry>()[0].value, "v");
}

TEST(BusProcess, ItsEndIsTheEndOfTheLinkAndOfEveryAsk) {
  Bench bench;
  bench.begin(bench.up() + "head -c 200 >/dev/null; echo it broke >&2; exit 3");
  bench.run([&] { return bench.linked(true); });
  for (uint64_t id = 1; id <= 5; ++id) bench.bus->ask({id, BusOp::get, Bucket::work, "", "fix"});
  bench.run([&] { return bench.all<BusReply>().size() == 5; });
  EXPECT_TRUE(bench.linked(false));
  EXPECT_NE(bench.all<BusLink>().back().because.find("it broke"), std::string::npos);
  for (const auto& reply : bench.all<BusReply>()) EXPECT_EQ(reply.end, BusEnd::unknown);
  EXPECT_EQ(bench.bus->unanswered(), 0u);
  bench.run([&] { return bench.linked(true); });  // it is started again
}

TEST(BusProcess, WhatIsAskedWhileItIsAwayIsUnknownAndNotFromACallOfOurs) {
  Bench bench;
  bench.begin("exec cat >/dev/null");
  bench.bus->ask({1, BusOp::get, Bucket::work, "", "fix"});
  EXPECT_TRUE(bench.news.empty());
  BusAsk large{2, BusOp::put, Bucket::blobs, "", "b"};
  large.value = std::string(kMaxBusValue + 1, 'x');
  bench.bus->ask(large);
  bench.run([&] { return bench.all<BusReply>().size() == 2; });
  EXPECT_EQ(bench.all<BusReply>()[0].end, BusEnd::unknown);
  EXPECT_EQ(bench.all<BusReply>()[1].end, BusEnd::refused) << "it never could be sent";
}

TEST(BusProcess, RepliesOfALinkThatIsOverAreNotHeard) {
  Bench bench;
  bench.begin(bench.up(1) + "head -c 100 >/dev/null; " +
              bench.frame("down", {BusNews{BusLink{false, "the server is away"}}, 1}) +
              bench.frame("late", {BusNews{BusReply{1, BusEnd::done, 4}}, 1}) +
              bench.frame("old", {BusNews{BusEntry{Bucket::nodes, "lap", "v", 3}}, 1}) +
              bench.up(2) +
              bench.frame("older", {BusNews{BusEntry{Bucket::nodes, "old", "v", 3}}, 1}) +
              bench.frame("new", {BusNews{BusEntry{Bucket::nodes, "new", "v", 3}}, 2}) +
              "exec cat >/dev/null");
  bench.run([&] { return bench.linked(true); });
  bench.bus->ask({1, BusOp::get, Bucket::work, "", "fix"});
  bench.run([&] { return !bench.all<BusEntry>().empty(); });
  ASSERT_EQ(bench.all<BusReply>().size(), 1u);
  EXPECT_EQ(bench.all<BusReply>()[0].end, BusEnd::unknown);
  ASSERT_EQ(bench.all<BusEntry>().size(), 1u);
  EXPECT_EQ(bench.all<BusEntry>()[0].key, "new");
}

TEST(BusProcess, AQueueThatNobodyReadsIsBounded) {
  Bench bench;
  bench.begin(bench.up() + "exec sleep 600");
  bench.run([&] { return bench.linked(true); });
  BusAsk ask{0, BusOp::put, Bucket::blobs, "", "b"};
  ask.value = std::string(kMaxBusValue, 'x');
  for (uint64_t id = 1; id <= 100; ++id) {
    ask.id = id;
    bench.bus->ask(ask);
  }
  EXPECT_LE(bench.bus->sending(), kMaxBusSending + kMaxBusFrame);
  const size_t sent = bench.bus->unanswered();
  EXPECT_LT(sent, 100u);
  bench.run([&] { return bench.all<BusReply>().size() == 100 - sent; });
  bench.run([&] { return bench.all<BusReply>().size() == 100; }, seconds{30});  // it is silent
  EXPECT_TRUE(bench.linked(false));
}

TEST(BusProcess, NonsenseEndsItAndIsSaid) {
  Bench bench;
  bench.begin(bench.up() + "head -c 100 >/dev/null; echo garbage garbage; exec sleep 600");
  bench.run([&] { return bench.linked(true); });
  bench.run([&] { return bench.linked(false); });
  EXPECT_FALSE(bench.all<BusLink>().back().because.empty());
  bench.run([&] { return bench.parting.size() == 0 || bench.linked(true); });
}

TEST(BusProcess, OneThatCannotBeStartedIsSaidOnce) {
  Bench bench;
  bench.begin("exit 0");
  bench.run([&] { return bench.linked(false); });
  os::Timer later(bench.loop, [&] { bench.loop.stop(); });
  later.start(milliseconds{1700});  // two more starts
  bench.enough = nullptr;
  bench.loop.run();
  EXPECT_EQ(bench.all<BusLink>().size(), 1u);
}

TEST(BusProcess, WhoHearsMayLetGoOfIt) {
  Bench bench;
  bench.begin(bench.up() +
              bench.frame("entry", {BusNews{BusEntry{Bucket::nodes, "lap", "v", 3}}, 1}) +
              "exec cat >/dev/null");
  bench.run([&] {
    if (bench.linked(true)) bench.bus.reset();
    return bench.linked(true);
  });
  EXPECT_TRUE(bench.all<BusEntry>().empty() || bench.bus == nullptr);
  EXPECT_EQ(bench.parting.size(), 1u);
}

TEST(BusProcess, ItIsFoundWhereItIsSaidToBe) {
  TestDir dir;
  const char* before = std::getenv("PAWL_BUS");
  const std::string kept = before ? before : "";
  ::setenv("PAWL_BUS", "/bin/sh", 1);
  EXPECT_EQ(find_pawl_bus().value_or(""), "/bin/sh");
  ::setenv("PAWL_BUS", (dir / "nothing").c_str(), 1);
  EXPECT_FALSE(find_pawl_bus());
  before ? ::setenv("PAWL_BUS", kept.c_str(), 1) : ::unsetenv("PAWL_BUS");
}

}  // namespace
}  // namespace pawl::fleet
