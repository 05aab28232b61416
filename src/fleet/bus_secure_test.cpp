// With credentials, on a real server: a node speaks for itself and for nobody else, whatever it sends; a revoked one is out.

#include <sys/stat.h>

#include "fleet/bus_names.h"
#include "fleet/enroll.h"
#include "fleet/test_nats.h"
#include "os/certificate.h"

namespace pawl::fleet {
namespace {

constexpr const char* kStore = "jetstream { store_dir: \"STORE\" }\n";

class BusSecure : public ::testing::Test {
 protected:
  void SetUp() override {
    if (const auto why = no_real_bus(); !why.empty()) GTEST_SKIP() << why;
    for (const std::string name : {"gpu", "lap"}) {
      auto made = enroll(dir.path(), "home", name);
      ASSERT_TRUE(made) << text_of(made.error());
      keys.emplace(name, made->key);
      ASSERT_TRUE(os::write_atomically(dir / (name + ".creds"), made->credentials));
    }
    server.configure(config());
    server.begin();
  }
  std::string config() const {
    return kStore + more + *os::read_file(server_config_path(dir.path(), "home"));
  }
  std::unique_ptr<Node> join(const std::string& name, const std::string& with) {
    return std::make_unique<Node>(loop,
                                  BusJoin{server.url(), "home", name, dir / (with + ".creds"), ca});
  }
  // Everything is tried at once; what the server let through is seen in what it keeps.
  void forge(RawClient& raw, const std::string& subject, const std::string& headers = {}) {
    const std::string head = "NATS/1.0\r\n" + headers + "\r\n";
    raw.say("HPUB " + subject + " " + std::to_string(head.size()) + " " +
            std::to_string(head.size() + 6) + "\r\n" + head + "forged\r\n");
  }

