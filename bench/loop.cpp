// Years of seven agents that live in a loop, in virtual time: does anything grow? Argument: SESSIONS of each.
//
// The daemon's own engine, its journal on disk with the usual retention, recordings, inboxes and crash logs; only the programs are
// made up. A session begins every hour, so that what is kept for a month or three has been thrown away many times at the end.
// One in ten crashes, each talks and is in a conversation of its own, and some get work that is taken away again.

#include <fmt/core.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>

#include "base/test_dir.h"
#include "core/face.h"
#include "core/fake_host.h"
#include "core/options.h"
#include "store/agent_files.h"
#include "store/crash_log.h"
#include "store/sqlite_journal.h"

namespace {

using namespace pawl;
namespace fs = std::filesystem;

constexpr int kAgents = 7;
constexpr double kMiB = 1024.0 * 1024;

struct Cost {
  double memory = 0, journal = 0, recordings = 0, crash_logs = 0;  // in MB
  double descriptors = 0;
};

double bytes_below(const fs::path& folder) {
  double bytes = 0;
  for (const auto& entry : fs::recursive_directory_iterator(folder))
    if (entry.is_regular_file()) bytes += static_cast<double>(entry.file_size());
  return bytes;
}

class Years {
 public:
  Years()
      : home_(TestDir::memory()),
        journal_(std::move(*store::SqliteJournal::open(home_ / "journal.db"))),
        engine_(host_, *journal_, {home_.path(), {}}, {}) {
    engine_.recover(now_);
    for (int i = 0; i < kAgents; ++i) {
      core::RunAsked run;
      run.spec.name = name(i);
      run.spec.command = {"prog"};
      run.spec.dir = "/";
      run.spec.strategy = "interval-poll";
      run.spec.loop.interval_s = 3600;
      run.spec.restart = model::Restart::resume;
      engine_.submit(run);
    }
    turn(std::chrono::seconds{1});
  }

  void live(int sessions) {
    while (sessions_ < sessions * kAgents) {
      for (int i = 0; i < kAgents; ++i)
        if (engine_.fleet().find(name(i))->running()) be_a_session(name(i));
      (void)journal_->keep_house(engine_.fleet(), now_.wall);
      const auto next = engine_.wake_at();
      turn(next ? std::max(*next - now_.mono, Duration{1000}) : Duration{1000});
    }
  }

  Cost cost() const {
    Cost size;
    long pages = 0, resident = 0;
    std::ifstream("/proc/self/statm") >> pages >> resident;
    size.memory = static_cast<double>(resident * ::sysconf(_SC_PAGESIZE)) / kMiB;
    for ([[maybe_unused]] const auto& fd : fs::directory_iterator("/proc/self/fd"))
      size.descriptors += 1;
    for (const char* file : {"journal.db", "journal.db-wal"})
      if (fs::exists(home_ / file))
        size.journal += static_cast<double>(fs::file_size(home_ / file)) / kMiB;
    for (int i = 0; i < kAgents; ++i) {
      size.recordings += bytes_below(engine_.files().recordings(name(i))) / kMiB;
      size.crash_logs +=
          static_cast<double>(fs::file_size(engine_.files().crash_log(name(i)))) / kMiB;
    }
    return size;
  }
  double days() const {
    return std::chrono::duration<double, std::ratio<86400>>(now_.mono.time_since_epoch()).count();
  }

 private:
  static std::string name(int i) { return "agent" + std::to_string(i); }

  void turn(Duration later) {
    now_ = {now_.mono + later, now_.wall + later};
    engine_.turn(now_);
    (void)engine_.take_alerts();
    (void)engine_.take_answers();
    (void)engine_.take_folders();
    (void)engine_.take_commands();
    // Of the made-up host, which remembers everything.
    for (auto* list : {&host_.opens, &host_.closes, &host_.attaches, &host_.looks}) list->clear();
    host_.sweeps.clear();
    host_.history.clear();
  }

  void see(SessionId session, model::State state) {
    core::Perceived seen;
    seen.session = session;
    seen.state = state;
    engine_.submit(seen);
    turn(std::chrono::seconds{5});
  }

  void be_a_session(const std::string& agent) {
    const SessionId session = engine_.fleet().find(agent)->session;
    if (!host_.sessions.contains(session)) return turn(std::chrono::seconds{1});
    const int number = ++sessions_;
    host_.runs(session);
    turn(std::chrono::seconds{1});
    engine_.submit(core::ConversationTold{session, fmt::format("conversation-{}", number),
                                          fmt::format("/nowhere/{}/{}.jsonl", agent, number)});
    const std::string work = fmt::format("{}/{}.md", engine_.files().inbox(agent), number);
    if (number % 20 == 0) put(work);
    see(session, model::State::busy);
    for (int row = 0; row < 40; ++row)
      host_.prints(session, fmt::format("\x1b[{};1Hsession {} says something, row {}\x1b[K",
                                        row + 1, number, row));
    see(session, model::State::busy);
    if (number % 20 == 0) fs::remove(work);
    engine_.look_for_wakeup(agent);
    turn(std::chrono::seconds{1});
    host_.ends(session, number % 10 == 3 ? 1 : 0);
    turn(std::chrono::seconds{1});
  }

  void put(const std::string& path) {
    fs::create_directories(fs::path(path).parent_path());
    std::ofstream(path) << "from: alice\n\ndo it";
  }

  TestDir home_;
  core::FakeHost host_;
  std::unique_ptr<store::SqliteJournal> journal_;
  core::Engine engine_;
  Clock now_{MonoTime{std::chrono::seconds{1}},
             WallTime{std::chrono::hours{24 * 365 * 50}}};  // before the files of this run
  int sessions_ = 0;
};

int report(const char* what, double measured, double target) {
  std::printf("%-52s %8.2f  target %6.2f  %s\n", what, measured, target,
              measured <= target ? "ok" : "MISS");
  return measured <= target ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  const int sessions = argc > 1 && std::atoi(argv[1]) > 0 ? std::atoi(argv[1]) : 10000;
  std::setvbuf(stdout, nullptr, _IOLBF, 0);  // it takes minutes: each line when it is known
  Years years;
  std::map<int, Cost> at;
  for (const int part : {10, 2, 1}) {  // a tenth, half, all of it
    years.live(sessions / part);
    const Cost size = at[part] = years.cost();
    std::printf(
        "%d agents, %d sessions each, %.0f days: %.1f MB resident, %.0f descriptors, "
        "journal %.1f MB, recordings %.1f MB, crash logs %.2f MB\n",
        kAgents, sessions / part, years.days(), size.memory, size.descriptors, size.journal,
        size.recordings, size.crash_logs);
  }
  int missed = report("resident memory, MB", at[1].memory, 30);
  missed += report("… all of it to a tenth", at[1].memory / at[10].memory, 1.1);
  missed += report("descriptors, all of it to a tenth", at[1].descriptors / at[10].descriptors, 1);
  missed += report("journal, all of it to half", at[1].journal / at[2].journal, 1.1);
  missed += report("recordings, all of it to half", at[1].recordings / at[2].recordings, 1.1);
  missed += report("crash logs, MB", at[1].crash_logs,
                   kAgents * static_cast<double>(store::kCrashLogBytes) / kMiB);
  return missed == 0 ? 0 : 1;
}
