#include "sim/fleet/node.h"

#include <fmt/core.h>

#include <algorithm>

namespace pawl::sim {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr Duration kStartOfTime = std::chrono::hours{24 * 365 * 56};
constexpr int kAgents = 2;

// From the beginning on, in whole parts of a million: nothing is lost by asking often.
Duration own_time(Duration time, double rate) {
  constexpr int64_t kWhole = 1'000'000;
  return Duration{time.count() * static_cast<int64_t>(rate * kWhole + 0.5) / kWhole};
}

Duration scaled(Duration length, double by) {
  return std::chrono::duration_cast<Duration>(
      std::chrono::duration<double, std::micro>(static_cast<double>(length.count()) * by));
}

}  // namespace

FleetMachine::FleetMachine(size_t index, const FleetNode& with, uint64_t seed, Exchange& exchange,
                           FleetJudge& judge)
    : index_(index),
      with_(with),
      name_(fmt::format("n{}", index)),
      chance_(seed),
      exchange_(exchange),
      judge_(judge),
      wire_(exchange, name_, seed ^ 0x5bd1e995u,
            [this](const fleet::BusNews& news) {
              do_now([this, news] { member_->hear(clocks(), news); });
            }),
      boot_(seconds{100} + seconds{index}) {
  start_daemon();
}

// ---- Clocks ----

void FleetMachine::advance() {
  const Duration local = own_time(now(), with_.rate), passed = local - last_;
  last_ = local;
  boot_ += passed;
  wall_ += passed;
  if (!paused_ && !frozen_) mono_ += passed;
}

fleet::Now FleetMachine::clocks() {
  advance();
  return {{MonoTime{mono_}, WallTime{kStartOfTime + with_.wall_off + wall_}}, boot_};
}

// ---- The daemon ----

std::string FleetMachine::reader() const {
  return fmt::format("{}'s life {}", name_, lives_);
}

bool FleetMachine::healthy_for(Duration length) const {
  return attentive() && ill_ + length <= now() && wire_.healthy_for(length);
}

void FleetMachine::start_daemon() {
  if (removed_ || member_ || frozen_ || away_) return;
  ill();
  ++lives_;
  paused_ = false;
  fleet::MemberOptions options;
  options.node = name_;
  options.id = "id-" + name_;
  options.boot_id = fmt::format("boot {}", boots_);
  options.life = fmt::format("{}.{}", name_, lives_);
  options.version = "1";
  options.queues = {"q"};
  std::vector<fleet::Claim> claims;
  for (auto& [unit, kept] : claims_) {
    const auto it = sessions_.find(unit);
    if (it != sessions_.end()) kept.claim.stop_at = it->second.deadline;
    claims.push_back(kept.claim);
  }
  const auto now = clocks();
  options.since = now.clock.wall;
  member_ = std::make_unique<fleet::Member>(options, claims, now);
  note("", "the daemon starts");
  tell_all();
  std::vector<std::pair<fleet::Claim, fleet::Ended>> over;
  for (const auto& [unit, kept] : claims_)
    if (!sessions_.contains(unit))
      over.emplace_back(
          kept.claim, kept.ended.value_or(fleet::Ended{fleet::Came::again, {}, "it did not run"}));
  for (auto& [claim, ended] : over) member_->ended(clocks(), claim.unit, claim.token, ended);
  wire_.start();
  pump();
}

void FleetMachine::tell_all() {
  fleet::Capacity capacity;
  capacity.room = with_.room;
  capacity.labels.insert(fleet::kCanBlobs);
  if (with_.label) capacity.labels.insert("label=gpu");
  capacity.agents = kAgents;
  member_->capacity(clocks(), capacity);
  for (int i = 0; i < kAgents; ++i) {
    const std::string agent = fmt::format("a.{}", i);
    auto& view = views_[agent];
    member_->agent(clocks(), agent, "acct", Json::object({{"says", view}}));
  }
  member_->journal(clocks(), journal_.size());
}

void FleetMachine::kill_daemon(Duration away) {
  if (!member_) return;
  ill();
  member_.reset();
  todo_.clear();
  submitted_.clear();
  left_.clear();
  fetching_.clear();
  asked_.clear();
  limit_.reset();
  wire_.end();
  ++wakes_;
  exchange_.timeline.after(away, [this] {
    if (frozen_)
      when_thawed_.push_back([this] { start_daemon(); });
    else
      start_daemon();
  });
}

void FleetMachine::pause_daemon(Duration length) {
  if (!member_ || paused_) return;
  advance();
  ill();
  paused_ = true;
  exchange_.timeline.after(length, [this, pause = ++pauses_] {
    if (pause == pauses_) go_on();
  });
}

// What came meanwhile comes now, in its order.
void FleetMachine::go_on() {
  advance();
  ill();
  paused_ = false;
  ++pauses_;
  if (member_) do_now([this] { member_->step(clocks()); });
}

void FleetMachine::freeze(Duration length, bool sleeps) {
  if (frozen_ || removed_ || away_) return;
  advance();
  ill();
  frozen_ = true;
  judge_.frozen(index_);
  if (sleeps) wire_.partition(length);
  exchange_.timeline.after(length, [this, freeze = ++freezes_] {
    if (freeze == freezes_ && frozen_) mend();
  });
}

