#pragma once
// One run of a task: a program without an interface that reads nothing, prints lines (a plain command) or records (`claude -p` with
// stream-json), and ends. In which way follows from its ways and its seed. Its log is the truth that results are held to.
//
// What it prints has numbers, "line RUN.N", each once: output.log has to have them once as well.

#include "sim/world/agents/running.h"
#include "sim/world/agents/task_ways.h"
#include "sim/world/chance.h"

namespace pawl::sim {

enum class Prints : uint8_t { lines, records };

class TaskProgram : public Running {
 public:
  TaskProgram(Prints prints, const TaskWays& ways, uint64_t seed)
      : prints_(prints), ways_(ways), chance_(seed) {}

  void start(MonoTime now, Launch launch) override;
  void read(MonoTime, std::string_view) override {}
  void resize(MonoTime, Size) override {}
  void signal(MonoTime now, int number) override;
  void clock_set(Duration by) override { launch_.wall += by; }
  void behave(const Behaviour&) override {}  // its next run is another program
  std::string print(MonoTime now) override;
  std::optional<MonoTime> wake_at() const override;

  const std::optional<model::Ending>& ended() const override { return ended_; }
  std::vector<std::string> take_hooks(MonoTime) override { return {}; }
  std::vector<Entry> take_log() override { return std::exchange(log_, {}); }
  model::Facts facts(MonoTime now) const override;
  std::vector<OwnFile> files(MonoTime) const override { return {}; }

  // "oom", "crash", "hang", "leave": it comes to its end at once.
  bool order(MonoTime now, std::string_view words) override;
  bool fail(MonoTime now, Trouble trouble, WallTime until) override;

 private:
  // The order is also that of things due at the same instant.
  enum class Due : uint8_t {
    begins,
    says,
    floods,
    goes_silent,
    speaks_again,
    hangs,
    asks,
    dies,
    ends,
    obeys  // the TERM it got
  };
  struct Plan {
    MonoTime at;
    Due due;
  };
  void plan(Due due, MonoTime at) { agenda_.push_back({at, due}); }
  void forget(Due due);
  void draw_lots(MonoTime now);
  void draw_end(MonoTime end);
  void step(MonoTime now, Due due);
  void says(MonoTime now);
  void goes_silent(MonoTime now);
  void comes_to_end(MonoTime now);
  void tells(MonoTime now, const std::string& how);
  void hang(MonoTime now);
  void ask(MonoTime now);
  void finish(MonoTime now, model::Ending ending);
  void put(MonoTime now, const std::string& text);
  void settle(MonoTime now, double processor);
  std::string line();
  Json record(const char* type) const;
  WallTime wall(MonoTime now) const { return launch_.wall + (now - started_); }

  Prints prints_;
  TaskWays ways_;
  Chance chance_;
  Launch launch_;
  MonoTime started_{};
  std::string conversation_;
  std::string how_ = "completed";  // what it will tell: told
  WallTime limit_{};
  bool deaf_ = false, lingers_ = false, asks_ = false;
  std::vector<Plan> agenda_;
  std::string output_;
  std::vector<Entry> log_;
  std::optional<model::Ending> ended_;
  uint64_t lines_ = 0;
  double processor_ = 0, cpu_ = 0;  // a second's use, and all of it until cpu_since_
  MonoTime cpu_since_{};
};

}  // namespace pawl::sim
