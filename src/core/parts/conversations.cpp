#include "core/parts/conversations.h"

#include <algorithm>

#include "base/text.h"
#include "perceive/profile/launch.h"
#include "perceive/records/begun.h"
#include "store/archive.h"
#include "store/conversation.h"
#include "store/environment.h"

namespace pawl::core {
namespace {

constexpr Duration kClocksDiffer = std::chrono::seconds{1};  // its own, and ours before it started

std::vector<std::string> its_own(const store::AgentFiles& files, const model::AgentSpec& spec) {
  const auto own = files.env_file(spec);
  return store::merge_environment(files.environment(spec), own ? *own : std::vector<std::string>{});
}

}  // namespace

PutAway put_away(const store::AgentFiles& files, WallTime now, const model::Agent& agent,
                 bool all) {
  std::vector<std::string> its = agent.memory.sessions.transcripts;
  if (!all) {
    its.clear();
    if (!agent.transcript.empty()) its.push_back(agent.transcript);
  }
  const store::Archive archive(files.disk(), files.archive(agent.spec.name));
  std::vector<std::string> put, stayed;
  for (const auto& file : its) {
    if (!archive.can_put(file)) continue;
    const auto moved = archive.put(file, now);
    (moved ? put : stayed).push_back(moved ? moved->id : text_of(moved.error()));
  }
  if (!stayed.empty()) return {false, join(stayed, "; ")};
  return {true, put.empty() ? "there was nothing to put away" : "put away: " + join(put, ", ")};
}

std::string conversation_file(const store::AgentFiles& files, const model::AgentSpec& spec,
                              const perceive::Profile& profile, const std::string& id) {
  return store::find_conversation(files.disk(), profile.files.transcript, its_own(files, spec), id);
}

std::string new_conversation_file(const store::AgentFiles& files, const model::AgentSpec& spec,
                                  const perceive::Profile& profile, const std::string& id) {
  const std::string path =
      store::planned_conversation(profile.files.transcript, its_own(files, spec), id, spec.dir);
  if (path.empty() || !files.disk().make_private_dir(path.substr(0, path.rfind('/')))) return {};
  return path;
}

bool has_company(const Ground& ground, const model::Agent& agent) {
  const auto program = [&](const model::Agent& one) {
    return perceive::profile_of(*ground.options.catalog, one.runtime(), one.spec.command);
  };
  const auto is_it = [&](const auto& one) {
    const model::Agent& other = one.second;
    const bool window = !other.task || other.task->order.interactive;
    return window && other.spec.name != agent.spec.name && other.spec.dir == agent.spec.dir &&
           program(other) == program(agent);
  };
  const auto& all = ground.fleet.agents;
  return std::any_of(all.begin(), all.end(), is_it);
}

std::optional<OwnConversation> own_conversation(const store::AgentFiles& files,
                                                const model::Fleet& fleet,
                                                const model::Agent& agent,
                                                const perceive::Profile& profile) {
  const auto began = agent.memory.sessions.began;
  if (!profile.files.begun || !began) return std::nullopt;
  const auto taken = [&](const std::string& id) {
    return std::any_of(fleet.agents.begin(), fleet.agents.end(),
                       [&](const auto& one) { return one.second.session_id == id; });
  };
  std::optional<OwnConversation> found;
  for (const auto& file : store::newest_conversations(files.disk(), profile.files.transcript,
                                                      its_own(files, agent.spec), *began)) {
    const auto begun =
        perceive::read_begun(store::read_on(files.disk(), file, 0, perceive::kMaxBegunBytes));
    if (!begun || begun->dir != agent.spec.dir || begun->at < *began - kClocksDiffer ||
        begun->at > *began + kBegunWithin || taken(begun->id))
      continue;
    if (found) return std::nullopt;
    found = OwnConversation{begun->id, file.path};
  }
  return found;
}

}  // namespace pawl::core
