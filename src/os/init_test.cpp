// In a process of its own, which is not the first of anything: what that is for is in test/e2e/init_test.py.

#include "os/init.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>

namespace pawl::os {
namespace {

// Its exit code; `passed` is sent to it first, and waits until somebody takes it.
int code_of(const std::function<int()>& program, int passed = 0) {
  sigset_t waiting, before;
  ::sigemptyset(&waiting);
  if (passed != 0) ::sigaddset(&waiting, passed);
  ::sigprocmask(SIG_BLOCK, &waiting, &before);
  const pid_t init = ::fork();
  if (init == 0) ::_exit(as_init(program, "nobody"));
  ::sigprocmask(SIG_SETMASK, &before, nullptr);
  if (passed != 0) ::kill(init, passed);
  int status = 0;
  EXPECT_EQ(::waitpid(init, &status, 0), init);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

int waits_for(int number) {
  sigset_t set;
  ::sigemptyset(&set);
  ::sigaddset(&set, number);
  int got = 0;
  ::sigwait(&set, &got);
  return got == number ? 9 : 1;
}

TEST(Init, ItsCodeIsTheProgramsOwn) {
  EXPECT_EQ(code_of([] { return 0; }), 0);
  EXPECT_EQ(code_of([] { return 124; }), 124);
}

TEST(Init, AKilledProgramSaysHow) {
  EXPECT_EQ(code_of([] { return ::raise(SIGKILL); }), 128 + SIGKILL);
  EXPECT_EQ(code_of([] { return ::raise(SIGTERM); }), 128 + SIGTERM)
      << "its signals are not blocked";
}

TEST(Init, SignalsArePassedOn) {
  for (const int number : {SIGTERM, SIGINT, SIGHUP, SIGUSR1, SIGUSR2})
    EXPECT_EQ(code_of([&] { return waits_for(number); }, number), 9) << number;
}

// What a program's child leaves behind becomes ours, and the program ends without it.
TEST(Init, AnOrphanIsNoReasonToEnd) {
  const auto program = [] {
    const pid_t child = ::fork();
    if (child == 0) {
      if (::fork() == 0) ::_exit(3);  // an orphan, at once
      ::_exit(0);
    }
    ::waitpid(child, nullptr, 0);
    return 5;
  };
  EXPECT_EQ(code_of(program), 5);
}

TEST(Init, ATerminalsKeysReachTheProgramOnce) {
  const pid_t ours = ::getpgrp();
  EXPECT_EQ(code_of([=] { return ::getpgrp() == ours ? 1 : 0; }), 0);
}

}  // namespace
}  // namespace pawl::os
