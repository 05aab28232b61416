// Three servers keep three copies: one may be killed, and then another, and nothing acknowledged is lost.

#include <array>

#include "fleet/test_nats.h"

namespace pawl::fleet {
namespace {

class BusCluster : public ::testing::Test {
 protected:
  void SetUp() override {
    if (const auto why = no_real_bus(); !why.empty()) GTEST_SKIP() << why;
    const std::array ports = {free_port(), free_port(), free_port()};
    std::string routes;
    for (const int port : ports) routes += "\"nats://127.0.0.1:" + std::to_string(port) + "\"\n";
    for (size_t i = 0; i < servers.size(); ++i)
      servers[i].configure(
          "server_name: s" + std::to_string(i) +
          "\njetstream { store_dir: \"STORE\" }\ncluster { name: c, listen: \"127.0.0.1:" +
          std::to_string(ports[i]) + "\", routes: [" + routes + "] }\n");
    for (auto& server : servers) server.begin();
  }
  std::unique_ptr<Node> join(const std::string& name) {
    return std::make_unique<Node>(
        loop,
        BusJoin{servers[0].url() + "," + servers[1].url() + "," + servers[2].url(), "home", name});
  }
  // As a daemon does: what nobody knows about is said again, with the same id.
  void publish(Node& node, int number) {
    const std::string text = std::to_string(number);
    BusReply reply;
    ASSERT_TRUE(turn(loop,
                     [&] {
                       reply = node.publish("events.gpu._", text, "gpu-" + text);
                       return reply.end == BusEnd::done;
                     }))
        << text << ": " << reply.because;
  }
  os::Loop loop;
  std::array<NatsServer, 3> servers = {NatsServer{loop}, NatsServer{loop}, NatsServer{loop}};
};

TEST_F(BusCluster, OneServerLessAtATimeLosesNothing) {
  auto gpu = join("gpu"), lap = join("lap");
  ASSERT_TRUE(gpu->comes_up() && lap->comes_up());
  EXPECT_EQ(gpu->all<BusLink>().back().note.find("one server only"), std::string::npos);
  RawClient raw(servers[0].port());
  raw.say("SUB r 1\r\n");
  raw.publish("$JS.API.STREAM.INFO.pawl_home_events", "", "r");
  EXPECT_NE(raw.until("num_replicas\":3").find("num_replicas\":3"), std::string::npos);
  const uint64_t follow = lap->send({0, BusOp::follow, Bucket::nodes, "events.>"});
  ASSERT_EQ(lap->wait_for(follow).end, BusEnd::done);
  int number = 0;
  for (NatsServer* server : {&servers[0], &servers[1]}) {
    for (int i = 0; i < 20; ++i) publish(*gpu, ++number);
    server->end(SIGKILL);
    for (int i = 0; i < 20; ++i) publish(*gpu, ++number);
    server->begin();
    ASSERT_TRUE(gpu->comes_up() && lap->comes_up());
    // Its copies are caught up before the next one goes.
    ASSERT_TRUE(turn(
        loop, [&] { return gpu->key(BusOp::put, Bucket::nodes, "gpu", "v").end == BusEnd::done; }));
  }
  ASSERT_TRUE(
      turn(loop, [&] { return lap->on(BusOp::last, "events.>").value == std::to_string(number); }));
  // Everything once and in order, read from the beginning.
  const size_t before = lap->all<BusMessage>().size();
  BusAsk all{0, BusOp::follow, Bucket::nodes, "events.gpu.>"};
  all.revision = 1;
  const uint64_t id = lap->send(all);
  ASSERT_EQ(lap->wait_for(id).end, BusEnd::done);
  ASSERT_TRUE(turn(loop, [&] {
    return lap->all<BusMessage>().size() - before >= static_cast<size_t>(number - 1);
  }));
  int expected = 1;
  for (const auto& message : lap->all<BusMessage>()) {
    if (message.follow != id) continue;
    EXPECT_EQ(message.value, std::to_string(++expected));
  }
  EXPECT_EQ(expected, number);
}

}  // namespace
}  // namespace pawl::fleet
