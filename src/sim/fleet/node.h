#pragma once
// One node of the simulated fleet: a machine with its own clocks, a daemon that drives a real fleet::Member as daemon/bus_room does, its
// journal, and a holder that runs programs and kills them at the time it was told, whatever the daemon does.

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "fleet/member.h"
#include "sim/fleet/judge.h"
#include "sim/fleet/wire.h"

namespace pawl::sim {

// The prompt of a unit that is given with a large one: in two parts.
std::string large_prompt(const std::string& unit);

class FleetMachine {
 public:
  FleetMachine(size_t index, const FleetNode& with, uint64_t seed, Exchange& exchange,
               FleetJudge& judge);

  // ---- Faults ----
  void start_daemon();
  void kill_daemon(Duration away);
  void pause_daemon(Duration length);
  void freeze(Duration length, bool sleeps);
  void reboot(Duration down);
  void remove();
  void mend();  // everything goes on, but for what was removed
  Wire& wire() { return wire_; }

  // ---- What people do ----
  void submit(const fleet::UnitOrder& order, const std::string& prompt);
  void cancel(const std::string& unit);
  void resume(const std::string& unit);
  void leave_item(const std::string& node, const std::string& text);
  void ask(const std::string& node);
  void limit(Duration length);
  void chatter();  // an event, and an agent that changes

  // ---- For judges ----
  const std::string& name() const { return name_; }
  bool removed() const { return removed_; }
  bool label() const { return with_.label; }
  bool attentive() const { return member_ && !paused_ && !frozen_; }
  // Nothing was wrong with it for so long.
  bool healthy_for(Duration length) const;
  const fleet::Member* member() const { return member_.get(); }
  uint64_t events() const { return journal_.size(); }
  std::string reader() const;  // this life of it
  const std::set<std::string>& inbox() const { return inbox_; }
  size_t times_got(const std::string& item) const;  // with this text
  size_t claims() const { return claims_.size(); }
  std::optional<WallTime> told_limit() const { return limit_; }
  Duration wall_off() const { return with_.wall_off; }
  std::optional<Duration> agent_wakes(const std::string& agent);  // in true time
  const std::map<std::string, std::string>& agents() const { return views_; }

 private:
  struct Kept {  // in the journal
    fleet::Claim claim;
    std::optional<fleet::Ended> ended = {};
  };
  struct Session {  // in the holder
    uint64_t token = 0, run = 0, watch = 0;
    Duration deadline{};  // since boot
    bool dying = false;
  };
  Duration now() const { return exchange_.timeline.now(); }
  fleet::Now clocks();
  void advance();
  void ill() { ill_ = now(); }
  // Of the daemon: now, or when it goes on.
  void do_now(std::function<void()> what);
  void pump();
  void wake();
  void go_on();
  // Orders.
  void carry_out(const fleet::StartUnit& order);
  void carry_out(const fleet::LeaseUntil& order);
  void carry_out(const fleet::StopUnit& order);
  void carry_out(const fleet::UnitSettled& order);
  void carry_out(const fleet::Submitted& order);
  void carry_out(const fleet::TellPeople&) {}
  void carry_out(const fleet::NodeChanged&) {}
  void carry_out(const fleet::VerbAsked& order);
  void carry_out(const fleet::VerbAnswered& order);
  void carry_out(const fleet::ReadJournal& order);
  void carry_out(const fleet::RemoteEvent& order);
  void carry_out(const fleet::InboxItem& order);
  void carry_out(const fleet::AccountLimited& order);
  void carry_out(const fleet::BlobCame& order);
  // Programs.
  void begin(const std::string& unit, uint64_t token, const Json& task);
  bool is_ours(const fleet::Claim& claim) const;  // it is claimed still
  void begin_if_ours(const fleet::Claim& claim, const Json& task);
  void watch_deadline(const std::string& unit);
  void deadline(const std::string& unit, uint64_t watch);
  void finish(const std::string& unit, uint64_t run);
  void kill(const std::string& unit, const std::string& because);
  void dead(const std::string& unit, uint64_t run, const std::string& because);
  void came(const std::string& unit, uint64_t token, fleet::Ended ended);
  void note(const std::string& agent, const std::string& what);
  void tell_all();

  size_t index_;
  FleetNode with_;
  std::string name_;
  Chance chance_;
  Exchange& exchange_;
  FleetJudge& judge_;
  Wire wire_;
  // Clocks, as they were at last_.
  Duration last_{}, boot_{}, wall_{}, mono_{};
  uint64_t boots_ = 0, lives_ = 0, wakes_ = 0, runs_ = 0, watches_ = 0, tickets_ = 0, changes_ = 0;
  bool paused_ = false, frozen_ = false, removed_ = false, away_ = false;
  uint64_t freezes_ = 0, pauses_ = 0;
  Duration ill_{};
  // On disk.
  std::vector<fleet::JournalEvent> journal_;
  std::map<std::string, Kept> claims_;
  std::set<std::string> inbox_;
  std::map<std::string, std::string> item_texts_;  // by name
  // In the holder.
  std::map<std::string, Session> sessions_;
  std::vector<std::function<void()>> when_thawed_;
  // In the daemon.
  std::unique_ptr<fleet::Member> member_;
  std::deque<std::function<void()>> todo_;
  bool pumping_ = false;
  std::map<uint64_t, std::string> submitted_;
  std::map<uint64_t, std::pair<std::string, std::string>> left_;  // items: for whom, text
  std::map<uint64_t, fleet::StartUnit> fetching_;                 // their prompts are on their way
  std::set<uint64_t> asked_;
  std::map<std::string, std::string> views_;
  std::optional<WallTime> limit_;
};

}  // namespace pawl::sim
