#pragma once
// pawl-bus of one node and its connection to the modelled server: delays, partitions, lost and doubled questions, answers that do not
// arrive, links that break and come back. What was sent on a link that broke may still arrive, later: it was in somebody's buffer.
// News arrive in the order in which the server sent them, as bus.h says. In a cluster units and leases are told by other servers than
// answers: each bucket in its order, late, and what was written over meanwhile is a gap.

#include <map>
#include <string>
#include <vector>

#include "fleet/bus.h"
#include "sim/fleet/server.h"
#include "sim/fleet/story.h"
#include "sim/fleet/timeline.h"
#include "sim/world/chance.h"

namespace pawl::sim {

class Wire;

// What all wires of a fleet share.
struct Exchange {
  Timeline& timeline;
  ModelServer server;
  FleetNetwork network;
  bool server_up = true;
  Duration stalled_until{};
  bool cluster = false;
  std::map<fleet::Bucket, std::vector<uint64_t>> kept = {};  // at each change of leader
  std::vector<Wire*> wires = {};
  void drop_all();
  void lose(fleet::Bucket bucket);  // it has lost what was newest
};

class Wire {
 public:
  Wire(Exchange& exchange, std::string node, uint64_t seed,
       std::function<void(const fleet::BusNews&)> deliver);

  void start();  // pawl-bus, with a new daemon
  void end();    // … with the daemon
  void ask(const fleet::BusAsk& ask);
  void tell_entry(const fleet::BusEntry& entry);
  void tell_event(const StreamMessage& message);

  void lose(fleet::Bucket bucket);

  // Faults.
  void partition(Duration length);
  void slow(Duration length) { slow_until_ = exchange_.timeline.now() + length; }
  void kill(Duration back_after);
  void drop(const std::string& because);  // the link
  void mend();
  bool connected() const { return connected_; }
  // Nothing was wrong with it for so long.
  bool healthy_for(Duration length) const;
  const std::string& node() const { return node_; }

 private:
  struct Lane {  // of a bucket, in a cluster
    Duration at{};
    uint64_t told = 0;
    bool gap = false;
    bool dead = false;  // its server is: nothing more comes, until that is noticed
  };
  struct Follow {
    uint64_t id = 0;
    std::string subject;
  };
  Duration now() const { return exchange_.timeline.now(); }
  bool cut() const { return now() < cut_until_; }
  void connect();
  void try_later(Duration after);
  Duration delay(bool answer);
  void send(const fleet::BusAsk& ask, bool doubled);
  void arrive(const fleet::BusAsk& ask, uint64_t epoch, bool reply);
  void answer(const fleet::BusReply& reply);
  void news(fleet::BusNews news);
  void send_in_lane(fleet::Bucket bucket, std::function<void(Lane&)> what);
  void tell_in_lane(const fleet::BusEntry& entry);
  void take(const fleet::BusAsk& ask, uint64_t epoch, Duration until);
  void request(const fleet::BusAsk& ask, bool reply);
  void follow(const fleet::BusAsk& ask);

  Exchange& exchange_;
  std::string node_;
  Chance chance_;
  std::function<void(const fleet::BusNews&)> deliver_;
  bool running_ = false, connected_ = false;
  uint64_t epoch_ = 0;  // of the link
  uint64_t life_ = 0;   // of the process
  Duration cut_until_{}, slow_until_{}, ill_{}, to_server_{}, to_node_{};
  std::map<uint64_t, uint64_t> open_;  // questions without an answer: their epoch
  std::vector<Follow> follows_;
  std::map<fleet::Bucket, Lane> lanes_;
};

}  // namespace pawl::sim
