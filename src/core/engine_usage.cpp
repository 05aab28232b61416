// What conversations have used, read on from where the journal says that it was counted.

#include <algorithm>

#include "core/engine.h"
#include "perceive/records/usage.h"
#include "store/conversation.h"
#include "store/environment.h"

namespace pawl::core {
namespace {

constexpr uint64_t kLookBytes = 4u << 20;   // of all files of an agent, at a time
constexpr uint64_t kFirstBytes = 4u << 20;  // of a file that was large when it was first met
constexpr uint64_t kIdleBytes = 64u
                                << 10;  // without anything used: worth a fact, not to be read again

// What was said before is not this agent's, or was counted and the mark is not kept any more.
std::optional<WallTime> counts_from(const model::Agent& agent) {
  const auto& began = agent.memory.sessions.began;
  const auto& forgotten = agent.memory.spending.forgotten;
  if (!began || !forgotten) return began ? began : forgotten;
  return std::max(*began, *forgotten);
}

struct Start {
  model::Mark mark;
  std::optional<WallTime> since;
  bool idle = false;  // nothing new is in it
};

Start start_of(const model::Agent& agent, const store::ConversationFile& file) {
  Start out;
  if (const auto* mark = model::mark_of(agent.memory.spending, file.path)) {
    out.mark = *mark;
    out.mark.at.reset();
    // Written anew: nobody knows what of it was counted.
    if (file.size < out.mark.offset) out.mark.offset = file.size;
    out.idle = file.size == mark->offset;
    return out;
  }
  out.mark.file = file.path;
  if (file.size > kFirstBytes) out.mark.offset = file.size - kFirstBytes;
  out.since = counts_from(agent);
  out.idle = out.since && file.modified < *out.since;
  return out;
}

}  // namespace

void Engine::keep_usage(const Clock& now, const std::vector<model::Event>& written) {
  for (const auto& event : written) {
    const model::Agent* agent = fleet().find(event.agent);
    if (!agent) continue;
    if (const auto* change = std::get_if<model::StateChanged>(&event.fact))
      usage_looks_.changed(now.mono, *agent, *change);
    if (std::holds_alternative<model::Learned>(event.fact)) usage_looks_.soon(now.mono, *agent);
  }
}

// Its program says it, or it is looked for where that keeps its conversations.
std::string Engine::transcript_of(const model::Agent& agent,
                                  const perceive::Profile* profile) const {
  if (!agent.transcript.empty() || agent.session_id.empty() || !profile) return agent.transcript;
  for (const auto& mark : agent.memory.spending.marks)
    if (mark.file.find(agent.session_id) != std::string::npos) return mark.file;
  return kept_in(agent.spec, *profile, agent.session_id);
}

std::string Engine::kept_in(const model::AgentSpec& spec, const perceive::Profile& profile,
                            const std::string& id) const {
  const auto own = files_.env_file(spec);
  return store::find_conversation(files_.disk(), profile.files.transcript,
                                  store::merge_environment(files_.environment(spec.name),
                                                           own ? *own : std::vector<std::string>{}),
                                  id);
}

void Engine::count_usage(const Clock& now) {
  if (retry_at_) return;
  for (const auto& name : usage_looks_.due(now.mono)) {
    const model::Agent* agent = fleet().find(name);
    const bool more = agent && count_usage_of(now, *agent);
    usage_looks_.looked(now.mono, name, agent, more);
  }
  if (!queue_.empty()) decide(now);
}

// True: there is more to read.
bool Engine::count_usage_of(const Clock& now, const model::Agent& agent) {
  const auto* profile = options_.catalog ? options_.catalog->find(agent.runtime()) : nullptr;
  uint64_t left = kLookBytes;
  for (const auto& file : store::conversation_files(files_.disk(), transcript_of(agent, profile))) {
    const Start start = start_of(agent, file);
    if (start.idle) continue;
    if (left == 0) return true;
    const std::string bytes = store::read_on(files_.disk(), file, start.mark.offset, left);
    const bool full = bytes.size() == kLookBytes;
    auto read = perceive::read_usage(profile ? profile->prices : std::vector<std::string>{}, bytes,
                                     start.mark, start.since, full);
    left -= std::min<uint64_t>(left, bytes.size());
    const auto* mark = model::mark_of(agent.memory.spending, file.path);
    const uint64_t from = mark ? mark->offset : start.mark.offset;
    if (read.spent.empty() && (read.mark.offset < from || read.mark.offset - from > kIdleBytes))
      read.spent.push_back({model::day_of(now.wall)});
    for (auto& spent : read.spent) spent.mark = read.mark;
    if (!read.spent.empty()) queue_.push_back(UsageSeen{agent.spec.name, from, read.spent});
  }
  return left == 0;
}

}  // namespace pawl::core
