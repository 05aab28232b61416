#include "store/surroundings.h"

#include <fmt/format.h>

#include <algorithm>

#include "os/file.h"
#include "os/memory.h"
#include "os/oom.h"

namespace pawl::store {
namespace {

constexpr uint64_t kMiB = 1u << 20;

int64_t megabytes(const std::string& path) {
  return static_cast<int64_t>(os::file_size(path) / kMiB);
}

bool killed(const model::Ending& ending) {
  constexpr int kKill = 9, kShellCode = 128;
  return ending.signal == kKill || ending.exit_code == kShellCode + kKill;
}

std::string kernel_word(const model::Agent& agent) {
  const auto word = os::oom_record(static_cast<pid_t>(agent.process->pid));
  if (!word.readable) return "its log cannot be read";
  return word.text.empty() ? "says nothing about it" : word.text;
}

}  // namespace

model::Surroundings look_around(const model::Agent& agent, const std::string& home) {
  model::Surroundings seen;
  seen.dir = os::is_dir(agent.spec.dir);
  for (const auto& path : agent.memory.sessions.transcripts)
    seen.transcript_mb = std::max(seen.transcript_mb, megabytes(path));
  seen.resumable = !agent.session_id.empty() &&
                   (agent.transcript.empty() || os::file_size(agent.transcript) > 0);
  if (auto memory = os::memory_use()) {
    seen.memory_pct = memory->percent;
    seen.memory_of = std::move(memory->of);
  }
  if (const auto space = os::disk_space(home))
    seen.disk_mb = static_cast<int64_t>(space->free_bytes / kMiB);
  return seen;
}

std::vector<Finding> look_back(const model::Agent& agent, const model::Ending& ending) {
  std::vector<Finding> out;
  if (killed(ending) && agent.process) {
    out.push_back({"kernel", kernel_word(agent)});
    if (const auto kills = os::oom_kills())
      out.push_back(
          {"container", fmt::format("{} programs killed for want of memory so far", *kills)});
  }
  if (const auto memory = os::memory_use())
    out.push_back({"memory", fmt::format("{} % of {} are used", memory->percent, memory->of)});
  if (!agent.transcript.empty())
    out.push_back(
        {"transcript", fmt::format("{} MB in {}", megabytes(agent.transcript), agent.transcript)});
  return out;
}

}  // namespace pawl::store
