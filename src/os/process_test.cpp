#include "os/process.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>

#include "base/test_dir.h"
#include "base/text.h"
#include "os/fd.h"
#include "os/file.h"

namespace pawl::os {
namespace {

// A child that waits until it is told to go (its pipe closes) or is signalled.
class Child {
 public:
  explicit Child(const char* variable = nullptr) {
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0) std::abort();
    int ready[2];
    if (::pipe2(ready, O_CLOEXEC) != 0) std::abort();
    pid_ = ::fork();
    if (pid_ == 0) {
      ::dup2(ends[0], 0);
      char* const argv[] = {const_cast<char*>("cat"), nullptr};
      char* const none[] = {const_cast<char*>(variable), nullptr};
      ::execve("/bin/cat", argv, none);
      ::_exit(127);
    }
    ::close(ends[0]);
    ::close(ready[1]);
    char byte;
    (void)!::read(ready[0], &byte, 1);  // closed by the exec: its environment is in place
    ::close(ready[0]);
    stdin_.reset(ends[1]);
  }
  ~Child() { reap(); }
  pid_t pid() const { return pid_; }
  void let_go() { stdin_.reset(); }
  int reap() {
    let_go();
    int status = -1;
    if (pid_ > 0) ::waitpid(pid_, &status, 0);
    pid_ = 0;
    return status;
  }

