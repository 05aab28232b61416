#pragma once
// Both kinds of terminals as one Host: own ones and tmux panes, each session with the one that opened or found it.

#include <vector>

#include "host/pty_host.h"
#include "host/tmux/tmux_host.h"

namespace pawl::host {

class Hosts final : public Host {
 public:
  Hosts(PtyHost& own, TmuxHost& tmux) : own_(own), tmux_(tmux) {}

  void open(SessionId session, const Launch& launch) override;
  void attach(SessionId session, Offset from) override { of(session).attach(session, from); }
  void write(SessionId session, std::string_view bytes) override {
    of(session).write(session, bytes);
  }
  bool has_room(SessionId session) override { return of(session).has_room(session); }
  void resize(SessionId session, Size size) override { of(session).resize(session, size); }
  void signal(SessionId session, int number) override { of(session).signal(session, number); }
  void limit(SessionId session, const Limits& limits) override {
    of(session).limit(session, limits);
  }
  void extend(SessionId session, BootTime until) override { of(session).extend(session, until); }
  void kill(SessionId session) override { of(session).kill(session); }
  void acknowledge(SessionId session, Offset upto) override {
    of(session).acknowledge(session, upto);
  }
  void close(SessionId session) override { of(session).close(session); }
  size_t signal_leftovers(const std::vector<SessionId>& sessions, int number) override {
    return own_.signal_leftovers(sessions,
                                 number);  // found by their environment, wherever they ran
  }
  void look(SessionId session, const model::OwnFiles& files) override {
    of(session).look(session, files);
  }
  std::optional<Error> unheard(SessionId session) override { return of(session).unheard(session); }
  std::vector<HostEvent> take() override;

 private:
  Host& of(SessionId session);

  PtyHost& own_;
  TmuxHost& tmux_;
};

}  // namespace pawl::host
