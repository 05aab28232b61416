#pragma once
// The conversations of an agent on disk: where its program keeps them, and how they are put out of the way.

#include <string>

#include "core/parts/ground.h"
#include "perceive/profile/profile.h"

namespace pawl::core {

struct PutAway {
  bool fine = true;
  std::string how;  // for people
};
// What cannot be moved stays, and is said; the next session is a new conversation either way. `all`: not only the last one.
PutAway put_away(const store::AgentFiles& files, WallTime now, const model::Agent& agent, bool all);

// Where its program keeps the conversation of this name; empty: it is not there.
std::string conversation_file(const store::AgentFiles& files, const model::AgentSpec& spec,
                              const perceive::Profile& profile, const std::string& id);

// The file its program is told to keep a new conversation in, in a folder that is there; empty: it chooses that itself.
std::string new_conversation_file(const store::AgentFiles& files, const model::AgentSpec& spec,
                                  const perceive::Profile& profile, const std::string& id);

}  // namespace pawl::core
