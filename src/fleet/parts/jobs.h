#pragma once
// The units that this node claims and runs: doc/fleet.md's rules 1 to 6. Each job has a lease (lease.h) and goes through
//
//   looking   somebody had it: the lease's key has to be gone, and nothing of it seen. What was stored before this answer was (bus.h)
//   leasing   the lease is created: its revision is the token
//   claiming  node and token are written into the unit by compare-and-set; after an answer that did not come: checking
//   settling  in a cluster: until our own reader told us both, with nothing in between, and the lease counts (jobs_told.cpp)
//   running   StartUnit was ordered; until ended() says what became of it
//   ending    the end is written in the same way (end_checking); then UnitSettled
//
// A job before `running` is dropped at any doubt about its link: nothing runs yet, and its lease runs out. From `running` on it stays
// until all is said, however long the bus is away.

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "fleet/parts/lease.h"
#include "fleet/parts/units.h"

namespace pawl::fleet {

inline constexpr size_t kMostJobs = 256;
inline constexpr size_t kClaimsAtOnce = 8;                      // before `running`
inline constexpr Duration kJobAgain = std::chrono::seconds{1};  // after an answer that did not come
inline constexpr Duration kClaimWithin =
    std::chrono::seconds{20};  // from choosing to starting; else it is dropped
inline constexpr Duration kOursAgain =
    std::chrono::seconds{15};  // what could not be run here is others' first
inline constexpr Duration kEndRefused =
    std::chrono::seconds{10};  // the server did not take an end: until it does
inline constexpr Duration kClashApart =
    std::chrono::seconds{1};  // after two claimed at once: those try again after one to four
inline constexpr size_t kMostResultBytes =
    64u << 10;  // more is left out: output is read from the node or from blobs
inline constexpr size_t kMostBecause = 512;
inline constexpr size_t kMostUnfit = 16;  // nodes named in a unit

class Jobs {
 public:
  Jobs(Desk& desk, Units& units) : desk_(desk), units_(units) {}

  void restore(const std::vector<Claim>& claims);
  void link_changed();
  void reply(const Question& question, const BusReply& reply);
  void ended(const std::string& unit, uint64_t token, Ended ended);
  void unit_changed(const std::string& unit);  // its entry is another one
  // What our readers tell, in the order of the stream.
  void lease_told(const BusEntry& entry);
  void unit_told(const BusEntry& entry);
  void caught_up();  // the list of units is complete
  void capacity(const Capacity& capacity) { capacity_ = capacity; }
  void drain() { draining_ = true; }
  void step(bool joined);
  std::optional<MonoTime> wake_at() const;
  size_t count() const { return jobs_.size(); }

 private:
  enum Asks { kLeaseAsks, kLook, kWrite, kRead };  // what a question is about
  enum class Stage {
    looking,
    leasing,
    claiming,
    checking,
    settling,
    running,
    ending,
    end_checking
  };
  // In a cluster: what was told since this job began, until it runs.
  struct Told {
    uint64_t base = 0;                  // of the unit, on which our claim builds
    bool lease = false, claim = false;  // ours
    bool spoilt = false;                // somebody else's, or a gap: what we have may be nothing
    std::optional<Unit> over = {};      // that our claim was written on, and should not have been
  };
  struct Job {
    Job(const MemberOptions& options, uint64_t count, std::string name, std::string nonce)
        : number(count), unit(name), lease(options, std::move(name), std::move(nonce)) {}
    uint64_t number;  // answers to an earlier job about the same unit are not this one's
    std::string unit;
    Lease lease;
    Stage stage = Stage::leasing;
    bool asking = false;    // about the unit
    bool stopping = false;  // StopUnit was said
    bool told_refused = false;
    Told told = {};
    MonoTime since{}, again{};
    uint64_t revision = 0;  // of the unit, on which the next write builds
    Json value;
    std::string written;  // what that write says
    int attempt = 1;
    std::optional<Duration> told_stop = {};
    std::optional<Ended> end = {};
  };
  static bool early(Stage stage) { return stage < Stage::running; }
  using Map = std::map<std::string, std::unique_ptr<Job>>;

  void claim_more();
  void begin(const Unit& unit);
  void drive(Job& job);
  void drive_unit(Job& job);
  void ask_unit(Job& job, BusOp op, std::string value = {});
  void watch_lease(Job& job);
  void looked(Job& job, const BusReply& reply);
  void wrote(Job& job, const BusReply& reply);
  void read(Job& job, const BusReply& reply);
  void read_claim(Job& job, const Unit& unit);
  void read_end(Job& job, const Unit& unit);
  void write_claim(Job& job);
  void write_end(Job& job);
  void claimed(Job& job);
  void give_way(Job& job);
  Job* early_job(const std::string& unit);
  Json end_value(const Job& job) const;
  void start(Job& job);
  void stop(Job& job, std::string because);
  bool ours(const Job& job, const Unit& unit) const;     // written by this claim
  bool running(const Job& job, const Unit& unit) const;  // … and it is claimed still
  void settle(Job& job, Settled how, std::string because = {});
  void drop(Job& job, Duration alone);
  void release(Job& job);
  void clear();

  Desk& desk_;
  Units& units_;
  Capacity capacity_;
  bool draining_ = false, joined_ = false;
  Map jobs_;
  std::vector<std::string> done_;  // to be taken out
  uint64_t count_ = 0;             // of jobs
};

}  // namespace pawl::fleet
