// How fast modelled agent programs live (src/sim/world/agents): so many of them, for so many hours of virtual time, each given a
// prompt whenever it has rested for a while. Three times: the programs alone, with the emulation of their terminals, and with
// perception on top. The aim is a thousand agents for twelve hours in a minute and a gibibyte.
//
//   bench_world_agents [AGENTS] [HOURS] [PACE_S]

#include <fmt/core.h>
#include <sys/resource.h>
#include <time.h>

#include <cstdlib>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "perceive/tracker.h"
#include "sim/world/agents/program.h"
#include "term/terminal.h"

namespace {

using namespace pawl;
using namespace std::chrono_literals;

double seconds_now() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

enum class Depth { programs, terminals, perception };

struct Agent {
  std::unique_ptr<sim::Program> program;
  std::unique_ptr<term::Terminal> terminal;
  std::unique_ptr<perceive::Tracker> tracker;
  MonoTime prompt_at{};
  bool pasted = false, drawn = false;
};

struct Counts {
  size_t turns = 0, prints = 0, bytes = 0, looks = 0, taken = 0;
};

class Fleet {
 public:
  Fleet(size_t agents, Depth depth, Duration pace) : chance_(11) {
    sim::Behaviour behaviour;
    behaviour.turn_from = std::chrono::seconds{30};
    behaviour.turn_to = std::chrono::minutes{20};
    behaviour.pace = pace;
    behaviour.tool = 0.5;
    behaviour.asks = 0.05;
    for (size_t i = 0; i < agents; ++i) {
      const sim::Model& model = *sim::models()[i % sim::models().size()];
      Agent agent;
      agent.program = std::make_unique<sim::Program>(model, behaviour, i);
      sim::Launch launch;
      launch.hooks = true;
      agent.program->start(MonoTime{}, launch);
      agent.prompt_at =
          MonoTime{} + chance_.between(std::chrono::seconds{10}, std::chrono::minutes{20});
      if (depth != Depth::programs)
        agent.terminal = std::make_unique<term::Terminal>(
            launch.size, term::Options{.answers = false, .scrollback_lines = 0});
      if (depth == Depth::perception) {
        perceive::TrackerOptions options;
        options.runtime = model.name == "plain" ? "generic" : std::string(model.name);
        agent.tracker = std::make_unique<perceive::Tracker>(catalog(), options, MonoTime{});
      }
      agents_.push_back(std::move(agent));
      queue_.insert({MonoTime{}, i});
    }
  }

  Counts run(Duration lasts) {
    while (queue_.begin()->first < MonoTime{} + lasts) {
      const auto [now, index] = *queue_.begin();
      queue_.erase(queue_.begin());
      queue_.insert(
          {std::max(turn(agents_[index], now), now + std::chrono::milliseconds{1}), index});
    }
    return counts_;
  }

 private:
  static const perceive::Catalog& catalog() {
    static const perceive::Catalog made = perceive::Catalog::built_in();
    return made;
  }

  // One agent, once; when it wants to be looked at next.
  MonoTime turn(Agent& agent, MonoTime now) {
    ++counts_.turns;
    if (now >= agent.prompt_at) type(agent, now);
    const std::string bytes = agent.program->print(now);
    if (!bytes.empty()) {
      ++counts_.prints;
      counts_.bytes += bytes.size();
      if (agent.terminal) agent.terminal->feed(bytes);
      agent.drawn = true;
    }
    agent.program->take_hooks(now);
    counts_.taken += agent.program->take_log().size();
    if (agent.tracker) {
      if (agent.drawn) agent.drawn = !agent.tracker->screen(now, agent.terminal->screen());
      agent.tracker->read(now);
      ++counts_.looks;
    }
    MonoTime next = agent.prompt_at;
    if (const auto wake = agent.program->wake_at()) next = std::min(next, *wake);
    if (agent.tracker && agent.tracker->wake_at()) next = std::min(next, *agent.tracker->wake_at());
    return next;
  }

  // Its prompt, or an answer when it asks.
  void type(Agent& agent, MonoTime now) {
    if (agent.program->asked()) {
      agent.program->read(now, agent.program->model().name == "plain" ? "y" : "\r");
      agent.prompt_at = now + std::chrono::seconds{10};
    } else if (agent.program->working()) {
      agent.prompt_at = now + std::chrono::seconds{60};
    } else if (!agent.pasted) {
      agent.program->read(now, "\x1b[200~please go on with the next part\x1b[201~");
      agent.pasted = true;
      agent.prompt_at = now + std::chrono::milliseconds{300};
    } else {
      agent.program->read(now, "\r");
      agent.pasted = false;
      agent.prompt_at = now + chance_.between(std::chrono::minutes{1}, std::chrono::minutes{30});
    }
  }

  sim::Chance chance_;
  std::vector<Agent> agents_;
  std::set<std::pair<MonoTime, size_t>> queue_;
  Counts counts_;
};

}  // namespace

int main(int argc, char** argv) {
  const size_t agents = argc > 1 ? static_cast<size_t>(std::atol(argv[1])) : 1000;
  const double hours = argc > 2 ? std::atof(argv[2]) : 1;
  const double pace = argc > 3 ? std::atof(argv[3]) : 25;
  const char* const names[] = {"programs", "with terminals", "with perception"};
  for (const Depth depth : {Depth::programs, Depth::terminals, Depth::perception}) {
    const double before = seconds_now();
    Fleet fleet(agents, depth, Duration{static_cast<int64_t>(pace * 1e6)});
    const Counts counts = fleet.run(Duration{static_cast<int64_t>(hours * 3600e6)});
    const double spent = seconds_now() - before;
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    fmt::print(
        "{:16} {} agents, {} h: {:.2f} s of CPU, {} turns ({:.0f} ns each), {} prints, {:.0f} "
        "bytes each, {} log entries, "
        "{} MiB\n",
        names[static_cast<size_t>(depth)], agents, hours, spent, counts.turns,
        spent / static_cast<double>(counts.turns) * 1e9, counts.prints,
        static_cast<double>(counts.bytes) / static_cast<double>(std::max<size_t>(counts.prints, 1)),
        counts.taken, usage.ru_maxrss / 1024);
  }
  return 0;
}
