// How a session comes into a holder: when it is known which limits can be kept, and when a holder answers.

#include <algorithm>

#include "host/pty_host.h"
#include "os/holders.h"

namespace pawl::host {

// Those that waited to hear which limits can be kept. What they were told meanwhile follows.
void PtyHost::open_waiting() {
  std::vector<SessionId> waiting;
  for (const auto& [id, known] : sessions_)
    if (known.waits && limits_.ready(known.limits)) waiting.push_back(id);
  std::sort(waiting.begin(), waiting.end());
  for (const SessionId id : waiting) {
    Held& known = *held(id);
    known.waits = false;
    const auto placed = place(id, known);
    if (placed) continue;
    sessions_.erase(id);
    refuse_open(id, placed.error());
  }
}

// Into the group that keeps its limits, and a holder.
Done PtyHost::place(SessionId session, Held& held) {
  const auto group = limits_.prepare(session, held.limits);
  if (!group) return tl::unexpected(group.error());
  if (!group->empty()) held.request.insert(0, encode_place(session, *group));
  return send_open(held);
}

// Into a holder that has room and is not known to be out of reach.
Done PtyHost::send_open(Held& held) {
  const auto link = link_with_room(held.ends);
  if (!link) return tl::unexpected(link.error());
  if (!(*link)->send(held.request))
    return fail("the terminal holder does not answer", "try again later");
  held.link = *link;
  held.looks = 0;
  ++held.link->live;
  ++held.link->total;
  if (!open_timer_.armed()) open_timer_.start(kOpenLook);
  return {};
}

// Its holder has not opened it. Should it still do so one day, it is to hang up at once.
void PtyHost::leave(SessionId session, Held& held) {
  held.link->send(encode(wire::kClose, session));
  --held.link->live;
  --held.link->total;
  held.link = nullptr;
}

// Opens that were not answered: another holder is taken in place of a stopped one. One that takes long is waited for, but not
// for ever.
void PtyHost::look_at_opens() {
  std::vector<SessionId> waiting;
  for (const auto& [id, known] : sessions_)
    if (!known.opened && known.link) waiting.push_back(id);
  for (const SessionId id : waiting) {
    Held& known = *held(id);
    const bool stopped = os::stopped(known.link->process);
    if (stopped) tell_of(*known.link, HolderSeen::What::stopped);
    const bool late = ++known.looks >= kOpenLooks;
    if (!stopped && !late) continue;
    const auto pid = known.link->process.pid;
    if (!stopped) tell_of(*known.link, HolderSeen::What::silent);
    leave(id, known);
    Done placed =
        stopped ? send_open(known)
                : fail("the terminal holder (pid " + std::to_string(pid) + ") does not answer",
                       "pawl doctor shows it");
    if (placed) continue;
    sessions_.erase(id);
    refuse_open(id, placed.error());
  }
  const bool more = std::any_of(sessions_.begin(), sessions_.end(), [](const auto& one) {
    return !one.second.opened && one.second.link;
  });
  if (more && !open_timer_.armed()) open_timer_.start(kOpenLook);
}

}  // namespace pawl::host
