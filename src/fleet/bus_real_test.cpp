// Every word of bus.h with a real server, and what becomes of it when one of the programs in between dies or stops.

#include <algorithm>
#include <set>

#include "fleet/test_nats.h"

namespace pawl::fleet {
namespace {

class BusReal : public ::testing::Test {
 protected:
  void SetUp() override {
    if (const auto why = no_real_bus(); !why.empty()) GTEST_SKIP() << why;
    server.begin();
  }
  std::unique_ptr<Node> join(const std::string& name, Duration lease = seconds{30}) {
    BusJoin with{server.url(), "home", name};
    with.lease = lease;
    return std::make_unique<Node>(loop, with);
  }
  os::Loop loop;
  NatsServer server{loop};
};

const std::string kBytes("\0\xff\r\n{\"\x80 PUB x 1", 15);

TEST_F(BusReal, KeysAreMadeChangedAndRemovedOnceEach) {
  auto gpu = join("gpu");
  ASSERT_TRUE(gpu->comes_up());
  EXPECT_EQ(gpu->all<BusLink>().back().server.substr(0, 2), "2.");
  const auto made = gpu->key(BusOp::create, Bucket::work, "fix", kBytes);
  ASSERT_EQ(made.end, BusEnd::done) << made.because;
  EXPECT_GT(made.revision, 0u);
  const auto second = gpu->key(BusOp::create, Bucket::work, "fix", "mine");
  EXPECT_EQ(second.end, BusEnd::taken);
  EXPECT_EQ(second.revision, made.revision);
  EXPECT_EQ(second.value, kBytes);
  const auto read = gpu->key(BusOp::get, Bucket::work, "fix");
  EXPECT_EQ(read.end, BusEnd::done);
  EXPECT_EQ(read.value, kBytes);
  EXPECT_EQ(read.revision, made.revision);

  const auto changed = gpu->key(BusOp::update, Bucket::work, "fix", "two", made.revision);
  ASSERT_EQ(changed.end, BusEnd::done) << changed.because;
  EXPECT_GT(changed.revision, made.revision);
  EXPECT_EQ(gpu->key(BusOp::update, Bucket::work, "fix", "late", made.revision).end, BusEnd::stale);
  EXPECT_EQ(gpu->key(BusOp::update, Bucket::work, "gone", "x", 5).end, BusEnd::stale);
  EXPECT_EQ(gpu->key(BusOp::remove, Bucket::work, "fix", "", made.revision).end, BusEnd::stale);
  EXPECT_EQ(gpu->key(BusOp::remove, Bucket::work, "fix", "", changed.revision).end, BusEnd::done);
  EXPECT_EQ(gpu->key(BusOp::get, Bucket::work, "fix").end, BusEnd::missing);
  EXPECT_EQ(gpu->key(BusOp::get, Bucket::work, "never").end, BusEnd::missing);
  const auto again = gpu->key(BusOp::create, Bucket::work, "fix", "three");
  EXPECT_EQ(again.end, BusEnd::done) << "where something was removed, something can be made";
  EXPECT_GT(again.revision, changed.revision) << "a token never comes twice";
  EXPECT_EQ(gpu->key(BusOp::put, Bucket::work, "fix", "four").end, BusEnd::done);
  EXPECT_EQ(gpu->key(BusOp::get, Bucket::work, "fix").value, "four");
  EXPECT_EQ(gpu->key(BusOp::remove, Bucket::work, "fix").end, BusEnd::done);
}

TEST_F(BusReal, OfManyThatCreateOneHasIt) {
  auto gpu = join("gpu"), lap = join("lap");
  ASSERT_TRUE(gpu->comes_up() && lap->comes_up());
  for (int round = 0; round < 20; ++round) {
    const BusAsk ask{0, BusOp::create, Bucket::leases, "", "unit" + std::to_string(round), "x"};
    const uint64_t one = gpu->send(ask), other = lap->send(ask);
    const auto first = gpu->wait_for(one).end, second = lap->wait_for(other).end;
    EXPECT_TRUE((first == BusEnd::done && second == BusEnd::taken) ||
                (first == BusEnd::taken && second == BusEnd::done));
  }
}

TEST_F(BusReal, BucketsAreToldAsTheyAreAndThenAsTheyChange) {
  auto gpu = join("gpu");
  ASSERT_TRUE(gpu->comes_up());
  for (int i = 0; i < 600; ++i)  // more than two windows
    gpu->send(
        {0, BusOp::put, Bucket::agents, "", "gpu.a" + std::to_string(i), "v" + std::to_string(i)});
  gpu->key(BusOp::put, Bucket::agents, "gpu.a7", "new");
  gpu->key(BusOp::put, Bucket::nodes, "gpu", "gone");
  gpu->key(BusOp::remove, Bucket::nodes, "gpu");
  auto lap = join("lap");
  ASSERT_TRUE(lap->comes_up());
  std::set<std::string> keys;
  for (const auto& entry : lap->all<BusEntry>())
    if (entry.bucket == Bucket::agents) {
      EXPECT_TRUE(keys.insert(entry.key).second) << entry.key;
    }
  EXPECT_EQ(keys.size(), 600u);
  EXPECT_EQ(lap->entry(Bucket::agents, "gpu.a7")->value, "new");
  EXPECT_EQ(lap->entry(Bucket::agents, "gpu.a599")->value, "v599");
  EXPECT_TRUE(!lap->entry(Bucket::nodes, "gpu") || lap->entry(Bucket::nodes, "gpu")->removed);

  gpu->key(BusOp::put, Bucket::accounts, "claude.gpu", kBytes);
  ASSERT_TRUE(turn(loop, [&] { return lap->entry(Bucket::accounts, "claude.gpu").has_value(); }));
  EXPECT_EQ(lap->entry(Bucket::accounts, "claude.gpu")->value, kBytes);
  gpu->key(BusOp::remove, Bucket::accounts, "claude.gpu");
  EXPECT_TRUE(turn(loop, [&] { return lap->entry(Bucket::accounts, "claude.gpu")->removed; }));
}

TEST_F(BusReal, EventsAreKeptOnceAndFollowedFromAnywhere) {
  auto gpu = join("gpu"), lap = join("lap");
  ASSERT_TRUE(gpu->comes_up() && lap->comes_up());
  const auto first = gpu->publish("events.gpu._", "one", "gpu-1");
  ASSERT_EQ(first.end, BusEnd::done) << first.because;
  const auto again = gpu->publish("events.gpu._", "one", "gpu-1");
  EXPECT_EQ(again.end, BusEnd::done);
  EXPECT_EQ(again.revision, first.revision) << "with the same id it is kept once";
  std::vector<uint64_t> sent;
  for (int i = 2; i <= 1000; ++i) {  // pipelined
    BusAsk ask{0, BusOp::publish, Bucket::nodes, "events.gpu.docs"};
    ask.value = std::to_string(i);
    ask.message_id = "gpu-" + std::to_string(i);
    sent.push_back(gpu->send(ask));
  }
  for (const uint64_t id : sent) ASSERT_EQ(gpu->wait_for(id).end, BusEnd::done);
  const auto last = lap->on(BusOp::last, "events.gpu.>");
  EXPECT_EQ(last.end, BusEnd::done);
  EXPECT_EQ(last.value, "1000");
  EXPECT_EQ(last.revision, 1000u);
  EXPECT_EQ(lap->on(BusOp::last, "events.*._").value, "one");
  EXPECT_EQ(lap->on(BusOp::last, "events.nobody.>").end, BusEnd::missing);

  BusAsk from{0, BusOp::follow, Bucket::nodes, "events.>"};
  from.revision = 100;
  const uint64_t id = lap->send(from);
  EXPECT_EQ(lap->wait_for(id).end, BusEnd::done);
  ASSERT_TRUE(turn(loop, [&] { return lap->all<BusMessage>().size() == 900; }));
  const auto messages = lap->all<BusMessage>();
  for (size_t i = 0; i < messages.size(); ++i) {
    ASSERT_EQ(messages[i].sequence, 101 + i);
    ASSERT_EQ(messages[i].value, std::to_string(101 + i));
    ASSERT_EQ(messages[i].follow, id);
    ASSERT_EQ(messages[i].subject, "events.gpu.docs");
  }
  lap->token(BusOp::unfollow, std::to_string(id));
  const auto now = lap->on(BusOp::follow, "events.*._");
  EXPECT_EQ(now.end, BusEnd::done);
  EXPECT_EQ(now.revision, 1000u);
  gpu->publish("events.gpu.docs", "not this");
  gpu->publish("events.gpu._", "this", "gpu-1002");
  ASSERT_TRUE(turn(loop, [&] { return lap->all<BusMessage>().size() > 900; }));
  EXPECT_EQ(lap->all<BusMessage>().back().value, "this");
  EXPECT_EQ(lap->all<BusMessage>().size(), 901u);
}

TEST_F(BusReal, LargeMessagesComeAFewAtATime) {
  auto gpu = join("gpu"), lap = join("lap");
  ASSERT_TRUE(gpu->comes_up() && lap->comes_up());
  const size_t kMany = kSanitized ? 40 : 150;  // more than may lie about at once
  for (size_t i = 0; i < kMany; ++i)
    ASSERT_EQ(gpu->publish("events.gpu._", std::string(500'000, 'x')).end, BusEnd::done);
  BusAsk all{0, BusOp::follow, Bucket::nodes, "events.>"};
  all.revision = 1;
  const uint64_t links = lap->all<BusLink>().size();
  ASSERT_EQ(lap->wait_for(lap->send(all)).end, BusEnd::done);
  size_t came = 0;
  ASSERT_TRUE(turn(loop, [&] {
    for (auto& one : lap->news)
      if (auto* message = std::get_if<BusMessage>(&one); message && !message->value.empty()) {
        EXPECT_EQ(message->sequence, 2 + came++);
        message->value.clear();
      }
    return came == kMany - 1;
  }));
  EXPECT_EQ(lap->all<BusLink>().size(), links) << lap->because();
}

// As when the server that had it died: whoever follows does not notice.
TEST_F(BusReal, AReaderThatTheServerLostIsMadeAgain) {
  auto gpu = join("gpu"), lap = join("lap");
  ASSERT_TRUE(gpu->comes_up() && lap->comes_up());
  ASSERT_EQ(lap->on(BusOp::follow, "events.>").end, BusEnd::done);
  int number = 0;
  const auto says = [&] {
    gpu->publish("events.gpu._", std::to_string(++number));
    gpu->key(BusOp::put, Bucket::nodes, "gpu", std::to_string(number));
  };
  says();
  size_t lost = 0;
  for (int round = 0; round < 3; ++round) {
    RawClient raw(server.port());
    raw.say("SUB r 1\r\n");
    for (const std::string stream : {"pawl_home_events", "KV_pawl_home_nodes"}) {
      raw.publish("$JS.API.CONSUMER.NAMES." + stream, "", "r");
      const std::string said = raw.until("]}");
      const auto json =
          Json::parse(said.substr(said.find('{'), said.rfind('}') + 1 - said.find('{')));
      ASSERT_TRUE(json) << said;
      const auto names = (*json)["consumers"].as_strings();
      lost += names.size();
      for (const auto& name : names)
        raw.publish("$JS.API.CONSUMER.DELETE." + stream + "." + name, "");
    }
    raw.flush();
    says();
    says();
  }
  EXPECT_GE(lost, 3u);  // two watch the nodes, one follows
  ASSERT_TRUE(
      turn(loop, [&] { return lap->all<BusMessage>().size() == static_cast<size_t>(number); }));
  int expected = 0;
  for (const auto& message : lap->all<BusMessage>())
    EXPECT_EQ(message.value, std::to_string(++expected));
  EXPECT_TRUE(turn(
      loop, [&] { return lap->entry(Bucket::nodes, "gpu")->value == std::to_string(number); }));
  EXPECT_EQ(lap->all<BusLink>().size(), 1u) << lap->because();
  EXPECT_EQ(lap->caught_up(), 5u) << "told once";
}

TEST_F(BusReal, ANodeIsAskedAndAnswers) {
  auto gpu = join("gpu"), lap = join("lap");
  ASSERT_TRUE(gpu->comes_up() && lap->comes_up());
  BusAsk question{0, BusOp::request, Bucket::nodes, "cmd.gpu.lap"};
  question.value = kBytes;
  const uint64_t id = lap->send(question);
  ASSERT_TRUE(turn(loop, [&] { return !gpu->all<BusAsked>().empty(); }));
  const auto asked = gpu->all<BusAsked>().back();
  EXPECT_EQ(asked.subject, "cmd.gpu.lap");
  EXPECT_EQ(asked.value, kBytes);
  EXPECT_EQ(gpu->token(BusOp::answer, asked.token, "yes" + kBytes).end, BusEnd::done);
  EXPECT_EQ(gpu->token(BusOp::answer, asked.token, "again").end, BusEnd::missing);
  const auto answered = lap->wait_for(id);
  EXPECT_EQ(answered.end, BusEnd::done);
  EXPECT_EQ(answered.value, "yes" + kBytes);

  EXPECT_EQ(lap->on(BusOp::request, "cmd.away.lap").end, BusEnd::missing) << "nobody listens there";
  EXPECT_EQ(lap->on(BusOp::request, "cmd.gpu.lap", milliseconds{300}).end, BusEnd::unknown)
      << "no answer";
  EXPECT_EQ(lap->on(BusOp::request, "cmd.gpu.other").end, BusEnd::refused) << "as somebody else";
}

TEST_F(BusReal, WorkFromAQueueIsTakenByOneUntilItIsDone) {
  auto gpu = join("gpu"), lap = join("lap");
  ASSERT_TRUE(gpu->comes_up() && lap->comes_up());
  EXPECT_EQ(gpu->on(BusOp::take, "work.fixes", milliseconds{200}).end, BusEnd::missing);
  BusAsk wait{0, BusOp::take, Bucket::nodes, "work.fixes"};
  wait.limit = seconds{10};
  const uint64_t waiting = gpu->send(wait);  // before there is anything
  EXPECT_EQ(lap->publish("work.fixes", "one", "ticket-1").end, BusEnd::done);
  EXPECT_EQ(lap->publish("work.fixes", "one", "ticket-1").end, BusEnd::done);
  EXPECT_EQ(gpu->wait_for(waiting).end, BusEnd::done);
  ASSERT_EQ(gpu->all<BusMessage>().size(), 1u);
  const auto taken = gpu->all<BusMessage>()[0];
  EXPECT_EQ(taken.value, "one");
  EXPECT_EQ(taken.follow, waiting);
  EXPECT_EQ(taken.subject, "work.fixes");
  EXPECT_EQ(lap->on(BusOp::take, "work.fixes", Duration{0}).end, BusEnd::missing)
      << "it is held, and was once there";
  BusAsk later{0, BusOp::back, Bucket::nodes, "", taken.token};
  later.limit = seconds{1};
  EXPECT_EQ(gpu->wait_for(gpu->send(later)).end, BusEnd::done);
  EXPECT_EQ(lap->on(BusOp::take, "work.fixes", Duration{0}).end, BusEnd::missing)
      << "who could not use it does not have it again at once";
  EXPECT_EQ(lap->on(BusOp::take, "work.fixes", seconds{10}).end, BusEnd::done);
  const auto mine = lap->all<BusMessage>().back();
  EXPECT_EQ(mine.value, "one");
  EXPECT_EQ(lap->token(BusOp::done, mine.token).end, BusEnd::done);
  EXPECT_EQ(lap->token(BusOp::done, mine.token).end, BusEnd::missing);
  EXPECT_EQ(gpu->on(BusOp::take, "work.fixes", Duration{0}).end, BusEnd::missing);

  EXPECT_EQ(lap->publish("inbox.gpu.docs", "hello", "").end, BusEnd::done);
  EXPECT_EQ(lap->on(BusOp::take, "inbox.gpu.>").end, BusEnd::refused) << "another node's";
  EXPECT_EQ(gpu->on(BusOp::take, "inbox.gpu.>").end, BusEnd::done);
  EXPECT_EQ(gpu->all<BusMessage>().back().subject, "inbox.gpu.docs");
}

TEST_F(BusReal, WhatIsHeldComesBackWhenItsHolderEnds) {
  auto gpu = join("gpu"), lap = join("lap");
  ASSERT_TRUE(gpu->comes_up() && lap->comes_up());
  lap->publish("work.fixes", "one");
  ASSERT_EQ(gpu->on(BusOp::take, "work.fixes").end, BusEnd::done);
  gpu.reset();  // the daemon ends in order
  EXPECT_EQ(lap->on(BusOp::take, "work.fixes", seconds{10}).end, BusEnd::done)
      << "long before kAckWait";
}

TEST_F(BusReal, ALeaseThatIsNotRenewedIsGoneAndTheNextIsNewer) {
  auto gpu = join("gpu", seconds{2}), lap = join("lap", seconds{2});
  ASSERT_TRUE(gpu->comes_up() && lap->comes_up());
  const auto mine = gpu->key(BusOp::create, Bucket::leases, "fix", "gpu");
  ASSERT_EQ(mine.end, BusEnd::done);
  const auto renewed = gpu->key(BusOp::update, Bucket::leases, "fix", "gpu", mine.revision);
  ASSERT_EQ(renewed.end, BusEnd::done);
  EXPECT_EQ(lap->key(BusOp::create, Bucket::leases, "fix", "lap").end, BusEnd::taken);
  BusReply theirs;
  ASSERT_TRUE(turn(
      loop, [&] { return lap->key(BusOp::get, Bucket::leases, "fix").end == BusEnd::missing; }));
  theirs = lap->key(BusOp::create, Bucket::leases, "fix", "lap");
  EXPECT_EQ(theirs.end, BusEnd::done);
  EXPECT_GT(theirs.revision, renewed.revision);
  EXPECT_EQ(gpu->key(BusOp::update, Bucket::leases, "fix", "gpu", renewed.revision).end,
            BusEnd::stale);

  auto odd = join("odd", seconds{9});
  EXPECT_TRUE(odd->says("leases of this fleet last"));
}

TEST_F(BusReal, AServerThatIsKilledIsSaidAndEverythingIsToldAgain) {
  auto gpu = join("gpu");
  ASSERT_TRUE(gpu->comes_up());
  ASSERT_EQ(gpu->key(BusOp::put, Bucket::agents, "gpu.docs", "busy").end, BusEnd::done);
  ASSERT_EQ(gpu->publish("events.gpu._", "kept", "gpu-1").end, BusEnd::done);
  server.end(SIGKILL);
  ASSERT_TRUE(gpu->says("again by itself"));
  EXPECT_EQ(gpu->key(BusOp::get, Bucket::agents, "gpu.docs").end, BusEnd::unknown);
  ASSERT_TRUE(gpu->says("Connection refused"));
  server.begin();
  ASSERT_TRUE(gpu->comes_up());
  EXPECT_EQ(gpu->entry(Bucket::agents, "gpu.docs")->value, "busy");
  EXPECT_EQ(gpu->on(BusOp::last, "events.gpu.>").value, "kept");
}

TEST_F(BusReal, PawlBusThatIsKilledIsStartedAgain) {
  auto gpu = join("gpu");
  ASSERT_TRUE(gpu->comes_up());
  gpu->key(BusOp::put, Bucket::agents, "gpu.docs", "busy");
  const auto before = gpu->bus->pid();
  ASSERT_TRUE(before);
  ::kill(*before, SIGSTOP);  // so that they are on their way
  std::vector<uint64_t> asked;
  for (int i = 0; i < 10; ++i)
    asked.push_back(gpu->send({0, BusOp::get, Bucket::agents, "", "gpu.docs"}));
  ::kill(*before, SIGKILL);
  for (const uint64_t id : asked) EXPECT_EQ(gpu->wait_for(id).end, BusEnd::unknown);
  ASSERT_TRUE(gpu->comes_up());
  EXPECT_NE(gpu->bus->pid(), before);
  EXPECT_EQ(gpu->entry(Bucket::agents, "gpu.docs")->value, "busy");
}

TEST_F(BusReal, AStoppedPawlBusIsKilledAndDoesNothingLate) {
  auto gpu = join("gpu");
  ASSERT_TRUE(gpu->comes_up());
  ::kill(*gpu->bus->pid(), SIGSTOP);
  const auto reply = gpu->key(BusOp::put, Bucket::agents, "gpu.late", "x");
  EXPECT_EQ(reply.end, BusEnd::unknown);
  ASSERT_TRUE(gpu->comes_up());
  EXPECT_EQ(gpu->key(BusOp::get, Bucket::agents, "gpu.late").end, BusEnd::missing);
}

// The server keeps the newest of a key only: who is late is told that it missed something.
TEST_F(BusReal, WhatWasWrittenOverBeforeItWasToldIsAGap) {
  auto gpu = join("gpu"), lap = join("lap");
  ASSERT_TRUE(gpu->comes_up() && lap->comes_up());
  const auto gaps = [&] {
    const auto all = lap->all<BusEntry>();
    return std::count_if(all.begin(), all.end(), [](const auto& one) { return one.gap; });
  };
  const auto put = [&](int number) {
    return gpu->key(BusOp::put, Bucket::agents, "gpu.docs", std::to_string(number)).end;
  };
  const auto told = [&](int number) {
    return turn(loop, [&] {
      const auto entry = lap->entry(Bucket::agents, "gpu.docs");
      return entry && entry->value == std::to_string(number);
    });
  };
  for (int i = 0; i < 10; ++i) {
    ASSERT_EQ(put(i), BusEnd::done);
    ASSERT_TRUE(told(i));
  }
  EXPECT_EQ(gaps(), 0);
  ::kill(*lap->bus->pid(), SIGSTOP);
  for (int i = 10; i < 600; ++i) ASSERT_EQ(put(i), BusEnd::done);  // more than a window
  ::kill(*lap->bus->pid(), SIGCONT);
  ASSERT_TRUE(told(599));
  EXPECT_GE(gaps(), 1);
}

TEST_F(BusReal, AStoppedServerBlocksNobody) {
  auto gpu = join("gpu");
  ASSERT_TRUE(gpu->comes_up());
  ASSERT_EQ(gpu->key(BusOp::put, Bucket::agents, "gpu.docs", "busy").end, BusEnd::done);
  server.signal(SIGSTOP);
  MonoTime last = os::read_clock().mono;
  Duration gap{};
  const std::string large(100'000, 'x');
  bool down = false;
  turn(loop, [&] {
    const MonoTime now = os::read_clock().mono;
    gap = std::max(gap, now - last);
    last = now;
    if (gpu->bus->unanswered() < 50)
      gpu->send({0, BusOp::put, Bucket::blobs, "", "b", large});  // more than any buffer takes
    down = down || !gpu->bus->up();
    return down && gpu->all<BusReply>().size() > 200;
  });
  EXPECT_TRUE(down);
  EXPECT_LT(gap, seconds{2}) << "libnats would have blocked for five";
  EXPECT_EQ(gpu->all<BusReply>().back().end, BusEnd::unknown);
  server.signal(SIGCONT);
  ASSERT_TRUE(gpu->comes_up());
  EXPECT_EQ(gpu->entry(Bucket::agents, "gpu.docs")->value, "busy");
}

}  // namespace
}  // namespace pawl::fleet
