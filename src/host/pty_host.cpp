// What the daemon asks for. The answers are in pty_host_events.cpp.

#include "host/pty_host.h"

#include <unistd.h>

#include <algorithm>

#include "host/environment.h"
#include "host/leftovers.h"
#include "os/file.h"
#include "os/holders.h"

namespace pawl::host {
namespace {

// A small acknowledgement may wait and travel with others; a large one makes room in the holder and
// goes at once.
constexpr uint64_t kUrgentAck = 64u << 10;
constexpr Duration kAckDelay = std::chrono::milliseconds(200);

// One of the life before that has not greeted yet may never do so.
bool may_take_more(const HolderLink& link) {
  if (link.state() == HolderLink::State::lost) return false;
  if (link.state() == HolderLink::State::greeting && !link.started_here) return false;
  return link.live < kShardSize && link.total < kShardTotal;
}

std::string_view bytes_of(const auto& value) {
  return {reinterpret_cast<const char*>(&value), sizeof value};
}

}  // namespace

PtyHost::PtyHost(os::Loop& loop, std::string home, std::function<void()> wake, std::string root)
    : loop_(loop),
      home_(std::move(home)),
      dir_(home_ + "/holders"),
      zone_(system_zone()),
      wake_(std::move(wake)),
      starter_(dir_),
      ack_timer_(loop, [this] { send_acks(); }),
      open_timer_(loop, [this] { look_at_opens(); }),
      looks_(loop,
             [this](SessionId session, model::Facts facts) {
               push(session, FactsRead{session, std::move(facts)});
             }),
      limits_(
          loop, home_, [this] { return roots(); }, [this](SessionId id) { kill_all(id); },
          [this] { open_waiting(); }, std::move(root)) {}

PtyHost::~PtyHost() {
  send_acks();
}

void PtyHost::open(SessionId session, const Launch& launch) {
  // A journal that was moved away counts from 1 again, while the holders keep what the old one opened.
  if (sessions_.count(session))
    return refuse_open(session, Error{"terminal " + std::to_string(session.value) +
                                          " is still held for an agent of another journal",
                                      "put that journal.db back, or use another PAWL_HOME"});
  Launch complete = launch;
  complete.environment = terminal_environment(launch.environment, session_cookie(home_, session),
                                              zone_, launch.terminal);
  auto frame = encode_open(session, complete);
  if (!frame) return refuse_open(session, frame.error());
  Held held;
  held.ends = launch.until != BootTime{};
  held.request = (held.ends ? encode_until(session, launch.until) : "") + *frame;
  held.limits = launch.limits;
  held.command = launch.argv[0];
  held.dir = launch.dir;
  held.waits = !limits_.ready(launch.limits);
  if (!held.waits)
    if (auto placed = place(session, held); !placed) return refuse_open(session, placed.error());
  sessions_[session] = std::move(held);
}

// It takes nothing at the moment: it is stopped, or is known not to answer. People hear of it.
bool PtyHost::unable(HolderLink& link) {
  if (os::stopped(link.process))
    tell_of(link, HolderSeen::What::stopped);
  else if (link.told == HolderSeen::What::stopped)
    tell_of(link, HolderSeen::What::answers);
  return link.told.has_value();
}

// Once; and once more when it is over.
void PtyHost::tell_of(HolderLink& link, HolderSeen::What what) {
  const bool over = what == HolderSeen::What::answers;
  if (link.told.has_value() == !over) return;
  link.told = over ? std::nullopt : std::optional(what);
  push({}, seen_of(link, what));
}

void PtyHost::look_at_holders() {
  for (const auto& link : links_) {
    if (link->state() == HolderLink::State::lost) continue;
    const bool greets = link->state() == HolderLink::State::greeting && !link->started_here;
    if (!unable(*link) && greets) tell_of(*link, HolderSeen::What::silent);
  }
}

std::optional<Error> PtyHost::unheard(SessionId session) {
  Held* known = held(session);
  if (!known || !known->link || !unable(*known->link)) return std::nullopt;
  // One that is slow to open another terminal may well take bytes.
  const bool greeted = known->link->state() == HolderLink::State::ready;
  if (greeted && known->link->told != HolderSeen::What::stopped) return std::nullopt;
  const HolderSeen seen = seen_of(*known->link, *known->link->told);
  const std::string pid = std::to_string(seen.process.pid);
  return Error{"its " + text_of(seen), seen.what == HolderSeen::What::stopped
                                           ? "let it go on: kill -CONT " + pid
                                           : "pawl doctor shows it"};
}

void PtyHost::refuse_open(SessionId session, Error error) {
  if (!sessions_.contains(session)) limits_.forget(session);
  push(session, OpenFailed{session, std::move(error)});
}

// One that would not end it in time is none for it.
Result<HolderLink*> PtyHost::link_with_room(bool ends) {
  for (const auto& link : links_) {
    if (ends && link->version < wire::kUntilVersion) continue;
    if (may_take_more(*link) && !unable(*link)) return link.get();
  }
  return start_holder();
}

Result<HolderLink*> PtyHost::start_holder() {
  const unsigned number = free_number();
  auto fd = starter_.start(number);
  if (!fd) return tl::unexpected(fd.error());
  HolderLink& link = add_link(number);
  link.started_here = true;
  link.connect(std::move(*fd));
  link.pause(paused_);
  return &link;
}

HolderLink& PtyHost::add_link(unsigned number) {
  links_.push_back(
      std::make_unique<HolderLink>(loop_, number, [this](HolderLink& link) { read_link(link); }));
  return *links_.back();
}

// Not only unknown to us: a holder we could not greet may still own its name.
unsigned PtyHost::free_number() const {
  unsigned number = 0;
  const auto taken = [&] {
    for (const auto& link : links_)
      if (link->number() == number) return true;
    return os::exists(dir_ + "/" + socket_name(number));
  };
  while (taken()) ++number;
  return number;
}

PtyHost::Held* PtyHost::held(SessionId session) {
  const auto at = sessions_.find(session);
  return at == sessions_.end() ? nullptr : &at->second;
}

bool PtyHost::tell(SessionId session, wire::Type type, std::string_view payload) {
  Held* known = held(session);
  if (!known) return false;
  const std::string frame = encode(type, session, payload);
  if (known->waits) return follow(*known, frame);
  return known->link && known->link->send(frame);
}

// Behind the open that waits, as it would be in the queue of a holder.
bool PtyHost::follow(Held& known, const std::string& frame) {
  if (known.request.size() + frame.size() > kWriteQueueLimit) return false;
  known.request += frame;
  return true;
}

void PtyHost::attach(SessionId session, Offset from) {
  // What was acknowledged is gone there: the flow cannot start before it.
  if (Held* known = held(session)) known->next = from = std::max(from, known->acknowledged);
  tell(session, wire::kAttach, bytes_of(wire::Position{from.value}));
}

void PtyHost::write(SessionId session, std::string_view bytes) {
  Held* known = held(session);
  if (!known || (!known->link && !known->waits))
    return push(session, WriteRefused{session, "there is no such terminal"});
  if (const auto why = unheard(session)) return push(session, WriteRefused{session, why->what});
  while (!bytes.empty()) {
    const auto part = bytes.substr(0, wire::kMaxInput);
    const std::string frame = encode(wire::kWrite, session, part);
    if (!(known->waits ? follow(*known, frame) : known->link->send(frame, kWriteQueueLimit)))
      return push(session, WriteRefused{session, "the terminal holder does not keep up"});
    bytes.remove_prefix(part.size());
    known->unmarked += part.size();
  }
  mark(session, *known);
}

// The holder says when the terminal has taken what was written until now. One mark at a time.
void PtyHost::mark(SessionId session, Held& known) {
  if (known.mark != 0 || known.unmarked < kMarkEvery || !known.link) return;
  if (!known.link->send(encode_mark(session, ++marks_))) return;  // asked with the next bytes
  known.mark = marks_;
  known.marked = std::exchange(known.unmarked, 0);
}

bool PtyHost::has_room(SessionId session) {
  const Held* known = held(session);
  if (!known || !known->link || known->link->version < wire::kMarkVersion) return true;
  return known->marked + known->unmarked < kTypedAhead;
}

void PtyHost::resize(SessionId session, Size size) {
  tell(session, wire::kResize, bytes_of(wire::Resize{size.cols, size.rows}));
}

void PtyHost::signal(SessionId session, int signal_number) {
  tell(session, wire::kSignal, bytes_of(wire::Signal{static_cast<uint32_t>(signal_number)}));
}

void PtyHost::limit(SessionId session, const Limits& limits) {
  if (const Held* known = held(session)) limits_.found(session, limits, known->process);
}

void PtyHost::acknowledge(SessionId session, Offset upto) {
  Held* known = held(session);
  if (!known || upto <= known->acknowledged) return;
  known->acknowledged = upto;
  if (upto.value - known->acknowledged_sent.value >= kUrgentAck) {
    known->acknowledged_sent = upto;
    tell(session, wire::kAck, bytes_of(wire::Position{upto.value}));
    return;
  }
  if (!std::exchange(known->ack_waits, true)) acks_.push_back(session);
  if (!ack_timer_.armed()) ack_timer_.start(kAckDelay);
}

void PtyHost::send_acks() {
  std::map<HolderLink*, std::string> batches;
  for (const SessionId session : std::exchange(acks_, {})) {
    Held* known = held(session);
    if (!known || !known->link) continue;
    known->ack_waits = false;
    if (known->acknowledged_sent == known->acknowledged) continue;
    known->acknowledged_sent = known->acknowledged;
    batches[known->link] += encode(wire::kAck, session, wire::Position{known->acknowledged.value});
  }
  for (const auto& [link, frames] : batches) link->send(frames);
}

size_t PtyHost::signal_leftovers(const std::vector<SessionId>& sessions, int signal_number) {
  std::vector<Root> all = roots();
  for (const Root& server : shared_servers(shared)) all.push_back(server);
  const size_t grouped = limits_.signal(sessions, signal_number);
  const size_t count =
      std::max(grouped, host::signal_leftovers(home_, sessions, signal_number, all));
  tell_of_strays(sessions);
  return count;
}

// Children of a holder that are no keeper's: their own was killed, or the holder is an older one. They may be of this session or of
// any other that shared the holder.
std::vector<os::Stat> PtyHost::strays(const Left& left) const {
  std::vector<os::Stat> found;
  if (left.holder.pid <= 0) return found;
  const os::Proc proc;
  std::set<pid_t> known;
  for (const Root& root : roots()) known.insert(root.process.pid);
  for (const pid_t pid : proc.children(left.holder.pid)) {
    if (known.contains(pid)) continue;
    auto stat = proc.stat(pid);
    if (!stat || stat->parent != left.holder.pid || stat->zombie()) continue;
    if (stat->id.start_ticks < left.since || stat->name == kKeeperName) continue;
    if (proc.variable(pid, "PAWL_SESSION").empty()) found.push_back(std::move(*stat));
  }
  return found;
}

// What cannot be said to be this session's is not ended, and somebody is told, once.
void PtyHost::tell_of_strays(const std::vector<SessionId>& sessions) {
  for (const SessionId session : sessions) {
    const auto left = left_.find(session);
    if (left == left_.end()) continue;
    for (const auto& stray : strays(left->second)) {
      if (!told_.insert(stray.id.pid).second) continue;
      push(session,
           Noted{session,
                 "process " + std::to_string(stray.id.pid) + " (" + stray.name +
                     ") may have been left by it; whose it is cannot be said, so it goes on"});
    }
  }
}

std::vector<Root> PtyHost::roots() const {
  std::vector<Root> all;
  if (const auto own = os::identify(::getpid())) all.push_back({*own, {}});
  for (const auto& link : links_)
    if (link->process.pid > 0) all.push_back({link->process, {}});
  for (const auto& [session, known] : sessions_) {
    if (known.keeper.pid > 0) all.push_back({known.keeper, session});
    if (known.process.pid > 0) all.push_back({known.process, session});
  }
  for (const auto& [session, left] : left_)
    if (left.keeper.pid > 0) all.push_back({left.keeper, session});
  return all;
}

void PtyHost::close(SessionId session) {
  tell(session, wire::kClose, {});
  erase(session);
  say_goodbye();
}

void PtyHost::erase(SessionId session) {
  Held* known = held(session);
  if (!known) return;
  end_session(session, *known);
  limits_.forget(session);
  std::erase_if(left_, [this](const auto& one) {
    return !os::alive(one.second.keeper) && strays(one.second).empty();
  });
  const Left left{known->keeper, known->link ? known->link->process : os::ProcessId{},
                  known->process.start_ticks};
  if (os::alive(left.keeper) || !strays(left).empty()) left_[session] = left;
  if (known->link) --known->link->total;
  sessions_.erase(session);
}

// One empty holder is kept for the next session; more than one is asked to leave.
void PtyHost::say_goodbye() {
  bool kept = false;
  for (auto& link : links_) {
    if (link->total > 0 || link->state() != HolderLink::State::ready) continue;
    if (!std::exchange(kept, true)) continue;
    link->send(encode(wire::kBye, SessionId{0}));
  }
}

std::vector<HostEvent> PtyHost::take() {
  ++batch_;
  event_bytes_ = 0;
  auto events = std::exchange(events_, {});
  std::erase_if(events, [this](const HostEvent& event) {  // of sessions closed meanwhile
    const auto* read = std::get_if<FactsRead>(&event);
    return read && !held(read->session);
  });
  pause_when_full();
  forget_lost_links();
  return events;
}

void PtyHost::look(SessionId session, const model::OwnFiles& files) {
  const Held* known = held(session);
  if (known && known->opened && !known->ended) looks_.ask(session, known->process, files);
}

}  // namespace pawl::host
