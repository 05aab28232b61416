#include "core/parts/prompts.h"

#include <fmt/core.h>

#include "base/text.h"
#include "perceive/profile/launch.h"
#include "store/crash_log.h"
#include "store/surroundings.h"

namespace pawl::core {
namespace {

constexpr size_t kPromptBytes = 256u << 10;
constexpr size_t kPromptBesideWork = 128u << 10;
constexpr const char* kGoOn =
    "Go on with your work. If everything is done, say so; if something blocks you, say what.";

}  // namespace

std::string prompt_text(const store::AgentFiles& files, const model::Agent& agent,
                        std::optional<model::Topic> topic, const std::string& compact) {
  if (topic) switch (*topic) {
      case model::Topic::limit:
        return "Your usage limit is over. Go on where you stopped.";
      case model::Topic::auth:
        return "Your login works again. Go on where you stopped.";
      case model::Topic::outage:
        return "The service did not answer. Go on where you stopped.";
      case model::Topic::compact:
        if (!compact.empty()) return compact;
        break;
    }
  const std::string prompt = files.standing_prompt(agent.spec, kPromptBytes);
  return prompt.empty() ? kGoOn : prompt;
}

std::string where_it_stands(const store::AgentFiles& files, WallTime now, const model::Agent& agent,
                            bool with_prompt) {
  const model::Memory& memory = agent.memory;
  std::string out = fmt::format(
      "You are the agent '{}'. This is session {} of yours, {}.", agent.spec.name, agent.starts,
      memory.resumed ? "in the conversation you were in" : "in a new conversation");
  if (memory.sessions.ended && memory.sessions.last != model::SessionEnd::clean)
    out += fmt::format(" The last one ended {} ago, not as it should have ({}).",
                       short_duration(now - *memory.sessions.ended), word(memory.sessions.last));
  const size_t waiting = memory.desk.waiting.size();
  if (waiting > 0)
    out +=
        fmt::format(" {} more piece{} of work wait{} in your inbox; each is given to you in turn.",
                    waiting, waiting == 1 ? "" : "s", waiting == 1 ? "s" : "");
  const std::string prompt =
      with_prompt ? files.standing_prompt(agent.spec, kPromptBesideWork) : std::string();
  return prompt.empty() ? out : out + "\n\n" + prompt;
}

std::string command_again(const perceive::Catalog* catalog, const model::Agent& agent,
                          bool resume) {
  std::vector<std::string> argv = agent.seen_command;
  if (argv.empty() && agent.spec.adopted()) argv = agent.spec.command;
  if (argv.empty()) return {};
  const auto* profile = catalog ? catalog->find(agent.runtime()) : nullptr;
  if (resume && profile && !agent.session_id.empty())
    argv = perceive::resuming(*profile, std::move(argv), {agent.session_id, agent.transcript});
  std::string line;
  for (const auto& word : argv) line += (line.empty() ? "" : " ") + shell_quoted(word);
  return line;
}

std::string diagnosis(store::Disk& disk, WallTime now, const model::Agent& agent,
                      const model::Ending& ending, const std::string& cause,
                      const std::string& screen) {
  const auto line = [](const std::string& what, const std::string& text) {
    return fmt::format("  {:<12}{}\n", what, text);
  };
  const model::Sessions& its = agent.memory.sessions;
  std::string out = fmt::format("{}  {}  session {}, {} bad ends in a row before it\n",
                                rfc3339(now), agent.spec.name, agent.starts, its.crashes);
  out += line("ended", text_of(ending) + (cause.empty() ? "" : ", " + cause) +
                           (its.began ? ", after " + short_duration(now - *its.began) : ""));
  for (const auto& [what, text] : store::look_back(disk, agent, ending)) out += line(what, text);
  for (const auto& notice : agent.notices) out += line("it said", notice.kind + ": " + notice.text);
  for (const auto& row : split(screen, '\n')) out += line("screen", row);
  return out + "\n";
}

}  // namespace pawl::core
