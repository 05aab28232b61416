// How panes are started and watched: by their bytes, and by the end of their process.

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "host/environment.h"
#include "host/frames.h"
#include "host/tmux/tmux_host.h"
#include "os/clock.h"
#include "os/file.h"
#include "os/random.h"

namespace pawl::host {
namespace {

constexpr const char* kTaken = "pawl-taken";
constexpr size_t kReadPerTurn = 256u << 10;
constexpr size_t kReadAtOnce = 64u << 10;

// Of our own server: the dead stay until their end was seen, and nothing is drawn that nobody asked for.
constexpr std::string_view kOwnConfig =
    "set -g remain-on-exit on\n"
    "set -gq remain-on-exit-format ''\n"
    "set -g default-terminal tmux-256color\n"
    "set -g history-limit 5000\n"
    "set -g status off\n"
    "set -s escape-time 10\n";

std::string own_name(SessionId session) {
  return fmt::format("{}{}", kOwnPrefix, session.value);
}

}  // namespace

void TmuxHost::refuse_open(SessionId session, Error error) {
  if (Held* known = held(session); known && known->own && !known->pane.empty())
    end_pane(known->pane);
  sessions_.erase(session);
  push(OpenFailed{session, std::move(error)});
}

// Of our own server; the last one takes it along.
void TmuxHost::end_pane(const std::string& pane) {
  ending_.insert(pane);
  own_server().server.ask(fmt::format("kill-pane -t {}\n", tmux_word(pane)),
                          [this, pane](const TmuxServer::Lines*) { ending_.erase(pane); });
}

void TmuxHost::adopt(SessionId session, const Pane& pane) {
  for (const auto& [id, other] : sessions_)
    if (other.pane == pane.id && other.server->server.socket() == pane.server && !other.over)
      return push(OpenFailed{session, Error{"pane " + pane.id + " is adopted already",
                                            "pawl ls shows by which agent"}});
  Held& fresh = sessions_[session];
  fresh.server = &server_at(pane.server);
  fresh.pane = pane.id;
  fresh.process = pane.process;
  draw(session);
}

void TmuxHost::start_own(SessionId session, const Launch& launch) {
  const std::string config = dir_ + "/own.conf";
  if (auto written = os::write_atomically(config, kOwnConfig); !written)
    return refuse_open(session, written.error());
  Held& fresh = sessions_[session];
  fresh.server = &own_server();
  fresh.own = true;
  fresh.size = launch.size;
  fresh.since = os::read_clock().mono;
  fresh.token = os::random_uuid();
  fresh.launch = launch;
  fresh.launch->environment = terminal_environment(
      launch.environment, session_cookie(home_, session), zone_, launch.terminal);
  for (auto& entry : fresh.launch->environment)
    if (entry.starts_with("TERM=")) entry = "TERM=tmux-256color";
  if (const auto frame = encode_open(session, *fresh.launch); !frame)  // what no kernel would take
    return refuse_open(session, frame.error());
  const os::ChildOrder order{
      {"tmux", "-u", "-S", own_socket(), "-f", config, "new-session", "-d", "-P", "-F",
       pane_format(), "-s", own_name(session), "-x", std::to_string(launch.size.cols), "-y",
       std::to_string(launch.size.rows), relays_.gate_command(pawl_, fresh.token)},
      client_environment()};
  auto starter = os::Child::start(
      loop_, order, [this, session](const os::ChildEnd& end) { own_started(session, end); });
  if (!starter) return refuse_open(session, starter.error());
  fresh.starter = std::move(*starter);
}

void TmuxHost::own_started(SessionId session, const os::ChildEnd& end) {
  Held* known = held(session);
  if (!known) return;
  known->starter.reset();
  const auto facts = parse_pane(end.output.substr(0, end.output.find('\n')));
  if (!facts)
    return refuse_open(session, Error{"tmux could not be started: " + os::last_line(end),
                                      "install tmux 3.2 or newer, or use --backend pty"});
  known->pane = facts->id;
  known->process = os::identify(facts->pid).value_or(os::ProcessId{facts->pid, 0});
  known->server->server.ask(
      fmt::format("pipe-pane -IO -t {} {}\n", known->pane,
                  tmux_word(expanded(relays_.relay_command(pawl_, known->token)))),
      {});
  sweep_soon(*known->server, kSweepBusy);
}

TmuxHost::Held* TmuxHost::by_token(const std::string& token, SessionId& session) {
  for (auto& [id, known] : sessions_)
    if (!token.empty() && known.token == token) {
      session = id;
      return &known;
    }
  return nullptr;
}

void TmuxHost::gate_came(const std::string& token, os::Fd connection) {
  SessionId session;
  Held* known = by_token(token, session);
  if (!known || !known->launch || known->gate) return;
  known->gate = std::move(connection);
  let_go_on(session);
}

void TmuxHost::relay_came(const std::string& token, os::Fd stream) {
  SessionId session;
  Held* known = by_token(token, session);
  if (!known || known->stream || known->flow == Flow::swept) return;  // late: the pipe closes
  ::fcntl(stream.get(), F_SETFL, O_NONBLOCK);
  known->stream = std::move(stream);
  known->flow = Flow::streamed;
  known->pipe_tries = 0;
  if (std::exchange(known->noted, false)) push(Noted{session, ""});
  if (known->launch)
    let_go_on(session);
  else
    listen(session);
}

// From now on, when everything that comes before its bytes was told.
void TmuxHost::listen(SessionId session) {
  Held& known = *held(session);
  if (!known.stream || !known.opened || !known.pictured) return;
  known.stream_watch = os::FdWatch(loop_, known.stream.get(),
                                   [this, session](os::FdWatch::Ready) { read_stream(session); });
}

// The pane is watched from its first byte on: now its program may begin.
void TmuxHost::let_go_on(SessionId session) {
  Held& known = *held(session);
  if (!known.gate || !known.stream) return;
  if (auto gone_on = open_gate(known.gate.get(), *known.launch); !gone_on)
    return refuse_open(session, gone_on.error());
  known.gate_watch = os::FdWatch(loop_, known.gate.get(),
                                 [this, session](os::FdWatch::Ready) { gate_said(session); });
}

void TmuxHost::gate_said(SessionId session) {
  Held* known = held(session);
  if (!known || !known->gate) return;
  wire::OpenFailed failed{};
  const ssize_t got = ::recv(known->gate.get(), &failed, sizeof failed, MSG_DONTWAIT);
  if (got < 0 && (errno == EAGAIN || errno == EINTR)) return;
  if (got == static_cast<ssize_t>(sizeof failed))
    return refuse_open(session, explain(failed, known->launch->argv[0], known->launch->dir));
  known->gate_watch = {};
  known->gate = {};
  known->launch.reset();
  known->pictured = true;
  running(session, *known);
  listen(session);
}

void TmuxHost::running(SessionId session, Held& known) {
  if (!std::exchange(known.opened, true)) push(Opened{session, known.process});
  watch_process(session, known);
  if (!known.writes.empty()) flush_writes(*known.server);
}

// Asks for the screen as it is and for what comes after it, in one go: nothing lies between the two.
void TmuxHost::draw(SessionId session) {
  Held& known = *held(session);
  known.flow = Flow::asked;
  known.since = os::read_clock().mono;
  known.pictured = false;
  known.token = os::random_uuid();
  known.stream_watch = {};
  known.stream = {};
  const std::string target =
      known.pane.empty() ? tmux_word("=" + own_name(session) + ":") : known.pane;
  const std::string body = fmt::format(
      "display-message -p -t {0} {1}\n"
      "list-clients -F {4}\n"
      "if-shell -F -t {0} \"#{{pane_pipe}}\" {{ display-message -p {2} }} {{ pipe-pane -IO -t {0} "
      "{3} }}\n"
      "capture-pane -p -e -t {0}\n",
      target, tmux_word(pane_format()), kTaken,
      tmux_word(expanded(relays_.relay_command(pawl_, known.token))), tmux_word(client_format()));
  const bool asked = known.server->server.ask(
      only_for(target, known.process.pid, body),
      [this, session](const TmuxServer::Lines* lines) { drawn(session, lines); });
  if (!asked) known.flow = Flow::none;  // the next sweep tries again
  sweep_soon(*known.server, kSweepBusy);
}

void TmuxHost::drawn(SessionId session, const TmuxServer::Lines* lines) {
  Held* known = held(session);
  if (!known || known->over) return;
  const auto facts = lines && !lines->empty() ? parse_pane(lines->front()) : std::nullopt;
  const bool gone = lines || known->server->server.health() == TmuxServer::Health::gone;
  if (!facts && !known->opened)
    return refuse_open(session, lines ? Error{"there is no pane " + known->pane + " any more",
                                              "tmux list-panes -a shows those there are"}
                                      : Error{known->server->server.why(), "look at that server"});
  if (!facts) {
    known->flow = Flow::none;
    if (gone) missing(session, *known);
    return;
  }
  known->pane = facts->id;
  size_t line = 1;
  const bool first = !std::exchange(known->met, true);
  for (; line < lines->size(); ++line) {
    const auto client = parse_client((*lines)[line]);
    if (!client) break;
    // A person there is known before anything is typed.
    if (first && !client->control && client->pane == known->pane)
      push(PersonSeen{session, client->active});
  }
  running(session, *known);
  if (known->size != facts->size) push(Resized{session, facts->size});
  known->size = facts->size;
  const size_t rows = std::min<size_t>(facts->size.rows, lines->size() - 1);
  known->last_picture =
      picture(*facts, {lines->end() - static_cast<std::ptrdiff_t>(rows), lines->end()});
  print(session, *known, known->last_picture);
  const bool taken = line < lines->size() && (*lines)[line] == kTaken;
  if (taken && ++known->pipe_tries <= kPipeTries) {  // one of ours may be on its way out
    known->flow = Flow::none;
    sweep_soon(*known->server, kPipeSoon);
  } else if (taken) {
    sweep_only(session, *known,
               "its pane has a pipe of its user's, which stays: its screen is looked at "
               "once in a while, not followed");
  }
  known->pictured = true;
  listen(session);
  if (facts->dead) saw_pane(session, *known, *facts);
}

void TmuxHost::print(SessionId session, Held& known, std::string bytes) {
  if (bytes.empty()) return;
  const Offset offset = known.next;
  known.next.value += bytes.size();
  known.server->moved = true;
  push(Output{session, offset, std::move(bytes), true});
}

// As much as is there, up to a limit. What is not read grows in the tmux server: it is never left for long.
size_t TmuxHost::drain(SessionId session, Held& known) {
  size_t total = 0;
  std::string bytes;
  while (known.stream && total < kReadPerTurn) {
    char buffer[kReadAtOnce];
    const ssize_t got = ::read(known.stream.get(), buffer, sizeof buffer);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0 && errno == EAGAIN) break;
    if (got <= 0) {  // the pane is gone, or its pipe was taken away
      known.stream_watch = {};
      known.stream = {};
      known.flow = Flow::none;
      sweep_soon(*known.server, kSweepSoonest);
      break;
    }
    bytes.append(buffer, static_cast<size_t>(got));
    total += static_cast<size_t>(got);
  }
  print(session, known, std::move(bytes));
  return total;
}

void TmuxHost::read_stream(SessionId session) {
  Held* known = held(session);
  if (!known || !known->opened || !known->pictured || known->over) return;
  if (drain(session, *known) > 0 && known->server->every > kSweepBusy)
    sweep_soon(*known->server, kSweepBusy);
}

// Its end is seen at once; how it ended is for tmux to say.
void TmuxHost::watch_process(SessionId session, Held& known) {
  if (known.process_fd) return;
  known.process_fd = os::Fd(static_cast<int>(::syscall(SYS_pidfd_open, known.process.pid, 0)));
  if (!known.process_fd) return sweep_soon(*known.server, kSweepSoonest);
  known.process_watch =
      os::FdWatch(loop_, known.process_fd.get(), [this, session](os::FdWatch::Ready) {
        Held* ended = held(session);
        if (!ended) return;
        ended->process_watch = {};
        sweep_soon(*ended->server, kSweepSoonest);
      });
}

}  // namespace pawl::host
