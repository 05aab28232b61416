// What a wrong URL, a wrong server, a full one and garbage look like: one sentence that says what to do, and nothing ends.

#include <sys/stat.h>

#include "fleet/bus_names.h"
#include "fleet/enroll.h"
#include "fleet/test_nats.h"

namespace pawl::fleet {
namespace {

class BusTrouble : public ::testing::Test {
 protected:
  void SetUp() override {
    if (const auto why = no_real_bus(); !why.empty()) GTEST_SKIP() << why;
  }
  std::unique_ptr<Node> join(const std::string& url, const std::string& creds = {},
                             const std::string& ca = {}) {
    return std::make_unique<Node>(loop, BusJoin{url, "home", "gpu", creds, ca});
  }
  os::Loop loop;
};

// Takes connections at a port of its own, says something to each and keeps them.
struct StrangeServer {
  os::Fd listener;
  int port = free_port();
  std::vector<os::Fd> taken;
  std::string says;
  os::FdWatch watch;

  StrangeServer(os::Loop& loop, std::string words)
      : listener(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)), says(std::move(words)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<uint16_t>(port));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    ::bind(listener.get(), reinterpret_cast<sockaddr*>(&address), sizeof address);
    ::listen(listener.get(), 16);
    watch = os::FdWatch(loop, listener.get(), [this](os::FdWatch::Ready) {
      taken.emplace_back(::accept4(listener.get(), nullptr, nullptr, SOCK_CLOEXEC));
      (void)!::send(taken.back().get(), says.data(), says.size(), MSG_NOSIGNAL);
    });
  }
  std::string url() const { return "nats://127.0.0.1:" + std::to_string(port); }
};

TEST_F(BusTrouble, AWrongUrl) {
  EXPECT_TRUE(join("nats://127.0.0.1:" + std::to_string(free_port()))
                  ->says("nothing is reached at 127.0.0.1"));
  EXPECT_TRUE(join("http://127.0.0.1:80")->says("it looks like nats://host:4222"));
  EXPECT_TRUE(join("nats://me:secret@127.0.0.1")->says("no name and password"));
  EXPECT_TRUE(join("")->says("no bus is named"));
  EXPECT_TRUE(join("nats://localhost:0")->says("has no port"));
}

