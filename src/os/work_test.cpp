#include "os/work.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <numeric>
#include <optional>

#include "os/fd.h"

namespace pawl::os {
namespace {

constexpr Duration kLong = std::chrono::seconds(20);
constexpr Duration kShort = std::chrono::milliseconds(5);

struct Sum {
  std::vector<int> in;
  int out = 0;
  void run() { out = std::accumulate(in.begin(), in.end(), 0); }
};

// Begins by saying so, and ends when it is told to.
class Gate {
 public:
  struct Task {
    int begun, go;
    void run() {
      char byte = 0;
      (void)!::write(begun, "b", 1);
      (void)!::read(go, &byte, 1);
    }
  };
  Gate() {
    EXPECT_EQ(::pipe2(begun_.data(), O_CLOEXEC), 0);
    EXPECT_EQ(::pipe2(go_.data(), O_CLOEXEC), 0);
  }
  ~Gate() {
    for (const int fd : {begun_[0], begun_[1], go_[0], go_[1]}) ::close(fd);
  }
  Task task() const { return {begun_[1], go_[0]}; }
  void await_begin() {
    char byte = 0;
    EXPECT_EQ(::read(begun_[0], &byte, 1), 1);
  }
  void open(size_t times = 1) {
    EXPECT_EQ(::write(go_[1], std::string(times, 'g').data(), times), static_cast<ssize_t>(times));
  }

 private:
  std::array<int, 2> begun_{}, go_{};
};

class WorkTest : public ::testing::Test {
 protected:
  std::function<void(Answer, Gate::Task*)> noting() {
    return [this](Answer answer, Gate::Task* task) {
      EXPECT_EQ(task != nullptr, answer == Answer::in_time);
      answers.push_back(answer);
      loop.stop();
    };
  }
  void until(size_t count) {
    Timer limit(loop, [this] {
      ADD_FAILURE() << "only " << answers.size() << " answers";
      answers.resize(99);
      loop.stop();
    });
    limit.start(kLong);
    while (answers.size() < count) loop.run();
  }

  Gate gate;
  Loop loop;
  std::vector<Answer> answers;
  std::optional<Worker> worker{std::in_place, loop};
};

TEST_F(WorkTest, TheResultComesBackOnTheLoop) {
  int sum = 0;
  ASSERT_TRUE(worker->run<Sum>({{1, 2, 3}}, kLong, [&](Answer answer, Sum* task) {
    EXPECT_EQ(answer, Answer::in_time);
    sum = task->out;
    loop.stop();
  }));
  EXPECT_EQ(sum, 0) << "not inside of run()";
  loop.run();
  EXPECT_EQ(sum, 6);
  EXPECT_EQ(worker->running(), 0u);
}

TEST_F(WorkTest, ManyTasksAllAnswer) {
  int sum = 0;
  int left = 1000;
  for (int i = 0; i < 1000; ++i)
    ASSERT_TRUE(worker->run<Sum>({{i}}, kLong, [&](Answer, Sum* task) {
      sum += task->out;
      EXPECT_LE(worker->running(), kTasksAtOnce);
      if (--left == 0) loop.stop();
    }));
  loop.run();
  EXPECT_EQ(sum, 999 * 500);
}

TEST_F(WorkTest, OneThatHangsIsLateAndThenBack) {
  worker->run(gate.task(), kShort, noting());
  gate.await_begin();
  until(1);
  EXPECT_EQ(answers, std::vector{Answer::late});
  EXPECT_EQ(worker->running(), 1u) << "its thread is not free";
  gate.open();
  until(2);
  EXPECT_EQ(answers, (std::vector{Answer::late, Answer::back}));
  EXPECT_EQ(worker->running(), 0u);
}

TEST_F(WorkTest, WhenAllHangTheNextIsDroppedAndTheOneAfterRunsAgain) {
  for (size_t i = 0; i < kTasksAtOnce; ++i) {
    worker->run(gate.task(), kLong, noting());
    gate.await_begin();
  }
  worker->run(gate.task(), kShort, noting());
  EXPECT_EQ(worker->waiting(), 1u);
  until(1);
  EXPECT_EQ(answers, std::vector{Answer::dropped});
  EXPECT_EQ(worker->waiting(), 0u);
  worker->run(gate.task(), kLong, noting());
  gate.open(kTasksAtOnce + 1);
  until(kTasksAtOnce + 2);
  EXPECT_EQ(std::count(answers.begin(), answers.end(), Answer::in_time),
            static_cast<ptrdiff_t>(kTasksAtOnce) + 1);
}

TEST_F(WorkTest, AFullQueueRefuses) {
  for (size_t i = 0; i < kTasksAtOnce; ++i) worker->run(gate.task(), kLong, noting());
  const auto ignored = [](Answer, Sum*) {};
  for (size_t i = 0; i < kTasksWaiting; ++i) ASSERT_TRUE(worker->run<Sum>({}, kLong, ignored)) << i;
  EXPECT_FALSE(worker->run<Sum>({}, kLong, ignored));
  gate.open(kTasksAtOnce);
  until(kTasksAtOnce);
  EXPECT_TRUE(worker->run<Sum>({}, kLong, ignored));
}

TEST(Work, NothingComesWhenTheOwnerIsGone) {
  Gate gate;
  int calls = 0;
  {
    Loop own;
    {
      Worker worker(own);
      for (size_t i = 0; i < kTasksAtOnce + 1; ++i)
        worker.run<Gate::Task>(gate.task(), kLong, [&](Answer, Gate::Task*) { ++calls; });
      for (size_t i = 0; i < kTasksAtOnce; ++i) gate.await_begin();
    }
    gate.open(kTasksAtOnce);
  }  // the loop has waited for those that ran
  EXPECT_EQ(calls, 0);
}

TEST_F(WorkTest, ACallbackMayDestroyTheWorker) {
  int calls = 0;
  for (int i = 0; i < 20; ++i)
    worker->run<Sum>({{i}}, kLong, [&](Answer, Sum*) {
      ++calls;
      worker.reset();
      loop.stop();
    });
  loop.run();
  EXPECT_EQ(calls, 1);
  worker.emplace(loop);
  worker->run<Gate::Task>(gate.task(), kShort, [&](Answer answer, Gate::Task*) {
    EXPECT_EQ(answer, Answer::late);
    worker.reset();
    loop.stop();
  });
  loop.run();
  gate.open();
}

TEST(Work, TheLoopWaitsForATaskThatStillRuns) {
  Gate gate;
  {
    Loop loop;
    Worker worker(loop);
    worker.run<Gate::Task>(gate.task(), kLong, [](Answer, Gate::Task*) { FAIL(); });
    gate.await_begin();
    gate.open();
  }
  SUCCEED() << "and the sanitizers see nothing";
}

void exit_while_one_hangs() {
  Gate gate;
  {
    Loop loop;
    Worker worker(loop);
    worker.run<Gate::Task>(gate.task(), kLong, [](Answer, Gate::Task*) {});
    gate.await_begin();
  }
  std::exit(7);
}

TEST(WorkDeathTest, OneThatHangsForGoodDoesNotKeepTheProcess) {
  EXPECT_EXIT(exit_while_one_hangs(), ::testing::ExitedWithCode(7), "");
}

}  // namespace
}  // namespace pawl::os
