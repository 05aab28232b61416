#pragma once
// What every contract test needs: a Host in a temporary home, a loop, and "go on until this
// happened". Nothing here sleeps: it waits for events, with one overall limit so that a lost event
// fails instead of hanging.

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "host/hosts.h"
#include "os/loop.h"

namespace pawl::host {

class World {
 public:
  explicit World(Backend backend = Backend::pty);
  ~World();  // ends every session and its leftovers, removes the home

  Host& host() { return *host_; }
  PtyHost& pty_host() { return *pty_; }
  const std::string& home() const { return home_; }

  // Forgets the host without a word, as kill -9 of the daemon would, and makes a new one that finds
  // what lives.
  void restart();

  SessionId open(std::vector<std::string> argv, Size size = {}, std::string dir = "/",
                 std::vector<std::string> environment = {});
  SessionId shell(const std::string& script, Size size = {});
  SessionId limited(const std::string& script, const Limits& limits);

  // Takes events until `done`, at most `seconds`. False when the time is over.
  bool until(const std::function<bool()>& done, int seconds = 20);
  bool until_output(SessionId session, const std::string& part);
  bool until_ended(SessionId session, int seconds = 20);
  // Looks again and again until the facts are so.
  bool until_facts(SessionId session, const std::function<bool(const model::Facts&)>& so);
  void close(SessionId session);

  struct Seen {
    bool opened = false;
    bool failed = false;
    bool found = false;
    bool ended = false;
    bool gap = false;  // Output that did not follow the one before
    Error error;
    os::ProcessId process;
    std::string output;
    uint64_t first = 0;  // offset of output[0]
    Ended end;
    int refused = 0;
    std::string noted;
    int looks = 0;  // that were answered
    model::Facts facts;
  };
  Seen& seen(SessionId session) { return seen_[session.value]; }
  bool acknowledging = true;
  std::string root;  // where /proc and /sys are for limits, from the next restart() on

 private:
  void take_events();
  void note(const HostEvent& event);
  void make_host();
  void forget_host();

  std::string home_;
  os::Loop loop_;
  Backend backend_;
  std::unique_ptr<PtyHost> pty_;
  std::unique_ptr<TmuxHost> tmux_;
  std::unique_ptr<Hosts> host_;
  std::map<uint64_t, Seen> seen_;
  uint64_t last_id_ = 0;
};

}  // namespace pawl::host
