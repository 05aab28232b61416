#include "cli/pulse.h"

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/test_dir.h"
#include "os/file.h"
#include "os/home.h"
#include "os/socket.h"

namespace pawl::cli {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

// A daemon that is there, and answers when it is told to.
class PulseTest : public testing::Test {
 protected:
  void listen() { listener = std::move(*os::listen_local(dir.path(), os::kSocketName)); }
  // Waits as a client does, while nobody says anything.
  void wait(Duration time) {
    for (const MonoTime end = now + time; now < end;) {
      now += std::min<Duration>(milliseconds{pulse.wait_ms()}, end - now);
      pulse.go_on(now);
    }
  }
  void answer() {
    const os::Fd client = os::accept_local(listener.get());
    ASSERT_TRUE(client) << "nobody asks";
    ASSERT_EQ(::send(client.get(), "x", 1, 0), 1);
  }

  TestDir dir;
  os::Fd listener;
  MonoTime now{seconds{100}};
  Pulse pulse{dir.path(), ::getpid()};
};

TEST_F(PulseTest, ARequestWithoutAnAnswerIsSilenceAfterFiveSeconds) {
  listen();
  pulse.go_on(now);
  pulse.asked();
  wait(milliseconds{4900});
  EXPECT_FALSE(pulse.silent());
  wait(milliseconds{200});
  EXPECT_TRUE(pulse.silent());
  pulse.heard();
  EXPECT_FALSE(pulse.silent());
}

TEST_F(PulseTest, WhoAnswersTheSecondQuestionLivesHoweverLongTheFirstTakes) {
  listen();
  pulse.go_on(now);
  pulse.asked();
  for (int i = 0; i < 20; ++i) {
    wait(seconds{3});
    answer();
    wait(milliseconds{500});
    ASSERT_FALSE(pulse.silent());
  }
  wait(seconds{8});
  EXPECT_TRUE(pulse.silent()) << "it does not any more";
  answer();
  wait(milliseconds{500});
  EXPECT_FALSE(pulse.silent()) << "it does again";
}

TEST_F(PulseTest, TimeInWhichWeWereStoppedIsNoSilence) {
  listen();
  pulse.go_on(now);
  pulse.asked();
  wait(seconds{1});
  now += seconds{1000};
  pulse.go_on(now);
  EXPECT_FALSE(pulse.silent());
  wait(seconds{5});
  EXPECT_TRUE(pulse.silent());
}

TEST_F(PulseTest, ADaemonThatStartsHasMoreTime) {
  listen();
  ASSERT_TRUE(os::touch(dir / os::kLockName));
  pulse.go_on(now);
  pulse.asked();
  wait(seconds{20});
  EXPECT_FALSE(pulse.silent());
  ASSERT_TRUE(os::touch(dir / os::kAliveName));  // it was ready
  wait(seconds{1});
  EXPECT_TRUE(pulse.silent());
}

TEST_F(PulseTest, ASocketThatWasRemovedMayBeMadeAgain) {
  pulse.go_on(now);
  pulse.asked();
  wait(seconds{10});
  EXPECT_FALSE(pulse.silent());
  listen();
  wait(milliseconds{600});
  answer();
  wait(milliseconds{600});
  EXPECT_FALSE(pulse.silent());
}

TEST(SilentDaemon, SaysWhoAndWhatToDo) {
  const Error error = silent_daemon("/home/x", ::getpid());
  EXPECT_EQ(error.exit_code, 1);
  EXPECT_NE(error.what.find("(pid " + std::to_string(::getpid()) + ") does not answer"),
            std::string::npos);
  EXPECT_NE(error.fix.find("kill -9 " + std::to_string(::getpid())), std::string::npos);
}

}  // namespace
}  // namespace pawl::cli
