#pragma once
// Times that people give: RFC 3339 or an age, and what is looked at between two of them. One reading for every verb.

#include <string>

#include "api/conversation.h"

namespace pawl::api {

// "2026-11-15T02:00:00Z" or "2h" before now. Ages beyond every journal mean the beginning of time.
Result<WallTime> instant(const std::string& text, WallTime now);

struct Window {
  WallTime since, until;
};
// args["since"] and args["until"]; without them the last `by_default` until now. What has not been yet is left out.
Result<Window> window_of(const Call& call, Duration by_default);

// args["since"] of `events`: also an event number. Nothing given: everything.
Result<Seq> events_since(const Call& call);
// Where reading begins for an event number, a time, or an age.
Result<Seq> seq_since(core::Engine& engine, const std::string& text, WallTime now);

Duration from_seconds(double s);

}  // namespace pawl::api
