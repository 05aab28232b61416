#pragma once
// Units of the fleet's work that this machine was given, as tasks of its own (doc/fleet.md, "Work runs once"). The member (fleet/member.h)
// decides; what a task with a lease may do is the engine's business (model/lease.h); this carries orders to the one and ends to the other.
//
// A unit's task is begun by the verb `task start` itself, asked by whoever gave the unit to the fleet, so that it has their rights. The
// journal has it with its lease before anything runs.

#include <list>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "api/conversation.h"
#include "daemon/unit_ground.h"
#include "fleet/far_desk.h"
#include "fleet/member.h"

namespace pawl::daemon {

class BusUnits {
 public:
  // `wake` asks for a turn soon.
  BusUnits(os::Loop& loop, core::Engine& engine, api::Server& server, std::string home,
           fleet::LeaseTimes times, fleet::Surroundings surroundings, std::function<void()> wake);
  ~BusUnits();

  // What this machine had been given and is not over, as the holders have it.
  std::vector<fleet::Claim> claims() const;

  void start(const fleet::Now& now, const std::string& node, const fleet::StartUnit& order);
  void until(const fleet::LeaseUntil& order);
  void stop(const fleet::StopUnit& order);
  // What is being made ready is not begun.
  void stop_starting(const std::string& because);
  void prompt_came(const fleet::BlobCame& came);

  // After every turn: what became of them is told to the member.
  void publish(const fleet::Now& now, const std::vector<core::Answer>& answers,
               fleet::Member& member);
  size_t running() const;
  std::optional<MonoTime> wake_at() const;

 private:
  struct Starting;
  void take_ends(const fleet::Now& now, fleet::Member& member);
  void get_ready(const fleet::Now& now, Starting& starting, fleet::Member& member);
  void begin(const fleet::Now& now, Starting& starting);
  void take_start(const fleet::Now& now, Starting& starting, fleet::Member& member);
  void let_go(Starting& starting);
  Json result_of(const core::LeasedTask& task) const;
  std::string folder_of(const core::LeasedTask& task) const;
  std::string agent_of(const std::string& unit, uint64_t token) const;

  os::Loop& loop_;
  core::Engine& engine_;
  api::Server& server_;
  std::string home_;
  fleet::LeaseTimes times_;
  fleet::Surroundings surroundings_;
  std::function<void()> wake_;
  Tidying tidying_;
  uint64_t fetches_ = 0;
  std::list<std::unique_ptr<Starting>> starting_;
  struct End {
    std::string unit;
    uint64_t token;
    fleet::Ended ended;
    Duration after{};  // since boot: not told before
  };
  std::vector<End> ends_;
};

}  // namespace pawl::daemon
