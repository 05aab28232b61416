#include "fleet/bus_wire.h"

#include <gtest/gtest.h>

#include "api/frame.h"
#include "base/json.h"

namespace pawl::fleet {
namespace {

using std::chrono::seconds;

const std::string kBinary("\0\xff\n{\"\x80", 6);

std::string payload_of(const std::string& frame) {
  api::FrameReader reader(kMaxBusFrame);
  reader.feed(frame);
  auto one = reader.next();
  EXPECT_TRUE(one && *one);
  EXPECT_FALSE(reader.next()->has_value());
  return one && *one ? (*one)->payload : "";
}

TEST(BusWire, WhatIsSaidToTheBusArrives) {
  const ToBus all[] = {
      {BusJoin{"tls://a:4222,tls://b:4222", "home", "gpu", "/x/gpu.creds", "/x/ca.pem", seconds{9}},
       0},
      {BusPulse{77}, 0},
      {BusAsk{5, BusOp::create, Bucket::leases, "", "fix", kBinary, 0, "", seconds{3}}, 4},
      {BusAsk{6, BusOp::publish, Bucket::nodes, "events.gpu._", "", kBinary, 0, "gpu-7",
              seconds{5}},
       4},
      {BusAsk{7, BusOp::back, Bucket::nodes, "", "token", "", 12, "", Duration{0}}, 1}};
  for (const ToBus& said : all) {
    auto read = read_to_bus(payload_of(bus_frame(said)));
    ASSERT_TRUE(read) << text_of(read.error());
    EXPECT_EQ(*read, said);
  }
}

TEST(BusWire, WhatTheBusSaysArrives) {
  const FromBus all[] = {{BusPulse{77}, 0},
                         {BusNews{BusReply{5, BusEnd::taken, 12, kBinary, "lap has it"}}, 3},
                         {BusNews{BusEntry{Bucket::agents, "gpu.docs", kBinary, 9, true}}, 3},
                         {BusNews{BusEntry{Bucket::leases, "fix", "v", 10, false, true}}, 3},
                         {BusNews{BusCaughtUp{Bucket::accounts}}, 3},
                         {BusNews{BusLink{true, "", "2.9.10", "it is old"}}, 3},
                         {BusNews{BusLink{true, "", "2.11.15", "", true}}, 3},
                         {BusNews{BusLink{false, "it cannot be reached", "", ""}}, 3},
                         {BusNews{BusMessage{8, 1u << 30, "events.gpu.docs", kBinary, "t1"}}, 3},
                         {BusNews{BusAsked{"a1", "cmd.gpu.lap", kBinary}}, 3}};
  for (const FromBus& said : all) {
    auto read = read_from_bus(payload_of(bus_frame(said)));
    ASSERT_TRUE(read) << text_of(read.error());
    EXPECT_EQ(*read, said);
  }
}

TEST(BusWire, EveryOpAndEveryEndHasAWordOfItsOwn) {
  for (int i = 0; i <= int(BusOp::back); ++i) {
    const ToBus said{BusAsk{1, BusOp(i)}, 1};
    EXPECT_EQ(read_to_bus(payload_of(bus_frame(said))), said) << i;
  }
  for (int i = 0; i <= int(BusEnd::unknown); ++i) {
    const FromBus said{BusNews{BusReply{1, BusEnd(i)}}, 1};
    EXPECT_EQ(read_from_bus(payload_of(bus_frame(said))), said) << i;
  }
  for (int i = 0; i <= int(Bucket::blobs); ++i) {
    const FromBus said{BusNews{BusCaughtUp{Bucket(i)}}, 1};
    EXPECT_EQ(read_from_bus(payload_of(bus_frame(said))), said) << i;
  }
}

TEST(BusWire, WhatIsNotExactlyLikeThisIsRefused) {
  const std::string ask = R"("op":"get","bucket":"nodes","limit":1)";
  EXPECT_TRUE(read_to_bus(R"({"kind":"ask",)" + ask + "}"));
  const std::string bad[] = {"",
                             "[]",
                             "null",
                             R"({"kind":"reply","id":1,"end":"done"})",
                             R"({"kind":"ask"})",
                             R"({"kind":"ask",)" + ask + R"(,"more":1})",
                             R"({"kind":"ask",)" + ask + R"(,"id":-1})",
                             R"({"kind":"ask",)" + ask + R"(,"id":"1"})",
                             R"({"kind":"ask",)" + ask + R"(,"key":7})",
                             R"({"kind":"ask",)" + ask + R"(,"value":"not base64!"})",
                             R"({"kind":"ask","op":"steal","bucket":"nodes","limit":1})",
                             R"({"kind":"ask","op":"get","bucket":"banks","limit":1})",
                             R"({"kind":"ask","op":"get","bucket":"nodes","limit":99999999999999})",
                             R"({"kind":"join","wire":2,"lease":1})",
                             R"({"kind":"pulse","number":1.5})"};
  for (const std::string& text : bad) EXPECT_FALSE(read_to_bus(text)) << text;
  EXPECT_FALSE(read_from_bus(R"({"kind":"ask",)" + ask + "}"));
  EXPECT_FALSE(read_from_bus(R"({"kind":"link","up":1})"));
}

TEST(BusWire, WhatIsTooLargeIsNotSentAndNotTaken) {
  BusAsk ask;
  ask.value = std::string(kMaxBusValue, '\xff');
  EXPECT_TRUE(sendable(ask));
  EXPECT_LE(bus_frame({ask, 1}).size(), kMaxBusFrame);
  EXPECT_TRUE(read_to_bus(payload_of(bus_frame({ask, 1}))));
  ask.value += 'x';
  EXPECT_FALSE(sendable(ask));
  EXPECT_FALSE(
      read_to_bus(Json::object({{"kind", "ask"}}).set("key", std::string(5000, 'k')).dump()));
  ask.value.clear();
  ask.key = std::string(1000, 'k');
  EXPECT_FALSE(sendable(ask));
  ask.key.clear();
  ask.limit = Duration{-1};
  EXPECT_FALSE(sendable(ask));
}

TEST(BusWire, ALongSentenceIsCut) {
  const FromBus said{BusNews{BusLink{false, std::string(100000, '\xff'), "", ""}}, 1};
  auto read = read_from_bus(payload_of(bus_frame(said)));
  ASSERT_TRUE(read) << text_of(read.error());
  EXPECT_FALSE(std::get<BusLink>(std::get<BusNews>(read->what)).because.empty());
}

}  // namespace
}  // namespace pawl::fleet
