#include "mcp/calls.h"

#include <fmt/core.h>

#include <algorithm>

namespace pawl::mcp {

std::optional<Error> Calls::full(bool waits) const {
  const auto waiting = std::count_if(calls_.begin(), calls_.end(),
                                     [](const auto& row) { return row.second.waits(); });
  if (waits && static_cast<size_t>(waiting) >= kMaxWaits)
    return Error{fmt::format("{} waits are under way", waiting), "let one of them end first"};
  if (calls_.size() >= kMaxCalls)
    return Error{fmt::format("{} calls are under way", calls_.size()), "let one of them end first"};
  return std::nullopt;
}

Call* Calls::find(uint64_t ask) {
  const auto it = calls_.find(ask);
  return it == calls_.end() ? nullptr : &it->second;
}

std::optional<Call> Calls::take(uint64_t ask) {
  const auto it = calls_.find(ask);
  if (it == calls_.end()) return std::nullopt;
  Call call = std::move(it->second);
  calls_.erase(it);
  return call;
}

std::optional<uint64_t> Calls::asked_by(const Json& id) const {
  for (const auto& [ask, call] : calls_)
    if (call.id == id) return ask;
  return std::nullopt;
}

std::vector<Json> Calls::progress(MonoTime now) {
  std::vector<Json> out;
  for (auto& [ask, call] : calls_) {
    if (!call.tell_at || *call.tell_at > now) continue;
    const double spent = std::chrono::duration<double>(now - call.begun).count();
    call.tell_at = now + kProgressEvery;
    out.push_back(
        notification("notifications/progress",
                     Json::object({{"progressToken", call.progress},
                                   {"progress", spent},
                                   {"total", std::max(call.total_s, spent)},
                                   {"message", fmt::format("waiting for {}: {}", call.about,
                                                           short_duration(now - call.begun))}})));
  }
  return out;
}

std::optional<MonoTime> Calls::wake_at() const {
  std::optional<MonoTime> at;
  for (const auto& [ask, call] : calls_) at = earlier(at, call.tell_at);
  return at;
}

}  // namespace pawl::mcp
