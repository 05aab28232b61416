// What the holders say, and what becomes of a holder that is found, lost or found again.

#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "host/pty_host.h"
#include "os/file.h"
#include "os/holders.h"
#include "os/socket.h"

namespace pawl::host {
namespace {

constexpr size_t kReadPerTurn = 1u << 20;  // per holder, then the others
constexpr size_t kMergeUpTo =
    256u << 10;                   // consecutive Output of a session becomes one event up to this
constexpr int kGreetRounds = 40;  // of silence, 50 ms each: two seconds
constexpr int kGreetRoundMs = 50;
constexpr int kReconnects = 1;  // to a holder that lives but dropped us
const char* const kNotNamed = "its holder does not have it any more";

bool refused(const Error& error) {
  return error.what.find(std::strerror(ECONNREFUSED)) != std::string::npos;
}

}  // namespace

Result<size_t> PtyHost::connect_existing() {
  constexpr std::string_view kSuffix = ".sock";
  for (const auto& name : os::list_dir(dir_)) {
    if (name.size() <= kSuffix.size() || !std::string_view(name).ends_with(kSuffix)) continue;
    if (name.find_first_not_of("0123456789") != name.size() - kSuffix.size()) continue;
    auto fd = os::connect_local(dir_, name);
    if (fd) {
      add_link(static_cast<unsigned>(std::strtoul(name.c_str(), nullptr, 10)))
          .connect(std::move(*fd));
    } else {
      remove_if_stale(name);
    }
  }
  const size_t missing = greet_for_a_while();
  if (missing > 0) name_silent_holders();
  if (!foreign_.empty())
    return fail("the terminal holder at " + foreign_ + " speaks another version",
                "run the pawl that started it, or end its agents with that one first");
  limits_.begin();
  if (missing == 0) {
    remove_orphaned_spills();
    limits_.end_orphans([this](SessionId session) { return held(session) != nullptr; });
  }
  return sessions_.size();
}

// They did not tell who they are.
void PtyHost::name_silent_holders() {
  for (const auto& process : os::holders_in(dir_))
    for (const auto& link : links_)
      if (link->process.pid == 0 && socket_name(link->number()) == process.socket)
        link->process = process.id;
}

// A holder that has not named all its sessions yet.
HolderLink* PtyHost::unfinished(const HolderLink* but) const {
  for (const auto& link : links_) {
    if (link.get() == but || link->state() == HolderLink::State::lost) continue;
    const bool greets = link->state() == HolderLink::State::greeting && !link->started_here;
    if (greets || link->to_be_found > 0) return link.get();
  }
  return nullptr;
}

void PtyHost::expect(const std::vector<Known>& sessions) {
  HolderLink* link = unfinished(nullptr);
  if (!link) return;
  for (const auto& one : sessions) {
    if (held(one.session) || !os::alive(one.process)) continue;
    Held& known = sessions_[one.session];
    known.link = link;
    known.process = one.process;
    known.opened = true;
    known.found = false;
    known.expected = true;
    ++link->live;
    ++link->total;
    push(one.session, Found{one.session, one.process, {}, {}, one.size});
  }
  for (const auto& one : links_) (void)unable(*one);
}

// Returns how many holders did not say everything yet.
size_t PtyHost::greet_for_a_while() {
  for (int silent = 0;; ++silent) {
    std::vector<pollfd> fds;
    std::vector<HolderLink*> waiting;
    for (const auto& link : links_) {
      if (link->state() == HolderLink::State::lost) continue;
      if (link->state() == HolderLink::State::ready && link->to_be_found == 0) continue;
      fds.push_back({link->fd(), POLLIN, 0});
      waiting.push_back(link.get());
    }
    if (fds.empty() || silent >= kGreetRounds) return fds.size();
    if (::poll(fds.data(), fds.size(), kGreetRoundMs) <= 0) continue;
    --silent;
    for (size_t i = 0; i < fds.size(); ++i)
      if (fds[i].revents) read_link(*waiting[i]);
  }
}

// Every holder has named its sessions: a spill file of none of them belongs to a holder that died.
void PtyHost::remove_orphaned_spills() const {
  constexpr std::string_view kPrefix = "spill-";
  for (const auto& name : os::list_dir(dir_)) {
    if (name.rfind(kPrefix, 0) != 0) continue;
    const SessionId session{std::strtoull(name.c_str() + kPrefix.size(), nullptr, 10)};
    if (!sessions_.count(session)) ::unlink((dir_ + "/" + name).c_str());
  }
}

void PtyHost::read_link(HolderLink& link) {
  if (paused_) return;
  const bool going = link.receive(kReadPerTurn);
  if (going && link.told && !os::stopped(link.process)) tell_of(link, HolderSeen::What::answers);
  while (link.state() != HolderLink::State::lost) {
    const auto frame = link.next();
    if (!frame) break;
    take_frame(link, *frame);
  }
  if (!going || link.broken()) link_over(link);
  pause_when_full();
}

void PtyHost::take_frame(HolderLink& link, const Frame& frame) {
  if (frame.header.type == wire::kHello) return on_hello(link, frame);
  if (link.state() != HolderLink::State::ready) return link.lose();
  if (frame.header.type == wire::kFound) return on_found(link, frame);
  if (frame.header.type == wire::kRefused) return on_refused(frame);
  Held* known = held(frame.session());
  // Not ours any more: it crossed our close() on the way. A failed start that nobody knows is to be
  // forgotten there too.
  if (!known || known->link != &link) {
    if (frame.header.type == wire::kOpenFailed) link.send(encode(wire::kClose, frame.session()));
    return;
  }
  switch (frame.header.type) {
    case wire::kOpened:
      return on_opened(*known, frame);
    case wire::kOpenFailed:
      return on_open_failed(*known, frame);
    case wire::kOutput:
      return on_output(*known, frame);
    case wire::kEnded:
      return on_ended(*known, frame);
    case wire::kPassed:
      return on_passed(*known, frame);
    default:
      ++ignored_frames_;
  }
}

void PtyHost::on_hello(HolderLink& link, const Frame& frame) {
  const auto hello = frame.as<wire::Hello>();
  const bool understood = hello && hello->magic == wire::kMagic &&
                          hello->version >= wire::kMinVersion &&
                          hello->min_version <= wire::kVersion;
  if (!understood) {
    ++ignored_frames_;
    foreign_ = dir_ + "/" + socket_name(link.number());
    return link.lose();
  }
  link.version = hello->version;
  link.to_be_found = hello->sessions;
  link.process = os::identify(static_cast<pid_t>(hello->pid)).value_or(os::ProcessId{});
  link.greeted();
  if (link.to_be_found == 0) forget_missing(link, kNotNamed);
}

void PtyHost::on_found(HolderLink& link, const Frame& frame) {
  const auto found = frame.as<wire::Found>();
  if (!found) {
    ++ignored_frames_;
    return;
  }
  const SessionId session = frame.session();
  const auto until = frame.as<wire::Until>(sizeof(wire::Found) + sizeof(wire::Keeper));
  if (Held* known = held(session)) {
    if (std::exchange(known->expected, false)) move(*known, link);
    known->found = known->opened = true;
    known->process = {static_cast<pid_t>(found->pid), found->start_ticks};
    known->mark = known->marked = known->unmarked = 0;  // of the connection before
    note_keeper(*known, frame, sizeof *found);
    attach(session, known->next);
  } else {
    Held& fresh = sessions_[session];
    fresh.link = &link;
    fresh.opened = true;
    fresh.process = {static_cast<pid_t>(found->pid), found->start_ticks};
    note_keeper(fresh, frame, sizeof *found);
    fresh.next = fresh.acknowledged = fresh.acknowledged_sent = Offset{found->first};
    ++link.total;
    if (found->ended) fresh.ended = true;
    if (!found->ended) ++link.live;
    push(session, Found{session,
                        fresh.process,
                        {found->first},
                        {found->end},
                        {found->cols, found->rows},
                        found->ended != 0,
                        until ? time_of(*until) : BootTime{}});
  }
  if (link.to_be_found > 0 && --link.to_be_found == 0) forget_missing(link, kNotNamed);
}

void PtyHost::on_opened(Held& known, const Frame& frame) {
  const auto opened = frame.as<wire::Opened>();
  if (!opened || std::exchange(known.opened, true)) return;
  known.request = {};
  known.process = {static_cast<pid_t>(opened->pid), opened->start_ticks};
  note_keeper(known, frame, sizeof *opened);
  limits_.began(frame.session(), known.process);
  push(frame.session(), Opened{frame.session(), known.process});
}

void PtyHost::note_keeper(Held& known, const Frame& frame, size_t after) {
  const auto keeper = frame.as<wire::Keeper>(after);
  if (keeper) known.keeper = {static_cast<pid_t>(keeper->pid), keeper->start_ticks};
}

void PtyHost::on_open_failed(Held& known, const Frame& frame) {
  const auto failed = frame.as<wire::OpenFailed>();
  if (!failed) return;
  const SessionId session = frame.session();
  Error error = explain(*failed, known.command, known.dir);
  tell(session, wire::kClose, {});
  erase(session);
  push(session, OpenFailed{session, std::move(error)});
}

void PtyHost::on_output(Held& known, const Frame& frame) {
  const auto position = frame.as<wire::Position>();
  if (!position) return;
  const std::string_view sent = frame.payload.substr(sizeof *position);
  // Frames that were on their way when we asked for another place overlap with those that follow,
  // or lie ahead of them: what we have is skipped, what lies ahead will come again.
  if (position->offset > known.next.value || position->offset + sent.size() <= known.next.value) {
    ++ignored_frames_;
    return;
  }
  const Offset offset = known.next;
  const std::string_view bytes = sent.substr(offset.value - position->offset);
  known.next.value += bytes.size();
  event_bytes_ += bytes.size();
  if (known.last_batch == batch_ && known.last_output < events_.size()) {
    auto& last = std::get<Output>(events_[known.last_output]);
    if (last.bytes.size() + bytes.size() <= kMergeUpTo) {
      last.bytes.append(bytes);
      return;
    }
  }
  push(frame.session(), Output{frame.session(), offset, std::string(bytes)});
  known.last_output = events_.size() - 1;
  known.last_batch = batch_;
}

void PtyHost::on_refused(const Frame& frame) {
  const auto refused_input = frame.as<wire::Refused>();
  if (!refused_input || !held(frame.session())) return;
  push(frame.session(),
       WriteRefused{frame.session(), std::to_string(refused_input->bytes) +
                                         " bytes: the program does not read its terminal"});
}

void PtyHost::on_passed(Held& known, const Frame& frame) {
  const auto passed = frame.as<wire::Mark>();
  if (!passed || passed->number != known.mark) return;
  known.mark = known.marked = 0;
  mark(frame.session(), known);
  if (wake_) wake_();
}

void PtyHost::end_session(SessionId session, Held& known) {
  looks_.forget(session);
  if (!std::exchange(known.ended, true) && known.link) --known.link->live;
}

// The connection ended. A program that never greeted could not be executed; one that lives is
// greeted anew; else it died.
void PtyHost::link_over(HolderLink& link) {
  link.lose();
  if (!link.ever_greeted && link.started_here && start_again(link)) return;
  if (link.ever_greeted && reconnect(link)) return;
  link.to_be_found = 0;
  const HolderSeen seen =
      seen_of(link, os::goes_on(link.process) ? HolderSeen::What::lost : HolderSeen::What::ended);
  if (!seen.sessions.empty()) push({}, seen);
  for (auto& [id, known] : sessions_)
    if (known.link == &link) known.found = false;
  forget_missing(link, "its " + text_of(seen));
  // The object stays (we may be inside its callback); its number is free again when its socket is
  // gone.
  remove_if_stale(socket_name(link.number()));
}

// With the sessions whose programs run in it, as far as we know.
HolderSeen PtyHost::seen_of(const HolderLink& link, HolderSeen::What what) const {
  HolderSeen seen{what, link.process, "holder " + std::to_string(link.number()), {}};
  for (const auto& [id, known] : sessions_)
    if (known.link == &link && known.opened && !known.ended) seen.sessions.push_back(id);
  std::sort(seen.sessions.begin(), seen.sessions.end());
  return seen;
}

// Only a socket that refuses: behind any other a holder may live that we cannot talk to.
void PtyHost::remove_if_stale(const std::string& socket) const {
  const auto fd = os::connect_local(dir_, socket);
  if (!fd && refused(fd.error())) ::unlink((dir_ + "/" + socket).c_str());
}

bool PtyHost::start_again(HolderLink& link) {
  if (!starter_.use_file()) return false;
  auto fd = starter_.start(link.number());
  if (!fd) return false;
  link.connect(std::move(*fd));
  return true;
}

bool PtyHost::reconnect(HolderLink& link) {
  if (link.reconnects++ >= kReconnects) return false;
  auto fd = os::connect_local(dir_, socket_name(link.number()));
  if (!fd) return false;
  for (auto& [id, known] : sessions_)
    if (known.link == &link) known.found = false;
  link.connect(std::move(*fd));
  return true;
}

void PtyHost::forget_missing(HolderLink& link, const std::string& why) {
  std::vector<SessionId> missing;
  for (auto& [id, known] : sessions_)
    if (known.link == &link && !known.found) missing.push_back(id);
  HolderLink* other = missing.empty() ? nullptr : unfinished(&link);
  for (const SessionId id : missing) {
    Held& known = *held(id);
    if (other && known.expected)
      move(known, *other);
    else
      vanish(id, known, why);
  }
}

void PtyHost::move(Held& known, HolderLink& to) {
  if (known.link && !known.ended) --known.link->live;
  if (known.link) --known.link->total;
  if (!known.ended) ++to.live;
  ++to.total;
  known.link = &to;
}

void PtyHost::vanish(SessionId session, Held& known, const std::string& why) {
  end_session(session, known);
  --known.link->total;
  known.link = nullptr;
  known.found = true;
  if (std::exchange(known.end_told, true)) return;
  if (known.opened) {
    push(session, Ended{.session = session, .known = false, .end = known.next, .why = why});
    return;
  }
  const std::string command = known.command;
  sessions_.erase(session);
  limits_.forget(session);
  push(session,
       OpenFailed{session, Error{"the holder of the terminal for " + command + " could not run",
                                 "see holders/holders.log in the Pawl home"}});
}

void PtyHost::forget_lost_links() {
  std::erase_if(links_, [](const auto& link) {
    return link->state() == HolderLink::State::lost && link->total == 0;
  });
}

void PtyHost::push(SessionId session, HostEvent event) {
  if (Held* known = held(session)) known->last_output = SIZE_MAX;
  events_.push_back(std::move(event));
  if (events_.size() == 1 && wake_) wake_();
}

void PtyHost::pause_when_full() {
  const bool full = event_bytes_ > kEventBytesLimit;
  if (full == paused_) return;
  paused_ = full;
  for (const auto& link : links_) link->pause(full);
}

}  // namespace pawl::host
