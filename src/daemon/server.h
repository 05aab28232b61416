#pragma once
// The local socket: accepts clients of our own user, cuts their bytes into frames, and carries the conversations' answers.
// A client that does not read is not waited for; one that sends garbage is told so and dropped.

#include <list>
#include <memory>
#include <string>

#include "api/conversation.h"
#include "os/fd.h"
#include "os/loop.h"

namespace pawl::daemon {

inline constexpr size_t kMaxClients = 512;
inline constexpr size_t kMaxQueued =
    1u << 20;  // bytes waiting for one client before its stream pauses

class SocketServer {
 public:
  // `wake` asks for a turn soon.
  SocketServer(os::Loop& loop, os::Fd listener, core::Engine& engine, api::Server& server,
               std::function<void()> wake);
  ~SocketServer();

  // At another socket from now on: the name of the one before was removed.
  void listen(os::Fd listener);
  // After a turn: answers to whom they belong, streams go on, bytes leave.
  void publish(const Clock& now, const std::vector<core::Answer>& answers);
  std::optional<MonoTime> wake_at() const;
  bool idle() const;  // nobody has bytes waiting

 private:
  struct Client;
  void accept_all();
  void read(Client& client);
  void process(Client& client, const Clock& now);
  void write(Client& client);
  void drop_gone();

  os::Loop& loop_;
  os::Fd listener_;
  core::Engine& engine_;
  api::Server& server_;
  std::function<void()> wake_;
  std::list<std::unique_ptr<Client>> clients_;
  os::FdWatch watch_;
};

}  // namespace pawl::daemon
