#include "host/tmux/tmux_text.h"

#include <gtest/gtest.h>

namespace pawl::host {
namespace {

TEST(TmuxText, APaneIsReadBack) {
  const std::string line =
      "pawl-pane\t77\t%3\t4711\t120\t40\t2\t38\t0\t1\t0\t1\t1\t\t9\t0\t@2\t1794770323\twe "
      "ird:1.0\tclaude\t/tmp/x y\t✳ a title";
  const auto facts = parse_pane(line);
  ASSERT_TRUE(facts);
  EXPECT_EQ(facts->server, 77);
  EXPECT_EQ(facts->id, "%3");
  EXPECT_EQ(facts->pid, 4711);
  EXPECT_EQ(facts->size, (Size{120, 40}));
  EXPECT_EQ(facts->cursor_x, 2);
  EXPECT_EQ(facts->cursor_y, 38);
  EXPECT_FALSE(facts->cursor_visible);
  EXPECT_TRUE(facts->alternate);
  EXPECT_FALSE(facts->in_mode);
  EXPECT_TRUE(facts->piped);
  EXPECT_TRUE(facts->dead);
  EXPECT_EQ(facts->dead_status, -1);
  EXPECT_EQ(facts->dead_signal, 9);
  EXPECT_EQ(facts->session_active, 1794770323);
  EXPECT_EQ(facts->place, "we ird:1.0");
  EXPECT_EQ(facts->dir, "/tmp/x y");
  EXPECT_EQ(facts->title, "✳ a title");
}

TEST(TmuxText, WhatIsNoPaneIsNone) {
  for (const char* line : {"", "can't find pane: %77", "pawl-pane\t1\t%1",
                           "other\t1\t%3\t1\t1\t1\t1\t1\t1\t1\t1\t1\t1\t1\t1\t1\t1\t1\t1\t1\t1\t1"})
    EXPECT_FALSE(parse_pane(line)) << line;
}

TEST(TmuxText, ASizeIsNeverNonsense) {
  const auto facts = parse_pane(
      "pawl-pane\t77\t%3\t4711\t0\t99999\tx\t\t1\t0\t0\t0\t0\t0\t\t0\t@2\t0\tp\tc\td\tt");
  ASSERT_TRUE(facts);
  EXPECT_EQ(facts->size, (Size{1, 1000}));
  EXPECT_EQ(facts->dead_status, 0);
}

TEST(TmuxText, AClientIsReadBack) {
  const auto client = parse_client("pawl-client\t1794770323\t0\t%3\t@1\t/dev/pts/4");
  ASSERT_TRUE(client);
  EXPECT_EQ(rfc3339(client->active).substr(0, 4), "2026");
  EXPECT_FALSE(client->control);
  EXPECT_EQ(client->pane, "%3");
  EXPECT_EQ(client->name, "/dev/pts/4");
}

TEST(TmuxText, WordsMeanThemselves) {
  EXPECT_EQ(tmux_word("a \"b\" $HOME \\"), R"("a \"b\" \$HOME \\")");
  EXPECT_EQ(expanded("50% #{x}"), "50%% ##{x}");
}

TEST(TmuxText, BytesAreTypedAsTheyAre) {
  EXPECT_EQ(type_bytes("%3", std::string_view("\x1b[A\0", 4)), "send-keys -H -t %3 1b 5b 41 00\n");
}

TEST(TmuxText, APictureEndsAtTheCursor) {
  PaneFacts facts;
  facts.size = {10, 2};
  facts.cursor_x = 3;
  facts.cursor_y = 1;
  facts.cursor_visible = false;
  const std::string shown = picture(facts, {"\x1b[1mone", "", "beyond"});
  EXPECT_NE(shown.find("\x1b[2J\x1b[1;1H\x1b[1mone"), std::string::npos);
  EXPECT_EQ(shown.find("beyond"), std::string::npos);
  EXPECT_NE(shown.find("\x1b[2;4H\x1b[?25l"), std::string::npos);
  EXPECT_EQ(shown.find("1049h"), std::string::npos);
  facts.alternate = true;
  EXPECT_NE(picture(facts, {}).find("\x1b[?1049h"), std::string::npos);
}

}  // namespace
}  // namespace pawl::host
