// What a simulated daemon does when its member orders it, and what its holder does by itself (node.h).

#include <fmt/core.h>

#include <algorithm>

#include "sim/fleet/node.h"

namespace pawl::sim {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

// A session that is told to end is dead after this at most; its lease has five seconds more than that.
constexpr Duration kSlowDeath = milliseconds{4900};
constexpr Duration kSlowStart = milliseconds{400}, kSlowClone = seconds{90};

}  // namespace

std::string large_prompt(const std::string& unit) {
  std::string out = unit;
  while (out.size() < fleet::kBlobPart + 1000) out += " and more of " + unit;
  return out;
}

void FleetMachine::carry_out(const fleet::StartUnit& order) {
  const auto& claim = order.claim;
  claims_[claim.unit] = {claim};
  note("", "starts " + claim.unit);
  const bool unfit = order.task["unfit"].as_bool() && index_ % 2 == 1;
  if (order.task["blob"].is_object()) {
    fetching_[++tickets_] = order;
    return member_->fetch(clocks(), tickets_, order.task["blob"]);
  }
  const uint64_t life = lives_;
  exchange_.timeline.after(chance_.between(Duration{0}, kSlowStart), [=, this] {
    if (life != lives_ || !member_) return;
    const Json task = order.task;
    do_now([=, this] {
      if (unfit && is_ours(claim))
        return came(claim.unit, claim.token, {fleet::Came::unfit, {}, "no such folder"});
      begin_if_ours(claim, task);
    });
  });
}

bool FleetMachine::is_ours(const fleet::Claim& claim) const {
  const auto it = claims_.find(claim.unit);
  return it != claims_.end() && !it->second.ended && it->second.claim.token == claim.token;
}

void FleetMachine::begin_if_ours(const fleet::Claim& claim, const Json& task) {
  if (!is_ours(claim)) return;
  if (clocks().boot >= claims_.at(claim.unit).claim.stop_at)
    return came(claim.unit, claim.token, {fleet::Came::again, {}, "too late"});
  begin(claim.unit, claim.token, task);
}

// A prompt is as it was given, and there for as long as anybody needs it.
void FleetMachine::carry_out(const fleet::BlobCame& order) {
  const auto it = fetching_.find(order.ticket);
  if (it == fetching_.end()) return;
  const fleet::StartUnit start = std::move(it->second);
  fetching_.erase(it);
  const auto& claim = start.claim;
  judge_.go_to(now());
  if (order.done && order.value != large_prompt(claim.unit))
    judge_.wrong("blobs", fmt::format("the prompt of {} is another one", claim.unit));
  if (order.done) {  // and its folder is cloned, which takes longer than a lease
    const uint64_t life = lives_;
    exchange_.timeline.after(chance_.between(Duration{0}, kSlowClone), [=, this] {
      if (life == lives_) do_now([=, this] { begin_if_ours(claim, start.task); });
    });
    return;
  }
  const auto entry = exchange_.server.find(fleet::Bucket::work, claim.unit);
  const auto value = entry ? Json::parse(entry->value) : Result<Json>(Json());
  const auto state = fleet::unit_state_from((*value)["state"].as_string());
  if (order.gone && state && !over(*state))
    judge_.wrong("blobs", fmt::format("the prompt of {} is gone, and it is needed", claim.unit));
  came(claim.unit, claim.token, {fleet::Came::again, {}, order.because});
}

void FleetMachine::begin(const std::string& unit, uint64_t token, const Json& task) {
  const auto& claim = claims_.at(unit).claim;
  judge_.go_to(now());
  judge_.begins(unit, index_, name_, claim);
  const uint64_t run = ++runs_;
  sessions_[unit] = {.token = token, .run = run, .deadline = claim.stop_at};
  exchange_.timeline.after(Duration{task["us"].as_int()}, [this, unit, run] { finish(unit, run); });
  watch_deadline(unit);
}

void FleetMachine::watch_deadline(const std::string& unit) {
  auto& session = sessions_.at(unit);
  session.watch = ++watches_;
  advance();
  const double left = static_cast<double>(std::max(session.deadline - boot_, Duration{0}).count());
  exchange_.timeline.after(Duration{static_cast<int64_t>(left / with_.rate) + 1},
                           [this, unit, watch = session.watch] { deadline(unit, watch); });
}

// The holder's own: no daemon is needed.
void FleetMachine::deadline(const std::string& unit, uint64_t watch) {
  if (frozen_) return when_thawed_.push_back([this, unit, watch] { deadline(unit, watch); });
  const auto it = sessions_.find(unit);
  if (it == sessions_.end() || it->second.watch != watch || it->second.dying) return;
  advance();
  if (boot_ < it->second.deadline) return watch_deadline(unit);
  kill(unit, "its lease ran out");
}

