#include "api/stream.h"

#include <gtest/gtest.h>

#include "api/client_world.h"
#include "core/parts/deliveries.h"

namespace pawl::api {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

TEST(Wait, EndsWhenTheStateIsThere) {
  ClientWorld world;
  const SessionId session = world.running();
  world.send("wait", Json::object({{"name", "a"}, {"until", "exited,crashed"}}));
  world.step(seconds{100});
  EXPECT_TRUE(world.replies.empty());
  EXPECT_FALSE(world.conversation.wake_at()) << "no deadline, no waking";
  world.host.ends(session, 3);
  world.step();
  EXPECT_EQ((*world.reply())["state"].as_string(), "crashed");
}

TEST(Wait, IsOverAtOnceWhenTheStateIsThereAlready) {
  ClientWorld world;
  world.running();
  EXPECT_EQ(
      (*world.ask("wait", Json::object({{"name", "a"}, {"until", "unknown"}})))["name"].as_string(),
      "a");
}

TEST(Wait, TimesOutWithItsOwnCode) {
  ClientWorld world;
  world.running();
  world.send("wait", Json::object({{"name", "a"}, {"until", "exited"}, {"timeout", "90"}}));
  const MonoTime due = world.now.mono + seconds{90};
  EXPECT_EQ(world.conversation.wake_at(), due);
  world.step(seconds{90} - Duration{1});
  EXPECT_TRUE(world.replies.empty());
  world.step(Duration{1});
  const auto reply = world.reply();
  ASSERT_FALSE(reply);
  EXPECT_EQ(reply.error(), (Error{"'a' is still unknown", "wait longer with --timeout", 124}));
}

TEST(Wait, SaysWhenItCannotHappenAnyMore) {
  ClientWorld world;
  const SessionId session = world.running();
  world.send("wait", Json::object({{"name", "a"}, {"until", "ready"}}));
  world.host.ends(session, 0);
  world.step();
  EXPECT_EQ(world.error_of(world.reply()),
            "'a' has exited (ended by itself: exit code 0) and will not change by itself: start it "
            "with: pawl restart a");
}

TEST(Wait, BadArgumentsAreUsage) {
  ClientWorld world;
  world.running();
  for (const auto& args : {Json::object({{"name", "a"}, {"until", "happy"}}),
                           Json::object({{"name", "a"}, {"until", ""}}),
                           Json::object({{"name", "a"}, {"until", "busy"}, {"timeout", "soon"}})}) {
    const auto reply = world.ask("wait", args);
    ASSERT_FALSE(reply);
    EXPECT_EQ(reply.error().exit_code, 2);
  }
}

std::vector<int64_t> numbers(const ClientWorld& world) {
  std::vector<int64_t> all;
  for (const auto& event : world.events) all.push_back(event["seq"].as_int());
  return all;
}

TEST(Events, AreTheJournal) {
  ClientWorld world;
  world.running();
  ASSERT_TRUE(world.ask("events"));
  ASSERT_EQ(world.events.size(), world.journal.events.size());
  for (size_t i = 0; i < world.events.size(); ++i)
    EXPECT_EQ(world.events[i], model::to_json(world.journal.events[i]).set("machine", Json()));
}

TEST(Events, SinceANumberATimeOrAnAge) {
  ClientWorld world;
  world.running("a");  // 6 events
  const WallTime between = world.now.wall;
  world.now = {world.now.mono + seconds{60}, world.now.wall + seconds{60}};
  world.running("b");
  const std::vector<int64_t> of_b{7, 8, 9, 10, 11, 12};
  for (const std::string& since :
       {std::string("6"), rfc3339(between + milliseconds{5}), std::string("30s")}) {
    world.events.clear();
    ASSERT_TRUE(world.ask("events", Json::object({{"since", since}}))) << since;
    EXPECT_EQ(numbers(world), of_b) << since;
  }
  world.events.clear();
  ASSERT_TRUE(world.ask("events", Json::object({{"agent", "b"}})));
  EXPECT_EQ(numbers(world), of_b);
  const auto bad = world.ask("events", Json::object({{"since", "yesterday"}}));
  ASSERT_FALSE(bad);
  EXPECT_EQ(bad.error().exit_code, 2);
}

TEST(Events, ALongSearchIsDoneInPieces) {
  ClientWorld world;
  world.running("a");
  while (world.journal.events.size() < 5000) {
    ASSERT_TRUE(world.engine->type(world.now, "a", "k", "attach"));
    world.step(core::kHumanEvery * 2);
  }
  world.send("events", Json::object({{"agent", "nobody"}}));
  world.publish();
  EXPECT_TRUE(world.replies.empty()) << "5000 events are not read at once";
  ASSERT_TRUE(world.conversation.wake_at());
  EXPECT_LE(*world.conversation.wake_at(), world.now.mono);
  for (int i = 0; i < 10 && world.replies.empty(); ++i) world.publish();
  EXPECT_EQ(world.replies.size(), 1u);
  EXPECT_TRUE(world.events.empty());
}

TEST(Events, FollowGoesOnAndASlowClientMissesNothing) {
  ClientWorld world;
  world.running("a");
  world.send("events", Json::object({{"follow", true}}));
  world.step();
  EXPECT_EQ(world.events.size(), 6u);
  const SessionId session = world.running("b");
  world.host.ends(session, 0);
  world.turn();
  for (int i = 0; i < 100 && world.events.size() < world.journal.events.size(); ++i)
    world.publish(10);
  EXPECT_EQ(world.events.size(), world.journal.events.size());
  EXPECT_TRUE(world.replies.empty()) << "it never ends by itself";
}

TEST(Logs, AreThePrintedTextWithoutEscapes) {
  ClientWorld world;
  const SessionId session = world.running();
  world.host.prints(session, "\x1b[31mred\x1b[0m\r\nnext\r\n");
  world.turn();
  ASSERT_TRUE(world.ask("logs", named("a"))) << "also what is not flushed yet";
  EXPECT_EQ(world.output, "red\nnext\n");
  world.output.clear();
  Json raw = named("a");
  ASSERT_TRUE(world.ask("logs", raw.set("raw", true)));
  EXPECT_EQ(world.output, "\x1b[31mred\x1b[0m\r\nnext\r\n");
}

TEST(Logs, TheLastLinesOnly) {
  ClientWorld world;
  const SessionId session = world.running();
  world.host.prints(session, "1\r\n2\r\n3\r\n4");
  world.turn();
  const std::vector<std::pair<std::string, std::string>> rows{
      {"0", ""}, {"1", "4"}, {"2", "3\n4"}, {"4", "1\n2\n3\n4"}, {"99", "1\n2\n3\n4"}};
  for (const auto& [count, text] : rows) {
    world.output.clear();
    Json args = named("a");
    ASSERT_TRUE(world.ask("logs", args.set("lines", count)));
    EXPECT_EQ(world.output, text) << count;
  }
  for (const char* bad : {"x", "-1", "1x"}) {
    Json args = named("a");
    EXPECT_FALSE(world.ask("logs", args.set("lines", bad))) << bad;
  }
}

TEST(Logs, FollowGoesOnThroughARestartAndEndsWithTheProgram) {
  ClientWorld world;
  const SessionId first = world.running();
  world.host.prints(first, "one\r\n");
  Json args = named("a");
  world.send("logs", args.set("follow", true).set("lines", "5"));
  world.step();
  EXPECT_EQ(world.output, "one\n");
  world.EngineWorld::ask<core::RestartAsked>();
  world.turn();
  world.host.prints(first, "two\r\n");
  world.host.ends(first, 0);
  world.turn();
  world.host.runs(world.session());
  world.host.prints(world.session(), "three\r\n");
  world.step(core::kFlushEvery);
  world.step(core::kFlushEvery);
  EXPECT_EQ(world.output, "one\ntwo\nthree\n");
  EXPECT_TRUE(world.replies.empty());
  world.host.prints(world.session(), "four\r\n");
  world.host.ends(world.session(), 0);
  world.step();
  EXPECT_EQ(world.output, "one\ntwo\nthree\nfour\n");
  EXPECT_TRUE(world.reply());
}

TEST(Screen, IsTheScreenAlsoOfAnEarlierLife) {
  ClientWorld world;
  const SessionId session = world.running();
  // Marks that turn the order of letters around stay in the terminal.
  world.host.prints(session, "\x1b]0;\u202Eti\u2066tle\u200B\x07hello");
  world.host.ends(session, 0);
  world.turn();
  const auto live = world.ask("screen", named("a"));
  EXPECT_EQ((*live)["screen"].as_string().substr(0, 5), "hello");
  EXPECT_EQ((*live)["cursor"].dump(), R"({"row":1,"col":6,"visible":true})");
  EXPECT_EQ((*live)["title"].as_string(), "title");
  core::Engine later(world.host, world.journal, {world.home.path(), {}}, *world.journal.recover());
  Conversation conversation(later, world.server);
  conversation.receive(world.now, {Kind::json, R"({"verb":"screen","args":{"name":"a"}})"});
  FrameReader reader(kMaxReply);
  reader.feed(conversation.take_output());
  const auto old = result_of(*Json::parse((**reader.next()).payload));
  ASSERT_TRUE(old);
  EXPECT_EQ((*old)["screen"], (*live)["screen"]);
}

}  // namespace
}  // namespace pawl::api
