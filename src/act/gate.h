#pragma once
// May this text be typed now, and if not, why not and until when? Pure: the agent as the journal knows it, and the time.

#include <optional>
#include <string>

#include "model/fleet.h"

namespace pawl::act {

inline constexpr size_t kOutboxItems = 100;         // per agent
inline constexpr uint64_t kOutboxBytes = 4u << 20;  // … together
inline constexpr uint64_t kTextBytes = 256u << 10;  // each

struct Held {
  std::string because;            // "docs is busy"
  std::optional<WallTime> until;  // to come; known only for a person's quiet time and a limit's end
  bool person = false;            // somebody has to do something
};

// Nothing: go on. A text with `now`, and a wake-up, waits neither for ready nor for a person to be done; both wait for a
// dialog to be answered, for a keyboard that reaches the prompt, and for an agent that is not there.
std::optional<Held> held_back(const model::Agent& agent, const model::Queued& item, WallTime now);

// Has its outbox room for another text of this size?
bool has_room(const model::Agent& agent, uint64_t bytes);

// What runs has no interface that anybody knows: text is typed at once, as at any prompt.
bool plain(const model::Agent& agent);

// It is at its usage limit, and the limit's time and its margin have passed: a text is what wakes it.
bool limit_over(const model::Agent& agent, WallTime now);

// Until when a person at the keyboard is left alone; nothing when nobody is.
std::optional<WallTime> human_until(const model::Agent& agent, WallTime now);

}  // namespace pawl::act
