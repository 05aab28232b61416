#include "fleet/parts/lease.h"

#include <algorithm>
#include <utility>

#include "base/json.h"

namespace pawl::fleet {

void Lease::restore(uint64_t token, Duration stop_at) {
  token_ = token;
  end_ = stop_at + options_.times.stop_before;
  doubt_ = true;
}

BusAsk Lease::ask(Asked what, const Now& now) {
  asked_ = what;
  BusAsk out{.bucket = Bucket::leases, .key = unit_};
  if (what == Asked::read) return out;  // a get
  sent_ = now.boot;
  if (what == Asked::renew || token_ != 0) ++count_;
  out.op = what == Asked::create ? BusOp::create : BusOp::update;
  out.revision = what == Asked::create ? 0 : revision_;
  out.value =
      Json::object(
          {{"node", options_.node}, {"id", options_.id}, {"nonce", nonce_}, {"count", count_}})
          .dump();
  return out;
}

std::optional<BusAsk> Lease::next(const Now& now) {
  if (lost_ || asked_ != Asked::nothing || now.boot < again_) return std::nullopt;
  if (token_ != 0 && over(now)) return std::nullopt;  // too late for more of it
  if (doubt_) return ask(Asked::read, now);
  if (revision_ == 0) return ask(Asked::create, now);
  if (now.boot >= renews_at()) return ask(Asked::renew, now);
  return std::nullopt;
}

Duration Lease::renews_at() const {
  if (!stands_) return known_ + options_.times.renew;
  return *stands_ + (counts_ ? kRenewsCluster : kSettles);
}

std::optional<Duration> Lease::wake_at() const {
  if (lost_ || asked_ != Asked::nothing) return std::nullopt;
  const Duration due = doubt_ || revision_ == 0 ? again_ : renews_at();
  return std::max(due, again_);
}

// Counted from its sending: the server cannot have had it earlier.
void Lease::stored(Duration sent, uint64_t revision) {
  revision_ = revision;
  known_ = sent;
  if (!cluster_) {
    counts_ = true;
    end_ = std::max(end_, sent + options_.times.lease);
    return;
  }
  if (stands_ && sent >= *stands_ + kSettles) {
    counts_ = true;
    end_ = std::max(end_, *stands_ + options_.times.lease);
  }
  if (end_ == Duration{0}) end_ = sent + options_.times.lease;  // until it counts or is dropped
  stands_ = sent;
}

void Lease::answer(const Now& now, const BusReply& reply) {
  const Asked asked = std::exchange(asked_, Asked::nothing);
  if (asked == Asked::read) return found(now, reply);
  switch (reply.end) {
    case BusEnd::done:
      if (token_ == 0) token_ = reply.revision;
      return stored(sent_, reply.revision);
    case BusEnd::taken:
    case BusEnd::stale:
    case BusEnd::missing:
      // Perhaps by ourselves: an earlier question that was thought lost.
      if (token_ == 0) lost_ = true;
      doubt_ = true;
      return;
    case BusEnd::refused:
      if (token_ == 0) lost_ = true;
      again_ = now.boot + kLeaseAgain;
      return;
    case BusEnd::unknown:
      doubt_ = true;
      again_ = now.boot;
      return;
  }
}

void Lease::found(const Now& now, const BusReply& reply) {
  if (reply.end == BusEnd::unknown || reply.end == BusEnd::refused) {
    again_ = now.boot + kLeaseAgain;
    return;
  }
  doubt_ = false;
  revision_ = 0;
  const auto stood = std::exchange(stands_, std::nullopt);
  const bool counted = std::exchange(counts_, false);
  if (reply.end != BusEnd::done) {
    // A new one was not created, and may still be on its way. One that we had is gone before its time (the server's clock was set):
    // it is created again, which only succeeds when nobody else has it.
    if (token_ == 0) lost_ = true;
    return;
  }
  const auto value = Json::parse(reply.value);
  if (!value || (*value)["nonce"].as_string() != nonce_) {
    lost_ = true;
    return;
  }
  const int64_t count = (*value)["count"].as_int();
  if (token_ == 0) token_ = reply.revision;
  if (count == count_ && sent_ != Duration{0}) {
    stands_ = stood;
    counts_ = counted;
    return stored(sent_, reply.revision);
  }
  revision_ = reply.revision;  // an earlier one: it is renewed at once
  count_ = std::max(count_, count);
  known_ = now.boot - options_.times.renew;
}

}  // namespace pawl::fleet
