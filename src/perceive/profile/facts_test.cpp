#include "perceive/profile/facts.h"

#include <gtest/gtest.h>

namespace pawl::perceive {
namespace {

Facts facts(const std::string& front, const std::string& busiest = "", int count = 1) {
  Facts out;
  out.front = front;
  out.busiest = busiest;
  out.front_count = count;
  return out;
}

TEST(Facts, ALineOfTheCorpus) {
  const auto line = parse_facts_line(
      R"({"t": 0.305, "icanon": 0, "echo": 1, "isig": true, "fg_comm": "claude", "st": "S", "fgn": 2,
          "mcomm": "node", "desc_out": ["sleep", "sh"], "cpu": 0.28, "tcp": 1})");
  ASSERT_TRUE(line);
  EXPECT_DOUBLE_EQ(line->t, 0.305);
  EXPECT_FALSE(line->facts.canonical);
  EXPECT_TRUE(line->facts.echo);
  EXPECT_TRUE(line->facts.signals);
  EXPECT_EQ(line->facts.front, "claude");
  EXPECT_EQ(line->facts.busiest, "node");
  EXPECT_EQ(line->facts.front_count, 2);
  EXPECT_FALSE(line->facts.zombie);
  EXPECT_EQ(line->facts.outside, (std::vector<std::string>{"sleep", "sh"}));
  EXPECT_DOUBLE_EQ(line->facts.cpu_s, 0.28);
}

TEST(Facts, WhatIsMissingOrNullIsNothing) {
  const auto line = parse_facts_line(R"({"t": 1, "fg_comm": null, "st": "Z"})");
  ASSERT_TRUE(line);
  EXPECT_EQ(line->facts.front, "");
  EXPECT_TRUE(line->facts.zombie);
  EXPECT_FALSE(line->facts.canonical);
  EXPECT_TRUE(line->facts.outside.empty());
}

TEST(Facts, WhatIsNoneIsRefused) {
  for (const char* bad :
       {"", "x", "[]", "1", "{}", R"({"t": "1"})", R"({"t": null})", R"({"t": 1)"})
    EXPECT_FALSE(parse_facts_line(bad)) << bad;
}

TEST(Facts, AShellIsInFrontWhenItIsAlone) {
  for (const char* shell : {"bash", "zsh", "sh", "fish", "-bash", "dash"}) {
    EXPECT_TRUE(shell_in_front(facts(shell))) << shell;
    EXPECT_TRUE(shell_in_front(facts(shell, shell))) << shell;
  }
  EXPECT_FALSE(shell_in_front(facts("claude", "claude")));
  EXPECT_FALSE(shell_in_front(facts("")));
  EXPECT_FALSE(shell_in_front(facts("bash", "node"))) << "a script that runs a program";
  EXPECT_FALSE(shell_in_front(facts("bash", "bash", 2)));
  Facts ended = facts("bash");
  ended.zombie = true;
  EXPECT_FALSE(shell_in_front(ended));
}

TEST(Facts, NamesOfShellsAndInterpreters) {
  EXPECT_TRUE(shell_name("zsh"));
  EXPECT_FALSE(shell_name("bashful"));
  EXPECT_FALSE(shell_name(""));
  EXPECT_TRUE(interpreter_name("node"));
  EXPECT_FALSE(interpreter_name("claude"));
}

}  // namespace
}  // namespace pawl::perceive
