#include "mcp/server.h"

#include <gtest/gtest.h>

#include "mcp/client_world.h"

namespace pawl::mcp {
namespace {

using std::chrono::seconds;

Json tool_text(const Json& message) {
  return message["result"]["content"].items().at(0)["text"];
}

TEST(McpServer, ChoosesARevisionAtTheBeginning) {
  for (const char* revision : {"2025-06-18", "2025-11-25"}) {
    ClientWorld world;
    world.begin(revision);
  }
  ClientWorld world;
  const Json answer = world.ask("initialize", Json::object({{"protocolVersion", "2024-11-05"}}));
  EXPECT_EQ(answer["result"]["protocolVersion"].as_string(), "2025-11-25");
  EXPECT_EQ(answer["result"]["serverInfo"]["name"].as_string(), "pawl");
  EXPECT_TRUE(answer["result"]["capabilities"]["resources"]["subscribe"].as_bool());
  EXPECT_FALSE(answer["result"].has("resultType")) << "only the newest revision has that";
}

TEST(McpServer, AnswersTheNewestRevisionWithoutABeginning) {
  ClientWorld world;
  const Json found = world.ask("server/discover", ClientWorld::newest())["result"];
  EXPECT_EQ(found["supportedVersions"].items().at(0).as_string(), "2026-07-28");
  EXPECT_EQ(found["resultType"].as_string(), "complete");
  EXPECT_TRUE(found["ttlMs"].is_integer());
  EXPECT_EQ(found["cacheScope"].as_string(), "private");
  EXPECT_EQ(found["_meta"]["io.modelcontextprotocol/serverInfo"]["name"].as_string(), "pawl");
  const Json tools = world.ask("tools/list", ClientWorld::newest())["result"];
  EXPECT_EQ(tools["resultType"].as_string(), "complete");
  EXPECT_GT(tools["tools"].items().size(), 25U);
}

TEST(McpServer, SaysWhichRevisionsItHas) {
  ClientWorld world;
  Json params = ClientWorld::newest();
  Json meta = params["_meta"];
  params.set("_meta", meta.set(kRevisionKey, "1900-01-01"));
  const Json error = world.ask("tools/list", params)["error"];
  EXPECT_EQ(error["code"].as_int(), kUnsupportedRevision);
  EXPECT_EQ(error["data"]["requested"].as_string(), "1900-01-01");
  EXPECT_EQ(error["data"]["supported"].items().size(), 3U);
  Json bare = Json::object({{"_meta", Json::object({{std::string(kRevisionKey), "2026-07-28"}})}});
  EXPECT_EQ(world.ask("tools/list", bare)["error"]["code"].as_int(), kInvalidParams);
  EXPECT_EQ(world.ask("tools/list")["error"]["code"].as_int(), kInvalidParams);
}

TEST(McpServer, BothErasAtOnce) {
  ClientWorld world;
  world.begin("2025-06-18");
  EXPECT_FALSE(world.ask("tools/list")["result"].has("resultType"));
  EXPECT_TRUE(world.ask("tools/list", ClientWorld::newest())["result"].has("resultType"));
  EXPECT_TRUE(world.ask("ping").has("result"));
  EXPECT_EQ(world.ask("ping", ClientWorld::newest())["result"], Json::object());
  EXPECT_EQ(world.ask("resources/subscribe", ClientWorld::newest())["error"]["code"].as_int(),
            kMethodNotFound);
  EXPECT_EQ(world.ask("subscriptions/listen")["error"]["code"].as_int(), kMethodNotFound);
}

struct Malformed {
  const char* text;
  int code;
  bool has_id;
};

TEST(McpServer, MalformedMessagesGetTheRightError) {
  const Malformed table[] = {
      {"{", kParseError, false},
      {"\xff\xfe", kParseError, false},
      {"[]", kInvalidRequest, false},
      {R"([{"jsonrpc":"2.0","id":1,"method":"ping"}])", kInvalidRequest, false},
      {"7", kInvalidRequest, false},
      {"null", kInvalidRequest, false},
      {R"({"id":1,"method":"ping"})", kInvalidRequest, true},
      {R"({"jsonrpc":"1.0","id":1,"method":"ping"})", kInvalidRequest, true},
      {R"({"jsonrpc":"2.0","id":1})", kInvalidRequest, true},
      {R"({"jsonrpc":"2.0","id":1,"method":7})", kInvalidRequest, true},
      {R"({"jsonrpc":"2.0","id":null,"method":"ping"})", kInvalidRequest, false},
      {R"({"jsonrpc":"2.0","id":{},"method":"ping"})", kInvalidRequest, false},
      {R"({"jsonrpc":"2.0","id":1,"method":"ping","params":[]})", kInvalidParams, true},
      {R"({"jsonrpc":"2.0","id":1,"method":"nothing"})", kMethodNotFound, true},
      {R"({"jsonrpc":"2.0","id":1,"method":"tools/call"})", kInvalidParams, true},
      {R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"attach"}})",
       kInvalidParams, true},
      {R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"ls","arguments":[]}})",
       kInvalidParams, true},
      {R"({"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"cursor":"x"}})", kInvalidParams,
       true},
      {R"({"jsonrpc":"2.0","id":1,"method":"resources/read","params":{}})", kInvalidParams, true},
      {R"({"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"file:///x"}})",
       kResourceNotFound, true},
      {R"({"jsonrpc":"2.0","id":1,"method":"prompts/get","params":{"name":"x"}})", kInvalidParams,
       true},
      {R"({"jsonrpc":"2.0","id":1,"method":"initialize","params":{}})", kInvalidParams, true}};
  ClientWorld world;
  world.begin();
  for (const auto& [text, code, has_id] : table) {
    world.say(text);
    const Json answer = world.only();
    EXPECT_EQ(answer["error"]["code"].as_int(), code) << text;
    EXPECT_EQ(answer.has("id"), has_id) << text;
    EXPECT_FALSE(answer["error"]["message"].as_string().empty()) << text;
    EXPECT_TRUE(world.last.asks.empty()) << text;
  }
  EXPECT_TRUE(world.ask("ping").has("result")) << "it goes on";
}

