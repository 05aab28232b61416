#include "perceive/profile/profile.h"

#include <gtest/gtest.h>

#include "perceive/test_screen.h"

namespace pawl::perceive {
namespace {

using test::kToyProfile;
using test::profile_from;

struct Bad {
  const char* text;
  const char* place;  // "FILE:LINE:"
  const char* said;   // what the complaint has to name
};

void expect_complaints(const std::vector<Bad>& rows) {
  for (const Bad& row : rows) {
    const auto profile = parse_profile(row.text, "my.toml");
    ASSERT_FALSE(profile) << row.text;
    const std::string said = text_of(profile.error());
    EXPECT_EQ(said.rfind(row.place, 0), 0u) << said << "\nfor:\n" << row.text;
    EXPECT_NE(said.find(row.said), std::string::npos) << said << "\nfor:\n" << row.text;
  }
}

TEST(Profile, HoldsWhatTheFileSays) {
  const Profile p = profile_from(kToyProfile);
  EXPECT_EQ(p.name, "toy");
  EXPECT_EQ(p.about, "a toy");
  EXPECT_EQ(p.quiet, std::chrono::milliseconds{150});
  EXPECT_EQ(p.start.settle, std::chrono::milliseconds{300});
  EXPECT_TRUE(p.progress);
  EXPECT_EQ(p.recognise.processes, std::vector<std::string>{"toy"});
  EXPECT_EQ(p.recognise.apps, std::vector<std::string>{"toy-app"});
  ASSERT_EQ(p.boxes.size(), 1u);
  EXPECT_EQ(p.boxes[0].cursor, BoxShape::Cursor::any);
  EXPECT_EQ(p.boxes[0].footer_rows, 3);
  ASSERT_EQ(p.busy.size(), 1u);
  EXPECT_EQ(p.busy[0].where, Region::above);
  EXPECT_EQ(p.busy[0].means, "its spinner turns");
  EXPECT_EQ(p.rows.text(p.busy[0].pattern), "^\\* \\w+…");
  ASSERT_EQ(p.start.signs.size(), 1u);
  EXPECT_EQ(p.start.signs[0].where, Region::screen) << "the default of signs of starting";
  ASSERT_EQ(p.background.size(), 1u);
  ASSERT_EQ(p.dialogs.size(), 1u);
  EXPECT_EQ(p.dialogs[0].kind, "permission");
  EXPECT_EQ(p.dialogs[0].where, Region::bottom) << "the default of dialogs";
  ASSERT_EQ(p.notices.size(), 2u);
  EXPECT_EQ(p.notices[1].kind, NoticeKind::auth);
  EXPECT_EQ(p.notices[1].where, Region::above) << "the default of notices";
  EXPECT_GE(p.title.idle, 0);
  EXPECT_EQ(p.launch.batch, std::vector<std::string>{"-p"});
}

TEST(Profile, RowsOfADialogHaveACost) {
  const Profile p = profile_from(
      "name = 'x'\n[[dialog]]\nkind = 'limit'\npattern = 'limit'\n"
      "[[dialog.row]]\npattern = 'Stop and wait'\ncost = 'free'\nkeys = '1'\n"
      "[[dialog.row]]\npattern = 'Upgrade'\ncost = 'money'\n");
  ASSERT_EQ(p.dialogs.size(), 1u);
  ASSERT_EQ(p.dialogs[0].rows.size(), 2u);
  EXPECT_EQ(p.dialogs[0].rows[0].cost, Cost::free);
  EXPECT_EQ(p.dialogs[0].rows[0].keys, "1");
  EXPECT_EQ(p.dialogs[0].rows[1].cost, Cost::money);
}

TEST(Profile, TheNameIsEnough) {
  const Profile p = profile_from("name = 'x'");
  EXPECT_TRUE(p.boxes.empty());
  EXPECT_EQ(p.title.idle, -1);
}

TEST(Profile, SharedPatternsComeWithItAndTheNameStays) {
  const auto p = parse_profile("name = 'x'", "x.toml",
                               "name = 'shared'\nshells = ['^\\$ $']\n[menu]\nhints = ['^> ']");
  ASSERT_TRUE(p);
  EXPECT_EQ(p->name, "x");
  EXPECT_EQ(p->shells.size(), 1u);
  EXPECT_EQ(p->menu_hints.size(), 1u);
}

TEST(Profile, AComplaintAboutTheFormNamesTheLine) {
  expect_complaints({
      {"name = ", "my.toml:1:", ""},
      {"name = 'x'\n[[box\n", "my.toml:2:", ""},
      {"name = 'x'\nname = 'y'\n", "my.toml:2:", "name"},
      {"about = 'x'", "my.toml:", "no 'name'"},
  });
}

TEST(Profile, AComplaintAboutAValueNamesTheKeyAndWhatIsWanted) {
  expect_complaints({
      {"name = 1", "my.toml:1:", "'name' must be a text in quotes"},
      {"name = 'x'\nquiet_ms = -1", "my.toml:2:", "'quiet_ms' must be a number of milliseconds"},
      {"name = 'x'\nquiet_ms = 600001", "my.toml:2:", "'quiet_ms'"},
      {"name = 'x'\nquiet_ms = 1.5", "my.toml:2:", "'quiet_ms'"},
      {"name = 'x'\ncounts = 'bytes'", "my.toml:2:", "characters"},
      {"name = 'x'\nprogress = 'yes'", "my.toml:2:", "'progress' must be true or false"},
      {"name = 'x'\nseen = 'one'", "my.toml:2:", "'seen' must be a list of texts"},
      {"name = 'x'\nseen = ['a', 1]", "my.toml:2:", "'seen'"},
      {"name = 'x'\nrecognise = 1", "my.toml:2:", "'recognise' must be a table"},
      {"name = 'x'\nbusy = 1", "my.toml:2:", "'busy' must be a list of tables: [[busy]]"},
      {"name = 'x'\nbusy = [1]", "my.toml:2:", "'busy' must be a table"},
      {"name = 'x'\n[[busy]]\npattern = 1", "my.toml:3:", "'pattern' must be a pattern in quotes"},
      {"name = 'x'\n[[busy]]\npattern = 'a'\nwhere = 'left'",
       "my.toml:4:", "'where' must be one of above, below, box, bottom, last, screen"},
      {"name = 'x'\n[[box]]\nprompt = 'a'\ncursor = 'none'", "my.toml:4:", "inside, visible, any"},
      {"name = 'x'\n[[box]]\nprompt = 'a'\nfooter_rows = 101", "my.toml:4:", "up to 100"},
      {"name = 'x'\n[[notice]]\npattern = 'a'\nkind = 'bad'", "my.toml:4:", "limit, auth"},
  });
}

TEST(Profile, AComplaintAboutAPatternQuotesIt) {
  expect_complaints({
      {"name = 'x'\nplaceholders = ['ok', '(']", "my.toml:2:", "'(' is no pattern"},
      {"name = 'x'\n[title]\nbusy = '[z-a]'", "my.toml:3:", "'[z-a]' is no pattern"},
      {"name = 'x'\n[[box]]\nprompt = '(?<=a)b'", "my.toml:3:", "'(?<=a)b' is no pattern"},
      {"name = 'x'\n[recognise]\ntitles = [\n 'a',\n '*',\n]", "my.toml:5:", "'*' is no pattern"},
  });
}

TEST(Profile, WhatIsMissingIsNamedWithTheLineOfItsTable) {
  expect_complaints({
      {"name = 'x'\n\n[[busy]]\nmeans = 'm'", "my.toml:3:", "busy has no 'pattern'"},
      {"name = 'x'\n[[box]]\nabove = '-'", "my.toml:2:", "box has no 'prompt'"},
      {"name = 'x'\n[[dialog]]\nkind = 'trust'", "my.toml:2:", "dialog has no 'pattern'"},
      {"name = 'x'\n[[dialog]]\npattern = 'a'", "my.toml:2:", "dialog has no 'kind"},
      {"name = 'x'\n[[dialog]]\npattern = 'a'\nkind = 'odd'", "my.toml:2:", "resume-picker"},
      {"name = 'x'\n[[dialog]]\npattern='a'\nkind='trust'\n[[dialog.row]]\ncost='free'",
       "my.toml:5:", "row has no 'pattern'"},
  });
}

TEST(Profile, UnknownKeysAreRefusedWithAGuess) {
  expect_complaints({
      {"name = 'x'\nqiet_ms = 1", "my.toml:2:", "did you mean 'quiet_ms'?"},
      {"name = 'x'\nzzzzzzzz = 1", "my.toml:2:", "known keys: name"},
      {"name = 'x'\n[recognise]\nprocess = ['a']",
       "my.toml:3:", "in [recognise]: did you mean 'processes'?"},
      {"name = 'x'\n[launch]\nstarts = ['a']", "my.toml:3:", "in [launch]"},
      {"name = 'x'\n[title]\nbuzy = 'a'", "my.toml:3:", "did you mean 'busy'?"},
      {"name = 'x'\n[start]\nsettle = 1", "my.toml:3:", "in [start]"},
      {"name = 'x'\n[menu]\nhint = ['a']", "my.toml:3:", "in [menu]"},
      {"name = 'x'\n[[box]]\nprompt = 'a'\nbellow = 'b'", "my.toml:4:", "did you mean 'below'?"},
      {"name = "
       "'x'\n[[dialog]]\npattern='a'\nkind='trust'\n[[dialog.row]]\npattern='b'\nprice='free'",
       "my.toml:7:", "'price' in row"},
  });
}

TEST(Profile, TooManyPatternsAreRefused) {
  std::string text = "name = 'x'\nplaceholders = [\n";
  for (size_t i = 0; i <= kMaxPatterns; ++i) text += "'p" + std::to_string(i) + "',\n";
  const auto profile = parse_profile(text + "]\n", "my.toml");
  ASSERT_FALSE(profile);
  EXPECT_EQ(profile.error().what.rfind("my.toml:" + std::to_string(kMaxPatterns + 3) + ":", 0), 0u)
      << profile.error().what;
}

}  // namespace
}  // namespace pawl::perceive
