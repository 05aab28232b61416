#pragma once
// Looks after what others may remove under a running daemon: its socket, its lock, its journal, the whole home. Cleaners of /tmp
// do that, and so do agents.

#include <functional>
#include <string>

#include "daemon/server.h"
#include "os/file.h"
#include "os/loop.h"
#include "store/sqlite_journal.h"

namespace pawl::daemon {

inline constexpr Duration kLookAtHome = std::chrono::seconds{5};

// One daemon per home. Also when the lock of another one was removed with its home.
Result<os::Fd> only_one(const std::string& home);

// The home was removed: makes it again, with the journal. What else was in it is lost. `lock`: also of the new one.
Done make_home_again(const std::string& home, const store::SqliteJournal& journal, os::Fd& lock);

class HomeKeeper {
 public:
  // `gone` is called when the home or its journal is not there any more; and again until somebody does something about it.
  HomeKeeper(os::Loop& loop, std::string home, os::Fd& lock, SocketServer& server,
             std::function<void()> gone);

 private:
  void look();
  void bind_again();
  void lock_again();

  std::string home_;
  os::Fd& lock_;
  SocketServer& server_;
  std::function<void()> gone_;
  std::optional<os::FileId> folder_, socket_;
  bool told_ = false;  // that another has our lock
  os::Timer timer_;
};

}  // namespace pawl::daemon
