#include "sim/world/night/draw_tasks.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>

#include "sim/world/chance.h"

namespace pawl::sim {
namespace {

using namespace std::chrono_literals;

constexpr uint64_t kOwnStream = 0x7461736b73;  // beside that of the night
constexpr uint64_t kAsksStream = 0x61736b73;
constexpr uint64_t kLeaseStream = 0x6c65617365;
constexpr double kNightsWithTasks = 0.6;
constexpr size_t kMostTasks = 8;  // in twelve hours
constexpr std::array kBefallsTask{"oom", "crash", "hang", "leave"};

// Mostly none, sometimes now and then, seldom always.
double seldom(Chance& chance) {
  constexpr std::array kRates{0.0, 0.0, 0.0, 0.0, 0.1, 0.4, 1.0};
  return kRates[chance.below(kRates.size())];
}

class TaskDrawing {
 public:
  TaskDrawing(const NightOrder& order, Duration wild, NightStory& story)
      : order_(order), wild_(wild), story_(story), chance_(order.seed ^ kOwnStream) {}

  void make() {
    if (!chance_.happens(kNightsWithTasks)) return;
    const double most = std::max(1.0, static_cast<double>(kMostTasks) * order_.hours / 12);
    const size_t count = 1 + chance_.below(static_cast<size_t>(most));
    for (size_t i = 1; i <= count; ++i) {
      Chance its = chance_.another();
      story_.tasks.push_back(one(its, i));
      happens_to(its, story_.tasks.back());
    }
  }

