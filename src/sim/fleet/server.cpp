#include "sim/fleet/server.h"

#include <fmt/core.h>

namespace pawl::sim {
namespace {

using fleet::Bucket;
using fleet::BusAsk;
using fleet::BusEnd;
using fleet::BusOp;
using fleet::BusReply;

constexpr Duration kLeaseAge = std::chrono::seconds{30};

}  // namespace

bool subject_fits(const std::string& pattern, const std::string& subject) {
  if (!pattern.ends_with(">")) return pattern == subject;
  return subject.starts_with(pattern.substr(0, pattern.size() - 1));
}

bool ModelServer::alive(Bucket bucket, const Entry& entry) const {
  return bucket != Bucket::leases || wall() < entry.at + kLeaseAge;
}

// What has expired does not come back when the clock is set.
void ModelServer::go_to(Duration now) {
  now_ = now;
  std::erase_if(buckets_[Bucket::leases].entries,
                [this](const auto& one) { return !alive(Bucket::leases, one.second); });
}

void ModelServer::step_clock(Duration by) {
  off_ += by;
  go_to(now_);
}

BusReply ModelServer::answer(const BusAsk& ask) {
  switch (ask.op) {
    case BusOp::create:
    case BusOp::put:
    case BusOp::update:
      return store(ask);
    case BusOp::remove:
      return remove(ask);
    case BusOp::get:
      return get(ask);
    case BusOp::publish:
      return publish(ask);
    case BusOp::last:
      return last(ask);
    case BusOp::follow:
      return {.id = ask.id, .end = BusEnd::done};
    case BusOp::unfollow:
    case BusOp::request:
    case BusOp::answer:
    case BusOp::take:
    case BusOp::done:
    case BusOp::back:
      break;
  }
  return {.id = ask.id, .end = BusEnd::refused, .because = "not of the server"};
}

// It was checked by what was there before that entry, which was on its way then.
bool ModelServer::races(const BusAsk& ask, const Entry& entry) {
  if (forks <= 0 || now_ >= entry.stored + kForkWindow) return false;
  const bool same = entry.before == (ask.op == BusOp::create ? 0 : ask.revision);
  return same && chance_.happens(forks);
}

void ModelServer::keep_change(KeyValue& bucket, const std::string& key) {
  while (!bucket.changes.empty() && bucket.changes.front().at + kMostLost < now_)
    bucket.changes.pop_front();
  const auto it = bucket.entries.find(key);
  bucket.changes.push_back({now_, key,
                            it == bucket.entries.end() ? std::nullopt : std::optional(it->second),
                            bucket.last});
}

std::vector<std::string> ModelServer::lose(Bucket which, Duration since) {
  std::vector<std::string> out;
  KeyValue& bucket = buckets_[which];
  while (!bucket.changes.empty() && bucket.changes.back().at >= since) {
    Change& change = bucket.changes.back();
    if (change.before)
      bucket.entries[change.key] = *change.before;
    else
      bucket.entries.erase(change.key);
    bucket.last = change.last;
    out.push_back(std::move(change.key));
    bucket.changes.pop_back();
  }
  return out;
}

uint64_t ModelServer::last(Bucket bucket) const {
  const auto it = buckets_.find(bucket);
  return it == buckets_.end() ? 0 : it->second.last;
}

BusReply ModelServer::store(const BusAsk& ask) {
  KeyValue& bucket = buckets_[ask.bucket];
  const auto it = bucket.entries.find(ask.key);
  const bool there = it != bucket.entries.end() && alive(ask.bucket, it->second);
  BusReply out{.id = ask.id, .end = BusEnd::done};
  if (ask.op == BusOp::create && there) out.end = BusEnd::taken;
  if (ask.op == BusOp::update && (!there || it->second.revision != ask.revision))
    out.end = BusEnd::stale;
  const bool forked = out.end != BusEnd::done && there && races(ask, it->second);
  if (out.end != BusEnd::done && !forked) return out;
  const uint64_t before = forked ? it->second.before : there ? it->second.revision : 0;
  keep_change(bucket, ask.key);
  out.end = BusEnd::done;
  out.revision = ++bucket.last;
  bucket.entries[ask.key] = {ask.value, out.revision, wall(), before, now_};
  if (stored) stored({ask.bucket, ask.key, ask.value, out.revision}, forked);
  return out;
}

BusReply ModelServer::remove(const BusAsk& ask) {
  KeyValue& bucket = buckets_[ask.bucket];
  const auto it = bucket.entries.find(ask.key);
  const bool there = it != bucket.entries.end() && alive(ask.bucket, it->second);
  if (!there) return {.id = ask.id, .end = BusEnd::missing};
  if (ask.revision != 0 && it->second.revision != ask.revision)
    return {.id = ask.id, .end = BusEnd::stale};
  keep_change(bucket, ask.key);
  bucket.entries.erase(it);
  const uint64_t revision = ++bucket.last;
  if (stored) stored({ask.bucket, ask.key, "", revision, true}, false);
  return {.id = ask.id, .end = BusEnd::done, .revision = revision};
}

std::optional<fleet::BusEntry> ModelServer::find(Bucket bucket, const std::string& key) const {
  const auto its = buckets_.find(bucket);
  if (its == buckets_.end()) return std::nullopt;
  const auto it = its->second.entries.find(key);
  if (it == its->second.entries.end() || !alive(bucket, it->second)) return std::nullopt;
  return fleet::BusEntry{bucket, key, it->second.value, it->second.revision};
}

BusReply ModelServer::get(const BusAsk& ask) const {
  const auto entry = find(ask.bucket, ask.key);
  if (!entry) return {.id = ask.id, .end = BusEnd::missing};
  return {.id = ask.id, .end = BusEnd::done, .revision = entry->revision, .value = entry->value};
}

std::vector<fleet::BusEntry> ModelServer::snapshot(Bucket bucket) const {
  std::vector<fleet::BusEntry> out;
  const auto its = buckets_.find(bucket);
  if (its == buckets_.end()) return out;
  for (const auto& [key, entry] : its->second.entries)
    if (alive(bucket, entry)) out.push_back({bucket, key, entry.value, entry.revision});
  return out;
}

BusReply ModelServer::publish(const BusAsk& ask) {
  if (!ask.message_id.empty()) {
    const auto it = ids_.find(ask.message_id);
    if (it != ids_.end() && wall() < it->second.second + kDuplicateWindow)
      return {.id = ask.id, .end = BusEnd::done, .revision = it->second.first};
  }
  StreamMessage message{0, ask.subject, ask.value, ask.message_id, wall()};
  if (ask.subject.starts_with("events.")) {
    message.sequence = events_.size() + 1;
    events_.push_back(message);
    if (appended) appended(message);
  } else {
    message.sequence = ++queue_last_;
    queue_[message.sequence] = {message};
  }
  if (!ask.message_id.empty()) ids_[ask.message_id] = {message.sequence, wall()};
  return {.id = ask.id, .end = BusEnd::done, .revision = message.sequence};
}

BusReply ModelServer::last(const BusAsk& ask) const {
  for (auto it = events_.rbegin(); it != events_.rend(); ++it)
    if (subject_fits(ask.subject, it->subject))
      return {.id = ask.id, .end = BusEnd::done, .revision = it->sequence, .value = it->value};
  return {.id = ask.id, .end = BusEnd::missing};
}

std::optional<StreamMessage> ModelServer::take(const std::string& subject) {
  for (auto& [sequence, queued] : queue_) {
    if (!subject_fits(subject, queued.message.subject)) continue;
    if (queued.given && now_ < *queued.given + kAckWait) continue;
    queued.given = now_;
    return queued.message;
  }
  return std::nullopt;
}

std::optional<Duration> ModelServer::next_free(const std::string& subject) const {
  std::optional<Duration> out;
  for (const auto& [sequence, queued] : queue_) {
    if (!subject_fits(subject, queued.message.subject)) continue;
    const Duration at = queued.given ? *queued.given + kAckWait : now_;
    if (!out || at < *out) out = at;
  }
  return out;
}

void ModelServer::settle(const std::string& subject, uint64_t sequence, bool done) {
  const auto it = queue_.find(sequence);
  if (it == queue_.end() || it->second.message.subject != subject) return;
  if (done)
    queue_.erase(it);
  else
    it->second.given.reset();
}

size_t ModelServer::queued() const {
  return queue_.size();
}

}  // namespace pawl::sim