TEST_F(BusTrouble, SomethingElseAnswersThere) {
  StrangeServer web(loop, "HTTP/1.1 400 Bad Request\r\n\r\n"), silent(loop, ""),
      noise(loop, std::string(100'000, '\xff'));
  StrangeServer old(loop, R"(INFO {"version":"2.2.0","headers":true,"max_payload":1048576})"
                          "\r\n");
  StrangeServer odd(loop, "INFO [[[\r\n");
  EXPECT_TRUE(join(web.url())->says("is no NATS server"));
  EXPECT_TRUE(join(noise.url())->says("is no NATS server"));
  EXPECT_TRUE(join(odd.url())->says("is no NATS server"));
  EXPECT_TRUE(join(silent.url())->says("does not answer"));
  EXPECT_TRUE(join(old.url())->says("nats-server 2.2.0"));
  EXPECT_TRUE(join(old.url())->says("install 2.9 or newer"));
}

TEST_F(BusTrouble, OfSeveralServersTheOneThatIsThereIsTaken) {
  NatsServer server(loop);
  server.begin();
  auto gpu = join("nats://127.0.0.1:" + std::to_string(free_port()) + "," + server.url() +
                  ", nats://[::1]:1");
  EXPECT_TRUE(gpu->comes_up());
}

TEST_F(BusTrouble, AServerThatKeepsNothing) {
  NatsServer server(loop, "");
  server.begin();
  EXPECT_TRUE(join(server.url())->says("the bus keeps nothing"));
}

TEST_F(BusTrouble, AServerWithoutRoom) {
  NatsServer server(loop, "jetstream { store_dir: \"STORE\", max_file_store: 100MB }\n");
  server.begin();
  EXPECT_TRUE(join(server.url())->says("max_file_store"));
}

TEST_F(BusTrouble, WrongCredentials) {
  NatsServer server(loop);
  const TestDir dir;
  ASSERT_TRUE(enroll(dir.path(), "home", "lap"));
  server.configure("jetstream { store_dir: \"STORE\" }\n" +
                   *os::read_file(server_config_path(dir.path(), "home")));
  server.begin();
  EXPECT_TRUE(join(server.url())->says("wants credentials"));
  EXPECT_TRUE(join(server.url(), dir / "nothing")->says("nothing"));
  ASSERT_TRUE(os::write_atomically(dir / "empty", ""));
  EXPECT_TRUE(join(server.url(), dir / "empty")->says("no NKey seed"));
  ASSERT_TRUE(os::write_atomically(dir / "strange", credentials_of("home", "gpu", new_nkey())));
  EXPECT_TRUE(join(server.url(), dir / "strange")->says("does not let in our key U"));
  ::chmod((dir / "strange").c_str(), 0644);
  EXPECT_TRUE(join(server.url(), dir / "strange")->says("chmod 600"));
}

TEST_F(BusTrouble, ABusThatOthersCanReachIsNotUsedWithoutCredentials) {
  EXPECT_TRUE(join("nats://192.0.2.1:4222")->says("without credentials"));
}

TEST_F(BusTrouble, NamesThatCannotBe) {
  NatsServer server(loop);
  server.begin();
  for (const char* bad : {"", "*", ">", "a b", "gpu.example"}) {
    Node node(loop, BusJoin{server.url(), "home", bad});
    EXPECT_TRUE(node.says("cannot be names")) << bad;
  }
}

TEST_F(BusTrouble, GarbageOnEverySubjectHurtsNobody) {
  NatsServer server(loop);
  server.begin();
  auto gpu = join(server.url());
  ASSERT_TRUE(gpu->comes_up());
  gpu->on(BusOp::follow, "events.>");
  const std::string garbage("\0\xff{\"\x80[", 6);
  RawClient raw(server.port());
  for (const std::string prefix :
       {"$KV.pawl_home_nodes.", "$KV.pawl_home_agents.", "$KV.pawl_home_work.",
        "$KV.pawl_home_leases.", "$KV.pawl_home_accounts.", "pawl.home.events.",
        "pawl.home.inbox.gpu.", "pawl.home.cmd.gpu.", "pawl.home.reply.gpu."})
    for (const std::string name : {"a\"b", "\xff\xfe", "a.b.c", "$x", "~", "{}"}) {
      raw.publish(prefix + name, garbage, "pawl.home.reply.gpu.x");
      raw.publish(prefix + name, std::string(900'000, '\x01'));
    }
  raw.flush();
  ASSERT_EQ(gpu->key(BusOp::put, Bucket::nodes, "gpu", "fine").end, BusEnd::done);
  ASSERT_TRUE(turn(loop, [&] { return gpu->entry(Bucket::nodes, "gpu").has_value(); }));
  EXPECT_TRUE(gpu->bus->up());
  EXPECT_EQ(gpu->all<BusLink>().size(), 1u) << "the link was never lost: " << gpu->because();
  for (const auto& entry : gpu->all<BusEntry>()) EXPECT_TRUE(valid_key(entry.key)) << entry.key;
  for (const auto& message : gpu->all<BusMessage>()) EXPECT_TRUE(valid_key(message.subject));
}

TEST_F(BusTrouble, WhatIsNoNameIsRefusedBeforeItIsSaid) {
  NatsServer server(loop);
  server.begin();
  auto gpu = join(server.url());
  ASSERT_TRUE(gpu->comes_up());
  for (const std::string bad : {"", "a b", "a\r\nPUB x 0\r\n", "*", "a.>", ".a"}) {
    EXPECT_EQ(gpu->key(BusOp::put, Bucket::nodes, bad, "x").end, BusEnd::refused) << bad;
    EXPECT_EQ(gpu->key(BusOp::get, Bucket::nodes, bad).end, BusEnd::refused) << bad;
    EXPECT_EQ(gpu->publish("events." + bad, "x").end, BusEnd::refused) << bad;
    EXPECT_EQ(gpu->on(BusOp::request, "cmd." + bad + ".gpu").end, BusEnd::refused) << bad;
  }
  EXPECT_EQ(gpu->publish("nowhere.x", "x").end, BusEnd::refused);
  EXPECT_EQ(gpu->on(BusOp::follow, "work.>").end, BusEnd::refused);
  EXPECT_EQ(gpu->on(BusOp::take, "events.>").end, BusEnd::refused);
  EXPECT_EQ(gpu->token(BusOp::done, "t99").end, BusEnd::missing);
  EXPECT_TRUE(gpu->bus->up());
}

TEST_F(BusTrouble, AFullStoreRefusesAndSaysSo) {
  NatsServer server(loop);
  server.begin();
  auto gpu = join(server.url());
  ASSERT_TRUE(gpu->comes_up());
  const std::string part(500'000, 'x');
  BusReply reply;
  for (int i = 0; i < 200 && reply.end != BusEnd::refused; ++i)
    reply = gpu->publish("work.fixes", part);
  EXPECT_EQ(reply.end, BusEnd::refused);
  EXPECT_NE(reply.because.find("full"), std::string::npos) << reply.because;
  EXPECT_EQ(gpu->publish("events.gpu._", "still").end, BusEnd::done);
}

TEST_F(BusTrouble, AStreamThatIsNotAsItShouldBeIsNotUsed) {
  NatsServer server(loop);
  server.begin();
  RawClient raw(server.port());
  raw.say("SUB r 1\r\n");
  raw.publish(
      "$JS.API.STREAM.CREATE.pawl_home_events",
      R"({"name":"pawl_home_events","subjects":["pawl.home.events.>"],"retention":"limits","storage":"file",)"
      R"("republish":{"src":">","dest":"pawl.home.forged.>"}})",
      "r");
  EXPECT_NE(raw.until("\"config\"").find("pawl_home_events"), std::string::npos);
  EXPECT_TRUE(join(server.url())->says("is not as pawl makes it"));
}

}  // namespace
}  // namespace pawl::fleet
