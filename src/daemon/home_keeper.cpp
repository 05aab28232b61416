#include "daemon/home_keeper.h"

#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>

#include "base/text.h"
#include "os/home.h"
#include "os/openers.h"
#include "os/socket.h"

namespace pawl::daemon {
namespace {

constexpr int kLockTries = 5;  // somebody who only looks has it for a moment
constexpr int kLockPauseMs = 20;
constexpr const char* kProgram = "pawl";
const char* const kUseIt = "use it, stop it with: pawl daemon --stop, or set another PAWL_HOME";

Result<os::Fd> patient_lock(const std::string& path) {
  for (int tries = 1;; ++tries) {
    auto lock = os::lock_file(path);
    if (lock || tries == kLockTries || !os::exists(path)) return lock;
    ::poll(nullptr, 0, kLockPauseMs);
  }
}

Done sign(const os::Fd& lock, const std::string& path) {
  if (::ftruncate(lock.get(), 0) != 0) return fail("cannot write " + path);
  return os::write_all(lock.get(), std::to_string(::getpid()) + "\n", path);
}

// What we say goes on in the new one, if it went there.
void reopen_log(const std::string& path) {
  std::error_code error;
  if (std::filesystem::read_symlink("/proc/self/fd/2", error) != path + " (deleted)") return;
  if (os::is_link(path)) return;
  const auto log = os::open_append(path);
  if (!log) return;
  ::dup2(log->get(), STDOUT_FILENO);
  ::dup2(log->get(), STDERR_FILENO);
}

}  // namespace

Result<os::Fd> only_one(const std::string& home) {
  const std::string path = home + "/" + os::kLockName;
  auto lock = patient_lock(path);
  if (!lock) {
    const auto holder = os::read_file(path);
    return fail(fmt::format("a daemon is running already for {} (pid {})", home,
                            trim(holder.value_or("?"))),
                kUseIt);
  }
  // At once: who waits for us sees that we start.
  if (auto signed_it = sign(*lock, path); !signed_it) return tl::unexpected(signed_it.error());
  if (const auto others = os::openers_of_removed(path, kProgram); !others.empty())
    return fail(fmt::format("a daemon is running already for {} (pid {}); the folder was removed "
                            "under it",
                            home, others.front()),
                "it makes the folder again within 10 s: try again then");
  return lock;
}

Done make_home_again(const std::string& home, const store::SqliteJournal& journal, os::Fd& lock) {
  const std::string above = home.substr(0, std::max<size_t>(1, home.rfind('/')));
  if (!os::is_dir(above)) return fail(above + " is gone, too", "make that folder again");
  if (auto made = os::make_private_dir(home + "/holders"); !made) return made;
  const std::string path = home + "/" + os::kLockName, file = home + "/journal.db";
  if (os::file_id(path) != os::file_id(lock.get())) {
    auto taken = patient_lock(path);
    if (!taken || os::exists(file))
      return fail("another daemon has taken " + home, "end it: pawl daemon --stop");
    if (auto done = sign(*taken, path); !done) return done;
    lock = std::move(*taken);
  }
  // Of the one that was removed: read along with another file they would spoil it.
  for (const char* rest : {"-wal", "-shm", ".copy"}) os::remove_file(file + rest);
  if (auto copied = journal.copy_to(file + ".copy"); !copied) return copied;
  if (!os::move_file(file + ".copy", file)) return fail("cannot make " + file);
  reopen_log(home + "/" + os::kLogName);
  return {};
}

HomeKeeper::HomeKeeper(os::Loop& loop, std::string home, os::Fd& lock, SocketServer& server,
                       std::function<void()> gone)
    : home_(std::move(home)),
      lock_(lock),
      server_(server),
      gone_(std::move(gone)),
      folder_(os::file_id(home_)),
      socket_(os::file_id(home_ + "/" + os::kSocketName)),
      timer_(loop, [this] { look(); }) {
  timer_.start(kLookAtHome);
}

void HomeKeeper::look() {
  timer_.start(kLookAtHome);
  if (os::file_id(home_) != folder_ || !os::exists(home_ + "/journal.db")) return gone_();
  if (os::file_id(home_ + "/" + os::kLockName) != os::file_id(lock_.get())) lock_again();
  if (os::file_id(home_ + "/" + os::kSocketName) != socket_ && !told_) bind_again();
}

void HomeKeeper::bind_again() {
  auto listener = os::listen_local(home_, os::kSocketName);
  if (!listener) return fmt::print(stderr, "pawl: {}\n", text_of(listener.error()));
  server_.listen(std::move(*listener));
  socket_ = os::file_id(home_ + "/" + os::kSocketName);
  fmt::print(stderr, "pawl: the socket of {} was removed; it is there again\n", home_);
}

// Whoever has it now came while it was not there, and answers at our socket, too: we say so and leave both alone.
void HomeKeeper::lock_again() {
  const std::string path = home_ + "/" + os::kLockName;
  auto lock = patient_lock(path);
  if (lock && sign(*lock, path)) {
    lock_ = std::move(*lock);
    (void)os::touch(home_ + "/" + os::kAliveName);
    fmt::print(stderr, "pawl: the lock of {} was removed; it is there again\n", home_);
    told_ = false;
  } else if (!std::exchange(told_, true)) {
    fmt::print(stderr, "pawl: another daemon has taken {}: end one of us (this is pid {})\n", home_,
               ::getpid());
  }
}

}  // namespace pawl::daemon
