// What the daemon asks for. Hostile bytes: a frame that is too short or names no session is ignored
// and counted, an unknown one that is not optional ends the connection.

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "host/holder/holder.h"

namespace pawl::holder {
namespace {

struct Strings {
  char** words = nullptr;  // argv, nullptr, environment, nullptr
  const char* dir = nullptr;
};

// Cuts the tail of an Open frame; false when it does not hold exactly the strings it claims.
bool cut_strings(const wire::Open& open, char* at, char* end, Strings* out) {
  const uint64_t total = 1ull + open.argc + open.envc;
  if (open.argc == 0 || total > static_cast<uint64_t>(end - at)) return false;
  out->words = static_cast<char**>(calloc(total + 2, sizeof(char*)));
  if (!out->words) return false;
  size_t put = 0;
  for (uint64_t i = 0; i < total; ++i) {
    char* stop = static_cast<char*>(memchr(at, '\0', static_cast<size_t>(end - at)));
    if (!stop) return false;
    if (i == 0) out->dir = at;
    if (i > 0) out->words[put++] = at;
    if (i == open.argc) out->words[put++] = nullptr;
    at = stop + 1;
  }
  return at == end;
}

void fail_start(Session& session, int error, uint32_t step) {
  session.phase = Phase::kFailed;
  session.failure = Failure{static_cast<uint32_t>(error), step};
}

void refuse_open(Holder& holder, uint64_t id) {
  const wire::OpenFailed failed{EMFILE, wire::kStepLimit};
  holder.daemon.put(wire::kOpenFailed, id, &failed, sizeof failed);
}

// Before the session is there. One too long is left out, as by a holder that does not know the frame.
void obey_place(Holder& holder, uint64_t id, const char* path, size_t length) {
  holder.place_for = length > 0 && length <= wire::kMaxPlace ? id : 0;
  if (holder.place_for == 0) return;
  memcpy(holder.place, path, length);
  holder.place[length] = '\0';
}

// Given once, as its place is.
uint64_t take_until(Holder& holder, uint64_t id) {
  const bool its = id != 0 && holder.until_for == id;
  if (its) holder.until_for = 0;
  return its ? holder.until : 0;
}

// What ends the group it is placed in, when that is one of its own: all of them are (host/limits.h).
char* kill_file(const char* place) {
  constexpr const char kProcs[] = "cgroup.procs", kKill[] = "cgroup.kill";
  const size_t length = place ? strlen(place) : 0;
  if (length < sizeof kProcs || strcmp(place + length - strlen(kProcs), kProcs) != 0)
    return nullptr;
  char* file = strdup(place);
  if (file) memcpy(file + length - strlen(kProcs), kKill, sizeof kKill);
  return file;
}

// Given once.
const char* take_place(Holder& holder, uint64_t id) {
  const bool its = id != 0 && holder.place_for == id;
  if (its) holder.place_for = 0;
  return its ? holder.place : nullptr;
}

void obey_open(Holder& holder, uint64_t id, const char* payload, size_t length) {
  if (find(holder, id)) {
    ++holder.ignored_frames;
    return;
  }
  Session* session = add_session(holder, id);
  if (!session) return refuse_open(holder, id);
  session->attached = true;
  const char* place = take_place(holder, id);
  session->until = take_until(holder, id);
  if (session->until != 0 && session->until <= boot_ns())
    return fail_start(*session, ETIME, wire::kStepLate);
  if (session->until != 0) session->group = kill_file(place);
  wire::Open open{};
  Strings strings;
  if (length >= sizeof open) memcpy(&open, payload, sizeof open);
  char* text = const_cast<char*>(payload) + sizeof open;
  if (length > sizeof open &&
      cut_strings(open, text, const_cast<char*>(payload) + length, &strings)) {
    const Request request{open.cols,
                          open.rows,
                          strings.dir,
                          strings.words,
                          strings.words + open.argc + 1,
                          place,
                          session->until != 0 ? holder.dir_path : nullptr};
    start(*session, request, holder.shared);
  } else {
    fail_start(*session, EINVAL, wire::kStepRequest);
  }
  free(strings.words);
}

void obey_attach(Session& session, uint64_t from) {
  const uint64_t first = session.backlog.first;
  const uint64_t end = session.backlog.end();
  session.sent = from < first ? first : from > end ? end : from;
  session.attached = true;
  session.told_end = false;
}

void obey_ack(Holder& holder, Session& session, uint64_t upto) {
  session.backlog.acknowledge(upto, holder.shared.dir, session.id);
  session.progress_us = holder.shared.now_us;
  if (session.sent < session.backlog.first) session.sent = session.backlog.first;
  if (session.blocked) read_terminal(session, holder.shared, session.attached);
}

void obey_write(Holder& holder, Session& session, const char* payload, size_t length) {
  if (!add_input(session, payload, length)) session.refused += length;
  holder.pace.typed();
  update_interest(session, holder.shared);
}

// What it started goes with it, when it has to be over at some time: nobody would know of it any more.
void obey_close(Holder& holder, Session& session) {
  if (session.until != 0 && session.due != Due::kDone)
    for (int look = 0; look < kLooksAtClose && !end_everybody(holder, session); ++look) {
    }
  session.closed = true;
}

void obey_resize(Session& session, const wire::Resize& size) {
  session.cols = size.cols;
  session.rows = size.rows;
  if (session.child.master >= 0) set_size(session.child.master, size.cols, size.rows);
}

void obey_signal(Session& session, uint32_t number) {
  if (session.reaped || session.child.pid <= 0 || number == 0 || number >= NSIG) return;
  signal_child(session.child.pid, session.child.master, static_cast<int>(number));
}

template <class T>
bool take(const char* payload, size_t length, T* out) {
  if (length < sizeof *out) return false;
  memcpy(out, payload, sizeof *out);
  return true;
}

bool obey_for_session(Holder& holder, Session& session, const wire::Header& header,
                      const char* payload) {
  wire::Position position{};
  wire::Resize size{};
  wire::Signal signal{};
  wire::Mark mark{};
  switch (header.type) {
    case wire::kAttach:
      if (take(payload, header.length, &position)) obey_attach(session, position.offset);
      return true;
    case wire::kAck:
      if (take(payload, header.length, &position)) obey_ack(holder, session, position.offset);
      return true;
    case wire::kWrite:
      obey_write(holder, session, payload, header.length);
      return true;
    case wire::kResize:
      if (take(payload, header.length, &size)) obey_resize(session, size);
      return true;
    case wire::kSignal:
      if (take(payload, header.length, &signal)) obey_signal(session, signal.number);
      return true;
    case wire::kClose:
      obey_close(holder, session);
      return true;
    case wire::kMark:
      if (take(payload, header.length, &mark)) set_mark(session, mark.number);
      return true;
    default:
      return false;
  }
}

bool obey(Holder& holder, const wire::Header& header, const char* payload) {
  if (header.type == wire::kBye) {
    holder.bye_received = true;
    return true;
  }
  if (header.type == wire::kOpen) {
    obey_open(holder, header.session, payload, header.length);
    return true;
  }
  if (header.type == wire::kPlace) {
    obey_place(holder, header.session, payload, header.length);
    return true;
  }
  wire::Until until{};
  if (header.type == wire::kUntil) {
    if (take(payload, header.length, &until)) obey_until(holder, header.session, until.at);
    return true;
  }
  Session* session = find(holder, header.session);
  if (session && obey_for_session(holder, *session, header, payload)) return true;
  ++holder.ignored_frames;
  const bool known = header.type >= wire::kAttach && header.type <= wire::kClose;
  return known || (header.flags & wire::kOptional) != 0;
}

}  // namespace

bool obey_frames(Holder& holder) {
  wire::Header header{};
  bool broken = false;
  while (const char* payload = holder.daemon.next(&header, &broken)) {
    if (!obey(holder, header, payload)) return false;
    holder.daemon.drop(header);
  }
  return !broken;
}

}  // namespace pawl::holder