void FleetMachine::kill(const std::string& unit, const std::string& because) {
  Session& session = sessions_.at(unit);
  if (session.dying) return;
  session.dying = true;
  advance();
  // With SIGKILL at the latest when the lease's last five seconds are over; whoever slept through them is killed at once.
  Duration takes = chance_.happens(0.5) ? kSlowDeath : chance_.between(Duration{0}, kSlowDeath);
  if (boot_ >= session.deadline + seconds{5}) takes = Duration{0};
  const uint64_t run = session.run;
  if (takes == Duration{0}) return dead(unit, run, because);
  exchange_.timeline.after(takes, [=, this] { dead(unit, run, because); });
}

void FleetMachine::dead(const std::string& unit, uint64_t run, const std::string& because) {
  if (frozen_) return when_thawed_.push_back([=, this] { dead(unit, run, because); });
  const auto it = sessions_.find(unit);
  if (it == sessions_.end() || it->second.run != run) return;
  const uint64_t token = it->second.token;
  sessions_.erase(it);
  judge_.go_to(now());
  judge_.ends(unit, index_);
  came(unit, token, {fleet::Came::again, {}, because});
}

void FleetMachine::finish(const std::string& unit, uint64_t run) {
  if (frozen_) return when_thawed_.push_back([=, this] { finish(unit, run); });
  const auto it = sessions_.find(unit);
  if (it == sessions_.end() || it->second.run != run || it->second.dying) return;
  const uint64_t token = it->second.token;
  sessions_.erase(it);
  judge_.go_to(now());
  judge_.ends(unit, index_);
  came(unit, token, {fleet::Came::finished, Json::object({{"status", "completed"}}), "done"});
}

// The holder keeps how it ended; the daemon is told, now or at its start.
void FleetMachine::came(const std::string& unit, uint64_t token, fleet::Ended ended) {
  const auto it = claims_.find(unit);
  if (it == claims_.end() || it->second.claim.token != token || it->second.ended) return;
  it->second.ended = ended;
  do_now([this, unit, token, ended] {
    note("", "ended " + unit);
    member_->ended(clocks(), unit, token, ended);
  });
}

void FleetMachine::carry_out(const fleet::LeaseUntil& order) {
  const auto kept = claims_.find(order.unit);
  if (kept != claims_.end() && kept->second.claim.token == order.token)
    kept->second.claim.stop_at = order.stop_at;
  const auto it = sessions_.find(order.unit);
  if (it == sessions_.end() || it->second.token != order.token || it->second.dying) return;
  it->second.deadline = std::max(it->second.deadline, order.stop_at);
  watch_deadline(order.unit);
}

void FleetMachine::carry_out(const fleet::StopUnit& order) {
  const auto it = sessions_.find(order.unit);
  if (it != sessions_.end() && it->second.token == order.token)
    return kill(order.unit, order.because);
  came(order.unit, order.token, {fleet::Came::again, {}, order.because});
}

void FleetMachine::carry_out(const fleet::UnitSettled& order) {
  judge_.go_to(now());
  judge_.settled(order);
  const auto it = claims_.find(order.unit);
  if (it != claims_.end() && it->second.claim.token == order.token) claims_.erase(it);
}

void FleetMachine::carry_out(const fleet::Submitted& order) {
  if (const auto left = left_.find(order.ticket); left != left_.end()) {
    if (order.done) judge_.left(left->second.first, left->second.second);
    left_.erase(left);
    return;
  }
  const auto it = submitted_.find(order.ticket);
  if (it == submitted_.end()) return;
  if (order.done) judge_.acknowledged(it->second);
  submitted_.erase(it);
}

void FleetMachine::carry_out(const fleet::VerbAsked& order) {
  const uint64_t life = lives_;
  exchange_.timeline.after(chance_.between(milliseconds{1}, milliseconds{50}), [=, this] {
    if (life == lives_) do_now([=, this] { member_->answered(clocks(), order.token, "{}"); });
  });
}

void FleetMachine::carry_out(const fleet::VerbAnswered& order) {
  if (asked_.erase(order.ticket) > 0) return;
  judge_.go_to(now());
  judge_.wrong("verbs", fmt::format("{} gets an answer twice", name_));
}

void FleetMachine::carry_out(const fleet::ReadJournal& order) {
  std::vector<fleet::JournalEvent> out;
  for (size_t i = order.after; i < journal_.size() && out.size() < order.most; ++i)
    out.push_back(journal_[i]);
  member_->events(clocks(), out);
}

void FleetMachine::carry_out(const fleet::RemoteEvent& order) {
  judge_.go_to(now());
  judge_.event(reader(), order);
}

void FleetMachine::carry_out(const fleet::InboxItem& order) {
  inbox_.insert(order.name);
  item_texts_[order.name] = order.value;
  member_->inboxed(clocks(), order.token, true);
}

void FleetMachine::carry_out(const fleet::AccountLimited& order) {
  if (order.account == "acct") limit_ = order.until;
}

}  // namespace pawl::sim
