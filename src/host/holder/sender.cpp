// What the holder tells the daemon. Nothing is queued per event: each turn compares what every
// session is with what this connection was told, so a slow daemon costs no memory and a new one
// hears everything again.

#include <string.h>
#include <unistd.h>

#include "host/holder/holder.h"

namespace pawl::holder {
namespace {

char frame_space[sizeof(wire::Position) + wire::kMaxOutput];

wire::Keeper keeper_of(const Session& session) {
  return {static_cast<uint32_t>(session.child.keeper), 0, session.child.keeper_ticks};
}

bool tell_start(Link& link, Session& session) {
  if (session.told_start || session.phase == Phase::kStarting) return true;
  session.told_start = true;
  if (session.phase == Phase::kFailed) {
    const wire::OpenFailed failed{session.failure.error, session.failure.step};
    return link.put(wire::kOpenFailed, session.id, &failed, sizeof failed);
  }
  const struct {
    wire::Opened opened;
    wire::Keeper keeper;
  } frame{{static_cast<uint32_t>(session.child.pid), 0, session.child.start_ticks},
          keeper_of(session)};
  return link.put(wire::kOpened, session.id, &frame, sizeof frame);
}

bool tell_refused(Link& link, Session& session) {
  if (session.refused == 0) return true;
  const wire::Refused refused{session.refused};
  session.refused = 0;
  return link.put(wire::kRefused, session.id, &refused, sizeof refused);
}

bool tell_passed(Link& link, Session& session) {
  if (session.mark == 0 || session.before_mark > 0) return true;
  const wire::Mark mark{session.mark};
  session.mark = 0;
  return link.put(wire::kPassed, session.id, &mark, sizeof mark);
}

bool tell_output(Link& link, Session& session) {
  if (!session.attached || session.sent >= session.backlog.end()) return true;
  const wire::Position position{session.sent};
  memcpy(frame_space, &position, sizeof position);
  const size_t count =
      session.backlog.read(session.sent, frame_space + sizeof position, wire::kMaxOutput);
  if (count == 0) return true;
  session.sent += count;
  return link.put(wire::kOutput, session.id, frame_space, sizeof position + count);
}

bool tell_end(Link& link, Session& session) {
  if (session.told_end || !session.attached || !session.drained) return true;
  if (session.sent < session.backlog.end()) return true;
  session.told_end = true;
  const struct {
    wire::Ended ended;
    wire::Cause cause;
  } frame{{session.status, 0, session.backlog.end()},
          {session.overdue ? wire::kWhyUntil : wire::kWhyItself, 0}};
  return link.put(wire::kEnded, session.id, &frame, sizeof frame);
}

bool tell(Link& link, Session& session) {
  if (!tell_start(link, session)) return false;
  if (!session.told_start || session.phase == Phase::kFailed) return true;
  return tell_refused(link, session) && tell_passed(link, session) && tell_output(link, session) &&
         tell_end(link, session);
}

// One round over all sessions, starting where the last one stopped. Returns false when memory is
// short.
bool one_round(Holder& holder, bool* something) {
  const size_t before = holder.daemon.out.size();
  for (uint32_t i = 0; i < kMaxSessions && !holder.daemon.full(); ++i) {
    Session* session = holder.sessions[holder.next_to_send];
    holder.next_to_send = (holder.next_to_send + 1) % kMaxSessions;
    if (session && !session->closed && !tell(holder.daemon, *session)) return false;
  }
  *something = holder.daemon.out.size() > before;
  return true;
}

void list_session(Holder& holder, Session& session) {
  const Backlog& backlog = session.backlog;
  const struct {
    wire::Found found;
    wire::Keeper keeper;
    wire::Until until;
  } frame{{static_cast<uint32_t>(session.child.pid), session.reaped ? 1u : 0u,
           session.child.start_ticks, backlog.first, backlog.end(), session.cols, session.rows, 0},
          keeper_of(session),
          {session.until}};
  session.told_start = true;
  holder.daemon.put(wire::kFound, session.id, &frame, sizeof frame);
}

bool listed(const Session* session) {
  return session && !session->closed && session->phase != Phase::kFailed;
}

}  // namespace

void greet(Holder& holder) {
  uint32_t count = 0;
  for (const Session* session : holder.sessions) count += listed(session) ? 1 : 0;
  const wire::Hello hello{wire::kMagic, wire::kVersion, wire::kMinVersion,
                          static_cast<uint32_t>(getpid()), count};
  holder.daemon.put(wire::kHello, 0, &hello, sizeof hello);
  for (Session* session : holder.sessions)
    if (listed(session)) list_session(holder, *session);
}

void send_pending(Holder& holder) {
  if (!holder.daemon.open()) return;
  // Only what waits for the socket wakes us again, so there has to be some of it, or nothing left to tell.
  for (bool more = true; more;) {
    if (!holder.daemon.send()) return lose_daemon(holder);
    if (holder.daemon.out.size() > 0) return;
    if (!one_round(holder, &more)) return lose_daemon(holder);
  }
}

}  // namespace pawl::holder
