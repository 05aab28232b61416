// What the daemon asks for. How panes are started and watched is in tmux_host_panes.cpp, what sweeps see in
// tmux_host_sweeps.cpp.

#include "host/tmux/tmux_host.h"

#include <fmt/core.h>
#include <unistd.h>

#include <array>
#include <csignal>

#include "host/environment.h"
#include "host/leftovers.h"
#include "os/clock.h"
#include "os/file.h"
#include "os/proc.h"
#include "os/random.h"

namespace pawl::host {
namespace {

constexpr std::string_view kPasteBegin = "\x1b[200~", kPasteEnd = "\x1b[201~";
constexpr std::array kShells = {"sh", "bash", "zsh", "fish", "dash", "ksh", "tcsh", "nu"};

bool is_paste(std::string_view bytes) {
  return bytes.starts_with(kPasteBegin) && bytes.ends_with(kPasteEnd) &&
         bytes.size() >= kPasteBegin.size() + kPasteEnd.size();
}

bool is_shell(const std::string& name) {
  const std::string plain = name.starts_with('-') ? name.substr(1) : name;
  return std::find(kShells.begin(), kShells.end(), plain) != kShells.end();
}

}  // namespace

TmuxHost::TmuxHost(os::Loop& loop, std::string home, std::string pawl, std::function<void()> wake)
    : loop_(loop),
      home_(std::move(home)),
      dir_(home_ + "/tmux"),
      pawl_(std::move(pawl)),
      zone_(system_zone()),
      wake_(std::move(wake)),
      relays_(loop, dir_,
              {[this](const std::string& token, os::Fd stream) {
                 relay_came(token, std::move(stream));
               },
               [this](const std::string& token, os::Fd connection) {
                 gate_came(token, std::move(connection));
               }}),
      looks_(loop, [this](SessionId session, model::Facts facts) {
        push(FactsRead{session, std::move(facts)});
      }) {}

// What was asked for last is still done: by somebody who does not need us.
TmuxHost::~TmuxHost() {
  for (const auto& pane : ending_)
    (void)os::start_detached({{"tmux", "-S", own_socket(), "kill-pane", "-t", pane}});
  for (const auto& [session, known] : sessions_) remove_files(known.writes);
}

TmuxHost::Watched& TmuxHost::server_at(const std::string& socket) {
  auto& slot = servers_[socket];
  if (!slot)
    slot =
        std::make_unique<Watched>(loop_, socket, [this, socket] { sweep(*servers_.at(socket)); });
  return *slot;
}

TmuxHost::Held* TmuxHost::held(SessionId session) {
  const auto at = sessions_.find(session);
  return at == sessions_.end() ? nullptr : &at->second;
}

void TmuxHost::push(HostEvent event) {
  events_.push_back(std::move(event));
  if (events_.size() == 1 && wake_) wake_();
}

std::vector<HostEvent> TmuxHost::take() {
  return std::exchange(events_, {});
}

void TmuxHost::expect(const std::vector<Known>& known) {
  for (const auto& one : known) {
    Held& fresh = sessions_[one.session];
    fresh.own = one.pane.id.empty();
    fresh.server = fresh.own ? &own_server() : &server_at(one.pane.server);
    fresh.pane = one.pane.id;
    fresh.process = one.pane.process;
    fresh.opened = true;
    fresh.size = one.size;
    push(Found{one.session, one.pane.process, {0}, {0}, one.size});
  }
  if (os::exists(own_socket())) sweep_soon(own_server(), kSweepBusy);
}

void TmuxHost::open(SessionId session, const Launch& launch) {
  if (auto ready = relays_.listen(); !ready) return refuse_open(session, ready.error());
  if (sessions_.count(session))
    return push(OpenFailed{session, Error{"terminal " + std::to_string(session.value) +
                                              " is still held for an agent of another journal",
                                          "put that journal.db back, or use another PAWL_HOME"}});
  if (launch.until != BootTime{})
    return push(OpenFailed{
        session, Error{"a task of the fleet cannot run in tmux: nobody there would end it in time "
                       "when its lease ends",
                       "leave out --backend tmux"}});
  if (launch.pane) return adopt(session, *launch.pane);
  start_own(session, launch);
}

void TmuxHost::attach(SessionId session, Offset from) {
  Held* known = held(session);
  if (!known || known->flow != Flow::none) return;
  known->next = from;
  if (auto ready = relays_.listen(); !ready) push(Noted{session, text_of(ready.error())});
  draw(session);
}

void TmuxHost::write(SessionId session, std::string_view bytes) {
  Held* known = held(session);
  if (!known || known->over) return push(WriteRefused{session, "there is no such pane"});
  if (known->write_bytes + bytes.size() > kWritesWaiting)
    return push(WriteRefused{session, "its tmux server does not keep up"});
  auto prepared = prepare(bytes);
  if (!prepared) return push(WriteRefused{session, text_of(prepared.error())});
  known->write_bytes += prepared->size;
  known->writes.push_back(std::move(*prepared));
  Watched& watched = *known->server;
  const bool fresh = os::read_clock().mono - watched.swept < kSweepBusy;
  if (known->own || (fresh && watched.server.health() == TmuxServer::Health::up))
    flush_writes(watched);
  else
    sweep(watched);  // is a person there? It was not asked for a while
}

// Long texts and pastes go through a private file: never on a command line, and whole.
Result<TmuxHost::Write> TmuxHost::prepare(std::string_view bytes) {
  Write write;
  write.size = bytes.size();
  write.bracketed = is_paste(bytes);
  if (write.bracketed)
    bytes = bytes.substr(kPasteBegin.size(), bytes.size() - kPasteBegin.size() - kPasteEnd.size());
  if (!write.bracketed && bytes.size() <= kBytesTyped) {
    write.bytes = bytes;
    return write;
  }
  write.buffer = fmt::format("pawl-{}-{}", ::getpid(), ++last_buffer_);
  write.file = dir_ + "/" + write.buffer;
  if (auto written = os::write_atomically(write.file, bytes); !written)
    return tl::unexpected(written.error());
  return write;
}

void TmuxHost::remove_files(const std::vector<Write>& writes) {
  for (const auto& write : writes)
    if (!write.file.empty()) ::unlink(write.file.c_str());
}

void TmuxHost::resize(SessionId session, Size size) {
  Held* known = held(session);
  if (!known || !known->own || known->over || known->pane.empty()) return;
  known->server->server.ask(
      fmt::format("resize-window -t {} -x {} -y {}\n", known->pane, size.cols, size.rows), {});
  sweep_soon(*known->server, kSweepSoonest);
}

// In a pane of somebody's, the shell it began with is not ours to signal.
void TmuxHost::signal(SessionId session, int signal_number) {
  Held* known = held(session);
  if (!known || known->over) return;
  const auto child = os::Proc().stat(known->process.pid);
  if (!child || child->id != known->process) return;
  const bool spare = !known->own && is_shell(child->name);
  if (!spare) ::kill(-child->group, signal_number);
  if (child->front > 1 && child->front != child->group) ::kill(-child->front, signal_number);
  sweep_soon(*known->server, kSweepSoonest);
}

void TmuxHost::close(SessionId session) {
  Held* known = held(session);
  if (!known) return;
  looks_.forget(session);
  if (known->own && !known->pane.empty()) end_pane(known->pane);
  remove_files(known->writes);
  sessions_.erase(session);  // our end of its pipe closes, and tmux takes the other away
}

size_t TmuxHost::signal_leftovers(const std::vector<SessionId>& sessions, int signal_number) {
  return host::signal_leftovers(home_, sessions, signal_number, shared_servers(shared));
}

void TmuxHost::look(SessionId session, const model::OwnFiles& files) {
  const Held* known = held(session);
  if (known && known->opened && !known->over) looks_.ask(session, known->process, files);
}

}  // namespace pawl::host
