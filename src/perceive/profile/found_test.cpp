// Bugs that tests of perception found, one case each.
#include <gtest/gtest.h>

#include "perceive/player.h"
#include "perceive/test_evidence.h"
#include "perceive/test_screen.h"
namespace pawl::perceive {
namespace {
using test::options_of;
const std::string kFoundRule = "──────────";
const std::string kFoundBox =
    "\x1b[2J\x1b[HToy v1\r\n──────────\r\n❯ \r\n──────────\r\nhints\x1b[3;3H";
Catalog found_toy() {
  Catalog c = Catalog::built_in();
  EXPECT_TRUE(c.add(test::kToyProfile, "toy.toml"));
  return c;
}

TEST(
    Found,
    ModesSetAndGivenBackInOneReadCountAsAnInterface) {  // player.cpp: had_interface_ looks after each feed
  const Catalog catalog = found_toy();
  const auto last = [&](bool cut) {
    Player player(catalog, {40, 12}, options_of("toy"));
    player.output(1, kFoundBox);
    player.output(3, "\x1b[?2004h" + std::string(cut ? "" : "\x1b[?2004l"));
    if (cut) player.output(3, "\x1b[?2004l");
    player.finish();
    return player.tracker().verdict().state;
  };
  EXPECT_EQ(last(true), last(false));
}
TEST(Found, AProgramThatDiesInTheMiddleOfDrawingIsLookedAt) {  // 2026h without 2026l
  const Catalog catalog = found_toy();
  Player player(catalog, {40, 12}, options_of("toy"));
  player.output(1, kFoundBox);
  player.output(5, "\x1b[?2026h\x1b[2J\x1b[HDo you want to run ls?");
  player.advance_to(60);
  EXPECT_EQ(player.tracker().verdict().state, model::State::waiting);
}
TEST(
    Found,
    AFileInAFolderCalledLikeAnAgentIsNoAgent) {  // catalog.cpp: mentions() without asking for an interpreter
  const Catalog catalog = Catalog::built_in();
  Facts facts;
  facts.front = facts.busiest = "vim";
  facts.argv = {"vim", "/home/me/gemini/notes.md"};
  EXPECT_EQ(catalog.by_process(facts), nullptr);
  EXPECT_EQ(catalog.by_command({"vim", "/home/me/gemini/notes.md"}), nullptr);
  EXPECT_EQ(catalog.by_command({"bash", "/home/me/aider/run.sh"}), nullptr);
}
TEST(Found, TheTextOfADraftKeepsItsSpaces) {  // sight.cpp: read_draft
  const Profile profile = test::profile_from(test::kToyProfile);
  Eye eye(profile);
  const auto t = test::screen_of("x\n" + kFoundRule + "\n❯ hello there\n" + kFoundRule);
  eye.look(t.screen());
  EXPECT_EQ(eye.sight().box.text, "hello there");
}
TEST(
    Found,
    EmptyRowsBetweenANoticeAndTheBoxDoNotHideIt) {  // sight.cpp: in(above) counts empty rows; codex/limit
  const Profile profile = test::profile_from(test::kToyProfile);
  Eye eye(profile);
  const auto t = test::screen_of(
      "You have hit your limit" + std::string(30, '\n') + kFoundRule + "\n❯ \n" + kFoundRule,
      {40, 40});
  eye.look(t.screen());
  EXPECT_EQ(eye.sight().notices.size(), 1u);
}
TEST(Found,
     AnOldPromptAndACursorFarBelowAreNoBox) {  // sight.cpp: box_at reaches to the cursor, 40 rows
  const Profile profile = test::profile_from(
      "name='x'\n[[box]]\nprompt='^>(?: |$)'\ncursor='visible'\nfooter_rows=2\n");
  Eye eye(profile);
  const auto t = test::screen_of("> hello\n\nanswer one\n\nanswer two\n\nmore", {40, 12});
  eye.look(t.screen());
  EXPECT_FALSE(eye.sight().box.there);
}
TEST(Found, LongTextIsCutBetweenCharacters) {  // rules.cpp: quoted()
  test::World world;
  world.sight.box.draft = true;
  for (int i = 0; i < 60; ++i) world.sight.box.text += "ä";
  EXPECT_EQ(judge(world.e).verdict.because.find("\xc3..."), std::string::npos);
}
}  // namespace
}  // namespace pawl::perceive
