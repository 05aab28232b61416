#pragma once
// A client and a daemon for tests of the server: messages go in as text, what comes out is read back.

#include <gtest/gtest.h>

#include "mcp/server.h"

namespace pawl::mcp {

struct ClientWorld {
  Server server;
  MonoTime now = MonoTime{std::chrono::seconds{1000}};
  Todo last;
  int64_t id = 0;

  void say(const std::string& text) {
    server.take(text, now);
    server.tick(now);
    last = server.todo();
  }
  // One answer, at once.
  Json only() const {
    EXPECT_EQ(last.messages.size(), 1U);
    return last.messages.empty() ? Json() : *Json::parse(last.messages[0]);
  }
  int64_t request(const std::string& method, Json params) {
    say(Json::object({{"jsonrpc", "2.0"}, {"id", ++id}, {"method", method}, {"params", params}})
            .dump());
    return id;
  }
  Json ask(const std::string& method, const Json& params = Json::object()) {
    request(method, params);
    return only();
  }
  void begin(const char* revision = "2025-11-25") {
    const Json answer = ask("initialize", Json::object({{"protocolVersion", revision}}));
    EXPECT_EQ(answer["result"]["protocolVersion"].as_string(), revision);
    say(R"({"jsonrpc":"2.0","method":"notifications/initialized"})");
    EXPECT_TRUE(last.messages.empty());
  }
  static Json newest(Json params = Json::object()) {
    Json meta = params["_meta"];
    meta.set(kRevisionKey, "2026-07-28").set(kCapabilitiesKey, Json::object());
    return params.set("_meta", meta);
  }
  Ask call(const std::string& tool, const Json& arguments, Json params = Json::object()) {
    request("tools/call", params.set("name", tool).set("arguments", arguments));
    EXPECT_EQ(last.asks.size(), 1U) << (last.messages.empty() ? "" : last.messages[0]);
    return last.asks.empty() ? Ask{} : last.asks[0];
  }
  void answer(uint64_t to, const Result<Json>& reply) {
    server.answered(to, reply, now);
    server.tick(now);
    last = server.todo();
  }
  void pass(Duration time) {
    now += time;
    server.tick(now);
    last = server.todo();
  }
};

}  // namespace pawl::mcp