  TestDir dir;
  std::map<std::string, NKey> keys;
  std::string more, ca;
  os::Loop loop;
  NatsServer server{loop};
};

TEST_F(BusSecure, TwoNodesDoEverythingThatTheyMay) {
  auto gpu = join("gpu", "gpu"), lap = join("lap", "lap");
  ASSERT_TRUE(gpu->comes_up() && lap->comes_up());
  EXPECT_EQ(gpu->key(BusOp::put, Bucket::nodes, "gpu", "v").end, BusEnd::done);
  EXPECT_EQ(gpu->key(BusOp::put, Bucket::agents, "gpu.docs", "v").end, BusEnd::done);
  EXPECT_EQ(gpu->key(BusOp::put, Bucket::accounts, "claude.gpu", "v").end, BusEnd::done);
  EXPECT_EQ(gpu->key(BusOp::create, Bucket::work, "fix", "v").end, BusEnd::done);
  EXPECT_EQ(gpu->key(BusOp::create, Bucket::leases, "fix", "v").end, BusEnd::done);
  EXPECT_EQ(gpu->key(BusOp::put, Bucket::blobs, "d.0", "v").end, BusEnd::done);
  EXPECT_EQ(gpu->key(BusOp::remove, Bucket::blobs, "d.0").end, BusEnd::done);
  EXPECT_EQ(lap->key(BusOp::get, Bucket::agents, "gpu.docs").value, "v");
  EXPECT_EQ(lap->on(BusOp::follow, "events.>").end, BusEnd::done);
  EXPECT_EQ(gpu->publish("events.gpu._", "hello", "gpu-1").end, BusEnd::done);
  EXPECT_EQ(lap->on(BusOp::last, "events.gpu.>").value, "hello");
  ASSERT_TRUE(turn(loop, [&] { return !lap->all<BusMessage>().empty(); }));
  EXPECT_EQ(lap->publish("work.fixes", "one").end, BusEnd::done);
  EXPECT_EQ(gpu->on(BusOp::take, "work.fixes").end, BusEnd::done);
  EXPECT_EQ(gpu->token(BusOp::done, gpu->all<BusMessage>().back().token).end, BusEnd::done);
  EXPECT_EQ(lap->publish("inbox.gpu.docs", "hi").end, BusEnd::done);
  EXPECT_EQ(gpu->on(BusOp::take, "inbox.gpu.>").end, BusEnd::done);
  EXPECT_EQ(gpu->token(BusOp::back, gpu->all<BusMessage>().back().token).end, BusEnd::done);
  const uint64_t id = lap->send({0, BusOp::request, Bucket::nodes, "cmd.gpu.lap"});
  ASSERT_TRUE(turn(loop, [&] { return !gpu->all<BusAsked>().empty(); }));
  EXPECT_EQ(gpu->token(BusOp::answer, gpu->all<BusAsked>()[0].token, "yes").end, BusEnd::done);
  EXPECT_EQ(lap->wait_for(id).value, "yes");
}

TEST_F(BusSecure, WhoHasOnesKeyCannotBeAnother) {
  EXPECT_TRUE(join("lap", "gpu")->says("does not let us be the node lap"));
  EXPECT_TRUE(std::make_unique<Node>(loop, BusJoin{server.url(), "other", "gpu", dir / "gpu.creds"})
                  ->says("does not let us be the node gpu of the fleet other"));
}

TEST_F(BusSecure, WhatIsAnothersIsRefused) {
  auto gpu = join("gpu", "gpu"), lap = join("lap", "lap");
  ASSERT_TRUE(gpu->comes_up() && lap->comes_up());
  ASSERT_EQ(lap->key(BusOp::put, Bucket::nodes, "lap", "true").end, BusEnd::done);
  for (const auto& [bucket, key] : {std::pair{Bucket::nodes, "lap"},
                                    {Bucket::agents, "lap.docs"},
                                    {Bucket::accounts, "claude.lap"}}) {
    const auto put = gpu->key(BusOp::put, bucket, key, "forged");
    EXPECT_EQ(put.end, BusEnd::refused) << key;
    EXPECT_NE(put.because.find("does not let this node"), std::string::npos);
    EXPECT_EQ(gpu->key(BusOp::remove, bucket, key).end, BusEnd::refused) << key;
  }
  EXPECT_EQ(gpu->publish("events.lap._", "forged", "lap-1").end, BusEnd::refused);
  EXPECT_EQ(lap->key(BusOp::get, Bucket::nodes, "lap").value, "true");
  EXPECT_EQ(lap->on(BusOp::last, "events.lap.>").end, BusEnd::missing);
  EXPECT_TRUE(gpu->bus->up()) << "and it is not thrown out for it";
}

TEST_F(BusSecure, AForgersClientGetsNoFurther) {
  auto lap = join("lap", "lap");
  ASSERT_TRUE(lap->comes_up());
  ASSERT_EQ(lap->key(BusOp::put, Bucket::nodes, "lap", "true").end, BusEnd::done);
  RawClient raw(server.port(), &keys.at("gpu"));
  for (const char* subject : {"$KV.pawl_home_nodes.lap",
                              "$KV.pawl_home_agents.lap.x",
                              "$KV.pawl_home_accounts.a.lap",
                              "pawl.home.events.lap._",
                              "pawl.home.cmd.lap.lap",
                              "pawl.home.cmd.lap.other",
                              "pawl.home.reply.lap.x.q.1",
                              "$JS.API.STREAM.DELETE.pawl_home_events",
                              "$JS.API.STREAM.PURGE.KV_pawl_home_nodes",
                              "$JS.API.STREAM.UPDATE.pawl_home_events",
                              "$JS.API.STREAM.CREATE.mine",
                              "$JS.API.STREAM.MSG.DELETE.KV_pawl_home_nodes",
                              "$JS.API.CONSUMER.DELETE.pawl_home_inbox.lap",
                              "$JS.API.CONSUMER.CREATE.pawl_home_inbox.gpu.pawl.home.inbox.lap.>",
                              "$JS.API.CONSUMER.CREATE.pawl_home_inbox",
                              "$JS.API.CONSUMER.DURABLE.CREATE.pawl_home_inbox.gpu",
                              "$JS.API.CONSUMER.MSG.NEXT.pawl_home_inbox.lap",
                              "$JS.API.STREAM.MSG.GET.pawl_home_inbox",
                              "$JS.ACK.pawl_home_inbox.lap.1.1.1.1.0",
                              "$SYS.REQ.SERVER.PING"}) {
    forge(raw, subject);
    EXPECT_NE(raw.flush().find("Permissions Violation"), std::string::npos) << subject;
  }
  for (const char* subject : {"pawl.home.reply.lap.>", "pawl.home.cmd.lap.*", "pawl.home.>", ">",
                              "$SYS.>", "$JS.>", "_INBOX.>"}) {
    raw.say(std::string("SUB ") + subject + " 9\r\n");
    EXPECT_NE(raw.flush().find("Permissions Violation"), std::string::npos) << subject;
  }
  EXPECT_EQ(lap->key(BusOp::get, Bucket::nodes, "lap").value, "true");
  EXPECT_EQ(lap->on(BusOp::last, "events.lap.>").end, BusEnd::missing);
  EXPECT_TRUE(lap->all<BusAsked>().empty());
}

// A reader of a stream may be told to send what it reads anywhere, and the server asks nobody. What arrives still has the subject that it
// was kept under, and that is what everybody looks at.
TEST_F(BusSecure, AReaderThatSendsElsewhereForgesNothing) {
  auto lap = join("lap", "lap");
  ASSERT_TRUE(lap->comes_up());
  ASSERT_EQ(lap->on(BusOp::follow, "events.>").end, BusEnd::done);
  RawClient raw(server.port(), &keys.at("gpu"));
  raw.say("SUB pawl.home.reply.gpu.r 1\r\n");
  raw.publish("pawl.home.events.gpu._", "forged");
  for (const char* to :
       {"pawl.home.cmd.lap.lap", "pawl.home.cmd.lap.gpu", "$KV.pawl_home_nodes.lap",
        "pawl.home.events.lap._", "pawl.home.inbox.lap.docs"})
    raw.publish(
        "$JS.API.CONSUMER.CREATE.pawl_home_events",
        std::string(
            R"({"stream_name":"pawl_home_events","config":{"deliver_policy":"all","ack_policy":"none",)") +
            R"("replay_policy":"instant","deliver_subject":")" + to + "\"}}",
        "pawl.home.reply.gpu.r");
  raw.flush();
  ASSERT_EQ(lap->publish("events.lap._", "mark").end, BusEnd::done);
  ASSERT_TRUE(turn(loop, [&] {
    const auto all = lap->all<BusMessage>();
    return !all.empty() && all.back().value == "mark";
  }));
  EXPECT_TRUE(lap->all<BusAsked>().empty());
  EXPECT_FALSE(lap->entry(Bucket::nodes, "lap"));
  EXPECT_EQ(lap->key(BusOp::get, Bucket::nodes, "lap").end, BusEnd::missing);
  for (const auto& message : lap->all<BusMessage>())
    EXPECT_EQ(message.value == "forged", message.subject == "events.gpu._") << message.subject;
  EXPECT_EQ(lap->on(BusOp::last, "events.lap.>").value, "mark");
}

TEST_F(BusSecure, ARevokedNodeIsOutAtOnce) {
  auto gpu = join("gpu", "gpu"), lap = join("lap", "lap");
  ASSERT_TRUE(gpu->comes_up() && lap->comes_up());
  ASSERT_TRUE(revoke(dir.path(), "home", "gpu"));
  server.configure(config());
  server.reload();
  EXPECT_TRUE(gpu->says("does not let in our key " + keys.at("gpu").key));
  ASSERT_TRUE(lap->comes_up());
  EXPECT_EQ(lap->key(BusOp::put, Bucket::nodes, "lap", "still here").end, BusEnd::done);
}

TEST_F(BusSecure, OverTlsOnlyToWhomTheCaKnows) {
  server.end(SIGKILL);
  const auto now = os::read_clock().wall;
  const auto authority = os::make_authority("test", {"localhost"}, now),
             other = os::make_authority("other", {"localhost"}, now);
  ASSERT_TRUE(authority && other);
  const auto certificate = os::issue(*authority, {"localhost", "127.0.0.1"}, now);
  ASSERT_TRUE(certificate);
  for (const auto& [name, text] : {std::pair{"ca.pem", authority->certificate},
                                   {"other.pem", other->certificate},
                                   {"server.pem", certificate->certificate},
                                   {"server.key", certificate->key}})
    ASSERT_TRUE(os::write_atomically(dir / name, text));
  more = "tls { cert_file: \"" + (dir / "server.pem") + "\", key_file: \"" + (dir / "server.key") +
         "\" }\n";
  server.configure(config());
  server.begin();
  EXPECT_TRUE(join("gpu", "gpu")->says("is not trusted"));
  ca = dir / "other.pem";
  EXPECT_TRUE(join("gpu", "gpu")->says("is not trusted"));
  ca = dir / "gpu.creds";
  EXPECT_TRUE(join("gpu", "gpu")->says("no file of CA certificates"));
  ca = dir / "ca.pem";
  auto gpu = join("gpu", "gpu");
  ASSERT_TRUE(gpu->comes_up());
  EXPECT_EQ(gpu->key(BusOp::put, Bucket::nodes, "gpu", "v").end, BusEnd::done);
  const auto named = [&](const char* host) {
    return std::make_unique<Node>(
        loop, BusJoin{std::string("tls://") + host + ":" + std::to_string(server.port()), "home",
                      "lap", dir / "lap.creds", ca});
  };
  EXPECT_TRUE(named("localhost")->comes_up());
  EXPECT_TRUE(named("127.1")->says("is not trusted")) << "by a name that is not in it";
}

TEST_F(BusSecure, WhoWantsTlsIsNotTalkedOutOfIt) {
  const auto authority = os::make_authority("test", {"localhost"}, os::read_clock().wall);
  ASSERT_TRUE(os::write_atomically(dir / "ca.pem", authority->certificate));
  ca = dir / "ca.pem";
  EXPECT_TRUE(join("gpu", "gpu")->says("does not speak TLS"));
}

}  // namespace
}  // namespace pawl::fleet
