// Around the sessions of an agent that lives for months: what is there before one begins, and what is put out of its way.

#include <fmt/core.h>

#include "base/text.h"
#include "core/engine.h"
#include "core/intent.h"
#include "store/archive.h"
#include "store/crash_log.h"
#include "store/surroundings.h"

namespace pawl::core {
namespace {

constexpr size_t kPromptBytes = 128u << 10;

}  // namespace

std::optional<model::Surroundings> Engine::before(const model::Agent& agent) const {
  if (!agent.spec.loops() || agent.running()) return std::nullopt;
  return store::look_around(files_.disk(), agent, options_.home);
}

// O6: everything that may tell why, while it can still be had.
void Engine::diagnose(const Clock& now, const model::Agent& agent, const model::Ending& ending) {
  const auto line = [](const std::string& what, const std::string& text) {
    return fmt::format("  {:<12}{}\n", what, text);
  };
  const model::Sessions& its = agent.memory.sessions;
  std::string out = fmt::format("{}  {}  session {}, {} bad ends in a row before it\n",
                                rfc3339(now.wall), agent.spec.name, agent.starts, its.crashes);
  out += line("ended", text_of(ending) +
                           (its.began ? ", after " + short_duration(now.wall - *its.began) : ""));
  for (const auto& [what, text] : store::look_back(files_.disk(), agent, ending))
    out += line(what, text);
  for (const auto& notice : agent.notices) out += line("it said", notice.kind + ": " + notice.text);
  for (const auto& row : split(rules_due(agent.spec.name).screen, '\n')) out += line("screen", row);
  if (auto written =
          store::append_crash(files_.disk(), files_.crash_log(agent.spec.name), out + "\n");
      !written)
    recording_trouble_ = written.error();
}

// A14: what a new session has to know. `with_prompt`: the standing prompt as well.
std::string Engine::where_it_stands(const Clock& now, const std::string& name,
                                    bool with_prompt) const {
  const model::Agent* agent = fleet().find(name);
  if (!agent) return {};
  const model::Memory& memory = agent->memory;
  std::string out =
      fmt::format("You are the agent '{}'. This is session {} of yours, {}.", name, agent->starts,
                  memory.resumed ? "in the conversation you were in" : "in a new conversation");
  if (memory.sessions.ended && memory.sessions.last != model::SessionEnd::clean)
    out +=
        fmt::format(" The last one ended {} ago, not as it should have ({}).",
                    short_duration(now.wall - *memory.sessions.ended), word(memory.sessions.last));
  const size_t waiting = memory.desk.waiting.size();
  if (waiting > 0)
    out +=
        fmt::format(" {} more piece{} of work wait{} in your inbox; each is given to you in turn.",
                    waiting, waiting == 1 ? "" : "s", waiting == 1 ? "s" : "");
  const std::string prompt =
      with_prompt ? files_.standing_prompt(agent->spec, kPromptBytes) : std::string();
  return prompt.empty() ? out : out + "\n\n" + prompt;
}

// What cannot be moved stays, and is said; the next session is a new conversation either way.
std::string Engine::put_away(const Clock& now, const model::Agent& agent, bool all, bool* fine) {
  std::vector<std::string> files = agent.memory.sessions.transcripts;
  if (!all) {
    files.clear();
    if (!agent.transcript.empty()) files.push_back(agent.transcript);
  }
  const store::Archive archive(files_.disk(), files_.archive(agent.spec.name));
  std::vector<std::string> put, stayed;
  for (const auto& file : files) {
    if (!archive.can_put(file)) continue;
    const auto moved = archive.put(file, now.wall);
    (moved ? put : stayed).push_back(moved ? moved->id : text_of(moved.error()));
  }
  if (fine) *fine = stayed.empty();
  if (!stayed.empty()) return join(stayed, "; ");
  return put.empty() ? "there was nothing to put away" : "put away: " + join(put, ", ");
}

void Engine::archive(const Clock& now, const ArchiveFiles& effect) {
  const model::Agent* agent = fleet().find(effect.agent);
  if (!agent) return;
  bool fine = true;
  std::string how = put_away(now, *agent, effect.all, &fine);
  queue_.push_back(CommandEnded{effect.intent, fine, std::move(how)});
}

}  // namespace pawl::core
