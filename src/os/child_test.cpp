#include "os/child.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include <csignal>
#include <optional>

#include "base/test_dir.h"
#include "os/file.h"
#include "os/process.h"

namespace pawl::os {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

struct World {
  Loop loop;
  std::unique_ptr<Child> child;
  std::optional<ChildEnd> end;

  ChildEnd run(ChildOrder order) {
    auto started = Child::start(loop, order, [this](const ChildEnd& its) {
      end = its;
      child.reset();  // a callback may
      loop.stop();
    });
    EXPECT_TRUE(started) << text_of(started.error());
    child = std::move(*started);
    loop.run();
    return end.value_or(ChildEnd{});
  }
  ChildEnd sh(const std::string& script, Duration limit = seconds{60}) {
    ChildOrder order{{"/bin/sh", "-c", script}};
    order.limit = limit;
    return run(order);
  }
};

TEST(Child, ItsEndAndItsOutput) {
  const ChildEnd fine = World().sh("echo out; echo err >&2");
  EXPECT_TRUE(fine.fine());
  EXPECT_EQ(fine.output, "out\nerr\n");
  const ChildEnd bad = World().sh("echo one; echo two; echo; exit 3");
  EXPECT_FALSE(bad.fine());
  EXPECT_EQ(bad.exit_code, 3);
  EXPECT_EQ(last_line(bad), "two");
  const ChildEnd killed = World().sh("kill -9 $$");
  EXPECT_EQ(killed.signal, SIGKILL);
  EXPECT_FALSE(killed.fine());
  EXPECT_FALSE(killed.late);
}

TEST(Child, ReadsItsInputAndThenTheEnd) {
  ChildOrder order{{"cat"}};
  order.input = "{\"a\": 1}\n";
  EXPECT_EQ(World().run(order).output, order.input);
  order.argv = {"sh", "-c", "cat /dev/stdin; cat"};
  EXPECT_EQ(World().run(order).output.find(order.input), 0u) << "opened by its name";
  order.argv = {"wc", "-c"};
  order.input = std::string(1u << 20, 'x');
  EXPECT_EQ(World().run(order).output, "1048576\n");
  order.argv = {"true"};  // does not read at all
  EXPECT_TRUE(World().run(order).fine());
  order.argv = {"cat"};
  order.input.clear();
  EXPECT_EQ(World().run(order).output, "");
}

TEST(Child, ItsFolderEnvironmentAndSession) {
  TestDir dir;
  ChildOrder order{
      {"sh", "-c",
       "pwd; echo $A; ps -o tty= -p $$ 2>/dev/null; test $$ = $(cut -d' ' -f6 /proc/$$/stat)"}};
  order.dir = dir.path();
  order.environment = {"A=b c", "PATH=/usr/bin:/bin"};
  const ChildEnd end = World().run(order);
  EXPECT_EQ(end.output.find(dir.path() + "\nb c\n"), 0u) << end.output;
  EXPECT_EQ(end.exit_code, 0) << "not the leader of a session";
}

TEST(Child, IsLookedForInThePathOfItsOwnEnvironment) {
  TestDir dir;
  const std::string tool = dir.path() + "/only-here";
  ASSERT_TRUE(write_atomically(tool, "#!/bin/sh\necho found\n"));
  ASSERT_EQ(::chmod(tool.c_str(), 0700), 0);
  ChildOrder order{{"only-here"}};
  order.environment = {"PATH=" + dir.path()};
  EXPECT_EQ(World().run(order).output, "found\n");
  EXPECT_EQ(find_program("only-here", "/nowhere:" + dir.path()), tool);
  EXPECT_EQ(find_program("only-here", "/nowhere"), "");
  EXPECT_EQ(find_program(tool, ""), tool);
  ASSERT_EQ(::chmod(tool.c_str(), 0600), 0);
  EXPECT_EQ(find_program("only-here", dir.path()), "");
}

TEST(Child, WhatCannotBeRunSaysSo) {
  const ChildEnd none = World().run({{"/no/such/program"}});
  EXPECT_EQ(none.exit_code, 127);
  EXPECT_EQ(last_line(none), "cannot run /no/such/program: No such file or directory");
  ChildOrder order{{"true"}};
  order.dir = "/no/such/folder";
  const ChildEnd lost = World().run(order);
  EXPECT_EQ(lost.exit_code, 126);
  EXPECT_EQ(last_line(lost), "cannot go to /no/such/folder: No such file or directory");
  Loop loop;
  EXPECT_FALSE(Child::start(loop, {{}}, {}));
  EXPECT_FALSE(Child::start(loop, {{""}}, {}));
}

TEST(Child, OfALotOfOutputTheEndIsKept) {
  const ChildEnd end = World().sh("i=0; while [ $i -lt 20000 ]; do echo line $i; i=$((i+1)); done");
  EXPECT_LE(end.output.size(), kChildOutput);
  EXPECT_EQ(last_line(end), "line 19999");
}

TEST(Child, AtTheLimitTheWholeGroupIsKilled) {
  // The grandchild ignores everything else; both print their numbers.
  const ChildEnd end = World().sh(
      "trap '' TERM HUP; (echo $$; exec tail -f /dev/null) & echo $!; wait", milliseconds{300});
  EXPECT_TRUE(end.late);
  EXPECT_FALSE(end.fine());
  EXPECT_EQ(end.signal, SIGKILL);
  const pid_t grandchild = std::stoi(last_line(end));
  while (const auto left =
             identify(grandchild))  // its KILL was sent: it only has to be carried out
    if (!alive(*left)) break;
  SUCCEED();
}

// It holds our pipe, and does not mind when that breaks (tail would leave then).
TEST(Child, WhatItLeavesBehindIsNotWaitedFor) {
  const ChildEnd end = World().sh("sleep 600 & echo $!");
  EXPECT_TRUE(end.fine());
  const auto left = identify(std::stoi(last_line(end)));
  ASSERT_TRUE(left && alive(*left));
  EXPECT_TRUE(send_signal(*left, SIGKILL));
}

TEST(Child, WhoIsDestroyedIsKilled) {
  Loop loop;
  auto child = Child::start(loop, {{"tail", "-f", "/dev/null"}}, [](const ChildEnd&) { FAIL(); });
  ASSERT_TRUE(child);
  const auto id = identify((*child)->pid());
  ASSERT_TRUE(id);
  child->reset();
  int status = 0;
  EXPECT_EQ(::waitpid(id->pid, &status, 0), id->pid);
  EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
}

TEST(Child, ALineForPeopleIsShortAndTame) {
  ChildEnd end;
  EXPECT_EQ(last_line(end), "");
  end.output = "x\n\x1b[31mred\r\n\n";
  EXPECT_EQ(last_line(end), " [31mred");
  end.output = "x";
  while (end.output.size() < 1000) end.output += "ä";
  EXPECT_EQ(last_line(end).size(), 202u);
}

}  // namespace
}  // namespace pawl::os
