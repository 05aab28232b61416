#include "core/strangers.h"

#include <fmt/core.h>

#include <algorithm>
#include <csignal>

#include "base/text.h"
#include "host/host.h"

namespace pawl::core {
namespace {

constexpr Duration kGrace = std::chrono::seconds{10};

}  // namespace

std::vector<Stranger> Strangers::all() const {
  std::vector<Stranger> list;
  for (const auto& one : all_) list.push_back(one.who);
  return list;
}

const Stranger* Strangers::find(const std::string& name) const {
  for (const auto& one : all_)
    if (one.who.name == name) return &one.who;
  return nullptr;
}

bool Strangers::has(SessionId session) const {
  return std::any_of(all_.begin(), all_.end(),
                     [&](const One& one) { return one.who.session == session; });
}

// The last of them carries the request.
void Strangers::stop(const std::string& name, RequestId request) {
  One* last = nullptr;
  for (auto& one : all_) {
    if (one.who.name != name) continue;
    one.stops = true;
    last = &one;
  }
  if (last && request.value != 0) last->waiting.push_back(request);
}

void Strangers::turn(MonoTime now, host::Host& host) {
  for (auto& one : all_) {
    if (!one.stops) continue;
    if (!one.kill_at) {
      host.signal(one.who.session, SIGTERM);
      host.signal(one.who.session, SIGCONT);
      one.kill_at = now + kGrace;
    } else if (now >= *one.kill_at) {
      host.signal(one.who.session, SIGKILL);
      one.kill_at = now + kGrace;
    }
  }
}

std::vector<RequestId> Strangers::ended(SessionId session, bool& asked) {
  const auto at = std::find_if(all_.begin(), all_.end(),
                               [&](const One& one) { return one.who.session == session; });
  if (at == all_.end()) return {};
  asked = at->stops;
  const std::string name = at->who.name;
  std::vector<RequestId> waiting = std::move(at->waiting);
  all_.erase(at);
  const auto other =
      std::find_if(all_.begin(), all_.end(), [&](const One& one) { return one.who.name == name; });
  if (other == all_.end()) return waiting;
  other->waiting.insert(other->waiting.end(), waiting.begin(), waiting.end());
  return {};
}

std::optional<MonoTime> Strangers::wake_at() const {
  std::optional<MonoTime> next;
  for (const auto& one : all_)
    if (one.kill_at && (!next || *one.kill_at < *next)) next = one.kill_at;
  return next;
}

std::optional<model::Alerted> Strangers::alert() const {
  if (all_.empty()) return std::nullopt;
  std::vector<std::string> names;
  for (const auto& one : all_) names.push_back(one.who.name);
  return model::Alerted{model::Severity::error,
                        fmt::format("{} running program{} not in this journal: {}", names.size(),
                                    names.size() == 1 ? " is" : "s are", join(names, ", ")),
                        "strangers",
                        "end one with: pawl stop NAME, or put the old journal.db back",
                        {}};
}

Error beside(const Stranger& one) {
  return {fmt::format("'{}' runs already (pid {}), but is not in this journal", one.name,
                      one.process.pid),
          "end it first with: pawl stop " + one.name + ", or put the old journal.db back"};
}

}  // namespace pawl::core
