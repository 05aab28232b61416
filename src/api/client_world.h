#pragma once
// For tests: a client of an engine with made-up programs. Requests go in as JSON, replies and streams come out.

#include "api/conversation.h"
#include "core/engine_world.h"

namespace pawl::api {

struct ClientWorld : core::EngineWorld {
  Server server{.version = "9.9", .pid = 1234, .started = {}};
  Conversation conversation{*engine, server};
  FrameReader reader{kMaxReply};
  std::vector<Json> replies, events;
  std::string output;  // of all output frames

  void send(const std::string& verb, Json args = Json::object()) {
    send_raw(Json::object({{"version", 1},
                           {"verb", verb},
                           {"args", std::move(args)},
                           {"cwd", "/"},
                           {"environment", Json::array()}})
                 .dump());
  }
  void send_raw(const std::string& payload) { conversation.receive(now, {Kind::json, payload}); }

  // What the daemon does after each turn.
  void step(Duration later = std::chrono::milliseconds{1}, size_t room = 1u << 20) {
    now = {now.mono + later, now.wall + later};
    engine->turn(now);
    for (const auto& answer : engine->take_answers()) conversation.answered(now, answer);
    publish(room);
  }
  void publish(size_t room = 1u << 20) {
    conversation.pump(now, room);
    reader.feed(conversation.take_output());
    for (auto frame = reader.next(); frame && *frame; frame = reader.next()) {
      if ((*frame)->kind == Kind::output)
        output += (*frame)->payload;
      else
        take(*Json::parse((*frame)->payload));
    }
  }

  // The one reply so far, taken.
  Result<Json> reply() {
    EXPECT_EQ(replies.size(), 1u);
    if (replies.empty()) return fail("no reply");
    auto result = result_of(replies.front());
    replies.clear();
    return result;
  }
  Result<Json> ask(const std::string& verb, Json args = Json::object()) {
    send(verb, std::move(args));
    step();
    return reply();
  }
  std::string error_of(const Result<Json>& result) {
    return result ? "none" : text_of(result.error());
  }

 private:
  void take(const Json& json) {
    if (json["event"].is_object())
      events.push_back(json["event"]);
    else
      replies.push_back(json);
  }
};

inline Json named(const std::string& name) {
  return Json::object({{"name", name}});
}

}  // namespace pawl::api