TEST(McpServer, IsSilentAboutWhatNeedsNoAnswer) {
  ClientWorld world;
  world.begin();
  for (const char* text :
       {"", "  ", R"({"jsonrpc":"2.0","method":"nothing"})",
        R"({"jsonrpc":"2.0","id":9,"result":{}})",
        R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":77}})",
        R"({"jsonrpc":"2.0","method":"notifications/cancelled"})"}) {
    world.say(text);
    EXPECT_TRUE(world.last.messages.empty() && world.last.drops.empty()) << text;
  }
}

TEST(McpServer, ACallIsARequestToTheDaemon) {
  ClientWorld world;
  world.begin();
  const Ask asked = world.call("ls", Json::object());
  EXPECT_EQ(asked.verb, "ls");
  EXPECT_TRUE(asked.args["machines"].as_bool());
  EXPECT_FALSE(asked.environment);
  EXPECT_EQ(asked.args["fields"].items().at(0).as_string(), "name") << "short rows";
  EXPECT_TRUE(world.last.messages.empty());
  const Json agent =
      Json::object({{"name", "docs"}, {"state", "busy"}, {"because", "a tool runs"}});
  Json agents = Json::array();
  agents.push(agent);
  world.answer(asked.id, Json::object({{"version", 1}, {"agents", agents}}));
  const Json answer = world.only();
  EXPECT_EQ(answer["id"].as_int(), world.id);
  EXPECT_EQ(tool_text(answer).as_string(), "docs: busy, a tool runs\n");
  EXPECT_EQ(answer["result"]["structuredContent"]["agents"].items().at(0), agent);
}

