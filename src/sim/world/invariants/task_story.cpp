#include "sim/world/invariants/task_story.h"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <map>

namespace pawl::sim {
namespace {

constexpr int kStaleLooks = 3;
constexpr double kLimitLateS = 900;
constexpr std::string_view kLine = "line ";

}  // namespace

void TaskStory::heard(const Entry& entry, const Attendance& daemon) {
  switch (entry.what) {
    case Entry::What::began:
      runs += 1;
      began = entry.at;
      spoke = works = works_until = {};
      ended.reset();
      ending.reset();
      words.clear();
      return;
    case Entry::What::ended:
      ended = entry.at;
      waits = std::max(entry.at, daemon.came);
      away_then = daemon.away;
      ending = entry.ending;
      if (entry.ending) printed = entry.row;
      return;
    case Entry::What::spoke:
      spoke = entry.at;
      return;
    case Entry::What::works:
      works = entry.at;
      works_until = entry.until;
      return;
    case Entry::What::told:
      words = entry.text;
      limit = entry.limit;
      return;
    case Entry::What::took:
    case Entry::What::lost:
    case Entry::What::doubled:
    case Entry::What::asked:
    case Entry::What::answered:
    case Entry::What::withdrawn:
    case Entry::What::unheard:
      return;
  }
}

void TaskStory::begins_again(MonoTime now, const Attendance& daemon) {
  if (!ended) return;
  if (words == "limit") limited += now - waits - (daemon.away - away_then);
  if (words == "limit" || words == "auth" || words == "session") free += 1;
  words.clear();
}

std::optional<model::TaskStatus> TaskStory::success() const {
  if (words == "completed") return model::TaskStatus::completed;
  if (words == "denied") return model::TaskStatus::completed_with_denials;
  if (order.structured() || !ending || !ending->clean()) return std::nullopt;
  return model::TaskStatus::completed;
}

bool TaskStory::waits_for_limit(WallTime now) const {
  if (!ended || words != "limit") return false;
  return std::chrono::duration<double>(now - limit).count() < margin_s + kLimitLateS;
}

Duration TaskStory::used(MonoTime now, const Attendance& daemon) const {
  const Duration out = now - given - limited - (daemon.away - away);
  if (!ended || words != "limit") return out;
  return out - (now - waits - (daemon.away - away_then));
}

double TaskStory::patience_s() const {
  return std::max(kStaleLooks * health.base_s + health.grace_s, health.dispatch_wait_s);
}

MonoTime TaskStory::last_life(MonoTime now, MonoTime kernel) const {
  const MonoTime worked = kernel < works ? std::min(works_until, now) : MonoTime{};
  return std::max({began.value_or(given), spoke, worked});
}

std::string TaskStory::last_words() const {
  if (!began) return "it never ran";
  return fmt::format("run {} {}{}{}", runs,
                     !ended   ? "runs"
                     : ending ? "ended, " + model::text_of(*ending)
                              : "was lost",
                     words.empty() ? "" : ", and said: ", words);
}

std::string TaskStory::misprinted(std::string_view output, bool whole) const {
  std::map<uint64_t, uint64_t> last;  // by run
  uint64_t run = 0;
  for (size_t at = output.find(kLine); at != std::string_view::npos; at = output.find(kLine, at)) {
    at += kLine.size();
    uint64_t number = 0;
    const char* end = output.data() + output.size();
    auto read = std::from_chars(output.data() + at, end, run);
    if (read.ptr == end || *read.ptr != '.') continue;
    read = std::from_chars(read.ptr + 1, end, number);
    if (number <= last[run]) return fmt::format("line {}.{} is there twice", run, number);
    if (number != last[run] + 1) return fmt::format("line {}.{} is not there", run, number - 1);
    last[run] = number;
  }
  if (whole && printed > 0 && last[run] != printed)
    return fmt::format("its last run printed {} lines, and {} are there", printed, last[run]);
  return {};
}

}  // namespace pawl::sim
