#include "perceive/learn/learn.h"

#include <gtest/gtest.h>

#include "perceive/learn/learn_row.h"

namespace pawl::perceive {
namespace {

Still drawn(Shown shown, const std::string& text, int row, int col) {
  Still still;
  still.shown = shown;
  still.size = {60, 16};
  still.row = row;
  still.col = col;
  still.ansi = text;
  return still;
}

const std::string kTop = "╭──────────────────╮\n", kEnd = "\n╰──────────────────╯\n  F1 help\n";

std::vector<Still> toy() {
  return {drawn(Shown::idle, "hello\n\n" + kTop + "│ > " + kEnd, 3, 4),
          drawn(Shown::idle, "hello\n* sure\n\n\n" + kTop + "│ > " + kEnd, 5, 4),
          drawn(Shown::typing, "hello\n\n" + kTop + "│ > fix it" + kEnd, 3, 10),
          drawn(Shown::busy, "hello\n ⠋ Musing… 3s\n" + kTop + "│ > " + kEnd, 3, 4),
          drawn(Shown::busy, "hello\n ⠹ Digging… 12s\n" + kTop + "│ > " + kEnd, 3, 4),
          drawn(Shown::dialog, "hello\n\nMay I run 'rm x'?\n  yes   no\n", 3, 2)};
}

bool has(const LearnedProfile& learnt, const std::string& text) {
  return learnt.toml.find(text) != std::string::npos;
}

TEST(Learn, AToyIsUnderstood) {
  const auto stills = toy();
  const auto learnt = learn({"toy", {"toy"}, {}}, stills);
  ASSERT_TRUE(learnt) << text_of(learnt.error());
  EXPECT_TRUE(has(*learnt, R"(prompt = '^│ >(?: |$)')")) << learnt->toml;
  EXPECT_TRUE(has(*learnt, R"(above = '^\s*╭─{8,}')")) << learnt->toml;
  EXPECT_TRUE(has(*learnt, R"(below = '^\s*╰─{8,}')")) << learnt->toml;
  EXPECT_TRUE(has(*learnt, R"([⠀-⣿] \S')")) << learnt->toml;
  EXPECT_TRUE(has(*learnt, "May I run '.{0,120}'\\\\?")) << learnt->toml;
  const auto trial = try_profile(learnt->toml, "toy.toml", stills);
  ASSERT_TRUE(trial) << text_of(trial.error());
  EXPECT_EQ(trial->right, stills.size()) << learnt->toml;
  EXPECT_TRUE(trial->wrong.empty());
  EXPECT_LE(trial->generic_right, trial->right);
}

TEST(Learn, WhatWasWrittenAboveTheBoxIsNoSignOfWork) {
  auto stills = toy();
  stills.resize(3);
  stills.push_back(drawn(Shown::busy, "hello\nplease go on\n" + kTop + "│ > " + kEnd, 3, 4));
  const auto learnt = learn({"toy", {}, {}}, stills);
  ASSERT_TRUE(learnt);
  EXPECT_FALSE(has(*learnt, "please go on")) << learnt->toml;
  const auto trial = try_profile(learnt->toml, "toy.toml", stills);
  ASSERT_TRUE(trial && trial->wrong.size() == 1);
  EXPECT_EQ(trial->wrong[0].index, 3u);
}

TEST(Learn, APlaceholderIsTheTextThatVanishesWhenTypingBegins) {
  const std::string box = "\n" + kTop + "│ > Ask me \"how to sing\"" + kEnd;
  const std::vector<Still> stills{drawn(Shown::idle, box, 2, 4),
                                  drawn(Shown::typing, "\n" + kTop + "│ > sing" + kEnd, 2, 8),
                                  drawn(Shown::busy, " ⠋ Musing…" + box, 2, 4)};
  const auto learnt = learn({"toy", {}, {}}, stills);
  ASSERT_TRUE(learnt);
  EXPECT_TRUE(has(*learnt, "placeholders = ['Ask me']")) << learnt->toml;
  EXPECT_EQ(try_profile(learnt->toml, "toy.toml", stills)->right, 3u) << learnt->toml;
}

TEST(Learn, ACursorThatStaysWhereItIsIsNotBelieved) {
  const auto at = [](Shown shown, const std::string& above, const std::string& typed) {
    return drawn(shown, above + "\n────────────\n> " + typed + "\n────────────\n", 14, 0);
  };
  const std::vector<Still> stills{at(Shown::idle, "", ""), at(Shown::typing, "", "fix it"),
                                  at(Shown::busy, " ⠋ Musing…", "")};
  const auto learnt = learn({"toy", {}, {}}, stills);
  ASSERT_TRUE(learnt) << text_of(learnt.error());
  EXPECT_TRUE(has(*learnt, "cursor = \"any\"")) << learnt->toml;
  EXPECT_EQ(try_profile(learnt->toml, "toy.toml", stills)->right, 3u) << learnt->toml;
}

TEST(Learn, MarksOfTitlesTellStates) {
  auto stills = toy();
  for (Still& still : stills)
    still.title = still.shown == Shown::busy     ? "⠂ toy"
                  : still.shown == Shown::dialog ? "✋ toy"
                                                 : "◇ toy";
  const auto learnt = learn({"toy", {}, {}}, stills);
  ASSERT_TRUE(learnt);
  EXPECT_TRUE(has(*learnt, "idle = '^[◇]'\nbusy = '^[⠀-⣿]'\nwaiting = '^[✋]'")) << learnt->toml;
}

TEST(Learn, MissingSamplesAreNamed) {
  EXPECT_EQ(learn({"toy", {}, {}}, {}).error().what, "there is no idle sample");
  auto stills = toy();
  stills.resize(3);
  EXPECT_EQ(learn({"toy", {}, {}}, stills).error().what, "there is no busy sample");
  stills.push_back(toy()[3]);
  const auto learnt = learn({"toy", {}, {}}, stills);
  ASSERT_TRUE(learnt);
  ASSERT_EQ(learnt->notes.size(), 2u);
  EXPECT_NE(learnt->notes[0].find("only 1 busy sample"), std::string::npos);
  EXPECT_NE(learnt->notes[1].find("only 0 dialog samples"), std::string::npos);
}

TEST(LearnRow, WhatChangesIsLeftOpen) {
  const auto one = phrases(" ⠋ Thinking... (esc to cancel, 5s)       ? for help");
  const auto two = phrases(" ⠹ Reading... (esc to cancel, 1m 2s)      ? for help");
  ASSERT_EQ(one.size(), 2u);
  EXPECT_EQ(one[0].pattern(), R"(^\s*[│┃|]?\s*[⠀-⣿] Thinking\.\.\. \(esc to cancel,)");
  const auto both = unify(one[0], two[0]);
  ASSERT_TRUE(both);
  EXPECT_EQ(both->pattern(), R"(^\s*[│┃|]?\s*[⠀-⣿] \S+(?:…|\.\.\.) \(esc to cancel,)");
  ASSERT_FALSE(parts(one[0]).empty());
  EXPECT_EQ(parts(one[0])[0].pattern(), R"(\(esc to cancel,)");
  EXPECT_FALSE(unify(one[0], one[1]));
}

TEST(LearnRow, BordersAndQuestions) {
  EXPECT_TRUE(border_row("  ╰────────────╯"));
  EXPECT_FALSE(border_row("  ── Build ──"));
  EXPECT_EQ(border_pattern("  ┃"), R"(^\s*┃$)");
  EXPECT_EQ(question_pattern("│ Allow `ls -l` (3 files)?   │"),
            R"(Allow `.{0,120}` \(.{0,120}\)\?)");
}

TEST(Still, IsTheSameAfterItsFile) {
  Still still = toy()[2];
  still.title = "toy – 3 tasks";
  still.visible = false;
  still.ansi = "\x1b[0;2mdim\x1b[0m\nsecond";
  const auto again = parse_still(to_file(still), "x.screen");
  ASSERT_TRUE(again) << text_of(again.error());
  EXPECT_EQ(*again, still);
  const term::Terminal terminal = terminal_of(still);
  EXPECT_EQ(still_of(Shown::typing, terminal.screen()).col, still.col);
  EXPECT_TRUE(terminal.screen().cell(0, 0).style.dim);
  for (const char* wrong : {"", "# pawl still 1 asleep 60x16 cursor 1,1 visible title \n",
                            "# pawl still 1 idle 60x16 cursor 17,1 visible title \n",
                            "# pawl still 1 idle 99999x16 cursor 1,1 visible title \n"})
    EXPECT_FALSE(parse_still(wrong, "x.screen")) << wrong;
}

}  // namespace
}  // namespace pawl::perceive
