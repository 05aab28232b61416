#include "core/parts/usage.h"

#include <algorithm>

#include "core/parts/conversations.h"
#include "perceive/profile/launch.h"
#include "perceive/records/usage.h"
#include "store/conversation.h"

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

void Usage::written(const Clock& now, const std::vector<model::Event>& events) {
  for (const auto& event : events) {
    const model::Agent* agent = ground_.fleet.find(event.agent);
    if (!agent) continue;
    if (const auto* change = std::get_if<model::StateChanged>(&event.fact)) {
      looks_.changed(now.mono, *agent, *change);
      const bool turn_over = change->from == model::State::busy && change->to != change->from;
      if (turn_over && agent->session_id.empty() && !agent->task)
        unfound_.set(event.agent, now.mono);
    }
    if (std::holds_alternative<model::Learned>(event.fact)) looks_.soon(now.mono, *agent);
  }
}

// Its program says it, or it is looked for where that keeps its conversations.
std::string Usage::transcript_of(const model::Agent& agent,
                                 const perceive::Profile* profile) const {
  if (!agent.transcript.empty() || agent.session_id.empty() || !profile) return agent.transcript;
  for (const auto& mark : agent.memory.spending.marks)
    if (mark.file.find(agent.session_id) != std::string::npos) return mark.file;
  return conversation_file(ground_.files, agent.spec, *profile, agent.session_id);
}

void Usage::find(const model::Agent& agent, Inputs& out) const {
  const auto* catalog = ground_.options.catalog;
  const auto* profile =
      catalog ? perceive::profile_of(*catalog, agent.runtime(), agent.spec.command) : nullptr;
  if (!profile || !agent.session_id.empty() || has_company(ground_, agent)) return;
  if (const auto its = own_conversation(ground_.files, ground_.fleet, agent, *profile))
    out.push_back(ConversationTold{agent.session, its->id, its->file});
}

void Usage::turn(const Clock& now, Inputs& out) {
  for (const auto& name : unfound_.due(now.mono)) {
    unfound_.drop(name);
    if (const model::Agent* agent = ground_.fleet.find(name)) find(*agent, out);
  }
  for (const auto& name : looks_.due(now.mono)) {
    const model::Agent* agent = ground_.fleet.find(name);
    const bool more = agent && count(now, *agent, out);
    looks_.looked(now.mono, name, agent, more);
  }
}

// True: there is more to read.
bool Usage::count(const Clock& now, const model::Agent& agent, Inputs& out) const {
  const auto* catalog = ground_.options.catalog;
  const auto* profile = catalog ? catalog->find(agent.runtime()) : nullptr;
  uint64_t left = kLookBytes;
  for (const auto& file :
       store::conversation_files(ground_.files.disk(), transcript_of(agent, profile))) {
    const Start start = start_of(agent, file);
    if (start.idle) continue;
    if (left == 0) return true;
    const std::string bytes = store::read_on(ground_.files.disk(), file, start.mark.offset, left);
    const bool full = bytes.size() == kLookBytes;
    auto read = perceive::read_usage(profile ? profile->prices : std::vector<std::string>{}, bytes,
                                     start.mark, start.since, full);
    left -= std::min<uint64_t>(left, bytes.size());
    const auto* mark = model::mark_of(agent.memory.spending, file.path);
    const uint64_t from = mark ? mark->offset : start.mark.offset;
    if (read.spent.empty() && (read.mark.offset < from || read.mark.offset - from > kIdleBytes))
      read.spent.push_back({model::day_of(now.wall)});
    for (auto& spent : read.spent) spent.mark = read.mark;
    if (!read.spent.empty()) out.push_back(UsageSeen{agent.spec.name, from, read.spent});
  }
  return left == 0;
}

}  // namespace pawl::core
