#pragma once
// The holder's whole state and what each frame and each turn does to it. main.cpp turns the crank.
//
//   main.cpp   waits (ppoll), asks holder for its deadlines
//   holder.cpp sessions, connections, turns      frames.cpp  daemon -> holder      sender.cpp
//   holder -> daemon      until.cpp  sessions that have to be over at some time
//
// One daemon at a time: a newcomer with a valid hello replaces the one before. Decides nothing
// about agents.

#include <poll.h>
#include <stdint.h>

#include "host/holder/keeper.h"
#include "host/holder/link.h"
#include "host/holder/pace.h"
#include "host/holder/session.h"

namespace pawl::holder {

constexpr uint32_t kMaxSessions =
    256;  // 64 live ones by the daemon's choice, the rest ended and not closed yet
constexpr uint32_t kMaxNewcomers = 4;        // connections without a hello; the oldest makes place
constexpr int64_t kLonelyUs = 10 * 1000000;  // without sessions and without a daemon: leave
constexpr int64_t kTickUs = 1000000;  // how often blocked and hung-up terminals are looked at again
constexpr int kLooksAtClose = 4;      // for what a session with an end left behind
constexpr uint64_t kEndAgainNs = 10 * 1000000;  // from one look at what is to be over to the next …
constexpr uint64_t kEndHardNs =
    1000 * 1000000;  // … for so long, then once in so long: it cannot be ended

struct Holder {
  Shared shared;
  int listener = -1;
  int signals = -1;
  int reports = -1;                   // of keepers; the other end is in `shared`
  int alarm = -1;                     // a timer of the clock that goes on during a suspend
  uint64_t alarm_at = 0;              // … and when it rings; 0: never
  bool strays = false;                // somebody may be below us of whom nobody can say whose he is
  const char* dir_path = nullptr;     // of shared.dir, as it was when we started
  const char* socket_name = nullptr;  // inside shared.dir
  Link daemon;
  Link newcomers[kMaxNewcomers];
  Session* sessions[kMaxSessions] = {};
  uint32_t count = 0;
  uint32_t next_to_send = 0;  // round robin
  Pace pace;
  bool term_received = false;
  bool bye_received = false;
  int64_t alone_since_us = 0;  // no daemon since then
  uint64_t place_for = 0;      // the session that `place` is for, until it is opened
  char place[wire::kMaxPlace + 1] = {};
  uint64_t until_for = 0;  // the session that `until` is for, until it is opened
  uint64_t until = 0;
  uint64_t ignored_frames = 0;
};

// holder.cpp
Session* find(Holder& holder, uint64_t id);
Session* add_session(Holder& holder, uint64_t id);  // nullptr when full
void accept_newcomers(Holder& holder);
void hear_newcomer(Holder& holder, Link& newcomer);
void lose_daemon(Holder& holder);
void hear_keepers(Holder& holder);
// Without a daemon, and our socket's name was removed, or its whole folder: bound again, or nobody could ever come.
void bind_again(Holder& holder);
void reap_children(Holder& holder);
void read_terminals(Holder& holder);  // all that epoll reports
void tick(Holder& holder);            // again: blocked and hung-up terminals
void sweep(Holder& holder);           // removes closed sessions
bool should_leave(const Holder& holder);
int64_t next_deadline_us(const Holder& holder);  // -1: none

// until.cpp
uint64_t boot_ns();
void obey_until(Holder& holder, uint64_t id, uint64_t at);
// One more look at everybody that is to be gone with it, each of them killed. True: nobody is left.
bool end_everybody(Holder& holder, Session& session);
bool something_due(const Holder& holder, uint64_t now_ns);
void end_due(Holder& holder, uint64_t now_ns);
void set_alarm(Holder& holder);

// frames.cpp
bool obey_frames(Holder& holder);  // false: the daemon talks nonsense

// sender.cpp
void greet(Holder& holder);  // hello, then one Found per session
void send_pending(Holder& holder);

}  // namespace pawl::holder