TEST(McpServer, ARefusalIsAResultTheModelSees) {
  ClientWorld world;
  world.begin();
  const Ask asked = world.call("stop", Json::object({{"names", Json::Array{"docs"}}}));
  world.answer(asked.id, fail("agent x may not stop", "may = [\"stop\"] allows it", 6));
  const Json result = world.only()["result"];
  EXPECT_TRUE(result["isError"].as_bool());
  EXPECT_EQ(result["structuredContent"]["error"]["exit_code"].as_int(), 6);
  EXPECT_NE(result["content"].items().at(0)["text"].as_string().find("may = [\"stop\"]"),
            std::string::npos);
}

TEST(McpServer, WrongArgumentsByRevision) {
  ClientWorld old, newer;
  old.begin("2025-06-18");
  newer.begin("2025-11-25");
  const Json wrong =
      Json::object({{"name", "show"}, {"arguments", Json::object({{"nam", "docs"}})}});
  EXPECT_EQ(old.ask("tools/call", wrong)["error"]["code"].as_int(), kInvalidParams);
  const Json told = newer.ask("tools/call", wrong);
  EXPECT_TRUE(told["result"]["isError"].as_bool());
  EXPECT_NE(tool_text(told).as_string().find("did you mean 'name'?"), std::string::npos);
}

TEST(McpServer, WaitsDoNotHoldUpOthersAndTellHowLong) {
  ClientWorld world;
  world.begin();
  const Json token = Json::object({{"_meta", Json::object({{"progressToken", "p1"}})}});
  const Ask wait = world.call("task_wait", Json::object({{"names", Json::Array{"t"}}}), token);
  EXPECT_EQ(wait.args["timeout"].as_string(), kDefaultWait);
  Json told = world.only();
  EXPECT_EQ(told["method"].as_string(), "notifications/progress");
  EXPECT_EQ(told["params"]["progressToken"].as_string(), "p1");
  EXPECT_EQ(told["params"]["total"].as_double(), 540);
  EXPECT_TRUE(world.ask("ping").has("result"));
  EXPECT_EQ(world.server.wake_at(), world.now + kProgressEvery);
  world.pass(kProgressEvery);
  EXPECT_EQ(world.only()["params"]["progress"].as_double(), 10);
  world.answer(wait.id, fail("'t' is still under way", "wait longer", 124));
  told = world.only();
  EXPECT_FALSE(told["result"]["isError"].as_bool());
  EXPECT_TRUE(told["result"]["structuredContent"]["still_running"].as_bool());
  EXPECT_EQ(world.server.wake_at(), std::nullopt);
}

TEST(McpServer, ACancelledWaitIsDroppedAndNotAnswered) {
  ClientWorld world;
  world.begin();
  const Ask wait =
      world.call("wait", Json::object({{"names", Json::Array{"a"}}, {"until", "ready"}}));
  world.say(R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":)" +
            std::to_string(world.id) + "}}");
  EXPECT_EQ(world.last.drops, std::vector<uint64_t>{wait.id});
  world.answer(wait.id, Json::object());
  EXPECT_TRUE(world.last.messages.empty());
}

TEST(McpServer, BoundsWaitsAndRefusesAnIdTwice) {
  ClientWorld world;
  world.begin();
  const Json arguments = Json::object({{"names", Json::Array{"a"}}, {"until", "ready"}});
  for (size_t i = 0; i < kMaxWaits; ++i) world.call("wait", arguments);
  const Json params = Json::object({{"name", "wait"}, {"arguments", arguments}});
  const Json full = world.ask("tools/call", params);
  EXPECT_TRUE(full["result"]["isError"].as_bool());
  world.call("ls", Json::object());
  --world.id;
  EXPECT_EQ(world.ask("ping")["error"]["code"].as_int(), kInvalidRequest);
}

