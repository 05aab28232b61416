#pragma once
// What must be true of a night, each asked by a part of its own. They see what is written in the journal, what programs really took
// (their log), what people and senders did, and the state after every turn. They change nothing, and believe nothing the engine
// says of itself that the world can tell better.

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "model/fleet.h"
#include "sim/world/agents/log.h"
#include "store/disk.h"
#include "store/filed_tasks.h"

namespace pawl::sim {

struct Violation {
  MonoTime at{};
  std::string checker;
  std::string agent;  // empty: the fleet
  std::string what;
  std::string screen = {};  // as its terminal showed it then
};

// The state after a turn.
struct Look {
  Clock now;
  const model::Fleet& live;     // the engine's
  const model::Fleet& written;  // the fold of the journal
  bool full = false;            // it cannot be written
  store::Disk* disk = nullptr;  // where the daemon's files are, to be read
  store::FiledTasks* filed = nullptr;
  std::function<std::string(const std::string& agent)> box =
      {};  // what its program has in it, if it reads
};

// A difference between clocks that nobody is told of.
inline constexpr Duration kClocks = std::chrono::seconds{2};

class Checker {
 public:
  virtual ~Checker() = default;
  virtual std::string_view name() const = 0;

  // Something is written down; `before`: the fold without it.
  virtual void event(const Clock&, const model::Event&, const model::Fleet& before) {
    (void)before;
  }
  // A program took or lost something, was asked or answered; a run of a task did what it did.
  virtual void took(const std::string& agent, const Entry&) { (void)agent; }
  // The daemon wrote to its terminal.
  virtual void wrote(MonoTime, const std::string& agent, const std::string& bytes) {
    (void)agent, (void)bytes;
  }
  // A person pressed these keys at its terminal.
  virtual void person(MonoTime, const std::string& agent, const std::string& keys) {
    (void)agent, (void)keys;
  }
  // … which the daemon took, and keeps until what it types is through.
  virtual void held(MonoTime, const std::string& agent, const std::string& keys) {
    (void)agent, (void)keys;
  }
  // A person chose a row of the dialog with this number (Entry::dialog), through the daemon.
  virtual void answers(MonoTime, const std::string& agent, size_t dialog) {
    (void)agent, (void)dialog;
  }
  // A person asked the daemon for something about it: an answer, a stop, …
  virtual void asked(MonoTime, const std::string& agent) { (void)agent; }
  // Somebody sent it this text through the daemon, which took it.
  virtual void sent(MonoTime, const std::string& agent, const std::string& text) {
    (void)agent, (void)text;
  }
  // … or told them at once that it does not.
  virtual void refused(const std::string& agent, const std::string& text) {
    (void)agent, (void)text;
  }
  // The daemon hears that this one's lease lasts until then; the beginning of time: that it is lost.
  virtual void leased(const Clock&, const std::string& agent, BootTime until) {
    (void)agent, (void)until;
  }
  // The daemon is gone, and what it had not written with it, until somebody starts the next.
  virtual void died(MonoTime at, MonoTime until) { (void)at, (void)until; }
  // The kernel says nothing of what processes do, or does again.
  virtual void kernel(MonoTime, bool hangs) { (void)hangs; }
  // The daemon's folder was removed, and the recordings with it: the next daemon does not know what is on any screen.
  virtual void lost_home() {}
  virtual void turned(const Look&) {}
  virtual void ended(const Look&) {}  // the night is over, and its last part was calm

  std::vector<Violation> take() { return std::exchange(found_, {}); }
  bool found() const { return !found_.empty(); }

 protected:
  void violated(MonoTime at, const std::string& agent, std::string what) {
    found_.push_back({at, std::string(name()), agent, std::move(what)});
  }

 private:
  std::vector<Violation> found_;
};

// One of each: the files of this folder.
std::unique_ptr<Checker> check_fold();
std::unique_ptr<Checker> check_intents();
std::unique_ptr<Checker> check_texts();
std::unique_ptr<Checker> check_answers();
std::unique_ptr<Checker> check_people();
std::unique_ptr<Checker> check_restarts();
std::unique_ptr<Checker> check_limits();
std::unique_ptr<Checker> check_silence();
std::unique_ptr<Checker> check_consent();
std::unique_ptr<Checker> check_conversations();
std::unique_ptr<Checker> check_tries();
std::unique_ptr<Checker> check_tasks();
std::unique_ptr<Checker> check_leases();
std::unique_ptr<Checker> check_retention(const model::Retention& keep);

// Nights keep little, so that they see it go.
model::Retention night_retention();

std::vector<std::unique_ptr<Checker>> all_checkers();

}  // namespace pawl::sim
