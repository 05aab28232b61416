#include "perceive/rules_hook.h"

#include <algorithm>

#include "perceive/say.h"

namespace pawl::perceive {
namespace {

using namespace std::chrono_literals;

constexpr Duration kHookTrust = 3s;  // in a hook's word that the screen denies

// What it reported in its terminal after the hook spoke: that it does not work.
bool reported_idle_since(const Evidence& e, MonoTime when) {
  const Status& s = e.status.value;
  const bool status = s.any && s.state != term::ProgramState::working &&
                      s.state != term::ProgramState::blocked && e.status.since > when;
  return status || (e.profile->progress && e.progress_reports > 0 && e.progress.since > when &&
                    e.progress.value == term::Progress::State::none);
}

std::optional<MonoTime> void_from(const Evidence& e) {
  if (e.hook_void) return e.hook.heard;
  if (!e.sight->box.there || e.sight->menu) return std::nullopt;
  if (!looks_busy(e) && reported_idle_since(e, e.hook.heard)) return e.hook.heard;
  if (!looks_busy(e)) return std::max({e.hook.heard, e.moved_above, e.moved_box}) + kHookTrust;
  if (e.hook.value.told == Told::waiting) return e.hook.heard + kHookTrust;
  return std::nullopt;
}

}  // namespace

bool hook_outweighed(const Evidence& e) {
  const auto from = void_from(e);
  return e.hook.value.told != Told::nothing && from && e.now >= *from;
}

std::optional<Reading> by_hook(const Evidence& e, Told told, model::State state) {
  if (e.hook.value.told != told) return std::nullopt;
  const auto until = void_from(e);
  if (until && e.now >= *until) return std::nullopt;
  Reading reading = say(state, Tier::hook, e.hook.value.detail, 0.95, e.hook.value.kind);
  reading.again = until;
  return reading;
}

}  // namespace pawl::perceive
