#include "sim/fleet/wire.h"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "base/text.h"

namespace pawl::sim {
namespace {

using fleet::BusAsk;
using fleet::BusEnd;
using fleet::BusOp;
using fleet::BusReply;
using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr Duration kLeastDelay = std::chrono::microseconds{200};
constexpr double kArrivesLate = 0.5;  // what was under way when a link broke
constexpr Duration kLatest = seconds{20};
constexpr double kLags = 0.1, kWrittenOver = 0.6;  // of what a cluster tells
constexpr Duration kMostLag = seconds{3}, kNoticed = seconds{7};

bool has_lane(fleet::Bucket bucket) {
  return bucket == fleet::Bucket::work || bucket == fleet::Bucket::leases;
}

}  // namespace

void Exchange::lose(fleet::Bucket bucket) {
  kept[bucket].push_back(server.last(bucket));
  for (auto* wire : wires) wire->lose(bucket);
}

void Exchange::drop_all() {
  for (auto* wire : wires) wire->drop("the server is gone");
}

Wire::Wire(Exchange& exchange, std::string node, uint64_t seed,
           std::function<void(const fleet::BusNews&)> deliver)
    : exchange_(exchange), node_(std::move(node)), chance_(seed), deliver_(std::move(deliver)) {
  exchange_.wires.push_back(this);
}

void Wire::start() {
  running_ = true;
  ++life_;
  try_later(chance_.between(milliseconds{50}, seconds{1}));
}

void Wire::end() {
  drop("");
  running_ = false;
  ++life_;
}

void Wire::try_later(Duration after) {
  exchange_.timeline.after(after, [this, life = life_] {
    if (life == life_ && running_ && !connected_) connect();
  });
}

void Wire::connect() {
  if (!exchange_.server_up || cut() || now() < exchange_.stalled_until)
    return try_later(chance_.between(milliseconds{200}, seconds{2}));
  connected_ = true;
  ++epoch_;
  ill_ = to_node_ = to_server_ = now();
  news(fleet::BusLink{.up = true, .server = "2.9.10", .cluster = exchange_.cluster});
  lanes_.clear();
  using fleet::Bucket;
  for (const auto bucket :
       {Bucket::nodes, Bucket::agents, Bucket::work, Bucket::leases, Bucket::accounts}) {
    if (exchange_.cluster && has_lane(bucket)) {
      send_in_lane(bucket, [this, bucket](Lane& lane) {
        lane.told = exchange_.server.last(bucket);
        for (const auto& entry : exchange_.server.snapshot(bucket)) deliver_(entry);
        deliver_(fleet::BusCaughtUp{bucket});
      });
      continue;
    }
    for (auto& entry : exchange_.server.snapshot(bucket)) news(std::move(entry));
    news(fleet::BusCaughtUp{bucket});
  }
}

void Wire::drop(const std::string& because) {
  ill_ = now();
  if (!connected_) return;
  connected_ = false;
  ++epoch_;
  open_.clear();
  follows_.clear();
  if (!running_ || because.empty()) return;
  deliver_(fleet::BusLink{.up = false, .because = because});
  try_later(chance_.between(milliseconds{100}, seconds{2}));
}

void Wire::kill(Duration back_after) {
  drop("pawl-bus has ended");
  ++life_;
  try_later(back_after);
}

// Some notice it after seconds, some do not before it is over.
void Wire::partition(Duration length) {
  cut_until_ = std::max(cut_until_, now() + length);
  ill_ = cut_until_;
  const Duration noticed = chance_.between(seconds{1}, seconds{25});
  exchange_.timeline.after(noticed, [this, epoch = epoch_] {
    if (epoch == epoch_ && cut()) drop("the server does not answer");
  });
}

void Wire::mend() {
  cut_until_ = slow_until_ = now();
  ill_ = now();
}

bool Wire::healthy_for(Duration length) const {
  return connected_ && ill_ + length <= now() && slow_until_ + length <= now() &&
         exchange_.stalled_until + length <= now();
}

Duration Wire::delay(bool answer) {
  if (now() < slow_until_)
    return chance_.between(milliseconds{10}, answer ? milliseconds{4800} : milliseconds{1000});
  return chance_.between(kLeastDelay, exchange_.network.most_delay);
}

void Wire::ask(const BusAsk& ask) {
  if (!connected_) return;  // the daemon has not heard of it yet
  if (ask.id != 0 && ask.op != BusOp::take) {
    open_[ask.id] = epoch_;
    exchange_.timeline.after(ask.limit, [this, id = ask.id, epoch = epoch_] {
      const auto it = open_.find(id);
      if (it == open_.end() || it->second != epoch) return;
      open_.erase(it);
      deliver_(BusReply{.id = id, .because = "no answer came"});
    });
  }
  if (chance_.happens(exchange_.network.lost)) {
    ill_ = now();
    return;
  }
  send(ask, false);
  if (chance_.happens(exchange_.network.doubled)) send(ask, true);
}

void Wire::send(const BusAsk& ask, bool doubled) {
  Duration at = now() + delay(false);
  if (doubled) at += chance_.between(Duration{0}, seconds{3});
  if (cut()) at = std::max(at, cut_until_ + delay(false));
  at = std::max(at, exchange_.stalled_until);
  if (!doubled) at = to_server_ = std::max(at, to_server_);
  if (at > now() + seconds{1}) ill_ = std::max(ill_, at);
  exchange_.timeline.at(at, [this, ask, epoch = epoch_, doubled] { arrive(ask, epoch, !doubled); });
}

void Wire::arrive(const BusAsk& ask, uint64_t epoch, bool reply) {
  if (!exchange_.server_up) return;
  if (now() < exchange_.stalled_until) {
    exchange_.timeline.at(exchange_.stalled_until,
                          [this, ask, epoch, reply] { arrive(ask, epoch, reply); });
    return;
  }
  if (epoch != epoch_) {
    // The link it came on is gone. Perhaps it was in a buffer.
    if (!chance_.happens(kArrivesLate)) return;
    const bool stored = ask.op <= BusOp::remove || ask.op == BusOp::publish;
    if (stored)
      exchange_.timeline.after(chance_.between(Duration{0}, kLatest), [this, ask] {
        exchange_.server.go_to(now());
        if (exchange_.server_up) exchange_.server.answer(ask);
      });
    return;
  }
  exchange_.server.go_to(now());
  switch (ask.op) {
    case BusOp::take:
      if (reply) take(ask, epoch, now() + ask.limit);
      return;
    case BusOp::done:
    case BusOp::back: {
      const auto parts = split(ask.key, ' ');
      exchange_.server.settle(parts.at(0), std::stoull(parts.at(1)), ask.op == BusOp::done);
      return;
    }
    case BusOp::request:
    case BusOp::answer:
      return request(ask, reply);
    case BusOp::follow:
      return reply ? follow(ask) : void();
    case BusOp::unfollow:
      std::erase_if(follows_, [&](const auto& one) { return std::to_string(one.id) == ask.key; });
      return;
    case BusOp::create:
    case BusOp::put:
    case BusOp::update:
    case BusOp::remove:
    case BusOp::get:
    case BusOp::publish:
    case BusOp::last:
      break;
  }
  const auto result = exchange_.server.answer(ask);
  if (reply) answer(result);
}

void Wire::answer(const BusReply& reply) {
  if (reply.id == 0) return;
  if (chance_.happens(exchange_.network.unheard)) {
    ill_ = now();
    return;
  }
  news(reply);
}

// In the order of sending: nothing overtakes.
void Wire::news(fleet::BusNews news) {
  Duration at = now() + delay(true);
  if (cut()) at = std::max(at, cut_until_ + delay(true));
  to_node_ = std::max({at, to_node_, exchange_.stalled_until});
  if (to_node_ > now() + seconds{1}) ill_ = std::max(ill_, to_node_);
  exchange_.timeline.at(to_node_, [this, news = std::move(news), epoch = epoch_] {
    if (epoch != epoch_ || !running_) return;
    if (const auto* reply = std::get_if<BusReply>(&news); reply && open_.erase(reply->id) == 0)
      return;  // too late
    deliver_(news);
  });
}

void Wire::send_in_lane(fleet::Bucket bucket, std::function<void(Lane&)> what) {
  Lane& lane = lanes_[bucket];
  Duration at = now() + delay(true);
  if (chance_.happens(kLags)) at += chance_.between(Duration{0}, kMostLag);
  if (cut()) at = std::max(at, cut_until_ + delay(true));
  lane.at = std::max({at, to_node_, lane.at, exchange_.stalled_until});
  if (lane.at > now() + seconds{1}) ill_ = std::max(ill_, lane.at);
  exchange_.timeline.at(lane.at, [this, bucket, what = std::move(what), epoch = epoch_] {
    if (epoch == epoch_ && running_ && !lanes_[bucket].dead) what(lanes_[bucket]);
  });
}

// Read by the server that tells it when it is told: then it may be lost, or written over.
void Wire::tell_in_lane(const fleet::BusEntry& entry) {
  const size_t changes = exchange_.kept[entry.bucket].size();
  send_in_lane(entry.bucket, [this, entry, changes](Lane& lane) {
    const auto& kept = exchange_.kept[entry.bucket];
    for (size_t i = changes; i < kept.size(); ++i)
      if (entry.revision > kept[i]) return;
    if (entry.revision <= lane.told) return;  // it was in what was told first
    const auto there = exchange_.server.find(entry.bucket, entry.key);
    if (there && there->revision > entry.revision && chance_.happens(kWrittenOver)) {
      lane.gap = true;
      return;
    }
    lane.told = entry.revision;
    fleet::BusEntry told = entry;
    told.gap = std::exchange(lane.gap, false);
    deliver_(told);
  });
}

void Wire::tell_entry(const fleet::BusEntry& entry) {
  if (!connected_) return;
  if (exchange_.cluster && has_lane(entry.bucket)) return tell_in_lane(entry);
  news(entry);
}

// Who was told more than there is was told it by the server that is dead. Some lose their connection with it; the others' readers go on
// behind what they told: what is written with numbers below that is never told to them, and nothing says so.
void Wire::lose(fleet::Bucket bucket) {
  if (!connected_) return;
  Lane& lane = lanes_[bucket];
  if (lane.told <= exchange_.server.last(bucket) || chance_.happens(0.5)) return;
  lane.dead = true;
  ill_ = now() + kNoticed;
  exchange_.timeline.after(chance_.between(Duration{0}, kNoticed), [this, epoch = epoch_] {
    if (epoch == epoch_) drop("the bus stopped telling");
  });
}

void Wire::tell_event(const StreamMessage& message) {
  if (!connected_) return;
  for (const auto& one : follows_)
    if (subject_fits(one.subject, message.subject))
      news(fleet::BusMessage{one.id, message.sequence, message.subject, message.value});
}

void Wire::follow(const BusAsk& ask) {
  answer({.id = ask.id, .end = BusEnd::done});
  follows_.push_back({ask.id, ask.subject});
  if (ask.revision == 0) return;
  for (const auto& message : exchange_.server.events())
    if (message.sequence > ask.revision && subject_fits(ask.subject, message.subject))
      news(fleet::BusMessage{ask.id, message.sequence, message.subject, message.value});
}

void Wire::take(const BusAsk& ask, uint64_t epoch, Duration until) {
  if (epoch != epoch_ || !exchange_.server_up) return;
  exchange_.server.go_to(now());
  if (const auto message = exchange_.server.take(ask.subject)) {
    const std::string token = fmt::format("{} {}", message->subject, message->sequence);
    return news(
        fleet::BusMessage{ask.id, message->sequence, message->subject, message->value, token});
  }
  if (now() >= until) {
    open_[ask.id] = epoch_;
    return news(BusReply{.id = ask.id, .end = BusEnd::missing});
  }
  exchange_.timeline.at(std::min(until, now() + seconds{1}),
                        [this, ask, epoch, until] { take(ask, epoch, until); });
}

// Through the server to another node, and back.
void Wire::request(const BusAsk& ask, bool reply) {
  if (ask.op == BusOp::answer) {
    const auto parts = split(ask.key, ' ');
    for (auto* wire : exchange_.wires)
      if (wire->node_ == parts.at(0) && wire->connected_)
        wire->answer({.id = std::stoull(parts.at(1)), .end = BusEnd::done, .value = ask.value});
    return;
  }
  const std::string to = split(ask.subject, '.').at(1);
  for (auto* wire : exchange_.wires) {
    if (wire->node_ != to || !wire->connected_) continue;
    wire->news(fleet::BusAsked{fmt::format("{} {}", node_, ask.id), ask.subject, ask.value});
    return;
  }
  if (reply) answer({.id = ask.id, .end = BusEnd::missing});
}

}  // namespace pawl::sim
