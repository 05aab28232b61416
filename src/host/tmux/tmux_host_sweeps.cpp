// What sweeps see: panes that changed, ended or are gone, people at clients, and when what is to be written may be written.

#include <fmt/core.h>
#include <unistd.h>

#include "host/tmux/tmux_host.h"
#include "os/clock.h"

namespace pawl::host {
namespace {

constexpr std::string_view kPicture = "pawl-picture ", kWrote = "pawl-wrote";

struct Seen {
  std::map<std::string, PaneFacts> panes;
  std::vector<ClientFacts> clients;
  std::map<std::string, std::vector<std::string>> pictures;
  std::string said;  // without the pictures
};

Seen read(const TmuxServer::Lines& lines) {
  Seen seen;
  std::vector<std::string>* rows = nullptr;
  for (const auto& line : lines) {
    if (line.starts_with(kPicture)) {
      rows = &seen.pictures[line.substr(kPicture.size())];
    } else if (rows) {
      rows->push_back(line);
    } else {
      seen.said += line + '\n';
      if (auto pane = parse_pane(line)) {
        auto& known = seen.panes.try_emplace(pane->id, *pane).first->second;
        known.session_active = std::max(known.session_active, pane->session_active);
      }
      if (auto client = parse_client(line)) seen.clients.push_back(std::move(*client));
    }
  }
  return seen;
}

}  // namespace

void TmuxHost::sweep_soon(Watched& watched, Duration wait) {
  if (watched.sweeping) {
    watched.again = true;
    return;
  }
  watched.every = std::min(watched.every, std::max(wait, kSweepSoonest));
  watched.timer.start(wait);
}

void TmuxHost::sweep(Watched& watched) {
  if (watched.sweeping) {
    watched.again = true;
    return;
  }
  std::string script = fmt::format("list-panes -a -F {}\nlist-clients -F {}\n",
                                   tmux_word(pane_format()), tmux_word(client_format()));
  bool any = false;
  for (const auto& [session, known] : sessions_) {
    any = any || known.server == &watched;
    if (known.server == &watched && known.flow == Flow::swept && !known.over)
      script += fmt::format("display-message -p \"{0}{1}\"\ncapture-pane -p -e -t {1}\n", kPicture,
                            known.pane);
  }
  const bool own =
      watched.server.socket() == own_socket() && !std::exchange(looked_for_strays_, true);
  if (!any && !own) return;  // nobody's business any more
  watched.timer.cancel();
  watched.sweeping = watched.server.ask(
      std::move(script),
      [this, &watched](const TmuxServer::Lines* lines) { swept(watched, lines); });
}

void TmuxHost::swept(Watched& watched, const TmuxServer::Lines* lines) {
  watched.sweeping = false;
  const MonoTime now = os::read_clock().mono;
  std::vector<SessionId> here;
  for (const auto& [session, known] : sessions_)
    if (known.server == &watched && !known.over) here.push_back(session);
  if (lines) {
    const Seen seen = read(*lines);
    watched.swept = now;
    watched.moved = watched.moved || seen.said != watched.last;
    watched.last = seen.said;
    saw_clients(watched, seen.clients, seen.panes);
    for (const SessionId session : here) {
      Held* known = held(session);
      if (!known || known->over || known->pane.empty() || known->starter) continue;
      const auto facts = seen.panes.find(known->pane);
      if (facts == seen.panes.end()) {
        missing(session, *known);
        continue;
      }
      const auto rows = seen.pictures.find(known->pane);
      if (rows != seen.pictures.end())
        redraw(session, *known, picture(facts->second, rows->second));
      saw_pane(session, *known, facts->second);
    }
    flush_writes(watched);
    if (watched.server.socket() == own_socket()) end_strays(seen.panes);
  } else {
    for (const SessionId session : here) {
      Held* known = held(session);
      if (!known) continue;
      if (watched.server.health() == TmuxServer::Health::gone)
        missing(session, *known);
      else
        refuse_writes(session, *known, watched.server.why());
    }
  }
  watched.every =
      std::exchange(watched.moved, false) ? kSweepBusy : std::min(watched.every * 2, kSweepIdle);
  watched.timer.start(std::exchange(watched.again, false) ? kSweepSoonest : watched.every);
}

// Panes of our own server that nobody knows: a daemon was killed before it ended them.
void TmuxHost::end_strays(const std::map<std::string, PaneFacts>& panes) {
  for (const auto& [id, facts] : panes) {
    bool known = !facts.place.starts_with(kOwnPrefix) || ending_.contains(id);
    for (const auto& [session, one] : sessions_)
      known = known || (one.own && (one.pane == id || one.pane.empty()));
    if (!known) end_pane(id);
  }
}

void TmuxHost::redraw(SessionId session, Held& known, std::string shown) {
  if (shown == known.last_picture) return;
  known.last_picture = std::move(shown);
  print(session, known, known.last_picture);
}

void TmuxHost::saw_pane(SessionId session, Held& known, const PaneFacts& facts) {
  if (facts.pid != known.process.pid)
    return finish(session, known,
                  Ended{.session = session, .known = false, .why = "its pane was started anew"});
  if (facts.dead && known.flow == Flow::none && !std::exchange(known.looked_last, true))
    return draw(session);  // what it printed at last
  if (facts.dead) {
    const MonoTime now = os::read_clock().mono;
    const bool told = facts.dead_status >= 0 || facts.dead_signal != 0;
    // While tmux takes a closed terminal out of utmp it does not hear of children that end. The next one that does wakes it.
    if (!told && !known.dead_since) known.server->server.ask("run-shell -b true\n", {});
    if (!known.dead_since) known.dead_since = now;
    if (!told && now - *known.dead_since < kStatusLimit)
      return sweep_soon(*known.server, kSweepSoonest);
    Ended end{.session = session};
    end.known = told;
    end.signal = facts.dead_signal;
    if (end.signal == 0) end.exit_code = facts.dead_status;
    return finish(session, known, end);
  }
  known.session_active = facts.session_active;
  if (!known.opened) return;
  if (facts.size != known.size) {
    known.size = facts.size;
    push(Resized{session, facts.size});
    if (known.flow != Flow::swept) known.flow = Flow::none;  // tmux moved lines: drawn anew
  }
  const bool late = os::read_clock().mono - known.since > kRelayLimit;
  if (known.flow == Flow::asked && known.pictured && late) {
    sweep_only(session, known,
               "its bytes do not reach us: its screen is looked at once in a while");
  }
  // Its user's pipe has ended, or a pipe of ours may work by now.
  if (known.flow == Flow::swept && !facts.piped && os::read_clock().mono - known.since > kPipeAgain)
    known.flow = Flow::none;
  if (known.flow == Flow::none) draw(session);
}

void TmuxHost::sweep_only(SessionId session, Held& known, const std::string& why) {
  known.flow = Flow::swept;
  known.since = os::read_clock().mono;
  if (!std::exchange(known.noted, true)) push(Noted{session, why});
}

// A person's keys go to the pane that was in front of them, which may be another by now.
void TmuxHost::saw_clients(Watched& watched, const std::vector<ClientFacts>& clients,
                           const std::map<std::string, PaneFacts>& panes) {
  std::map<std::string, std::pair<std::string, WallTime>> now;
  for (const auto& client : clients) {
    if (client.control) continue;
    now[client.name] = {client.pane, client.active};
    const auto before = watched.clients.find(client.name);
    if (before != watched.clients.end() && before->second.second >= client.active) continue;
    person_at(watched, client.pane, client);
    if (before != watched.clients.end() && before->second.first != client.pane)
      person_at(watched, before->second.first, client);
    for (const auto& [id, facts] : panes)
      if (facts.synchronized && facts.window == client.window && id != client.pane)
        person_at(watched, id, client);
  }
  watched.clients = std::move(now);
}

void TmuxHost::person_at(Watched& watched, const std::string& pane, const ClientFacts& client) {
  for (auto& [session, known] : sessions_) {
    if (known.server != &watched || known.pane != pane || known.over) continue;
    push(PersonSeen{session, client.active});
    refuse_writes(session, known, "a person is at its pane", true);
  }
}

void TmuxHost::missing(SessionId session, Held& known) {
  if (!known.opened)
    return refuse_open(session, Error{"its pane was gone before it ran", "try again"});
  const bool server = known.server->server.health() == TmuxServer::Health::gone;
  finish(session, known,
         Ended{.session = session,
               .known = false,
               .why = server ? "its tmux server is gone" : "its pane was closed"});
}

// Every byte first: the server still has some, or they are on their way.
void TmuxHost::finish(SessionId session, Held& known, Ended end) {
  if (!known.opened)
    return refuse_open(session, Error{"its program ended before it ran", "try again"});
  if (std::exchange(known.over, true)) return;
  looks_.forget(session);
  refuse_writes(session, known, "its program has ended");
  known.stream_watch = {};
  known.process_watch = {};
  finish_when_quiet(session, std::move(end));
}

void TmuxHost::finish_when_quiet(SessionId session, Ended end) {
  Held* known = held(session);
  if (!known) return;
  const bool more = drain(session, *known) > 0;
  const bool asked =
      more && known->stream && known->server->server.ask("", [this, session, end](const auto*) {
        finish_when_quiet(session, end);
      });
  if (asked) return;
  end.end = known->next;
  push(std::move(end));
}

void TmuxHost::flush_writes(Watched& watched) {
  for (auto& [session, known] : sessions_) {
    if (known.server != &watched || known.writes.empty() || known.over || !known.opened) continue;
    if (std::exchange(known.writing, true)) continue;  // one after the other
    std::string body = leave_mode(known.pane);
    for (const auto& write : known.writes)
      body += write.file.empty()
                  ? type_bytes(known.pane, write.bytes)
                  : paste_file(known.pane, write.buffer, write.file, write.bracketed);
    body += fmt::format("display-message -p {}\n", kWrote);
    const auto writes = std::exchange(known.writes, {});
    const bool asked = watched.server.ask(
        only_for(known.pane, known.process.pid,
                 unless_typed(known.pane, known.session_active, body)),
        [this, id = session, writes](const TmuxServer::Lines* lines) { wrote(id, writes, lines); });
    if (!asked) wrote(session, writes, nullptr);
    watched.moved = true;
  }
}

void TmuxHost::wrote(SessionId session, std::vector<Write> writes, const TmuxServer::Lines* lines) {
  Held* known = held(session);
  if (!known) return remove_files(writes);
  known->writing = false;
  if (lines && !lines->empty() && lines->back() == kTyped && !known->over &&
      ++known->delays <= kDelays) {
    writes.insert(writes.end(), std::make_move_iterator(known->writes.begin()),
                  std::make_move_iterator(known->writes.end()));
    known->writes = std::move(writes);
    return sweep(*known->server);  // was that here? Else they go now
  }
  remove_files(writes);
  for (const auto& write : writes) known->write_bytes -= std::min(write.size, known->write_bytes);
  if (std::exchange(known->delays, 0) > kDelays)
    push(WriteRefused{session, "somebody types in its session all the time", true});
  else if (!lines || lines->empty() || lines->back() != kWrote)
    push(WriteRefused{session, lines ? "its pane is gone" : known->server->server.why()});
  sweep_soon(*known->server, known->writes.empty() ? kSweepBusy : Duration{});
}

void TmuxHost::refuse_writes(SessionId session, Held& known, const std::string& why, bool later) {
  known.delays = 0;
  if (known.writes.empty()) return;
  for (const auto& write : known.writes)
    known.write_bytes -= std::min(write.size, known.write_bytes);
  remove_files(std::exchange(known.writes, {}));
  push(WriteRefused{session, why, later});
}

}  // namespace pawl::host
