#pragma once
// For tests: an engine between a fake host and a journal in memory, in a folder of its own.

#include <gtest/gtest.h>

#include <memory>
#include <set>

#include "base/test_dir.h"
#include "core/face.h"
#include "core/fake_host.h"
#include "core/options.h"
#include "core/parts/terminals.h"
#include "perceive/profile/catalog.h"
#include "store/agent_files.h"
#include "store/memory_disk.h"
#include "store/memory_journal.h"
#include "store/recording_reader.h"

namespace pawl::core {

struct Killed {};

// Dies right after writing the events that reach this number.
class DeadlyJournal : public store::MemoryJournal {
 public:
  size_t deadly = SIZE_MAX;
  Done append(const std::vector<model::Event>& more) override {
    auto done = MemoryJournal::append(more);
    if (done && !more.empty() && events.size() >= deadly) {
      deadly = SIZE_MAX;
      throw Killed{};
    }
    return done;
  }
};

class EngineWorld {
 public:
  // Without a catalog nothing is perceived. `memory`: its files are there, and the machine's disk is left alone.
  explicit EngineWorld(const perceive::Catalog* catalog = nullptr,
                       const std::filesystem::path& where = std::filesystem::temp_directory_path(),
                       store::MemoryDisk* memory = nullptr)
      : home(where), disk(memory), catalog_(catalog) {
    if (memory) memory->put(home.path(), store::Kind::folder);
    live();
  }

  TestDir home;
  store::Disk* disk = nullptr;  // of the next life; null: the machine's, in `home`
  FakeHost host;
  DeadlyJournal journal;
  std::unique_ptr<Engine> engine;
  std::vector<Answer> answers;
  int rule_rounds = EngineOptions{}.rule_rounds;  // of the next life
  std::optional<model::Retention> keep = {};      // … as well
  Clock now{MonoTime{std::chrono::seconds{100}}, WallTime{std::chrono::hours{24 * 365 * 50}},
            BootTime{std::chrono::hours{1}}};

  // A life of the daemon begins; the one before, if any, was killed with -9.
  void live() {
    engine.reset();
    host.daemon_restarts();
    EngineOptions options{home.path(), {}, catalog_};
    options.rule_rounds = rule_rounds;
    options.disk = disk;
    options.keep = keep;
    engine = std::make_unique<Engine>(host, journal, options, *journal.recover());
    engine->recover(now);
  }
  void turn(Duration later = std::chrono::milliseconds{1}) {
    now = {now.mono + later, now.wall + later, now.boot + later};
    host.time_is(now.boot);
    engine->turn(now);
    for (auto& answer : engine->take_answers()) answers.push_back(std::move(answer));
  }
  void turn_and_flush() { turn(kFlushEvery); }

  RequestId run(const std::string& name = "a") {
    RunAsked ask;
    ask.request = engine->next_request();
    ask.spec.name = name;
    ask.spec.command = {"prog", "arg"};
    ask.spec.dir = "/";
    ask.environment = {"A=1", "B=2"};
    ask.because = "asked";
    return engine->submit(ask);
  }
  template <class Ask>
  RequestId ask(const std::string& name = "a") {
    Ask wish;
    wish.request = engine->next_request();
    wish.agent = name;
    return engine->submit(wish);
  }

  const model::Agent* agent(const std::string& name = "a") const {
    return engine->fleet().find(name);
  }
  SessionId session(const std::string& name = "a") const { return agent(name)->session; }
  // A program that runs.
  SessionId running(const std::string& name = "a") {
    run(name);
    turn();
    host.runs(session(name));
    turn();
    return session(name);
  }
  std::string recorded(SessionId session, const std::string& name = "a") const {
    std::vector<store::Part> parts;
    for (const auto& part :
         store::parts_in(engine->files().disk(), engine->files().recordings(name)))
      if (part.session == session) parts.push_back(part);
    return store::output_of(engine->files().disk(), parts).value_or("?");
  }
  std::string screen(const std::string& name = "a") const {
    const auto* live = engine->terminal(name);
    return live ? live->terminal().screen().text() : "?";
  }
  // Every decision has exactly one outcome.
  void check_outcomes() const {
    std::set<Seq> open, closed;
    for (const auto& event : journal.events) {
      if (std::holds_alternative<model::Decided>(event.fact)) open.insert(event.seq);
      if (const auto* outcome = std::get_if<model::Finished>(&event.fact)) {
        EXPECT_TRUE(closed.insert(outcome->decision).second)
            << "two outcomes of " << outcome->decision.value;
      }
    }
    EXPECT_EQ(open, closed);
    EXPECT_EQ(*const_cast<DeadlyJournal&>(journal).recover(), engine->fleet());
  }

 private:
  const perceive::Catalog* catalog_;
};

}  // namespace pawl::core
