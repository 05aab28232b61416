#pragma once
// The conversations of an agent on disk: where its program keeps them, and how they are put out of the way.

#include <optional>
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

// Another of its program works in the same folder, or will. Needs a catalog.
bool has_company(const Ground& ground, const model::Agent& agent);

// The one conversation that can only be this agent's, of a program whose files say where and when they were begun: in its folder,
// within a minute of its start, and no other agent's. Nothing: there is none, or more than one. Asked after a turn of its own, when
// its file is there, and not where it has company: the only one there could be somebody else's.
inline constexpr Duration kBegunWithin = std::chrono::minutes{1};
struct OwnConversation {
  std::string id, file;
};
std::optional<OwnConversation> own_conversation(const store::AgentFiles& files,
                                                const model::Fleet& fleet,
                                                const model::Agent& agent,
                                                const perceive::Profile& profile);

}  // namespace pawl::core
