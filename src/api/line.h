#pragma once
// One of those who are asked at the same time: this machine's own daemon, or another place's. Requests go in, frames come out, one
// after the other. For places_asked.h, places_followed.h and places_awaited.h.

#include <memory>
#include <optional>
#include <string>

#include "api/frame.h"
#include "api/place.h"
#include "core/face.h"

namespace pawl::api {

class Conversation;
struct Server;

// Who asks: of the local socket whoever was seen there; without it each request says it (conversation.h).
using Caller = std::optional<model::Asker>;

class Line {
 public:
  // This machine's own.
  Line(core::Engine& engine, Server& server, Caller caller);
  Line(std::string machine, std::unique_ptr<Talk> talk);
  Line(Line&&) noexcept;
  Line& operator=(Line&&) noexcept;
  ~Line();

  const std::string& machine() const { return machine_; }  // empty: this one
  void say(const Clock& now, const Json& request) { say(now, Frame{Kind::json, request.dump()}); }
  void say(const Clock& now, const Frame& frame);
  // The next frame; nothing: none is there yet. An error: nothing more comes, and why.
  Result<std::optional<Frame>> next();

  // Of our own: what the daemon does for every conversation after a turn.
  void go_on(const Clock& now, size_t room);
  void answered(const Clock& now, const core::Answer& answer);
  std::optional<MonoTime> wake_at() const;

 private:
  std::string machine_;
  std::unique_ptr<Talk> talk_;         // of another place, else
  std::unique_ptr<Conversation> own_;  // … our own
  FrameReader reader_;
};

}  // namespace pawl::api
