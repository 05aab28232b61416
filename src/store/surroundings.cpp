#include "store/surroundings.h"

#include <fmt/core.h>

#include <algorithm>

#include "base/json.h"
#include "base/text.h"
#include "term/utf8.h"

namespace pawl::store {
namespace {

constexpr uint64_t kMiB = 1u << 20;

int64_t megabytes(Disk& disk, const std::string& path) {
  return static_cast<int64_t>(disk.file_size(path) / kMiB);
}

bool killed(const model::Ending& ending) {
  constexpr int kKill = 9, kShellCode = 128;
  return ending.signal == kKill || ending.exit_code == kShellCode + kKill;
}

constexpr uint64_t kTail = 64u << 10;
constexpr size_t kErrorBytes = 300;

// What a line of a transcript says went wrong; empty: nothing.
std::string error_in(const Json& line) {
  if (line["isApiErrorMessage"].as_bool()) {
    const auto& content = line["message"]["content"].items();
    return content.empty() ? "an error without words" : content[0]["text"].as_string();
  }
  const Json& payload = line["payload"];
  if (payload["type"].as_string() == "error") return payload["message"].as_string();
  return {};
}

std::string last_error(Disk& disk, const std::string& transcript) {
  const uint64_t size = disk.file_size(transcript);
  const auto lines =
      split(disk.read_slice(transcript, size > kTail ? size - kTail : 0, kTail), '\n');
  for (auto line = lines.rbegin(); line != lines.rend(); ++line)
    if (const auto json = Json::parse(*line); json && json->is_object())
      if (const std::string text = error_in(*json); !text.empty())
        return term::clean_text(text, kErrorBytes);
  return {};
}

}  // namespace

model::Surroundings look_around(Disk& disk, const model::Agent& agent, const std::string& home) {
  model::Surroundings seen;
  seen.dir = disk.is_dir(agent.spec.dir);
  for (const auto& path : agent.memory.sessions.transcripts)
    seen.transcript_mb = std::max(seen.transcript_mb, megabytes(disk, path));
  seen.resumable = !agent.session_id.empty() &&
                   (agent.transcript.empty() || disk.file_size(agent.transcript) > 0);
  if (auto memory = disk.memory_use()) {
    seen.memory_pct = memory->percent;
    seen.memory_of = std::move(memory->of);
  }
  if (const auto space = disk.space(home))
    seen.disk_mb = static_cast<int64_t>(space->free_bytes / kMiB);
  return seen;
}

std::vector<Finding> look_back(Disk& disk, const model::Agent& agent, const model::Ending& ending) {
  std::vector<Finding> out;
  const bool cut = killed(ending) && agent.process;
  const auto story = disk.memory_story(cut ? std::optional(agent.process->pid) : std::nullopt);
  if (cut) out.push_back({"kernel", story.kernel});
  if (cut && story.kills)
    out.push_back(
        {"container", fmt::format("{} programs killed for want of memory so far", *story.kills)});
  if (const auto memory = disk.memory_use())
    out.push_back(
        {"memory",
         fmt::format("{} % of {} are used{}", memory->percent, memory->of,
                     story.peak_mb ? fmt::format(", {} MB at most so far", *story.peak_mb) : "")});
  if (agent.transcript.empty()) return out;
  out.push_back({"transcript",
                 fmt::format("{} MB in {}", megabytes(disk, agent.transcript), agent.transcript)});
  if (auto error = last_error(disk, agent.transcript); !error.empty())
    out.push_back({"its error", std::move(error)});
  return out;
}

}  // namespace pawl::store
