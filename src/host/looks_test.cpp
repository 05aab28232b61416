#include "host/looks.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <map>
#include <memory>

#include "host/test_proc.h"

namespace pawl::host {
namespace {

constexpr Duration kShort = std::chrono::milliseconds(100);

// Terminals of made-up children 10, 11, …; session N has child N. One can be made to hang: its words are a pipe then, and who
// opens that to read waits for somebody who writes.
class LooksTest : public ::testing::Test, protected TestProc {
 protected:
  void children(int count) {
    for (pid_t pid = 10; pid < 10 + count; ++pid) {
      front = pid;
      add({pid, 1, pid, "child" + std::to_string(pid)});
    }
  }
  void hang(pid_t pid) {
    ::unlink((of(pid) + "/cmdline").c_str());
    ASSERT_EQ(::mkfifo((of(pid) + "/cmdline").c_str(), 0600), 0);
  }
  void let_go(pid_t pid) {
    const int fd = ::open((of(pid) + "/cmdline").c_str(), O_WRONLY | O_CLOEXEC);
    ASSERT_GE(fd, 0);
    ::unlink((of(pid) + "/cmdline").c_str());
    write(of(pid) + "/cmdline", "again");
    ::close(fd);
  }
  void make(Duration limit = kShort) {
    looks = std::make_unique<Looks>(
        loop,
        [this](SessionId session, model::Facts facts) {
          ++answers[session.value];
          EXPECT_EQ(facts.front, "child" + std::to_string(session.value));
        },
        proc, limit);
  }
  void ask(uint64_t child) { looks->ask(SessionId{child}, {static_cast<pid_t>(child), 100}); }
  void until(const std::function<bool()>& done) {
    bool late = false;
    os::Timer limit(loop, [&] { late = true; });
    os::Timer glance(loop, [&] { loop.stop(); });
    limit.start(std::chrono::seconds(20));
    for (; !done() && !late; loop.run()) glance.start(std::chrono::milliseconds(1));
    EXPECT_FALSE(late);
  }
  void until_answers(size_t count) {
    until([&] { return answers.size() == count; });
  }

  os::Loop loop;
  std::unique_ptr<Looks> looks;
  std::map<uint64_t, int> answers;
};

TEST_F(LooksTest, OneAndManyAreAnsweredOnce) {
  children(12);
  make(kLookLimit);
  ask(10);
  ask(10);
  until_answers(1);
  for (uint64_t child = 10; child < 22; ++child) ask(child);
  ask(10);
  ask(99);  // nobody
  until_answers(12);
  until([&] { return looks->unanswered() == 0; });
  EXPECT_EQ(answers[10], 2);
  EXPECT_EQ(answers[11], 1);
}

TEST_F(LooksTest, AskedDuringASurveyWaitsForTheNext) {
  children(12);
  make(kLookLimit);
  for (uint64_t child = 10; child < 16; ++child) ask(child);
  os::Soon next(loop, [&] {
    for (uint64_t child = 16; child < 22; ++child) ask(child);
  });
  next.ask();
  until_answers(12);
}

TEST_F(LooksTest, OneThatHangsHangsAlone) {
  children(12);
  hang(13);
  make(kLookLimit);
  for (uint64_t child = 10; child < 22; ++child) ask(child);
  until_answers(11);
  EXPECT_EQ(answers.count(13), 0u);
  EXPECT_EQ(looks->unanswered(), 1u);
  let_go(13);
}

TEST_F(LooksTest, OneThatHangsIsAskedAgainWhenItIsBack) {
  children(1);
  hang(10);
  make();
  ask(10);
  os::Timer later(loop, [&] { loop.stop(); });
  later.start(kShort * 2);
  while (later.armed()) loop.run();  // given up
  ask(10);
  EXPECT_EQ(looks->unanswered(), 1u);
  let_go(10);
  until([&] { return looks->unanswered() == 0; });
  EXPECT_TRUE(answers.empty()) << "what it says now is too old";
  until([&] {
    ask(10);
    return answers.count(10) > 0;
  });
}

TEST_F(LooksTest, TheForgottenAreNotAnswered) {
  children(12);
  make(kLookLimit);
  for (uint64_t child = 10; child < 22; ++child) ask(child);
  looks->forget(SessionId{11});
  os::Soon during(loop, [&] { looks->forget(SessionId{12}); });
  during.ask();
  until([&] { return looks->unanswered() == 0; });
  EXPECT_EQ(answers.size(), 10u);
  EXPECT_FALSE(answers.count(11) || answers.count(12));
}

TEST_F(LooksTest, WhenAllThreadsHangNobodyIsAnsweredUntilOneIsBack) {
  children(5);
  for (pid_t pid = 10; pid < 13; ++pid) hang(pid);
  static_assert(os::kTasksAtOnce == 3);
  make();
  for (uint64_t child = 10; child < 13; ++child) ask(child);
  ask(13);
  until([&] { return looks->unanswered() == 3; });  // 13 was dropped
  EXPECT_TRUE(answers.empty());
  let_go(11);
  until([&] { return looks->unanswered() == 2; });
  until([&] {
    ask(13);
    return answers.count(13) > 0;
  });
  EXPECT_EQ(answers.size(), 1u);
  let_go(10);
  let_go(12);
}

TEST_F(LooksTest, MayGoAwayWhileOneHangs) {
  children(6);
  hang(12);
  make(kLookLimit);
  for (uint64_t child = 10; child < 16; ++child) ask(child);
  until_answers(5);
  looks.reset();
  let_go(12);
  EXPECT_EQ(answers.size(), 5u);
}

}  // namespace
}  // namespace pawl::host
