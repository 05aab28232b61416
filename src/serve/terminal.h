#pragma once
// An agent's terminal in a browser (doc/http.md, "Terminal"): a conversation with `attach` on one side, WebSocket frames on the other.
// Read-only until its operator takes control; what is typed then counts as a person's.

#include <memory>
#include <string>
#include <vector>

#include "api/conversation.h"
#include "serve/websocket.h"

namespace pawl::serve {

inline constexpr size_t kMaxOwed = 256u << 10;  // answers to somebody who asks and does not read

class Terminal {
 public:
  // `may_type`: an operator's, on a server with control. `by`: for the journal.
  Terminal(core::Engine& engine, api::Server& server, const Clock& now, const std::string& agent,
           bool may_type, bool control, std::string by);

  void receive(const Clock& now, std::string_view bytes);  // of the socket
  void follow(const Clock& now, size_t room);
  std::optional<MonoTime> wake_at() const { return conversation_.wake_at(); }
  void pace(Duration every);

  std::string take_output() { return std::exchange(out_, {}); }
  bool over() const { return over_; }  // the last frame was given
  void close(int code, std::string_view why);

 private:
  void take(const Clock& now, const WsMessage& message);
  void control(const Clock& now, bool wanted);
  void say(const Json& json) { out_ += ws_frame(WsMessage::Kind::text, json.dump()); }

  api::Conversation conversation_;
  api::FrameReader frames_{api::kMaxReply};
  WsReader reader_;
  std::string by_;
  bool may_type_;
  bool over_ = false;
  std::string out_;
};

}  // namespace pawl::serve
