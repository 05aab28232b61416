#include "fleet/parts/outbox.h"

#include <fmt/core.h>

namespace pawl::fleet {
namespace {

enum OutboxAsks { kNewest, kPublish, kFollow };
constexpr uint64_t kLost = 0;  // not acknowledged, and not under way any more

uint64_t number(const Json& value) {
  return static_cast<uint64_t>(std::max<int64_t>(value.as_int(), 0));
}

// The line stands in it as it is.
std::string with_event(std::string head, const std::string& line) {
  head.pop_back();
  return head + ",\"event\":" + (line.size() <= kMostEventBytes ? line : "null") + "}";
}

}  // namespace

void Outbox::journal(uint64_t last) {
  last_ = std::max(last_, last);
}

void Outbox::link_changed() {
  stage_ = desk_.up ? Stage::doubt : Stage::off;
  at_ = desk_.mono();
  waits_.clear();
  ready_.clear();
  follow_ = 0;
  failed_ = reading_ = false;
}

void Outbox::doubt() {
  end_follow();
  stage_ = Stage::doubt;
  at_ = desk_.mono() + kResumesEvents;
  ready_.clear();
  waits_.clear();
  failed_ = reading_ = false;
}

void Outbox::end_follow() {
  if (follow_ == 0) return;
  desk_.take(follow_);
  desk_.tell({.op = BusOp::unfollow, .key = std::to_string(follow_)});
  follow_ = 0;
}

void Outbox::newest(const BusReply& reply) {
  there_.clear();
  if (reply.end == BusEnd::missing) return begin_sending(0, 0);
  if (reply.end != BusEnd::done) return doubt();
  const auto value = Json::parse(reply.value);
  // Of an earlier PAWL_HOME under this name: our journal begins anew.
  if (!value || (*value)["id"].as_string() != desk_.options.id) return begin_sending(0, 0);
  const uint64_t floor_at = number((*value)["floor_at"]);
  if (floor_at == 0)
    return begin_sending(number((*value)["seq"]), reply.revision);  // it went alone
  stage_ = Stage::back;
  at_ = desk_.mono() + kReadsBack;
  back_floor_ = number((*value)["floor"]);
  back_until_ = reply.revision;
  floor_at_ = floor_at;
  follow_ = desk_.ask({.op = BusOp::follow,
                       .subject = "events." + desk_.options.node + ".>",
                       .revision = floor_at,
                       .limit = kReadsBack},
                      {Part::outbox, kFollow});
}

bool Outbox::message(const BusMessage& message) {
  if (follow_ == 0 || message.follow != follow_) return false;
  const auto value = Json::parse(message.value);
  if (value && (*value)["id"].as_string() == desk_.options.id)
    there_.insert(number((*value)["seq"]));
  if (message.sequence < back_until_) return true;
  end_follow();
  begin_sending(back_floor_, floor_at_);
  return true;
}

void Outbox::begin_sending(uint64_t floor, uint64_t floor_at) {
  stage_ = Stage::sending;
  floor_ = sent_ = read_ = before_ = floor;
  floor_at_ = floor_at;
}

void Outbox::events(const std::vector<JournalEvent>& events) {
  if (!reading_ || stage_ != Stage::sending) return;
  reading_ = false;
  for (const auto& event : events) {
    if (event.sequence <= before_) continue;
    ready_.push_back({event, std::exchange(before_, event.sequence)});
  }
  read_ = before_;
  // The newest ones are not there any more: they are not to be had.
  if (events.empty()) last_ = std::min(last_, read_);
}

void Outbox::read_more() {
  if (reading_ || read_ >= last_ || ready_.size() >= kReadsEvents / 2) return;
  reading_ = true;
  desk_.order(ReadJournal{read_, kReadsEvents});
}

void Outbox::send() {
  while (!ready_.empty() && !failed_) {
    // As long as no floor is known one goes alone: it becomes the floor.
    if (waits_.size() >= (floor_at_ == 0 ? 1 : kEventWindow)) return;
    Ready next = std::move(ready_.front());
    ready_.pop_front();
    const auto& event = next.event;
    sent_ = std::max(sent_, event.sequence);
    if (there_.erase(event.sequence) > 0) {
      waits_[event.sequence] = floor_at_;  // it is there, somewhere behind the floor
      acknowledged(event.sequence, floor_at_);
      continue;
    }
    Json value = Json::object({{"version", 1},
                               {"id", desk_.options.id},
                               {"seq", event.sequence},
                               {"after", next.after},
                               {"floor", floor_},
                               {"floor_at", floor_at_},
                               {"agent", event.agent}});
    waits_[event.sequence] = std::nullopt;
    desk_.ask({.op = BusOp::publish,
               .subject = fmt::format("events.{}.{}", desk_.options.node,
                                      event.agent.empty() ? "_" : token_of(event.agent)),
               .value = with_event(value.dump(), event.value),
               .message_id = fmt::format("{}-{}", desk_.options.id, event.sequence)},
              {Part::outbox, kPublish, {}, event.sequence});
  }
}

// The floor rises over all that is known to be there without a gap. Where it is said to be stays behind all that was read back.
void Outbox::acknowledged(uint64_t sequence, uint64_t at) {
  const auto it = waits_.find(sequence);
  if (it == waits_.end()) return;
  it->second = at;
  while (!waits_.empty() && waits_.begin()->second.value_or(kLost) != kLost) {
    floor_ = waits_.begin()->first;
    if (there_.empty()) floor_at_ = *waits_.begin()->second;
    waits_.erase(waits_.begin());
  }
}

void Outbox::reply(const Question& question, const BusReply& reply) {
  if (question.what == kNewest) {
    if (stage_ == Stage::asking) newest(reply);
    return;
  }
  if (question.what == kFollow) {
    if (stage_ == Stage::back && reply.end != BusEnd::done) doubt();
    return;
  }
  if (stage_ != Stage::sending || !waits_.contains(question.number)) return;
  if (reply.end == BusEnd::done) return acknowledged(question.number, reply.revision);
  failed_ = true;
  waits_[question.number] = kLost;
}

void Outbox::step(bool joined) {
  joined_ = joined;
  if (!desk_.up) return;
  if (stage_ == Stage::doubt && joined && desk_.mono() >= at_) {
    stage_ = Stage::asking;
    desk_.ask({.op = BusOp::last, .subject = "events." + desk_.options.node + ".>"},
              {Part::outbox, kNewest});
  }
  if (stage_ == Stage::back && desk_.mono() >= at_) doubt();
  if (stage_ != Stage::sending) return;
  if (failed_) {
    bool open = false;  // what is still under way may arrive
    for (const auto& [sequence, at] : waits_) open = open || !at;
    if (!open) doubt();
    return;
  }
  if (joined) read_more();
  if (joined) send();
  if (joined) read_more();
}

std::optional<MonoTime> Outbox::wake_at() const {
  if (!desk_.up || (stage_ != Stage::doubt && stage_ != Stage::back)) return std::nullopt;
  return joined_ || stage_ == Stage::back ? std::optional(at_) : std::nullopt;
}

}  // namespace pawl::fleet
