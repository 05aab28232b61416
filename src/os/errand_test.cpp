#include "os/errand.h"

#include <gtest/gtest.h>

#include <future>
#include <thread>

namespace pawl::os {
namespace {

using std::chrono::milliseconds;

// Somebody who waits until he is let go, as one does at a mount whose server is gone.
struct Gate {
  std::promise<void> open;
  std::shared_future<void> opened = open.get_future().share();
};

TEST(Errand, IsDoneAndItsResultIsThere) {
  Errands errands(std::chrono::seconds{60});
  for (int i = 0; i < 100; ++i) {
    auto result = std::make_shared<int>(0);
    ASSERT_EQ(errands.run([result, i] { *result = i; }), nullptr);
    EXPECT_EQ(*result, i);
  }
  EXPECT_EQ(errands.away(), 0u);
}

TEST(Errand, OneThatDoesNotComeBackIsGivenUpAndOthersAreDone) {
  Errands errands(milliseconds{20});
  Gate gate;
  const auto late = errands.run([opened = gate.opened] { opened.wait(); });
  ASSERT_NE(late, nullptr);
  EXPECT_FALSE(late->back());
  EXPECT_EQ(errands.away(), 1u);
  auto done = std::make_shared<std::promise<void>>();
  auto seen = done->get_future();
  (void)errands.run([done] { done->set_value(); });
  seen.get();
  gate.open.set_value();
  while (!late->back()) std::this_thread::yield();
  EXPECT_EQ(errands.away(), 0u);
}

TEST(Errand, NobodyIsSentWhenTooManyAreAway) {
  Errands errands(milliseconds{1});
  Gate gate;
  for (size_t i = 0; i < Errands::kMostAway; ++i)
    ASSERT_NE(errands.send([opened = gate.opened] { opened.wait(); }), nullptr);
  EXPECT_EQ(errands.send([] {}), nullptr);
  auto ran = std::make_shared<bool>(false);
  const auto late = errands.run([ran] { *ran = true; });
  ASSERT_NE(late, nullptr);
  EXPECT_FALSE(late->back());
  EXPECT_FALSE(*ran);
  gate.open.set_value();
  while (errands.away() > 0) std::this_thread::yield();
}

TEST(Errand, WhoIsAwayOutlivesWhoSentHim) {
  Gate gate;
  auto ended = std::make_shared<std::promise<void>>();
  auto seen = ended->get_future();
  {
    Errands errands(milliseconds{1});
    (void)errands.run([opened = gate.opened, ended] {
      opened.wait();
      ended->set_value();
    });
  }
  gate.open.set_value();
  seen.get();
}

}  // namespace
}  // namespace pawl::os