 private:
  TaskActor one(Chance& chance, size_t number) {
    TaskActor task;
    task.program = chance.happens(0.6) ? "claude" : "plain";
    task.seed = chance.next() >> 1;  // as TOML can say it
    task.stays = chance.happens(0.1);
    task.spec = order_.policy;
    task.spec.runtime = task.program == "plain" ? "generic" : task.program;
    task.spec.name = fmt::format("{}-t{}", task.program == "plain" ? "task" : "claude", number);
    task.spec.command = {task.program == "plain" ? "work" : "claude"};
    task.spec.dir = "/home/dev/" + task.spec.name;
    task.spec.prompt.clear();
    task.spec.restart = model::Restart::never;
    task.spec.mode.clear();
    if (order_.odd_policies) odd_health(chance, task.spec);
    task.ways = ways(chance);
    Chance apart(task.seed ^ kAsksStream);  // what was drawn before it was known stays as it was
    if (task.program == "plain" && apart.happens(0.3)) task.ways.asks = seldom(apart);
    if (chance.happens(0.1)) in_its_last_moments(chance, task);
    task.leased = Chance(task.seed ^ kLeaseStream).happens(0.3);
    return task;
  }
  static void odd_health(Chance& chance, model::AgentSpec& spec) {
    auto& health = spec.task_health;
    if (chance.happens(0.3)) health.base_s = 5 + static_cast<double>(chance.below(90));
    if (chance.happens(0.2)) health.grace_s = static_cast<double>(chance.below(2) * 120);
    if (chance.happens(0.6))
      health.deadline_s =
          60 * (1 + static_cast<double>(chance.below(chance.happens(0.5) ? 15 : 120)));
    if (chance.happens(0.4)) health.retries = static_cast<int>(chance.below(4));
    if (chance.happens(0.1)) health.max_s = health.base_s / 2;
    if (chance.happens(0.2)) spec.limit.margin_s = 0;
    if (chance.happens(0.2)) spec.recovery.auth_refresh = {"true"};
    if (chance.happens(0.1)) spec.stop_grace_s = static_cast<double>(chance.below(2) * 60);
  }
  // Its result comes when its time is nearly over, and its process stays.
  static void in_its_last_moments(Chance& chance, TaskActor& task) {
    const Duration left = chance.between(1s, 50s);
    task.ways = {};
    task.ways.works_from = task.ways.works_to =
        std::chrono::duration_cast<Duration>(
            std::chrono::duration<double>(task.spec.task_health.deadline_s)) -
        left;
    task.ways.lingers = 1;
  }
  static TaskWays ways(Chance& chance) {
    TaskWays out;
    out.works_from = chance.between(1s, 5min);
    out.works_to = out.works_from + chance.between(1s, 40min);
    out.says_every = chance.between(2s, 110s);
    each_rate(out, [&](const char* key, double& rate) {
      if (std::string_view(key) != "asks") rate = seldom(chance);
    });
    return out;
  }
  Doing& add(Duration at, Does does, const std::string& agent = {}) {
    Doing doing;
    doing.at = std::min(at, wild_);
    doing.does = does;
    doing.agent = agent;
    return story_.doings.emplace_back(std::move(doing));
  }
  void happens_to(Chance& chance, const TaskActor& task) {
    const std::string& name = task.spec.name;
    const Duration at = chance.between(20s, wild_);
    const auto soon = [&] { return at + chance.between(1s, 30min); };
    add(at, Does::runs_task, name);
    if (chance.happens(0.2)) add(soon(), Does::befalls, name).text = kBefallsTask[chance.below(4)];
    if (chance.happens(0.2)) {
      add(soon(), Does::cancels_task, name);
      if (chance.happens(0.3) && order_.faults.contains(Fault::reboot))
        upon(chance, at, Does::reboots, name, model::Action::abandon).length =
            chance.between(30s, 10min);
    }
    if (chance.happens(0.2)) add(soon(), Does::resumes_task, name);
    if (chance.happens(0.1)) add(soon(), Does::resumes_task, name).text = "file";
    if (chance.happens(0.05)) add(soon(), Does::stops, name);
    if (chance.happens(0.05)) add(soon(), Does::starts, name);
    if (chance.happens(0.05)) add(soon(), Does::restarts, name);
    if (chance.happens(0.1)) {
      const Duration from = soon();
      add(from, Does::pauses, name);
      add(from + chance.between(1s, 1h), Does::resumes, name);
    }
    if (chance.happens(0.05)) add(soon(), Does::loses_folder, name);
    faults(chance, at, name);
    if (task.leased) leases(at, task);
  }
  // Of their own chance, as whether it has one.
  void leases(Duration at, const TaskActor& task) {
    Chance chance(task.seed ^ kLeaseStream ^ 1);
    const auto amid = [&] { return at + chance.between(1s, 20min); };
    if (!order_.faults.contains(Fault::bus)) return;
    if (chance.happens(0.2)) add(amid(), Does::loses_lease, task.spec.name);
    if (chance.happens(0.5)) add(amid(), Does::cuts_bus).length = chance.between(1s, 1min);
    if (chance.happens(0.3) && order_.faults.contains(Fault::kill))
      add(amid(), Does::kills_daemon).length = chance.between(1s, 1min);
    if (chance.happens(0.2) && order_.faults.contains(Fault::suspend))
      add(amid(), Does::suspends).length = chance.between(1s, 1min);
  }
  // In the moment in which something is decided about it.
  Doing& upon(Chance& chance, Duration at, Does does, const std::string& name,
              model::Action decided) {
    Doing& one = add(std::max(at - 1s, Duration{0}), does, name);
    one.upon = decided;
    one.after = chance.between(Duration{0}, 3s);
    return one;
  }
  // Those of the night also come while it runs, and when something is decided about it.
  void faults(Chance& chance, Duration at, const std::string& name) {
    const auto amid = [&] { return at + chance.between(1s, 20min); };
    const auto any = [&] {
      using enum model::Action;
      constexpr std::array kDecided{finish, abandon, restart, start};
      return kDecided[chance.below(kDecided.size())];
    };
    const auto comes = [&](Fault fault, double likelihood) {
      return chance.happens(likelihood) && order_.faults.contains(fault);
    };
    if (comes(Fault::kill, 0.2)) {
      Doing& one = add(amid(), Does::kills_daemon);
      one.length = chance.between(1s, 40min);
    }
    if (comes(Fault::kill, 0.3)) {
      Doing& one = upon(chance, at, Does::kills_daemon, name, any());
      one.number = chance.below(6);
      one.length = chance.between(1s, 5min);
    }
    if (comes(Fault::reboot, 0.15))
      upon(chance, at, Does::reboots, name, any()).length = chance.between(30s, 1h);
    if (comes(Fault::suspend, 0.2)) add(amid(), Does::suspends).length = chance.between(10s, 6h);
    if (comes(Fault::clock, 0.2)) {
      Doing& one = add(amid(), Does::sets_clock);
      one.length = chance.between(3s, 26h);
      if (chance.happens(0.5)) one.length = -one.length;
    }
    if (comes(Fault::reboot, 0.1)) add(amid(), Does::reboots).length = chance.between(30s, 1h);
  }

  const NightOrder& order_;
  Duration wild_;
  NightStory& story_;
  Chance chance_;
};

}  // namespace

void draw_tasks(const NightOrder& order, Duration wild, NightStory& story) {
  TaskDrawing(order, wild, story).make();
}

}  // namespace pawl::sim
