#include "host/environment.h"

#include <gtest/gtest.h>

namespace pawl::host {
namespace {

using Entries = std::vector<std::string>;

TEST(Environment, DescribesTheTerminalWeGive) {
  EXPECT_EQ(terminal_environment({"TERM=screen", "COLORTERM=no", "HOME=/h", "COLUMNS=1", "LINES=2"},
                                 "PAWL_SESSION=c", ""),
            (Entries{"COLORTERM=truecolor", "HOME=/h", "PAWL_SESSION=c", "TERM=xterm-256color"}));
}

TEST(Environment, ForgetsThePersonsTerminal) {
  const Entries foreign = {"TMUX=1",
                           "TMUX_PANE=%1",
                           "STY=x",
                           "TERM_PROGRAM=iTerm.app",
                           "TERM_PROGRAM_VERSION=3",
                           "VTE_VERSION=1",
                           "KITTY_WINDOW_ID=1",
                           "WT_SESSION=1",
                           "ITERM_SESSION_ID=1",
                           "GHOSTTY_BIN_DIR=1",
                           "WEZTERM_PANE=1",
                           "PAWL_SESSION=other-1"};
  EXPECT_EQ(terminal_environment(foreign, "PAWL_SESSION=c", "").size(), 3u);
  EXPECT_EQ(
      terminal_environment({"TMUXINATOR=1", "STYLE=x", "KITTY=1"}, "PAWL_SESSION=c", "").size(), 6u)
      << "only the named ones";
}

TEST(Environment, KeepsAZoneOrSetsTheKnownOne) {
  const auto has = [](const Entries& all, const std::string& entry) {
    return std::find(all.begin(), all.end(), entry) != all.end();
  };
  EXPECT_TRUE(
      has(terminal_environment({"TZ=Asia/Tokyo"}, "PAWL_SESSION=c", "UTC"), "TZ=Asia/Tokyo"));
  EXPECT_TRUE(has(terminal_environment({}, "PAWL_SESSION=c", "UTC"), "TZ=UTC"));
  EXPECT_FALSE(system_zone().empty());
}

TEST(Environment, DropsWhatIsNoEntryAndKeepsTheLast) {
  EXPECT_EQ(terminal_environment({"nonsense", "=x", "A=1", "A=2", "B="}, "PAWL_SESSION=c", ""),
            (Entries{"A=2", "B=", "COLORTERM=truecolor", "PAWL_SESSION=c", "TERM=xterm-256color"}));
}

TEST(Environment, WhatIsSaidOfThisTerminalReplacesWhatWasSaidOfAnother) {
  EXPECT_EQ(terminal_environment({"TERM_PROGRAM=iTerm.app", "A=1"}, "PAWL_SESSION=c", "",
                                 {"TERM_PROGRAM=ghostty", "TERM=dumb", "PAWL_SESSION=x"}),
            (Entries{"A=1", "COLORTERM=truecolor", "PAWL_SESSION=c", "TERM=xterm-256color",
                     "TERM_PROGRAM=ghostty"}))
      << "TERM and the cookie are always ours";
}

TEST(Environment, CookiesDifferByHomeAndSession) {
  EXPECT_EQ(session_cookie("/a", {1}), session_cookie("/a", {1}));
  EXPECT_NE(session_cookie("/a", {1}), session_cookie("/b", {1}));
  EXPECT_NE(session_cookie("/a", {1}), session_cookie("/a", {11}));
}

}  // namespace
}  // namespace pawl::host
