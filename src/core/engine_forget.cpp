// Keeping and forgetting, where it needs more than one part.

#include "core/inside.h"
#include "store/survey.h"

namespace pawl::core {
namespace {

constexpr uint64_t kTail = 100;  // events a daemon writes before it ends what a killed one began

}  // namespace

// Their programs run, or are about to, or their last bytes are not on disk yet.
std::set<std::string> Inside::in_use() const {
  std::set<std::string> out;
  for (const auto& [name, agent] : fleet().agents) {
    const auto session = terminals_.newest(name);
    if (agent.running() || agent.intent || (session && terminals_.closing(*session)))
      out.insert(name);
  }
  for (const auto& one : strangers_.all()) out.insert(one.name);
  return out;
}

void Inside::forget(const Clock& now) {
  if (retry_at_ || draining_) return;
  forgetting_.empty_bin_soon(now.mono);
  if (!forgetting_.due(now.mono)) return;
  forgetting_.turn(now, journal_.tasks(), in_use(), queue_);
}

void Inside::doing(const Clock&, const RemoveForgotten& effect) {
  for (const auto& one : effect.going)
    if (!store::forget(files_, one)) forgetting_.failed(one.held);
}

// The last daemon was killed when its journal had that these are gone, and their folders were not.
void Inside::finish_forgetting() {
  const uint64_t last = fleet().last.value;
  const auto tail = journal_.read(Seq{last > kTail ? last - kTail : 0}, kTail);
  if (!tail) return;
  for (const auto& event : *tail) {
    const auto* gone = std::get_if<model::Forgotten>(&event.fact);
    if (!gone || gone->upto || gone->what != model::Forget::tasks ||
        gone->names.size() != gone->folders.size())
      continue;
    for (size_t i = 0; i < gone->names.size(); ++i) {
      const auto row = journal_.tasks().row(gone->names[i]);
      if (row && !*row && !fleet().find(gone->names[i]) && !strangers_.find(gone->names[i]))
        (void)store::forget_task(files_, gone->names[i], gone->folders[i]);
    }
  }
}

}  // namespace pawl::core