TEST(McpServer, ReadsResources) {
  ClientWorld world;
  world.begin();
  world.request("resources/read", Json::object({{"uri", "pawl://agent/docs/screen"}}));
  ASSERT_EQ(world.last.asks.size(), 1U);
  EXPECT_EQ(world.last.asks[0].verb, "screen");
  world.answer(world.last.asks[0].id, Json::object({{"screen", "hello"}}));
  const Json contents = world.only()["result"]["contents"].items().at(0);
  EXPECT_EQ(contents["text"].as_string(), "hello");
  EXPECT_EQ(contents["uri"].as_string(), "pawl://agent/docs/screen");
  world.request("resources/read",
                ClientWorld::newest(Json::object({{"uri", "pawl://task/t/result"}})));
  const uint64_t ask = world.last.asks.at(0).id;
  world.server.heard(ask, std::string_view("done"));
  world.answer(ask, Json::object());
  EXPECT_EQ(world.only()["result"]["contents"].items().at(0)["text"].as_string(), "done");
  const Json gone = world.ask("resources/read", ClientWorld::newest(Json::object({{"uri", "x"}})));
  EXPECT_EQ(gone["error"]["code"].as_int(), kInvalidParams) << "the newest has no -32002";
}

TEST(McpServer, AResourceOfAnAgentThatIsGoneIsNotFound) {
  for (const bool newest : {false, true}) {
    ClientWorld world;
    world.begin();
    const Json params = Json::object({{"uri", "pawl://agent/docs/why"}});
    world.request("resources/read", newest ? ClientWorld::newest(params) : params);
    world.answer(world.last.asks.at(0).id, fail("no agent named 'docs'", "pawl ls shows them all"));
    EXPECT_EQ(world.only()["error"]["code"].as_int(), newest ? kInvalidParams : kResourceNotFound);
  }
}

// Whatever comes: what goes out is messages, and afterwards it still answers.
TEST(McpServer, NoBytesOfAClientBreakIt) {
  const std::string seeds[] = {
      R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"wait","arguments":{"names":["a"],"until":"ready"},"_meta":{"progressToken":1}}})",
      R"({"jsonrpc":"2.0","id":"x","method":"subscriptions/listen","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}},"notifications":{"resourceSubscriptions":["pawl://report"]}}})",
      R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}})",
      R"({"jsonrpc":"2.0","id":3,"method":"resources/read","params":{"uri":"pawl://agent/a/screen"}})"};
  ClientWorld world;
  world.begin();
  uint64_t chance = 88172645463325252U;
  const auto next = [&](size_t below) {
    chance ^= chance << 13U, chance ^= chance >> 7U, chance ^= chance << 17U;
    return static_cast<size_t>(chance % below);
  };
  for (int i = 0; i < 4000; ++i) {
    std::string text = seeds[next(std::size(seeds))];
    for (size_t n = next(4); n > 0; --n) text[next(text.size())] = static_cast<char>(next(256));
    if (next(4) == 0) text.erase(next(text.size()), next(20));
    world.say(text);
    for (const auto& message : world.last.messages) {
      const auto json = Json::parse(message);
      ASSERT_TRUE(json && (*json)["jsonrpc"].is_string()) << text;
      ASSERT_EQ(message.find('\n'), std::string::npos);
    }
    const auto asks = world.last.asks;
    for (const auto& ask : asks)
      if (next(2) == 0) world.answer(ask.id, Json::object());
  }
  world.say(R"({"jsonrpc":"2.0","id":"last","method":"ping"})");
  EXPECT_TRUE(world.only().has("result"));
}

TEST(McpServer, ListsResourcesOfAgentsAndTasks) {
  ClientWorld world;
  world.begin();
  world.request("resources/list", Json::object());
  Json agents = Json::array(), tasks = Json::array();
  agents.push(Json::object({{"name", "docs"}, {"machine", "gpu"}}));
  tasks.push(Json::object({{"task_name", "t"}}));
  world.answer(world.last.asks.at(0).id, Json::object({{"agents", agents}}));
  ASSERT_EQ(world.last.asks.size(), 1U);
  world.answer(world.last.asks[0].id, Json::object({{"tasks", tasks}}));
  const Json list = world.only()["result"]["resources"];
  ASSERT_EQ(list.items().size(), 6U);
  EXPECT_EQ(list.items()[0]["uri"].as_string(), "pawl://report");
  EXPECT_EQ(list.items()[1]["uri"].as_string(), "pawl://agent/gpu%2Fdocs/screen");
  EXPECT_EQ(list.items()[4]["uri"].as_string(), "pawl://task/t/result");
}

