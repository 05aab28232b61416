#pragma once
// One lease of ours, from its creation to its end: when it has to be renewed, until when it is certainly ours, and whether somebody else
// has it. It says what to ask next; at most one question is open. The time that counts is the one at which the question was *sent*
// whose entry is known to be stored: an answer, or the entry itself read back (its `count` says which renewal it is).
//
// In a cluster what was acknowledged may still be lost when its servers change their leader. There an entry counts when the next renewal,
// which was sent kSettles later or more, was acknowledged on top of it.

#include <optional>
#include <string>

#include "fleet/bus.h"
#include "fleet/member_values.h"

namespace pawl::fleet {

inline constexpr Duration kLeaseAgain =
    std::chrono::seconds{1};  // after an answer that did not come
// In a cluster: what stood so long is not lost by a change of leader …
inline constexpr Duration kSettles = std::chrono::seconds{2};
inline constexpr Duration kRenewsCluster =
    std::chrono::seconds{5};  // … and a renewal counts only with the next one: they come sooner

class Lease {
 public:
  Lease(const MemberOptions& options, std::string unit, std::string nonce)
      : options_(options), unit_(std::move(unit)), nonce_(std::move(nonce)) {}
  // One of an earlier life of the daemon, which may still run until then.
  void restore(uint64_t token, Duration stop_at);

  void cluster(bool cluster) { cluster_ = cluster; }

  // What is to be asked now, if anything.
  std::optional<BusAsk> next(const Now& now);
  void answer(const Now& now, const BusReply& reply);
  // Since boot; none: an answer first.
  std::optional<Duration> wake_at() const;

  bool held() const { return token_ != 0 && !lost_; }
  bool counts() const { return held() && counts_; }  // work may be started under it
  bool lost() const { return lost_; }                // somebody else has it, or it was never had
  uint64_t token() const { return token_; }
  uint64_t revision() const { return revision_; }
  // The work is to be dead five seconds later.
  Duration stop_at() const { return end_ - options_.times.stop_before; }
  bool over(const Now& now) const { return now.boot >= stop_at(); }
  const std::string& nonce() const { return nonce_; }

 private:
  enum class Asked { nothing, create, renew, read };
  BusAsk ask(Asked what, const Now& now);
  Duration renews_at() const;
  void stored(Duration sent, uint64_t revision);
  void found(const Now& now, const BusReply& reply);

  const MemberOptions& options_;
  std::string unit_, nonce_;
  Asked asked_ = Asked::nothing;
  bool doubt_ = false;  // whether the last one is stored
  bool lost_ = false;
  bool cluster_ = false, counts_ = false;
  std::optional<Duration> stands_ = {};  // in a cluster: when the last one that is stored was sent
  int64_t count_ = 0;                    // of renewals that were sent
  Duration sent_{};                      // the last one
  Duration known_{};                     // … of which we know that it is stored
  Duration end_{};
  Duration again_{};  // after a doubt
  uint64_t token_ = 0, revision_ = 0;
};

}  // namespace pawl::fleet
