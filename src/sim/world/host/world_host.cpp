#include "sim/world/host/world_host.h"

#include <algorithm>
#include <csignal>

namespace pawl::sim {
namespace {

constexpr Duration kFactsTake = std::chrono::milliseconds{15};
constexpr std::string_view kAgentMark = "PAWL_AGENT=";

std::string agent_of(const host::Launch& launch) {
  for (const auto& one : launch.environment)
    if (one.starts_with(kAgentMark)) return one.substr(kAgentMark.size());
  return {};
}

}  // namespace

WorldHost::Room* WorldHost::room(SessionId session) {
  const auto it = rooms_.find(session);
  return it == rooms_.end() ? nullptr : &it->second;
}

// A call that does something: the daemon may die of it.
void WorldHost::doing() {
  if (fatal_ > 0 && --fatal_ == 0) throw Killed{};
}

void WorldHost::schedule(SessionId session, Room& room) {
  std::optional<MonoTime> next;
  const auto sooner = [&](std::optional<MonoTime> at) {
    if (at && (!next || *at < *next)) next = at;
  };
  sooner(room.opens_at);
  sooner(room.looks_at);
  if (room.program && room.opened && !room.end) sooner(room.program->wake_at());
  if (next == room.due) return;
  if (room.due) agenda_.erase({*room.due, session});
  room.due = next;
  if (next) agenda_.insert({*next, session});
}

// What it has printed since is given out where somebody reads.
void WorldHost::flow(SessionId session, Room& room) {
  if (!room.flows || !room.opened) return;
  if (room.next < end_of(room)) {
    host::Output output{session, Offset{room.next}, room.kept.substr(room.next - room.first)};
    room.next = end_of(room);
    events_.push_back(std::move(output));
  }
  if (room.end && !std::exchange(room.end_told, true)) events_.push_back(*room.end);
}

// Its program begins.
void WorldHost::opens(Room& room) {
  room.opens_at.reset();
  room.opened = true;
  if (!room.launch || !room.program) return;
  room.launch->wall = now_.wall;
  room.program->start(now_.mono, std::move(*room.launch));
  room.launch.reset();
  for (const int number : std::exchange(room.signals, {})) room.program->signal(now_.mono, number);
}

void WorldHost::lives_on(SessionId session, Room& room) {
  if (room.opens_at && *room.opens_at <= now_.mono) {
    opens(room);
    room.flows = daemon_;  // else the next one attaches
    events_.push_back(
        host::Opened{session, {static_cast<pid_t>(room.process.pid), room.process.start_ticks}});
  }
  if (room.program && !room.end && room.opened) {
    room.kept += room.program->print(now_.mono);
    for (auto& json : room.program->take_hooks(now_.mono))
      hooks_.push_back({room.agent, session, room.runtime, std::move(json)});
    for (auto& entry : room.program->take_log()) log_.push_back({room.agent, std::move(entry)});
    if (const auto& ended = room.program->ended())
      room.end = host::Ended{session, ended->exit_code, ended->signal, true, Offset{end_of(room)}};
    if (room.end && room.overdue) room.end->cause = "its lease ended while nobody renewed it";
  }
  if (room.looks_at && *room.looks_at <= now_.mono) {
    room.looks_at.reset();
    if (room.program && !room.end && room.opened) events_.push_back(facts_of(session, room));
  }
  flow(session, room);
  schedule(session, room);
}

// What the kernel tells, and the files that the program keeps.
host::FactsRead WorldHost::facts_of(SessionId session, const Room& room) const {
  host::FactsRead out{session, room.program->facts(now_.mono)};
  const auto files = room.program->files(now_.mono);
  if (files.size() != 2) return out;  // its status and its transcript
  if (!room.wanted.status.empty()) out.facts.status_file = files[0].text;
  if (room.wanted.transcript.empty()) return out;
  out.facts.transcript_size = files[1].size;
  if (files[1].size != room.wanted.transcript_size) out.facts.transcript = files[1].text;
  return out;
}

// As holders do it, whether there is a daemon or not.
void WorldHost::end_due() {
  std::vector<SessionId> late;
  for (const SessionId session : owed_)
    if (const Room& its = rooms_.at(session); !its.end && its.until <= now_.boot)
      late.push_back(session);
  for (const SessionId session : late) {
    Room& its = rooms_.at(session);
    if (!its.opened || !its.program) {
      close(session);
      events_.push_back(host::OpenFailed{session, Error{"its time was over before", ""}});
      continue;
    }
    its.overdue = true;
    its.program->signal(now_.mono, SIGKILL);
    lives_on(session, its);
  }
}

void WorldHost::advance() {
  end_due();
  while (!agenda_.empty() && agenda_.begin()->first <= now_.mono) {
    const SessionId session = agenda_.begin()->second;
    Room& due = rooms_.at(session);
    agenda_.erase(agenda_.begin());
    due.due.reset();
    lives_on(session, due);
  }
  if (daemon_) return;  // nobody hears
  events_.clear();
  hooks_.clear();
}

std::optional<MonoTime> WorldHost::wake_at() const {
  if (daemon_ && (!events_.empty() || !hooks_.empty())) return now_.mono;
  std::optional<MonoTime> at;
  if (!agenda_.empty()) at = agenda_.begin()->first;
  for (const SessionId session : owed_)
    if (const Room& its = rooms_.at(session); !its.end)
      at = earlier(at, now_.mono + std::max(its.until - now_.boot, Duration{0}));
  return at;
}

Running* WorldHost::program(const std::string& agent) {
  const auto it = newest_.find(agent);
  Room* its = it == newest_.end() ? nullptr : room(it->second);
  return its && its->opened && !its->end ? its->program.get() : nullptr;
}

void WorldHost::touched(const std::string& agent) {
  const auto it = newest_.find(agent);
  if (Room* its = it == newest_.end() ? nullptr : room(it->second)) lives_on(it->second, *its);
}

void WorldHost::person_types(const std::string& agent, std::string_view bytes) {
  if (Running* its = program(agent)) {
    its->read(now_.mono, bytes);
    touched(agent);
  }
}

void WorldHost::clock_set(Duration by) {
  for (auto& [session, room] : rooms_)
    if (room.program) room.program->clock_set(by);
}

void WorldHost::behave(const std::function<Behaviour(const std::string& agent)>& how) {
  for (auto& [session, room] : rooms_)
    if (room.program) room.program->behave(how(room.agent));
}

void WorldHost::daemon_died() {
  daemon_ = false;
  events_.clear();
  hooks_.clear();
  fatal_ = 0;
  for (auto& [session, room] : rooms_) {
    room.flows = room.end_told = false;
    room.looks_at.reset();
  }
}

void WorldHost::daemon_came() {
  daemon_ = true;
  for (auto& [session, room] : rooms_) {
    if (room.opens_at) opens(room);  // its holder has it
    schedule(session, room);
    events_.push_back(host::Found{session,
                                  {static_cast<pid_t>(room.process.pid), room.process.start_ticks},
                                  Offset{room.first},
                                  Offset{end_of(room)},
                                  room.size,
                                  room.end.has_value(),
                                  room.until});
  }
}

size_t WorldHost::holder_died(size_t from, size_t of) {
  size_t at = 0, count = 0;
  std::vector<SessionId> unopened;
  for (auto& [session, room] : rooms_) {
    if (at++ % of != from || room.end || !room.program) continue;
    ++count;
    log_.push_back(
        {room.agent,
         Entry{.at = now_.mono, .what = Entry::What::ended, .text = std::string(kHolderKilled)}});
    room.program.reset();
    if (room.opens_at) {
      unopened.push_back(session);
      continue;
    }
    room.end = host::Ended{session, -1, 0, false, Offset{end_of(room)}, std::string(kHolderKilled)};
    flow(session, room);
    schedule(session, room);
  }
  for (const SessionId session : unopened) {
    close(session);
    events_.push_back(host::OpenFailed{session, Error{std::string(kHolderKilled), ""}});
  }
  return count;
}

void WorldHost::machine_died() {
  for (auto& [session, room] : rooms_)
    if (room.program && !room.end)
      log_.push_back(
          {room.agent,
           Entry{.at = now_.mono, .what = Entry::What::ended, .text = "the machine went down"}});
  rooms_.clear();
  owed_.clear();
  newest_.clear();
  agenda_.clear();
  daemon_died();
}

size_t WorldHost::living() const {
  return static_cast<size_t>(std::count_if(rooms_.begin(), rooms_.end(), [](const auto& one) {
    return one.second.program && !one.second.end;
  }));
}

void WorldHost::open(SessionId session, const host::Launch& launch) {
  doing();
  Cast cast = casting_(agent_of(launch));
  Room fresh;
  fresh.agent = agent_of(launch);
  fresh.size = launch.size;
  fresh.until = launch.until;
  if (fresh.until != BootTime{}) owed_.insert(session);
  fresh.process = {++last_pid_, static_cast<uint64_t>(last_pid_)};
  if (cast.program) {
    fresh.runtime = std::move(cast.runtime);
    cast.launch.argv = launch.argv;
    cast.launch.size = launch.size;
    cast.launch.dir = launch.dir;
    cast.launch.process = fresh.process;
    fresh.program = std::move(cast.program);
    fresh.launch = std::make_unique<Launch>(std::move(cast.launch));
  }
  fresh.opens_at = now_.mono + cast.opens + slow_;
  newest_[fresh.agent] = session;
  Room& placed = rooms_.insert_or_assign(session, std::move(fresh)).first->second;
  schedule(session, placed);
}

void WorldHost::attach(SessionId session, Offset from) {
  Room* its = room(session);
  if (!its) return;
  its->flows = true;
  its->next = std::max(its->first, from.value);
  flow(session, *its);
}

void WorldHost::write(SessionId session, std::string_view bytes) {
  doing();
  Room* its = room(session);
  if (!its || !its->program || its->end) return;
  written_.push_back({now_.mono, its->agent, std::string(bytes)});
  its->program->read(now_.mono, bytes);
  lives_on(session, *its);
}

void WorldHost::resize(SessionId session, Size size) {
  Room* its = room(session);
  if (!its || !its->program || its->end) return;
  its->size = size;
  its->program->resize(now_.mono, size);
  lives_on(session, *its);
}

void WorldHost::signal(SessionId session, int signal_number) {
  doing();
  Room* its = room(session);
  if (!its || !its->program || its->end) return;
  if (!its->opened) return its->signals.push_back(signal_number);  // the holder has them in order
  its->program->signal(now_.mono, signal_number);
  lives_on(session, *its);
}

void WorldHost::extend(SessionId session, BootTime until) {
  if (Room* its = room(session)) its->until = until;
}

void WorldHost::kill(SessionId session) {
  signal(session, SIGKILL);
}

void WorldHost::acknowledge(SessionId session, Offset upto) {
  Room* its = room(session);
  if (!its || upto.value <= its->first) return;
  const uint64_t end = std::min(upto.value, end_of(*its));
  its->kept.erase(0, end - its->first);
  its->first = end;
}

void WorldHost::close(SessionId session) {
  const auto it = rooms_.find(session);
  if (it == rooms_.end()) return;
  if (it->second.due) agenda_.erase({*it->second.due, session});
  if (const auto newest = newest_.find(it->second.agent);
      newest != newest_.end() && newest->second == session)
    newest_.erase(newest);
  owed_.erase(session);
  rooms_.erase(it);
}

size_t WorldHost::signal_leftovers(const std::vector<SessionId>&, int) {
  return 0;
}

void WorldHost::look(SessionId session, const model::OwnFiles& files) {
  Room* its = room(session);
  if (!its || hung_ || its->looks_at || !its->program || its->end) return;
  its->looks_at = now_.mono + kFactsTake;
  its->wanted = files;
  schedule(session, *its);
}

std::vector<host::HostEvent> WorldHost::take() {
  return std::exchange(events_, {});
}

}  // namespace pawl::sim
