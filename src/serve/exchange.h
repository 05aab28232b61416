#pragma once
// One request being answered, whichever version of HTTP carries it: whole at once, when its verb has an answer, or as a stream of
// events that goes on. Made by Site; HTTP/1 and HTTP/2 only ask it for its head and for more.

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "api/conversation.h"
#include "api/feed.h"
#include "serve/credential.h"
#include "serve/message.h"
#include "serve/route.h"

namespace pawl::serve {

inline constexpr size_t kMaxText = 8u << 20;  // of a log
inline constexpr Duration kHelloEvery = std::chrono::seconds{20};

// A verb at work.
class VerbCall {
 public:
  // `asker`: a process of this machine that is known; none: whoever its request names.
  VerbCall(core::Engine& engine, api::Server& server, Route::Kind kind, bool makes,
           std::optional<model::Asker> asker = {})
      : conversation_(engine, server, std::move(asker)), kind_(kind), makes_(makes) {}
  void begin(const Clock& now, const Json& request);
  // Goes on; the response when there is one.
  std::optional<Response> follow(const Clock& now, const std::vector<core::Answer>& answers);
  std::optional<MonoTime> wake_at() const { return conversation_.wake_at(); }
  // Makes another response of its own; none: it stays as it is.
  std::function<Response(const Response&)> after = {};

 private:
  std::optional<Response> take();
  Response answer_of(const Result<Json>& result) const;

  api::Conversation conversation_;
  api::FrameReader frames_{api::kMaxReply};
  Route::Kind kind_;
  bool makes_;  // something new: 201
  std::string text_;
};

// Somebody who reads what happens.
struct EventReader {
  api::Feed* feed;
  api::FeedReader at;
  const Credentials* credentials;
  std::string session;                 // the cookie it came with: signed out, it ends
  std::optional<MonoTime> hello = {};  // when the next one is due; none: it is the first
  MonoTime next{};                     // not before
};

class Exchange {
 public:
  explicit Exchange(Response whole) : doing_(std::move(whole)) {}
  explicit Exchange(std::unique_ptr<VerbCall> call) : doing_(std::move(call)) {}
  explicit Exchange(EventReader reader);

  void follow(const Clock& now, const std::vector<core::Answer>& answers);
  std::optional<MonoTime> wake_at() const;

  const Response* response() const;  // its head, and its body unless it goes on; null: not yet
  bool streams() const { return std::holds_alternative<EventReader>(doing_); }
  // For one that goes on: what is new, at most about `room` bytes.
  void more(const Clock& now, std::string& out, size_t room);
  bool has_more(const Clock& now) const;
  bool lost()
      const;  // a stream that ends: its reader was too slow, and begins again; or signed out
  bool wants_views() const;

 private:
  std::variant<Response, std::unique_ptr<VerbCall>, EventReader> doing_;
  Response head_;  // of a stream
};

}  // namespace pawl::serve
