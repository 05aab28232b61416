#pragma once
// Plays a night (story.h): the daemon's own engine between modelled agents, people, a disk, a clock and faults. Everything outside
// the engine is made up; the engine, perception, delivery, policies, the journal's fold and the files are the daemon's.
//
// The world jumps from one moment at which anybody wants something to the next. Two runs of one story are the same, on every
// machine. What must be true is asked by the checkers (invariants/) after every turn.

#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/face.h"
#include "core/heart.h"
#include "sim/world/chance.h"
#include "sim/world/host/world_host.h"
#include "sim/world/invariants/checker.h"
#include "sim/world/night/coverage.h"
#include "sim/world/night/journal.h"
#include "sim/world/night/report.h"
#include "sim/world/night/rollouts.h"
#include "sim/world/night/story.h"
#include "store/memory_disk.h"
#include "store/patient_disk.h"

namespace pawl::sim {

inline constexpr const char* kHome = "/pawl";  // of the daemon, on the disk in memory

class Night {
 public:
  Night(const NightStory& story, const perceive::Catalog& catalog);
  ~Night();
  Night(const Night&) = delete;
  Night& operator=(const Night&) = delete;

  // Ends with the night, or with the first violation.
  NightReport run();

  // For those who want all of it.
  std::function<void(const Clock&, const model::Event&)> saw = {};

 private:
  // The daemon's lives (night.cpp).
  void begin();
  void live();
  void killed(Duration away);
  void turn();
  void end_commands();
  void look_at_home();
  void answered(const core::Answer& answer);
  Look look();
  void ask_checkers();
  std::optional<MonoTime> next() const;
  void go_to(MonoTime at);
  void written(const model::Event& event, const model::Fleet& before);
  void decided(const std::string& agent, model::Action action);
  void happen_now();
  template <class Tell>
  void each_checker(Tell&& tell) {
    for (auto& one : checkers_) tell(*one);
    tell(coverage_);
  }
  // What happens (doings.cpp).
  void happen(const Doing& doing);
  void person(const Doing& doing);
  void files(const Doing& doing);
  void through_pawl(const Doing& doing);
  void answers(RequestId request, const Doing& doing);
  // The fleet's leases (leases.cpp).
  void give_lease(core::TaskAsked& ask);
  void keep_leases();
  void hear_lease(core::LeaseSeen seen);
  void lose_lease(const std::string& agent);
  void hear_of_limit(const std::string& account, Duration lasts, int64_t odd);
  void cut_bus(Duration length) { bus_back_ = std::max(bus_back_, now_.mono + length); }
  void leases_after_turn();
  std::optional<MonoTime> next_lease() const;
  void judge_leases();
  void meet_bus();
  // Tasks (tasks.cpp).
  void task(const Doing& doing);
  void run_task(const TaskActor& task);
  std::optional<model::Agent> known_task(const std::string& name);
  void read_result(const std::string& agent);
  TaskWays ways_of(const TaskActor& task) const;
  Cast cast_of(const TaskActor& task);
  void fault(const Doing& doing);
  void disk_fault(const Doing& doing);
  void sleeps(Duration length);
  void set_clock(Duration by);
  void reboot(Duration down);
  void limit_account(const Doing& doing);
  void hang_kernel(bool hangs);
  void calm();
  void behave();
  Behaviour behaviour_of(const Actor& actor) const;
  std::string folder_of(const std::string& agent) const;
  const std::string& project_of(const std::string& agent) const;
  Cast cast_of(const std::string& agent);

  const NightStory& story_;
  const perceive::Catalog& catalog_;
  std::map<std::string, const Actor*> actors_;
  std::map<std::string, const TaskActor*> tasks_;
  std::map<std::string, uint64_t> starts_;  // of each: every life has its own chance
  Clock now_;
  MonoTime end_;
  store::MemoryDisk disk_;
  WorldHost host_;
  NightJournal journal_;
  std::unique_ptr<store::PatientDisk> patient_;  // the daemon's look at the disk
  std::unique_ptr<core::Engine> engine_;
  std::optional<MonoTime> comes_at_;      // the next daemon; none: one is there
  std::optional<WallTime> died_;          // the last one, by the wall: what its file says
  std::optional<core::Heart> heart_;      // the daemon's
  Duration boot_{std::chrono::hours{1}};  // since the machine was started
  struct LeaseGiven {
    uint64_t token = 0;
    BootTime until;  // as the bus has it
    MonoTime renew;  // it is next
    Chance chance;   // how its answers come
    bool ours = true;
  };
  std::map<std::string, LeaseGiven>
      leases_;  // by agent; also when they are over: nothing may run then
  std::multimap<MonoTime, core::LeaseSeen> answers_late_;
  MonoTime bus_back_{};
  uint64_t last_token_ = 0;
  std::vector<std::string> pipes_;  // that somebody put into folders
  bool calm_ = false, outage_ = false;
  size_t next_doing_ = 0;
  std::vector<const Doing*> armed_;                                   // wait for a decision
  std::multimap<MonoTime, const Doing*> soon_;                        // … that was made
  std::map<RequestId, std::pair<std::string, std::string>> senders_;  // of which text, to whom
  std::deque<std::pair<MonoTime, core::RunCommand>> commands_;        // that run, and when they end
  Rollouts rollouts_;
  std::vector<std::unique_ptr<Checker>> checkers_;
  Coverage coverage_;
  StateClock states_;
  NightReport report_;
  int rounds_ = 0;  // turns at this instant
};

}  // namespace pawl::sim
