#include "daemon/daemon.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <poll.h>
#include <sys/resource.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>

#include "api/profiles.h"
#include "base/text.h"
#include "base/version.h"
#include "core/face.h"
#include "core/heart.h"
#include "core/options.h"
#include "daemon/asking.h"
#include "daemon/bus_room.h"
#include "daemon/commands.h"
#include "daemon/drain.h"
#include "daemon/earlier_life.h"
#include "daemon/folders.h"
#include "daemon/home_keeper.h"
#include "daemon/kept_limits.h"
#include "daemon/machine_room.h"
#include "daemon/move_room.h"
#include "daemon/notifier.h"
#include "daemon/packer.h"
#include "daemon/server.h"
#include "daemon/serving.h"
#include "daemon/surveys.h"
#include "daemon/task_push.h"
#include "daemon/user_config.h"
#include "host/hosts.h"
#include "os/clock.h"
#include "os/file.h"
#include "os/home.h"
#include "os/loop.h"
#include "os/memory.h"
#include "os/process.h"
#include "os/random.h"
#include "os/service_manager.h"
#include "os/socket.h"
#include "os/zone.h"
#include "store/sqlite_journal.h"

namespace pawl::daemon {
namespace {

constexpr Duration kHouseEvery = core::kBeat, kTidyMemory = std::chrono::minutes{1};
constexpr int kHolderLooks = 100, kHolderLookMs = 20;  // two seconds

// How long there was none; negative: the clock was set back. A first life has nothing to make up for.
Duration away(const std::string& home) {
  const auto last = os::plain_file(home + "/" + os::kAliveName);
  const Duration time = last ? os::read_clock().wall - last->modified : Duration{0};
  return time > -core::kJump ? std::max(Duration{0}, time) : time;
}

// Thousands of recordings stay open.
void raise_file_limit() {
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
  limit.rlim_cur = limit.rlim_max;
  ::setrlimit(RLIMIT_NOFILE, &limit);
}

Result<Zone> zone_of(std::string_view name) {
  if (!name.empty()) return os::load_zone(name);
  const char* tz = std::getenv("TZ");
  return os::local_zone(tz ? tz : "");
}

store::RecordingLimits limits_of(const model::Retention& keep) {
  return {store::kPartLimit, static_cast<uint64_t>(keep.recordings_mb) << 20, keep.recordings_days};
}

// Who hears of what happens: channels of [defaults] notify, and of [tasks] push.
struct Told {
  std::vector<std::string> people, programs;
  model::FleetShare share = {};  // … and what it takes of others' work
};

// One life of the daemon: owns the turn's timer and calls the engine and the server in order.
class Life {
 public:
  Life(const std::string& home, os::Fd listener, store::SqliteJournal& journal, model::Fleet fleet,
       const model::Retention& keep, const perceive::Catalog& catalog, bool dry_run, Told told,
       std::optional<double> drain_s, os::Fd& lock, const os::ServiceManager& manager)
      : home_(home),
        lock_(lock),
        journal_(journal),
        hook_secret_(hook_secrets(home)),
        own_(loop_, home, [this] { wake(); }),
        tmux_(loop_, home, os::own_executable(), [this] { wake(); }),
        host_(own_, tmux_),
        engine_(host_, journal,
                {.home = home,
                 .recordings = limits_of(keep),
                 .catalog = &catalog,
                 .zone_of = zone_of,
                 .pawl = os::own_executable(),
                 .new_id = os::random_uuid,
                 .hook_secret = hook_secret_,
                 .dry_run = dry_run,
                 .asks = true,
                 .keep = keep},
                std::move(fleet)),
        facts_{
            .version = std::string(kVersion), .pid = ::getpid(), .started = os::read_clock().wall},
        machines_(loop_, engine_, facts_, home, [this] { wake(); }),
        bus_(loop_, engine_, facts_, home, std::move(told.share), [this] { wake(); }),
        moves_(loop_, engine_, facts_, [this] { wake(); }),
        drain_(engine_, bus_, drain_s),
        server_(loop_, std::move(listener), engine_, facts_, [this] { wake(); }),
        keeper_(loop_, home, lock, server_, [this] { home_gone(); }),
        serving_(loop_, engine_, facts_, home, [this] { wake(); }),
        folders_(loop_, engine_, [this] { wake(); }),
        commands_(loop_, engine_, home, [this] { wake(); }),
        notifier_(loop_, engine_, std::move(told.people)),
        packer_(loop_, engine_),
        push_(loop_, engine_, home, told.programs, [this] { wake(); }),
        surveys_(loop_, engine_, home, [this] { wake(); }),
        soon_(loop_, [this] { turn(); }),
        timer_(loop_, [this] { turn(); }),
        house_(loop_, [this] { keep_house(); }),
        manager_(manager),
        pulse_(loop_, [this] { give_pulse(); }),
        term_(loop_, SIGTERM, [this] { leave(); }),
        interrupt_(loop_, SIGINT, [this] { leave(); }) {
    facts_.cookie = cookie_start(home);
    facts_.who = [this, &catalog](const os::Peer& peer) {
      auto roots = own_.roots();
      if (const auto tmux = own_tmux_.server()) roots.push_back({*tmux, {}});
      return asker_at(peer, engine_.fleet(), std::move(roots), catalog);
    };
    facts_.secret = hook_secret_;
    facts_.limits = [this] { return kept_limits(own_); };
    notifier_.offer([this](const std::string& agent, const std::string& dialog, WallTime at,
                           int place, const std::string& via) -> std::optional<Notifier::Link> {
      const auto link = serving_.approval({agent, dialog, 0, place, via}, at);
      return link ? std::optional(Notifier::Link{link->url, link->code}) : std::nullopt;
    });
    own_.shared = tmux_.shared = server_names(catalog);
  }

