#pragma once
// A way to reach a person, as a word of the `notify` list says it: desktop, exec:PROGRAM, webhook:URL, ntfy:URL, slack:URL.
// Its target may hold a secret (a token in a URL): whatever is printed says name_of() and never the target.

#include <string>
#include <string_view>

#include "base/result.h"

namespace pawl::model {

struct Channel {
  enum class Kind { desktop, exec, webhook, ntfy, slack };
  Kind kind = Kind::desktop;
  std::string target = {};  // a program or a URL; nothing for the desktop
  bool operator==(const Channel&) const = default;
};

// A program is an absolute path or a name for PATH, without arguments; a URL begins with https:// or http://.
Result<Channel> channel_from(std::string_view word);

// For people: "desktop", "exec:/usr/bin/tell", "slack:https://hooks.slack.com" (scheme and host, nothing of the rest).
std::string name_of(const Channel& channel);

}  // namespace pawl::model
