#pragma once
// For tests: a host whose programs do what the test says, and whose sessions outlive the engine like those of real holders.
// It keeps the contract of host.h: bytes flow from where attach() said, Ended comes after the last of them.

#include <csignal>
#include <map>
#include <optional>

#include "host/host.h"

namespace pawl::core {

class FakeHost : public host::Host {
 public:
  struct Session {
    host::Launch launch;
    Size size;
    std::string printed;  // everything its program ever printed
    uint64_t next = 0;    // given out up to here in this life
    uint64_t acknowledged = 0;
    bool opened = false;
    bool flows = false;
    std::optional<host::Ended> end;
    bool end_told = false;
    std::string written;
    std::vector<int> signals;
    BootTime until = {};
    bool killed = false;  // with everything it started
  };
  std::map<SessionId, Session> sessions;
  std::map<SessionId, std::string> history;  // what each printed, also after its close
  std::vector<SessionId> opens, closes, attaches;
  std::vector<std::pair<std::vector<SessionId>, int>> sweeps;
  size_t leftovers = 0;
  int refusals = 0;                    // writes to come that nobody gets
  bool lost_bytes = false;             // a session was closed with bytes that nobody acknowledged
  int doings = 0;                      // calls that do something to a program
  std::function<void()> written = {};  // called when a program got bytes: a test may kill us there

  // What the programs do.
  void runs(SessionId session, pid_t pid = 42) {
    sessions.at(session).opened = true;
    push(host::Opened{session, {pid, 4242}});
  }
  void fails(SessionId session, Error error) {
    sessions.erase(session);
    push(host::OpenFailed{session, std::move(error)});
  }
  void prints(SessionId session, const std::string& bytes) {
    sessions.at(session).printed += bytes;
    history[session] += bytes;
    flow(session);
  }
  void ends(SessionId session, int code, int signal = 0) {
    auto& it = sessions.at(session);
    it.end = host::Ended{session, code, signal, true, Offset{it.printed.size()}};
    flow(session);
  }
  void refuses(SessionId session) { push(host::WriteRefused{session, "full"}); }

  // Its holder looks at the clock.
  void time_is(BootTime now) {
    for (auto& [id, it] : sessions) {
      if (it.until == BootTime{} || now < it.until || it.end) continue;
      it.end = host::Ended{.session = id,
                           .signal = SIGKILL,
                           .end = Offset{it.printed.size()},
                           .cause = "its lease ended while nobody renewed it"};
      flow(id);
    }
  }

  // The daemon dies, and another one comes.
  void daemon_restarts() {
    events_.clear();
    for (auto& [id, it] : sessions) {
      it.flows = it.end_told = false;
      it.opened = true;
      push(host::Found{id,
                       {42, 4242},
                       Offset{it.acknowledged},
                       Offset{it.printed.size()},
                       it.size,
                       it.end.has_value(),
                       it.until});
    }
  }

  void open(SessionId session, const host::Launch& launch) override {
    ++doings;
    opens.push_back(session);
    Session fresh;
    fresh.launch = launch;
    fresh.size = launch.size;
    fresh.until = launch.until;
    fresh.flows = true;
    sessions[session] = fresh;
  }
  void attach(SessionId session, Offset from) override {
    attaches.push_back(session);
    const auto it = sessions.find(session);
    if (it == sessions.end()) return;
    it->second.flows = true;
    it->second.next = from.value;
    flow(session);
  }
  void write(SessionId session, std::string_view bytes) override {
    ++doings;
    if (refusals > 0) {
      --refusals;
      return push(host::WriteRefused{session, "a person is at its pane", true});
    }
    if (sessions.count(session)) sessions[session].written += bytes;
    if (written) written();
  }
  void resize(SessionId session, Size size) override {
    if (sessions.count(session)) sessions[session].size = size;
  }
  void signal(SessionId session, int signal_number) override {
    ++doings;
    if (sessions.count(session)) sessions[session].signals.push_back(signal_number);
  }
  void extend(SessionId session, BootTime until) override {
    if (sessions.count(session)) sessions[session].until = until;
  }
  void kill(SessionId session) override {
    ++doings;
    if (sessions.count(session)) sessions[session].killed = true;
  }
  void acknowledge(SessionId session, Offset upto) override {
    if (sessions.count(session))
      sessions[session].acknowledged = std::max(sessions[session].acknowledged, upto.value);
  }
  void close(SessionId session) override {
    closes.push_back(session);
    const auto it = sessions.find(session);
    if (it == sessions.end()) return;
    if (it->second.acknowledged < it->second.printed.size()) lost_bytes = true;
    sessions.erase(it);
  }
  void look(SessionId session, const model::OwnFiles&) override { looks.push_back(session); }
  std::vector<SessionId> looks;  // asked for, in order
  void sees(SessionId session, const model::Facts& facts) { push(host::FactsRead{session, facts}); }

  size_t signal_leftovers(const std::vector<SessionId>& of, int signal_number) override {
    sweeps.emplace_back(of, signal_number);
    return leftovers;
  }
  std::vector<host::HostEvent> take() override { return std::exchange(events_, {}); }

 private:
  void push(host::HostEvent event) { events_.push_back(std::move(event)); }
  void flow(SessionId session) {
    auto& it = sessions.at(session);
    if (!it.flows) return;
    if (it.next < it.printed.size())
      push(host::Output{session, Offset{it.next}, it.printed.substr(it.next)});
    it.next = it.printed.size();
    if (it.end && !std::exchange(it.end_told, true)) push(*it.end);
  }

  std::vector<host::HostEvent> events_;
};

}  // namespace pawl::core