TEST(McpServer, OldClientsSubscribe) {
  ClientWorld world;
  world.begin();
  const Json uri = Json::object({{"uri", "pawl://agent/docs/why"}});
  world.request("resources/subscribe", uri);
  ASSERT_EQ(world.last.asks.size(), 1U) << "the events of agents";
  const Ask feed = world.last.asks[0];
  EXPECT_EQ(feed.verb, "events");
  EXPECT_FALSE(feed.starts_daemon);
  world.server.heard(feed.id, Json::object({{"agent", "other"}}));
  world.pass(seconds{0});
  EXPECT_TRUE(world.last.messages.empty());
  for (int i = 0; i < 5; ++i) world.server.heard(feed.id, Json::object({{"agent", "docs"}}));
  world.pass(seconds{0});
  EXPECT_EQ(world.only()["params"]["uri"].as_string(), "pawl://agent/docs/why");
  world.server.heard(feed.id, Json::object({{"agent", "docs"}}));
  world.pass(seconds{0});
  EXPECT_TRUE(world.last.messages.empty()) << "once a second";
  world.pass(kTellEvery);
  EXPECT_EQ(world.last.messages.size(), 1U);
  world.request("resources/unsubscribe", uri);
  EXPECT_EQ(world.last.drops, std::vector<uint64_t>{feed.id});
}

TEST(McpServer, NewClientsListen) {
  ClientWorld world;
  const Json filter =
      Json::object({{"toolsListChanged", true},
                    {"resourceSubscriptions", Json::Array{"pawl://task/t/result", "file:///x"}}});
  world.request("subscriptions/listen",
                ClientWorld::newest(Json::object({{"notifications", filter}})));
  const Json taken = world.only();
  EXPECT_EQ(taken["method"].as_string(), "notifications/subscriptions/acknowledged");
  EXPECT_EQ(taken["params"]["_meta"][kSubscriptionKey].as_int(), world.id);
  EXPECT_EQ(taken["params"]["notifications"].dump(),
            R"({"resourceSubscriptions":["pawl://task/t/result"]})");
  const uint64_t feed = world.last.asks.at(0).id;
  EXPECT_EQ(world.last.asks[0].verb, "task events");
  world.server.heard(feed, Json::object({{"task", "t"}}));
  world.pass(seconds{0});
  EXPECT_EQ(world.only()["params"]["_meta"][kSubscriptionKey].as_int(), world.id);
  // The daemon goes: another is looked for, and what was missed is told of.
  world.answer(feed, fail("the daemon has gone"));
  EXPECT_TRUE(world.last.asks.empty());
  world.pass(kListenAgain);
  const uint64_t next = world.last.asks.at(0).id;
  world.server.heard(next, Json::object({{"task", "other"}}));
  world.pass(seconds{0});
  EXPECT_EQ(world.only()["params"]["uri"].as_string(), "pawl://task/t/result");
  world.say(R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}})");
  EXPECT_EQ(world.last.drops, std::vector<uint64_t>{next});
}

TEST(McpServer, GivesThePrompt) {
  ClientWorld world;
  world.begin();
  EXPECT_EQ(world.ask("prompts/list")["result"]["prompts"].items().at(0)["name"].as_string(),
            "morning-report");
  const Json params =
      Json::object({{"name", "morning-report"}, {"arguments", Json::object({{"since", "3h"}})}});
  const Json message = world.ask("prompts/get", params)["result"]["messages"].items().at(0);
  EXPECT_EQ(message["role"].as_string(), "user");
  EXPECT_NE(message["content"]["text"].as_string().find("\"3h\""), std::string::npos);
}

TEST(McpServer, ATooLongMessageIsNamedWithItsLimit) {
  ClientWorld world;
  world.server.take_too_long();
  world.last = world.server.todo();
  EXPECT_NE(world.only()["error"]["message"].as_string().find("4194304"), std::string::npos);
}

}  // namespace
}  // namespace pawl::mcp
