#include "core/parts/sources.h"

#include "base/text.h"
#include "core/parts/listed.h"
#include "term/utf8.h"

namespace pawl::core {
namespace {

constexpr uint64_t kSourceRuns = 1ull << 62;  // beyond every decision
constexpr size_t kLines = 1000, kLineBytes = 500;
constexpr Duration kSourceLimit = std::chrono::seconds{60};
constexpr double kSoonest = 1;  // seconds

// What it complains about is no work.
std::vector<std::string> without_errors(const std::vector<std::string>& command) {
  std::vector<std::string> argv{"sh", "-c", "exec \"$0\" \"$@\" 2>/dev/null"};
  argv.insert(argv.end(), command.begin(), command.end());
  return argv;
}

bool asks(const model::Agent& agent) {
  return !agent.spec.work.command.empty() && !agent.never_started() && !agent.memory.dismissed &&
         !agent.paused;
}

}  // namespace

std::vector<RunCommand> Sources::turn(const Clock& now) {
  std::vector<RunCommand> out;
  std::erase_if(sources_, [&](const auto& one) {
    const model::Agent* agent = ground_.fleet.find(one.first);
    return !agent || !asks(*agent);
  });
  for (const auto& [name, agent] : ground_.fleet.agents) {
    if (!asks(agent)) continue;
    auto [it, fresh] = sources_.try_emplace(name, Source{now.mono, {}});
    Source& source = it->second;
    if (!source.at || now.mono < *source.at) continue;
    source.at.reset();
    source.run = Seq{kSourceRuns + ++last_};
    out.push_back({name, source.run, without_errors(agent.spec.work.command), kSourceLimit});
  }
  return out;
}

std::optional<MonoTime> Sources::wake_at() const {
  std::optional<MonoTime> earliest;
  for (const auto& [name, source] : sources_) earliest = earlier(earliest, source.at);
  return earliest;
}

bool Sources::heard(const Clock& now, const CommandEnded& seen, Inputs& out) {
  if (seen.intent.value < kSourceRuns) return false;
  for (auto& [name, source] : sources_) {
    if (source.run != seen.intent) continue;
    const model::Agent* agent = ground_.fleet.find(name);
    if (!agent) return true;
    const auto pause = std::chrono::duration<double>(std::max(agent->spec.work.every_s, kSoonest));
    source.at = now.mono + std::chrono::duration_cast<Duration>(pause);
    if (!seen.fine) {
      if (source.trouble != seen.how)
        out.push_back(Noted{name,
                            {model::Severity::warning,
                             "the command that lists its work failed: " + seen.how,
                             "work command",
                             "try it in " + agent->spec.dir,
                             {}}});
      source.trouble = seen.how;
      return true;
    }
    source.trouble.clear();
    std::set<std::string> there;
    for (const auto& line : split(seen.output, '\n')) {
      const std::string text = term::clean_text(trim(line), kLineBytes);
      if (text.empty() || there.size() == kLines) continue;
      there.insert(std::string(kListed) + text);
    }
    for (const auto& item : there)
      if (!agent->memory.desk.ledger.contains(item))
        out.push_back(WorkFound{name, {item, "its work command", "listed", 0}});
    for (const auto& [item, fingerprint] : agent->memory.desk.ledger)
      if (is_listed(item) && !there.contains(item)) out.push_back(WorkVanished{name, item});
    return true;
  }
  return true;
}

}  // namespace pawl::core
