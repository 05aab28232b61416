#include "api/attach_stream.h"

#include <gtest/gtest.h>

#include "api/client_world.h"

namespace pawl::api {
namespace {

using std::chrono::milliseconds;

Json attach_args(bool read_only = false) {
  return Json::object({{"name", "a"}, {"cols", 60}, {"rows", 10}, {"read-only", read_only}});
}

TEST(Attach, ShowsTheScreenAndTakesKeys) {
  ClientWorld world;
  const SessionId session = world.running();
  world.host.prints(session, "hello");
  world.turn();
  world.send("attach", attach_args());
  world.step(milliseconds{50});
  EXPECT_NE(world.output.find("hello"), std::string::npos);
  EXPECT_EQ(world.host.sessions.at(session).size, (Size{60, 10}))
      << "the program gets the person's size";
  world.conversation.receive(world.now, {Kind::input, "ls\r"});
  EXPECT_EQ(world.host.sessions.at(session).written, "ls\r");
  world.step();
  EXPECT_TRUE(world.agent()->human_last_seen);
  world.send_raw(R"({"resize": {"cols": 70, "rows": 20}})");
  EXPECT_EQ(world.host.sessions.at(session).size, (Size{70, 20}));
  EXPECT_FALSE(world.conversation.leaving());
}

TEST(Attach, PaintsAtMostEverySixteenMilliseconds) {
  ClientWorld world;
  const SessionId session = world.running();
  world.send("attach", attach_args());
  world.step(milliseconds{50});
  world.output.clear();
  world.host.prints(session, "one");
  world.step(milliseconds{5});
  EXPECT_EQ(world.output, "");
  ASSERT_TRUE(world.conversation.wake_at());
  world.host.prints(session, " two");
  world.step(milliseconds{11});
  EXPECT_NE(world.output.find("one two"), std::string::npos) << "one frame for both";
  EXPECT_FALSE(world.conversation.wake_at());
}

TEST(Attach, TellsOfStatesWhenAsked) {
  ClientWorld world;
  world.running("b");
  const SessionId session = world.running();
  Json args = attach_args();
  world.send("attach", args.set("states", true));
  world.step(milliseconds{50});
  const auto told = [&] {
    std::vector<std::string> states;
    for (const Json& json : world.replies)
      if (json["state"].is_object()) states.push_back(json["state"]["state"].as_string());
    return states;
  };
  const std::string first(word(world.agent()->state));
  EXPECT_EQ(told(), std::vector<std::string>{first});
  world.step(milliseconds{500});
  EXPECT_EQ(told().size(), 1u) << "only when it changes";
  world.host.ends(session, 3);
  world.step(milliseconds{50});
  EXPECT_EQ(told(), (std::vector<std::string>{first, "crashed"}));
  EXPECT_EQ(world.replies.size(), 3u) << "and then the end";
}

TEST(Attach, ReadOnlyTouchesNothing) {
  ClientWorld world;
  const SessionId session = world.running();
  const Size before = world.host.sessions.at(session).size;
  world.send("attach", attach_args(true));
  world.step(milliseconds{50});
  world.conversation.receive(world.now, {Kind::input, "x"});
  world.send_raw(R"({"resize": {"cols": 70, "rows": 20}})");
  world.step(milliseconds{50});
  EXPECT_EQ(world.host.sessions.at(session).written, "");
  EXPECT_EQ(world.host.sessions.at(session).size, before);
  EXPECT_FALSE(world.agent()->human_last_seen);
  EXPECT_FALSE(world.output.empty());
}

TEST(Attach, EndsWithTheProgramAndItsLastWords) {
  ClientWorld world;
  const SessionId session = world.running();
  world.send("attach", attach_args());
  world.step(milliseconds{50});
  world.host.prints(session, "last words");
  world.host.ends(session, 3);
  world.step();
  EXPECT_NE(world.output.find("last words"), std::string::npos);
  EXPECT_EQ((*world.reply())["state"].as_string(), "crashed");
  EXPECT_EQ(world.error_of(world.ask("attach", attach_args())),
            "'a' has crashed (ended by itself: exit code 3): look with: pawl screen a, or start it "
            "with: pawl restart a");
}

// Somebody at the terminal of "a".
struct Sitter {
  Sitter(ClientWorld& where, int cols, int rows) : world(where) {
    const Json args = Json::object({{"name", "a"}, {"cols", cols}, {"rows", rows}});
    const Json request = Json::object({{"version", 1}, {"verb", "attach"}, {"args", args}});
    conversation.receive(world.now, {Kind::json, request.dump()});
    conversation.pump(world.now, 1u << 20);
  }
  void types(const std::string& keys) { conversation.receive(world.now, {Kind::input, keys}); }

  ClientWorld& world;
  Conversation conversation{*world.engine, world.server};
};

TEST(Attach, TheSizeIsThatOfWhoTypedLastAndGoesBack) {
  ClientWorld world;
  const SessionId session = world.running();
  const auto size = [&] {
    give_sizes(*world.engine, world.now, world.server.seats);
    return world.host.sessions.at(session).size;
  };
  const Size own = size();
  {
    Sitter first(world, 60, 10);
    EXPECT_EQ(size(), (Size{60, 10}));
    {
      Sitter second(world, 100, 30);
      EXPECT_EQ(size(), (Size{100, 30}));
      first.types("x");
      EXPECT_EQ(size(), (Size{60, 10})) << "whoever types sees all of it";
      second.types("y");
      EXPECT_EQ(size(), (Size{100, 30}));
    }
    EXPECT_EQ(size(), (Size{60, 10})) << "the other one left";
  }
  EXPECT_EQ(size(), own) << "nobody is left";
}

TEST(Attach, HalfAFrameIsHeldBackButNotForLong) {
  ClientWorld world;
  const SessionId session = world.running();
  world.send("attach", attach_args());
  world.step(milliseconds{50});
  world.output.clear();
  world.host.prints(session, "\x1b[?2026hfirst half");
  world.step(milliseconds{50});
  EXPECT_EQ(world.output, "");
  EXPECT_TRUE(world.conversation.wake_at());
  world.host.prints(session, ", second half\x1b[?2026l");
  world.step(milliseconds{50});
  EXPECT_NE(world.output.find("first half, second half"), std::string::npos);
  world.output.clear();
  world.host.prints(session, "\x1b[?2026h\x1b[Hnever ended");
  world.step(milliseconds{50});
  world.step(kHoldFrame);
  EXPECT_NE(world.output.find("never ended"), std::string::npos);
}

TEST(Attach, BellsReachThePersonWhoAskedForThem) {
  ClientWorld world;
  const SessionId session = world.running();
  Json args = attach_args();
  world.send("attach", args.set("calls", true));
  world.step(milliseconds{50});
  world.output.clear();
  world.host.prints(session, "\a\x1b]9;done\a");
  world.step(milliseconds{50});
  EXPECT_NE(world.output.find("\a\x1b]9;done\x1b\\"), std::string::npos) << world.output;
}

TEST(Attach, IsToldThatTheDaemonEnds) {
  ClientWorld world;
  world.running();
  world.send("attach", attach_args());
  world.step(milliseconds{50});
  world.server.leaving = true;
  world.step();
  EXPECT_EQ(world.reply().error().what, kDaemonEnds);
  EXPECT_EQ(world.output.find("\x1b[?1049l"), std::string::npos)
      << "whoever waits keeps the picture";
}

}  // namespace
}  // namespace pawl::api