 private:
  pid_t pid_ = 0;
  Fd stdin_;
};

// Until the process is gone or a zombie; no time is involved.
void wait_until_dead(pid_t pid) {
  siginfo_t info{};
  ::waitid(P_PID, static_cast<id_t>(pid), &info, WEXITED | WNOWAIT);
}

TEST(Process, IsKnownByItsStart) {
  const auto self = identify(::getpid());
  ASSERT_TRUE(self);
  EXPECT_EQ(self->pid, ::getpid());
  EXPECT_GT(self->start_ticks, 0u);
  EXPECT_TRUE(alive(*self));
  EXPECT_TRUE(goes_on(*self));
  EXPECT_FALSE(alive({self->pid, self->start_ticks + 1})) << "the same pid, another process";
}

TEST(Process, ANameFullOfParenthesesIsReadToo) {
  const std::string kept = std::string(trim(*read_file("/proc/self/comm")));
  ASSERT_TRUE(identify(::getpid()));
  const auto before = *identify(::getpid());
  const Fd comm(::open("/proc/self/comm", O_WRONLY | O_CLOEXEC));
  ASSERT_TRUE(write_all(comm.get(), "a) R 1 (b) ", "comm"));
  EXPECT_EQ(identify(::getpid()), before);
  ASSERT_TRUE(write_all(comm.get(), kept, "comm"));
}

TEST(Process, AZombieIsNotAliveAndAReapedOneIsUnknown) {
  Child child;
  const auto id = identify(child.pid());
  ASSERT_TRUE(id);
  EXPECT_TRUE(alive(*id));
  child.let_go();
  wait_until_dead(id->pid);
  EXPECT_FALSE(alive(*id));
  EXPECT_EQ(child.reap(), 0);
  EXPECT_FALSE(identify(id->pid));
  EXPECT_FALSE(alive(*id));
  EXPECT_FALSE(send_signal(*id, SIGTERM));
}

TEST(Process, ASignalReachesTheOneThatIsMeant) {
  Child child;
  const auto id = identify(child.pid());
  ASSERT_TRUE(id);
  EXPECT_FALSE(send_signal({id->pid, id->start_ticks + 1}, SIGKILL)) << "a stranger with its pid";
  EXPECT_TRUE(alive(*id));
  EXPECT_TRUE(send_signal(*id, SIGTERM));
  const int status = child.reap();
  ASSERT_TRUE(WIFSIGNALED(status));
  EXPECT_EQ(WTERMSIG(status), SIGTERM);
}

TEST(Process, CarriersOfAVariableAreFound) {
  Child child("PAWL_TEST_MARK=one=two"), plain("XPAWL_TEST_MARK=one=two");
  const auto id = identify(child.pid());
  const auto carriers = carriers_of("PAWL_TEST_MARK");
  ASSERT_EQ(carriers.size(), 1u);
  EXPECT_EQ(carriers[0].first, *id);
  EXPECT_EQ(carriers[0].second, "one=two");
  EXPECT_EQ(with_environment("PAWL_TEST_MARK=one=two"), std::vector<ProcessId>{*id});
  EXPECT_TRUE(with_environment("PAWL_TEST_MARK=one").empty()) << "the whole value";
}

// Reads until everybody who has the other end is gone.
std::string read_to_end(int fd) {
  std::string all;
  char buffer[4096];
  for (ssize_t n; (n = ::read(fd, buffer, sizeof buffer)) > 0;)
    all.append(buffer, static_cast<size_t>(n));
  return all;
}

TEST(StartDetached, IsNobodysChildAndWritesItsLog) {
  TestDir dir;
  int ends[2];
  ASSERT_EQ(::pipe2(ends, O_CLOEXEC), 0);
  Detached what;
  what.argv = {"/bin/sh", "-c",
               "echo out; echo err >&2; cut -d' ' -f6 /proc/$$/stat >&3; echo $$ $PPID >&3; pwd "
               ">&3; read x; "
               "echo \"in:$x\" >&3"};
  what.log = dir / "log";
  what.dir = dir.path();
  what.keep = ends[1];
  ASSERT_TRUE(start_detached(what));
  ::close(ends[1]);
  const auto lines = split(read_to_end(ends[0]), '\n');
  ::close(ends[0]);
  ASSERT_GE(lines.size(), 4u);
  const std::string sid(trim(lines[0]));
  const auto ids = split(lines[1], ' ');
  EXPECT_EQ(sid, ids[0]) << "the leader of a session of its own";
  EXPECT_NE(ids[1], std::to_string(::getpid()));
  EXPECT_EQ(lines[2], dir.path());
  EXPECT_EQ(lines[3], "in:") << "nothing to read on stdin";
  EXPECT_EQ(read_file(dir / "log"), "out\nerr\n");
  EXPECT_EQ(::waitpid(-1, nullptr, WNOHANG), -1) << "no zombie, no child";
}

TEST(StartDetached, ALinkInPlaceOfItsLogIsNotFollowed) {
  TestDir dir;
  int ends[2];
  ASSERT_EQ(::pipe2(ends, O_CLOEXEC), 0);
  ASSERT_TRUE(write_atomically(dir / "victim", "mine\n"));
  ASSERT_EQ(::symlink((dir / "victim").c_str(), (dir / "log").c_str()), 0);
  Detached what;
  what.argv = {"/bin/sh", "-c", "echo out && echo err >&2 && echo here >&3"};
  what.log = dir / "log";
  what.keep = ends[1];
  ASSERT_TRUE(start_detached(what));
  ::close(ends[1]);
  EXPECT_EQ(read_to_end(ends[0]), "here\n") << "it runs all the same";
  ::close(ends[0]);
  EXPECT_EQ(read_file(dir / "victim"), "mine\n");
}

TEST(StartDetached, PassesOnNoDescriptorButTheOneToKeep) {
  int ends[2], leaked[2];
  ASSERT_EQ(::pipe2(ends, O_CLOEXEC), 0);
  ASSERT_EQ(::pipe(leaked), 0);  // without O_CLOEXEC: somebody forgot
  Detached what;
  what.argv = {"/bin/sh", "-c", "ls /proc/self/fd >&3"};
  what.keep = ends[1];
  ASSERT_TRUE(start_detached(what));
  ::close(ends[1]);
  const std::string seen = read_to_end(ends[0]);
  for (const int fd : {ends[0], leaked[0], leaked[1]}) ::close(fd);
  // 4 is the one ls itself reads the folder with.
  EXPECT_EQ(seen, "0\n1\n2\n3\n4\n");
}

TEST(Process, OwnFactsAreRight) {
  ::setenv("PAWL_TEST_OWN", "yes", 1);
  const auto all = own_environment();
  EXPECT_NE(std::find(all.begin(), all.end(), "PAWL_TEST_OWN=yes"), all.end());
  ::unsetenv("PAWL_TEST_OWN");
  EXPECT_TRUE(exists(own_executable()));
  EXPECT_NE(own_executable().find("os_tests"), std::string::npos);
}

}  // namespace
}  // namespace pawl::os
