// Titles, marks, status records and answers: what a program says beside the grid, and the limits on
// it.

#include <gtest/gtest.h>

#include "base/text.h"
#include "term/terminal.h"

namespace pawl::term {
namespace {

Terminal fed(const std::string& bytes) {
  Terminal t({20, 5});
  t.feed(bytes);
  return t;
}

std::string status(const std::string& pairs) {
  return "\x1b]7501;" + pairs + "\x1b\\";
}

TEST(Marks, TitlesAreCleanAndBounded) {
  EXPECT_EQ(fed("\x1b]0;both\a").screen().title(), "both");
  EXPECT_EQ(fed("\x1b]0;both\a").screen().icon_title(), "both");
  EXPECT_EQ(fed("\x1b]2;a\xc2\x9bz\xff\a").screen().title(), "az\xef\xbf\xbd");
  EXPECT_EQ(fed("\x1b]2;" + std::string(5000, 'x') + "\a").screen().title().size(), kMaxTitleBytes);
  EXPECT_EQ(fed("\x1b]2;one\a\x1b[22;0t\x1b]2;two\a\x1b[23;0t").screen().title(), "one");
}

TEST(Marks, StringsBeyondTheLimitAreSwallowedAndCounted) {
  const Terminal t = fed("a\x1b]2;" + std::string(2 * kMaxStringBytes, 'x') + "\ab");
  EXPECT_EQ(t.screen().row_text(0), "ab");
  EXPECT_EQ(t.screen().title(), "");
  EXPECT_EQ(t.screen().ignored().too_long, 1u);
}

TEST(Marks, LinksAreNumbersOfAddresses) {
  const Terminal t = fed("\x1b]8;id=7;https://x.example\x1b\\ab\x1b[0mc\x1b]8;;\x1b\\d");
  EXPECT_EQ(t.screen().link(t.screen().style(0, 0).link), "https://x.example");
  EXPECT_EQ(t.screen().link(t.screen().style(0, 2).link), "https://x.example")
      << "SGR 0 ends no link";
  EXPECT_EQ(t.screen().style(0, 3).link, 0);
}

TEST(Marks, MoreLinksThanTheTableHoldsLoseOnlyTheLink) {
  std::string bytes;
  for (int i = 0; i < 3000; ++i) bytes += "\x1b]8;;http://h/" + std::to_string(i) + "\x1b\\x";
  Terminal t({100, 40}, {true, 0});
  t.feed(bytes);
  EXPECT_EQ(t.screen().row_text(29), std::string(100, 'x'));
  EXPECT_EQ(t.screen().link(t.screen().style(0, 0).link), "http://h/0");
}

TEST(Marks, LinksThatLeftTheScreenMakeRoom) {
  std::string bytes;
  for (int i = 0; i < 3000; ++i) bytes += "\x1b]8;;http://h/" + std::to_string(i) + "\x1b\\x\r\n";
  const Terminal t = fed(bytes);
  EXPECT_EQ(t.screen().link(t.screen().style(3, 0).link), "http://h/2999");
}

TEST(Marks, ProgressNotificationsClipboardShell) {
  const Terminal t =
      fed("\x1b]9;4;1;40\a\x1b]9;hello\a\x1b]777;notify;T;B;C\a\x1b]52;c;aGk=\a\x1b]52;c;?\a\x1b]7;"
          "file://h/p\a"
          "\x1b]133;A\a$ \x1b]133;C\a\x1b]133;D;3\a\a");
  const Screen& s = t.screen();
  EXPECT_EQ(s.progress().state, Progress::State::normal);
  EXPECT_EQ(s.progress().percent, 40);
  ASSERT_EQ(s.notifications().last.size(), 2u);
  EXPECT_EQ(s.notifications().last[0], (Notification{"", "hello"}));
  EXPECT_EQ(s.notifications().last[1], (Notification{"T", "B;C"}));
  EXPECT_EQ(s.clipboard().base64, "aGk=");
  EXPECT_EQ(s.clipboard().queries, 1u);
  EXPECT_EQ(s.cwd(), "file://h/p");
  EXPECT_EQ(s.shell_mark().kind, 'D');
  EXPECT_EQ(s.shell_mark().exit_status, 3);
  EXPECT_EQ(s.bells(), 1u);
}

TEST(Marks, NotificationsAreBoundedAndCounted) {
  std::string bytes;
  for (int i = 0; i < 1000; ++i) bytes += "\x1b]9;n" + std::to_string(i) + "\a";
  const Terminal t = fed(bytes);
  EXPECT_EQ(t.screen().notifications().total, 1000u);
  EXPECT_EQ(t.screen().notifications().last.size(), kMaxNotifications);
  EXPECT_EQ(t.screen().notifications().last.back().body, "n999");
}

TEST(Status, ReportReplacesItsRecordWhole) {
  const Terminal t =
      fed(status("state=blocked:kind=permission:progress=5:app=x:msg=" + base64("run it?")) +
          status("state=working"));
  const StatusRecord* r = t.screen().status().root();
  ASSERT_NE(r, nullptr);
  EXPECT_EQ(r->state, ProgramState::working);
  EXPECT_EQ(r->message, "");
  EXPECT_EQ(r->app, "");
  EXPECT_FALSE(r->progress);
}

TEST(Status, MalformedPairsAreSkippedAndBrokenLimitsDiscard) {
  auto accepted = [](const std::string& pairs) {
    return fed(status(pairs)).screen().status().root() != nullptr;
  };
  EXPECT_TRUE(accepted("state=idle:BAD:x=?:=:future=1"));
  EXPECT_TRUE(accepted("state=bogus:state=idle")) << "the last duplicate wins";
  EXPECT_FALSE(accepted("state=idle:state=bogus"));
  EXPECT_FALSE(accepted("app=x"));
  EXPECT_FALSE(accepted("state=idle:app=" + std::string(33, 'a')));
  EXPECT_FALSE(accepted("state=idle:title=a"));
  EXPECT_FALSE(accepted("state=idle:msg=" + base64("a\x1b[31m")));
  EXPECT_FALSE(accepted("state=idle:title=" + base64(std::string(193, 'x'))));
  EXPECT_TRUE(accepted("state=idle:title=" + base64(std::string(192, 'x'))));
  EXPECT_FALSE(accepted("state=idle:msg=" + base64(std::string(2049, 'x'))));
  EXPECT_FALSE(accepted("state=working:progress=101"));
  EXPECT_FALSE(accepted("state=idle:x=" + std::string(5000, 'a')));
  const Terminal deep =
      fed(status("state=idle:id=a/b/c/d/e/f/g/h/i") +
          status("state=idle:id=" + std::string(129, 'a')) + status("state=idle:id=a//b"));
  EXPECT_TRUE(deep.screen().status().all().empty());
}

TEST(Status, ClearTakesDescendants) {
  Terminal t = fed(status("state=done:id=a") + status("state=done:id=a/b") +
                   status("state=done:id=ab") + status("state=clear:id=a"));
  ASSERT_EQ(t.screen().status().all().size(), 1u);
  EXPECT_EQ(t.screen().status().all()[0].id, "ab");
  t.feed(status("state=clear"));
  EXPECT_TRUE(t.screen().status().all().empty());
}

TEST(Status, LifetimesOfThePrompt) {
  Terminal t = fed(status("state=working") + status("state=blocked:id=a") +
                   status("state=error:id=b") + "\x1b[?1049h\x1b[?1049l");
  EXPECT_EQ(t.screen().status().all().size(), 3u) << "switching screens drops none";
  t.feed("\x1b]133;A\a");
  ASSERT_EQ(t.screen().status().all().size(), 1u);
  EXPECT_EQ(t.screen().status().all()[0].id, "b");
}

TEST(Status, TheLeastRecentlyUpdatedGoesFirst) {
  std::string bytes;
  for (size_t i = 0; i < kMaxStatusRecords; ++i)
    bytes += status("state=idle:id=j" + std::to_string(i));
  Terminal t = fed(bytes + status("state=working:id=j0") + status("state=idle:id=new"));
  EXPECT_EQ(t.screen().status().all().size(), kMaxStatusRecords);
  EXPECT_NE(t.screen().status().find("j0"), nullptr);
  EXPECT_EQ(t.screen().status().find("j1"), nullptr);
}

TEST(Answers, Each) {
  auto answer = [](const std::string& query) { return fed(query).take_answers(); };
  EXPECT_EQ(answer("\x1b[>c"), "\x1b[>41;10;0c");
  EXPECT_EQ(answer("\x1b[2;3H\x1b[?6n"), "\x1b[?2;3;1R");
  EXPECT_EQ(answer("\x1b[>q"), "\x1bP>|pawl\x1b\\");
  EXPECT_EQ(answer("\x1b]11;?\x1b\\"), "\x1b]11;rgb:1e1e/1e1e/2e2e\x1b\\");
  EXPECT_EQ(answer("\x1b]10;?\a"), "\x1b]10;rgb:d0d0/d0d0/d0d0\a");
  EXPECT_EQ(answer("\x1b]4;196;?\a"), "\x1b]4;196;rgb:ffff/0000/0000\a");
  EXPECT_EQ(answer("\x1b[?9999$p"), "\x1b[?9999;0$y");
  EXPECT_EQ(answer("\x1b[4$p"), "\x1b[4;2$y");
  EXPECT_EQ(answer("\x1b[18t"), "\x1b[8;5;20t");
  EXPECT_EQ(answer("\x1bP$qm\x1b\\"), "\x1bP1$r0m\x1b\\");
  EXPECT_EQ(answer("\x1b]52;c;?\a"), "") << "nobody reads the clipboard";
  EXPECT_EQ(answer("\x1b]2;rm -rf\a\x1b[21t"), "") << "titles are never echoed";
}

}  // namespace
}  // namespace pawl::term
