#pragma once
// What a person is told about an agent, and how it looks on each way to that person. Pure; outgoing.h says when it goes.
//
// Reasons, agents' names and screens come from programs: here they are cut to size, and nothing in them can become a header,
// an option, or markup.

#include <string>
#include <vector>

#include "base/clock.h"
#include "base/json.h"
#include "model/channel.h"
#include "model/words.h"

namespace pawl::act {

// How the reader can answer the dialog it is about.
struct AnswerLink {
  std::string url = {};       // a page for this one dialog; empty: there is none
  bool refuses = false;       // a POST to it + "/refuse" refuses, without a page
  std::string code = {};      // for the link in another channel's message …
  std::string code_for = {};  // … which is of this kind: "slack"
  bool operator==(const AnswerLink&) const = default;
};

struct Message {
  std::string agent;  // empty: the fleet
  WallTime at{};
  model::Severity severity = model::Severity::info;
  std::string text;         // the reason
  std::string matter = {};  // what it is about
  std::string todo = {};    // what the person can do
  std::string screen = {};  // the end of what the agent shows
  AnswerLink link = {};
  bool operator==(const Message&) const = default;
};

inline constexpr size_t kTextShown = 2000;    // bytes of the reason, and of what to do
inline constexpr size_t kScreenShown = 6000;  // … of the screen; its end is kept
inline constexpr size_t kNtfyBytes = 3900;    // more than 4096 and ntfy makes a file of it
inline constexpr size_t kSlackBlock = 2900;   // a block with 3000 or more is refused
inline constexpr size_t kDesktopShown = 500;  // … of the reason, in a bubble

// What exec: programs read and webhooks get: {"version":1,"agent","at","severity","text","matter","todo","screen"}, and with
// a link "approve":{"url","refuse","code","code_for"}.
Json to_json(const Message& message);

// An HTTP POST. Headers are whole lines.
struct Post {
  std::string body;
  std::vector<std::string> headers;
  bool operator==(const Post&) const = default;
};
// For webhook, ntfy and slack.
Post post_of(model::Channel::Kind kind, const Message& message);

// The words after `notify-send`.
std::vector<std::string> desktop_words(const Message& message);

}  // namespace pawl::act
