#include "api/calls.h"

#include <gtest/gtest.h>

#include "term/terminal.h"

namespace pawl::api {
namespace {

struct Programs {
  term::Terminal terminal{{40, 5}};
  Calls calls;
  bool progress = true;
  std::string prints(std::string_view bytes, uint64_t session = 1) {
    terminal.feed(bytes);
    return calls.since(SessionId{session}, terminal.screen(), progress);
  }
};

TEST(Calls, WhatIsNewIsSaidOnce) {
  Programs it;
  EXPECT_EQ(it.prints("\a\x1b]9;before\a"), "") << "nobody was there";
  EXPECT_EQ(it.prints("\a\a"), "\a") << "two at once are one";
  EXPECT_EQ(it.prints("text"), "");
  EXPECT_EQ(it.prints("\x1b]9;done\a"), "\x1b]9;done\x1b\\");
  EXPECT_EQ(it.prints("\x1b]777;notify;Build;red\a"), "\x1b]9;Build: red\x1b\\");
  EXPECT_EQ(it.prints(""), "");
}

TEST(Calls, AnotherTerminalBeginsAnew) {
  Programs it;
  it.prints("\a");
  EXPECT_EQ(it.prints("\a\x1b]9;done\a", 2), "");
  EXPECT_EQ(it.prints("\a", 2), "\a");
}

TEST(Calls, AreFewAtOnceAndNeverCommands) {
  Programs it;
  it.prints("");
  for (int i = 0; i < 30; ++i) it.terminal.feed("\x1b]777;notify;;n" + std::to_string(i) + "\a");
  const std::string all = it.prints("");
  EXPECT_EQ(std::ranges::count(all, '\x1b'), 2 * static_cast<long>(kMaxCalls));
  EXPECT_NE(all.find("n29"), std::string::npos) << "the newest";
  EXPECT_EQ(it.prints("\x1b]777;notify;;4;1;50\a"), "\x1b]9; 4;1;50\x1b\\") << "no progress";
}

TEST(Calls, ProgressIsShownAndTakenBack) {
  Programs it;
  EXPECT_EQ(it.prints("\x1b]9;4;1;30\a"), "\x1b]9;4;1;30\x1b\\") << "also what was there before";
  EXPECT_EQ(it.prints("\x1b]9;4;1;30\a"), "");
  EXPECT_EQ(it.calls.leave(), "\x1b]9;4;0;0\x1b\\");
  EXPECT_EQ(it.calls.leave(), "");
  it.progress = false;
  EXPECT_EQ(it.prints("\x1b]9;4;1;50\a"), "") << "a terminal that would show it as a message";
}

}  // namespace
}  // namespace pawl::api
