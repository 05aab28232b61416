#pragma once
// The modelled nats-server: key-value buckets with revisions, whose keys expire without anybody being told; a stream that keeps one
// message of an id within two minutes; work queues that give a message again when nobody said it is done. As NATS 2.9 was measured
// (doc/fleet.md). It knows nothing of nodes: bus.h's questions go in, answers and what is to be told to watchers come out.
//
// As a cluster it also does what was seen of three such servers: a compare-and-set that was checked before the write it races with
// is acknowledged as well (`forks`), and a change of leader loses the last of what was acknowledged (`lose`).

#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "fleet/bus.h"
#include "sim/world/chance.h"

namespace pawl::sim {

inline constexpr Duration kForkWindow =
    std::chrono::milliseconds{300};  // so long a write is on its way to the other servers
inline constexpr Duration kMostLost = std::chrono::milliseconds{1900};

inline constexpr Duration kDuplicateWindow = std::chrono::minutes{2};
inline constexpr Duration kAckWait = std::chrono::seconds{30};

struct StreamMessage {
  uint64_t sequence = 0;
  std::string subject, value, message_id;
  Duration at{};  // by the server's clock
};

class ModelServer {
 public:
  // Somebody else is told what was stored.
  // `forked`: a sound server would have refused it.
  std::function<void(const fleet::BusEntry&, bool forked)> stored = {};
  std::function<void(const StreamMessage&)> appended = {};

  // `now`: true time; the server's clock is off by what it was stepped.
  void go_to(Duration now);
  void step_clock(Duration by);
  double forks = 0;  // the likelihood for one that races
  // Units and leases are as they were then. The keys that are others now, or gone.
  std::vector<std::string> lose(fleet::Bucket bucket, Duration since);
  uint64_t last(fleet::Bucket bucket) const;  // revision
  bool clock_stepped() const { return off_ != Duration{0}; }

  fleet::BusReply answer(const fleet::BusAsk& ask);
  std::vector<fleet::BusEntry> snapshot(fleet::Bucket bucket) const;
  // Of the stream of events, after that sequence and with that subject.
  const std::vector<StreamMessage>& events() const { return events_; }
  // A message of the queue, if one is free; it is given again after kAckWait.
  std::optional<StreamMessage> take(const std::string& subject);
  std::optional<Duration> next_free(const std::string& subject) const;
  void settle(const std::string& subject, uint64_t sequence, bool done);
  size_t queued() const;

  std::optional<fleet::BusEntry> find(fleet::Bucket bucket, const std::string& key) const;

 private:
  struct Entry {
    std::string value;
    uint64_t revision = 0;
    Duration at{};
    uint64_t before = 0;  // the revision it was written on; 0: it was created
    Duration stored{};    // true time
  };
  struct Change {  // of a key, to be undone
    Duration at{};
    std::string key;
    std::optional<Entry> before;
    uint64_t last = 0;
  };
  struct Queued {
    StreamMessage message;
    std::optional<Duration> given = {};
  };
  struct KeyValue {
    std::map<std::string, Entry> entries;
    uint64_t last = 0;
    std::deque<Change> changes = {};  // of the last kMostLost
  };
  bool races(const fleet::BusAsk& ask, const Entry& entry);
  void keep_change(KeyValue& bucket, const std::string& key);
  Duration wall() const { return now_ + off_; }
  bool alive(fleet::Bucket bucket, const Entry& entry) const;
  fleet::BusReply store(const fleet::BusAsk& ask);
  fleet::BusReply remove(const fleet::BusAsk& ask);
  fleet::BusReply get(const fleet::BusAsk& ask) const;
  fleet::BusReply publish(const fleet::BusAsk& ask);
  fleet::BusReply last(const fleet::BusAsk& ask) const;

  Duration now_{}, off_{};
  Chance chance_{1};
  std::map<fleet::Bucket, KeyValue> buckets_;
  std::vector<StreamMessage> events_;
  std::map<std::string, std::pair<uint64_t, Duration>>
      ids_;  // of messages: their sequence, and when
  std::map<uint64_t, Queued> queue_;
  uint64_t queue_last_ = 0;
};

// Does a subject fit this one, whose last part may be ">"?
bool subject_fits(const std::string& pattern, const std::string& subject);

}  // namespace pawl::sim