  // `word`: something everybody should know, from the life before.
  Result<int> run(const std::function<void()>& ready, const std::string& word) {
    if (auto found = own_.connect_existing(); !found) return tl::unexpected(found.error());
    own_.expect(terminals(engine_.fleet()));
    tmux_.expect(panes(engine_.fleet()));
    engine_.recover(os::read_clock(), away(home_));
    serving_.begin_again();
    machines_.begin_again();
    bus_.begin_again();
    moves_.begin_again();
    if (!word.empty()) tell(word);
    (void)os::touch(home_ + "/" + os::kAliveName);
    ready();
    manager_.say("READY=1");
    give_pulse();
    wake();
    house_.start(kHouseEvery);
    loop_.run();
    if (!again_) manager_.say("STOPPING=1");
    engine_.flush(os::read_clock());
    return drain_.cut_off() ? kTimedOut : 0;
  }

  // Told to run again: the home was removed, and is there again.
  bool again() const { return again_; }
  size_t holders() const { return own_.holders(); }

 private:
  void wake() { soon_.ask(); }

  // The loop turns: systemd's watchdog wants to know that, and nothing else.
  void give_pulse() {
    if (!manager_.pulse()) return;
    manager_.say("WATCHDOG=1");
    pulse_.start(*manager_.pulse());
  }

  void turn() {
    const Clock now = os::read_clock();
    const os::Pulse pulse = os::read_pulse();
    const auto slept = heart_.beat(now, pulse.boot, pulse.stopped);
    if (slept) engine_.slept(now, *slept);
    engine_.turn(now);
    if (slept)
      (void)os::touch(home_ + "/" + os::kAliveName);  // the next daemon is not to see it again
    folders_.follow();
    facts_.unwatched = folders_.unwatched();
    commands_.follow();
    notifier_.follow(now);
    packer_.follow();
    push_.follow();
    surveys_.follow();
    if (drain_.step(now)) facts_.leaving = true;  // those who are attached hear of it
    const auto answers = engine_.take_answers();
    moves_.follow(now, answers);
    server_.publish(now, answers);
    serving_.publish(now, answers);
    bus_.publish(now, answers);
    if (facts_.leaving && server_.idle()) return loop_.stop();
    std::optional<MonoTime> due = engine_.wake_at();
    for (const auto stream : {server_.wake_at(), serving_.wake_at(), bus_.wake_at(),
                              moves_.wake_at(), drain_.wake_at(now.mono)})
      if (stream && (!due || *stream < *due)) due = stream;
    os::expect_to_read(std::min(due.value_or(now.mono + kHouseEvery), now.mono + kHouseEvery));
    if (due)
      timer_.start(*due - now.mono);
    else
      timer_.cancel();
  }

  void keep_house() {
    (void)journal_.keep_house(engine_.fleet(),
                              os::read_clock().wall);  // tried again at the next turn of the hand
    (void)os::touch(home_ + "/" + os::kAliveName);
    own_.look_at_holders();
    tidy_memory(os::read_clock().mono);
    house_.start(kHouseEvery);
    wake();
  }

  // What came and went leaves holes, which the allocator keeps: after thousands of tasks more than is in use.
  void tidy_memory(MonoTime now) {
    if (now - tidied_ < kTidyMemory || engine_.fleet().last == tidied_at_) return;
    tidied_ = now;
    tidied_at_ = engine_.fleet().last;
    os::give_back_memory();
  }

  void tell(const std::string& word) {
    core::Noted noted;
    noted.alert = {model::Severity::error, word};
    engine_.submit(noted);
    wake();
  }

