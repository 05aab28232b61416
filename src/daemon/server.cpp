#include "daemon/server.h"

#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>

#include "os/clock.h"
#include "os/socket.h"

namespace pawl::daemon {

struct SocketServer::Client {
  Client(os::Fd socket, core::Engine& engine, api::Server& server, model::Asker asker)
      : fd(std::move(socket)),
        reader(api::kMaxRequest),
        conversation(engine, server, std::move(asker)) {}

  os::Fd fd;
  api::FrameReader reader;
  api::Conversation conversation;
  std::string out;
  bool gone = false;
  os::FdWatch watch;  // last: withdrawn before the descriptor closes
};

SocketServer::SocketServer(os::Loop& loop, os::Fd listener, core::Engine& engine,
                           api::Server& server, std::function<void()> wake)
    : loop_(loop),
      listener_(std::move(listener)),
      engine_(engine),
      server_(server),
      wake_(std::move(wake)),
      watch_(loop, listener_.get(), [this](os::FdWatch::Ready) { accept_all(); }) {}

SocketServer::~SocketServer() = default;

void SocketServer::listen(os::Fd listener) {
  watch_ = os::FdWatch(loop_, listener.get(), [this](os::FdWatch::Ready) { accept_all(); });
  listener_ = std::move(listener);
}

void SocketServer::accept_all() {
  while (os::Fd socket = os::accept_local(listener_.get())) {
    const auto peer = os::peer_of(socket.get());
    if (!peer || (peer->uid != ::geteuid() && peer->uid != 0) || clients_.size() >= kMaxClients)
      continue;
    // Now: later it may have ended, or be somebody else's child.
    model::Asker asker = server_.who(*peer);
    if (asker.kind == model::kPerson && os::peer_ended(socket.get()))
      asker = {model::kAgent, "", peer->pid};  // whoever has its number now
    clients_.push_back(
        std::make_unique<Client>(std::move(socket), engine_, server_, std::move(asker)));
    Client& client = *clients_.back();
    client.watch = os::FdWatch(loop_, client.fd.get(), [this, &client](os::FdWatch::Ready ready) {
      if (ready.writable) write(client);
      if (ready.readable) read(client);
      wake_();
    });
  }
}

void SocketServer::read(Client& client) {
  char buffer[65536];
  const ssize_t n = ::recv(client.fd.get(), buffer, sizeof buffer, 0);
  if (n < 0 && (errno == EAGAIN || errno == EINTR)) return;
  if (n <= 0) {
    client.gone = true;
    client.watch.want({});
    return;
  }
  client.reader.feed({buffer, static_cast<size_t>(n)});
  process(client, os::read_clock());
  write(client);  // who typed more than is taken is not read on until the next turn
}

void SocketServer::process(Client& client, const Clock& now) {
  while (!client.gone && !client.conversation.leaving()) {
    const auto frame = client.reader.next();
    if (!frame) {
      client.conversation.refuse(frame.error());
      break;
    }
    if (!*frame) break;
    client.conversation.receive(now, **frame);
  }
}

void SocketServer::write(Client& client) {
  if (!client.gone && !os::send_some(client.fd.get(), client.out)) client.gone = true;
  if (client.gone)
    client.watch.want({});
  else
    client.watch.want({.read = !client.conversation.leaving() && client.conversation.hears(),
                       .write = !client.out.empty()});
}

void SocketServer::publish(const Clock& now, const std::vector<core::Answer>& answers) {
  for (const auto& client : clients_) {
    if (client->gone) continue;
    for (const auto& answer : answers) client->conversation.answered(now, answer);
    if (client->out.size() < kMaxQueued)
      client->conversation.pump(now, kMaxQueued - client->out.size());
    const std::string more = client->conversation.take_output();
    client->out += more;
    write(*client);
    // A stream that filled its room and was taken at once has nobody else to wake it.
    if (!more.empty() && client->out.empty() && !client->conversation.idle()) wake_();
    if (client->conversation.leaving() && client->out.empty()) client->gone = true;
  }
  drop_gone();
  api::give_sizes(engine_, now, server_.seats);  // … of those who are left
}

void SocketServer::drop_gone() {
  clients_.remove_if([](const auto& client) { return client->gone; });
}

std::optional<MonoTime> SocketServer::wake_at() const {
  std::optional<MonoTime> earliest;
  for (const auto& client : clients_) {
    if (client->out.size() >= kMaxQueued) continue;  // woken by its reading, not by time
    const auto due = client->conversation.wake_at();
    if (due && (!earliest || *due < *earliest)) earliest = due;
  }
  return earliest;
}

bool SocketServer::idle() const {
  for (const auto& client : clients_)
    if (!client->out.empty()) return false;
  return true;
}

}  // namespace pawl::daemon