void FleetMachine::mend() {
  if (removed_) return;
  advance();
  if (frozen_) {
    frozen_ = false;
    ++freezes_;
    for (auto& what : std::exchange(when_thawed_, {}))
      what();  // the holder is as quick as its programs
    judge_.thawed(index_);
  }
  go_on();
  away_ = false;
  if (!member_) start_daemon();
}

void FleetMachine::reboot(Duration down) {
  if (removed_) return;
  advance();
  for (const auto& [unit, session] : sessions_) judge_.ends(unit, index_);
  sessions_.clear();
  when_thawed_.clear();
  if (frozen_) judge_.thawed(index_);
  frozen_ = paused_ = false;
  ++freezes_, ++pauses_;
  ++boots_;
  boot_ = mono_ = Duration{};
  away_ = true;
  kill_daemon(std::chrono::hours{24 * 365});
  exchange_.timeline.after(down, [this, boot = boots_] {
    if (boot != boots_) return;
    away_ = false;
    start_daemon();
  });
}

void FleetMachine::remove() {
  reboot(std::chrono::hours{24 * 365});
  removed_ = true;
}

void FleetMachine::do_now(std::function<void()> what) {
  if (!member_) return;
  todo_.push_back(std::move(what));
  if (!paused_ && !frozen_) pump();
}

// As member.h says that it is driven.
void FleetMachine::pump() {
  if (pumping_ || !member_ || paused_ || frozen_) return;
  pumping_ = true;
  for (;;) {
    for (const auto& ask : member_->asks()) wire_.ask(ask);
    const auto orders = member_->orders();
    for (const auto& order : orders) std::visit([this](const auto& one) { carry_out(one); }, order);
    if (!orders.empty()) continue;
    if (todo_.empty()) break;
    const auto next = std::move(todo_.front());
    todo_.pop_front();
    next();
  }
  pumping_ = false;
  wake();
}

void FleetMachine::wake() {
  const auto at = member_->wake_at();
  const uint64_t id = ++wakes_;
  if (!at) return;
  advance();
  const Duration left = std::max(at->time_since_epoch() - mono_, Duration{0});
  // The loop of a daemon is late by a little, never early.
  exchange_.timeline.after(scaled(left, 1 / with_.rate) + milliseconds{1}, [this, id] {
    if (id != wakes_ || !member_ || paused_ || frozen_) return;
    do_now([this] { member_->step(clocks()); });
  });
}

void FleetMachine::note(const std::string& agent, const std::string& what) {
  const uint64_t sequence = journal_.size() + 1;
  journal_.push_back({sequence, agent, Json::object({{"seq", sequence}, {"what", what}}).dump()});
  if (member_) member_->journal(clocks(), sequence);
}

// ---- People ----

void FleetMachine::submit(const fleet::UnitOrder& order, const std::string& prompt) {
  do_now([this, order, prompt] {
    submitted_[++tickets_] = order.unit;
    member_->submit(clocks(), tickets_, order, prompt);
  });
}

void FleetMachine::resume(const std::string& unit) {
  do_now([this, unit] { member_->again(clocks(), ++tickets_, unit, "person"); });
}

void FleetMachine::leave_item(const std::string& node, const std::string& text) {
  do_now([this, node, text] {
    left_[++tickets_] = {node, text};
    member_->send_item(clocks(), tickets_, node, "a.0", text);
  });
}

size_t FleetMachine::times_got(const std::string& item) const {
  return static_cast<size_t>(std::count_if(item_texts_.begin(), item_texts_.end(),
                                           [&](const auto& one) { return one.second == item; }));
}

void FleetMachine::cancel(const std::string& unit) {
  do_now([this, unit] { member_->cancel(clocks(), ++tickets_, unit, "person"); });
}

void FleetMachine::ask(const std::string& node) {
  do_now([this, node] {
    asked_.insert(++tickets_);
    member_->ask(clocks(), tickets_, node, "{\"verb\":\"ls\"}", seconds{5});
    const uint64_t life = lives_, ticket = tickets_;
    exchange_.timeline.after(seconds{20}, [this, life, ticket] {
      if (healthy_for(seconds{20}) && life == lives_ && asked_.contains(ticket))
        judge_.wrong("verbs", fmt::format("a question of {} was never answered", name_));
    });
  });
}

void FleetMachine::limit(Duration length) {
  do_now([this, length] {
    const auto now = clocks();
    member_->account_limited(now, "acct", now.clock.wall + length);
  });
}

void FleetMachine::chatter() {
  if (!attentive()) return;
  do_now([this] {
    const std::string agent = fmt::format("a.{}", ++changes_ % kAgents);
    note(agent, "it changes");
    views_[agent] = fmt::format("change {}", changes_);
    member_->agent(clocks(), agent, "acct", Json::object({{"says", views_[agent]}}));
  });
}

std::optional<Duration> FleetMachine::agent_wakes(const std::string& agent) {
  const auto wall = member_ ? member_->wake_of(agent) : std::nullopt;
  if (!wall) return std::nullopt;
  return now() + (*wall - clocks().clock.wall);
}

}  // namespace pawl::sim