  // Agents that run are not left alone: the home is made again, and everything begins as after a kill. Without any there is
  // nothing to go on for.
  void home_gone() {
    size_t running = 0;
    for (const auto& [name, agent] : engine_.fleet().agents) running += agent.running() ? 1 : 0;
    fmt::print(stderr, "pawl: {} was removed; {} agents run\n", home_, running);
    if (running == 0) {
      facts_.leaving = true;
      return wake();
    }
    engine_.flush(os::read_clock());
    const auto made = make_home_again(home_, journal_, lock_);
    again_ = made.has_value();
    if (again_) return loop_.stop();
    if (!std::exchange(told_gone_, true))
      tell(home_ + " was removed and cannot be made again; agents keep running, nothing is kept: " +
           text_of(made.error()));
  }

  void leave() {
    if (!drain_.begin(os::read_clock().mono)) facts_.leaving = true;
    wake();
  }

  static constexpr int kTimedOut = 124;

  std::string home_;
  OwnTmux own_tmux_{home_};
  os::Fd& lock_;
  bool again_ = false;
  bool told_gone_ = false;
  core::Heart heart_{os::read_clock(), os::read_pulse().boot, os::read_pulse().stopped};
  os::Loop loop_;
  store::SqliteJournal& journal_;
  std::function<std::string(SessionId)> hook_secret_;
  host::PtyHost own_;
  host::TmuxHost tmux_;
  host::Hosts host_;
  core::Engine engine_;
  api::Server facts_;
  MachineRoom machines_;  // before those who speak with them
  BusRoom bus_;           // … as well
  MoveRoom moves_;        // … and these
  Drain drain_;
  SocketServer server_;
  HomeKeeper keeper_;
  Serving serving_;
  Folders folders_;
  Commands commands_;
  Notifier notifier_;
  Packer packer_;
  TaskPush push_;
  Surveys surveys_;
  os::Soon soon_;
  os::Timer timer_;
  os::Timer house_;
  MonoTime tidied_ = os::read_clock().mono;
  Seq tidied_at_;
  const os::ServiceManager& manager_;
  os::Timer pulse_;
  os::SignalWatch term_;
  os::SignalWatch interrupt_;
};

struct LifeEnd {
  int code = 0;
  bool again = false;
  size_t holders = 0;
};

// From the journal to the end of the loop.
Result<LifeEnd> live(const std::string& home, bool dry_run, std::optional<double> drain_s,
                     os::Fd& lock, const os::ServiceManager& manager,
                     const std::function<void()>& ready, const std::string& word) {
  const model::Config config = user_config();
  const model::Retention& keep = config.retention;
  auto journal =
      store::SqliteJournal::open(home + "/journal.db", {keep.events_days, keep.events_max});
  if (!journal) return tl::unexpected(journal.error());
  auto fleet = (*journal)->recover();
  if (!fleet) return tl::unexpected(fleet.error());
  auto listener = os::listen_local(home, os::kSocketName);
  if (!listener) return tl::unexpected(listener.error());
  const api::Profiles profiles = api::load_profiles(os::config_dir());
  for (const auto& error : profiles.complaints) fmt::print(stderr, "pawl: {}\n", text_of(error));
  Life life(home, std::move(*listener), **journal, std::move(*fleet), keep, profiles.catalog,
            dry_run, {config.defaults.notify, config.push, config.fleet}, drain_s, lock, manager);
  const auto code = life.run(ready, word);
  if (!code) return tl::unexpected(code.error());
  return LifeEnd{*code, life.again(), life.holders()};
}

// They bind their sockets again when the life before has let go of them.
void wait_for_holders(const std::string& home, size_t count) {
  for (int i = 0; i < kHolderLooks && os::list_dir(home + "/holders").size() < count; ++i)
    ::poll(nullptr, 0, kHolderLookMs);
}

}  // namespace

Result<int> run(const std::string& home, bool dry_run, std::optional<double> drain_s,
                const std::function<void()>& ready) {
  if (auto fine = os::prepare_home(home); !fine) return tl::unexpected(fine.error());
  auto lock = only_one(home);
  if (!lock) return tl::unexpected(lock.error());
  std::signal(SIGPIPE, SIG_IGN);
  for (const int number : {SIGHUP, SIGUSR1, SIGUSR2}) std::signal(number, SIG_IGN);
  raise_file_limit();
  const os::ServiceManager manager;
  auto end = live(home, dry_run, drain_s, *lock, manager, ready, "");
  while (end && end->again) {
    wait_for_holders(home, end->holders);
    end = live(
        home, dry_run, drain_s, *lock, manager, [] {},
        home +
            " was removed while agents ran; they keep running. The journal is there "
            "again; recordings, environments and files of agents are lost");
  }
  if (!end) return tl::unexpected(end.error());
  return end->code;
}

}  // namespace pawl::daemon
