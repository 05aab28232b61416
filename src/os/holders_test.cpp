#include "os/holders.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>

namespace pawl::os {
namespace {

TEST(Holders, AProcessThatIsStoppedIsSeen) {
  const pid_t child = ::fork();
  if (child == 0) {
    for (;;) ::pause();
  }
  const ProcessId id = identify(child).value();
  EXPECT_FALSE(stopped(id));
  ::kill(child, SIGSTOP);
  ::waitpid(child, nullptr, WUNTRACED);
  EXPECT_TRUE(stopped(id));
  EXPECT_FALSE(stopped({child, id.start_ticks + 1})) << "another one";
  ::kill(child, SIGKILL);
  ::waitpid(child, nullptr, 0);
  EXPECT_FALSE(stopped(id));
  EXPECT_FALSE(stopped({}));
}

TEST(Holders, NoneIsInAFolderNobodyHas) {
  EXPECT_TRUE(holders_in("/nowhere/holders").empty());
}

}  // namespace
}  // namespace pawl::os
