#include "serve/terminal.h"

namespace pawl::serve {

Terminal::Terminal(core::Engine& engine, api::Server& server, const Clock& now,
                   const std::string& agent, bool may_type, bool control_now, std::string by)
    : conversation_(engine, server), by_(std::move(by)), may_type_(may_type) {
  const Json args = Json::object({{"name", agent},
                                  {"read-only", true},
                                  {"states", true},
                                  {"stay", true},
                                  {"where", "browser: " + by_}});
  conversation_.receive(
      now,
      {api::Kind::json, Json::object({{"verb", "attach"}, {"args", args}, {"by", by_}}).dump()});
  if (control_now) control(now, true);
}

void Terminal::pace(Duration every) {
  if (auto* attached = conversation_.attached()) attached->pace(every);
}

void Terminal::close(int code, std::string_view why) {
  if (over_) return;
  out_ += ws_close(code, why);
  over_ = true;
}

void Terminal::control(const Clock& now, bool wanted) {
  if (wanted && !may_type_) {
    say(Json::object({{"error", Json::object({{"what", "this credential may only look"},
                                              {"fix", "use the operator's"}})}}));
    wanted = false;
  } else if (conversation_.at_terminal()) {
    conversation_.receive(
        now, {api::Kind::json, Json::object({{"control", wanted}, {"by", by_}}).dump()});
  }
  say(Json::object({{"control", wanted}}));
}

void Terminal::take(const Clock& now, const WsMessage& message) {
  using Kind = WsMessage::Kind;
  if (message.kind == Kind::ping) {
    out_ += ws_pong(message.payload);
  } else if (message.kind == Kind::close) {
    close(1000, "");
  } else if (message.kind == Kind::binary) {
    conversation_.receive(now, {api::Kind::input, message.payload});  // dropped without control
  } else {
    const auto json = Json::parse(message.payload);
    if (json && (*json)["control"].is_bool()) return control(now, (*json)["control"].as_bool());
    close(1008, "not a message of this protocol");
  }
}

void Terminal::receive(const Clock& now, std::string_view bytes) {
  if (over_) return;
  reader_.feed(bytes);
  while (!over_) {
    const auto message = reader_.next();
    if (!message) break;
    take(now, *message);
    if (out_.size() > kMaxOwed) close(1008, "it asks and does not read");
  }
  if (reader_.broken() != 0) close(reader_.broken(), "");
}

void Terminal::follow(const Clock& now, size_t room) {
  if (over_) return;
  conversation_.pump(now, room);
  frames_.feed(conversation_.take_output());
  for (auto frame = frames_.next(); frame && *frame; frame = frames_.next()) {
    if ((*frame)->kind == api::Kind::output) {
      if (!(*frame)->payload.empty()) out_ += ws_frame(WsMessage::Kind::binary, (*frame)->payload);
      continue;
    }
    const auto json = Json::parse((*frame)->payload);
    if (!json || !json->has("ok")) {
      out_ += ws_frame(WsMessage::Kind::text, (*frame)->payload);
      continue;
    }
    say(Json::object({{"error", (*json)["error"]}}));
    close(1011, "the agent is gone");
  }
}

}  // namespace pawl::serve
