#include "cli/first_use_page.h"

#include <gtest/gtest.h>

namespace pawl::cli {
namespace {

const Look kNoColour{false, 80, 24};

Json preview_of_agent(Json agent) {
  Json agents = Json::array();
  agents.push(std::move(agent));
  return Json::object({{"path", "/p/pawl.toml"}, {"agents", agents}});
}

Json an_agent(std::vector<std::string> command, Json keys = Json::object()) {
  return Json::object(
      {{"name", "docs"}, {"dir", "/p"}, {"command", command}, {"keys", std::move(keys)}});
}

TEST(Harmless, Rows) {
  const std::vector<std::pair<std::string, std::string>> rows{
      {"", ""},
      {"make check", "make check"},
      {"grün 日本", "grün 日本"},
      {"a\nb\tc", "a\\nb\\tc"},
      {"\x1b[2J\x1b]0;x\x07", "\\u{1b}[2J\\u{1b}]0;x\\u{7}"},
      {"\r\x7f", "\\u{d}\\u{7f}"},
      {"\xc2\x9b"
       "2J",
       "\\u{9b}2J"},                                    // C1
      {"rm \xe2\x80\xaehs.ton", "rm \\u{202e}hs.ton"},  // right-to-left override
      {"a\xe2\x81\xa6"
       "b\xe2\x81\xa9",
       "a\\u{2066}b\\u{2069}"},  // isolates
      {"a\xe2\x80\x8b"
       "b",
       "a\\u{200b}b"},                     // zero width
      {"\xf3\xa0\x81\x81", "\\u{e0041}"},  // a tag
      {"\xff\xfe", "\xef\xbf\xbd\xef\xbf\xbd"},
      {"cut \xe2\x80", "cut \xef\xbf\xbd"},
  };
  for (const auto& [text, shown] : rows) EXPECT_EQ(harmless(text), shown) << shown;
}

TEST(FirstUsePage, ShowsWhatRuns) {
  Json keys = Json::object();
  keys.set("permission", std::vector<std::string>{"bypassPermissions"});
  keys.set("work.command", std::vector<std::string>{"sh", "-c", "a b"});
  EXPECT_EQ(
      first_use_page(preview_of_agent(an_agent({"claude", "--model", "x y", ""}, keys)), kNoColour),
      "  docs           claude --model 'x y' ''\n"
      "                 in /p\n"
      "                 permission = bypassPermissions\n"
      "                 work.command = sh -c 'a b'\n");
  Json bad = Json::object({{"name", "docs"}, {"error", "no such directory: /x\x1b[H"}});
  EXPECT_EQ(first_use_page(preview_of_agent(bad), kNoColour),
            "  docs           cannot be started: no such directory: /x\\u{1b}[H\n");
}

TEST(FirstUsePage, NoByteOfTheFileMovesTheCursor) {
  const std::string evil = "x\r\x1b[A\x1b[2K\n\xe2\x80\xae\x9b";
  Json agent = an_agent({evil, evil}, Json::object({{"prompt", std::vector<std::string>{evil}}}));
  agent.set("dir", evil);
  const std::string page = first_use_page(preview_of_agent(agent), kNoColour);
  EXPECT_EQ(page.find_first_of("\r\x1b"), std::string::npos);
  EXPECT_EQ(page.find("\xe2\x80\xae"), std::string::npos);
  EXPECT_EQ(std::count(page.begin(), page.end(), '\n'), 3);
}

TEST(FirstUsePage, LongTextsAreCutInTheMiddleAndSayIt) {
  const std::string page = first_use_page(
      preview_of_agent(an_agent({"begin", std::string(5000, 'x'), "end"})), kNoColour);
  EXPECT_LT(page.size(), kValueShown + 200);
  EXPECT_NE(page.find("begin x"), std::string::npos);
  EXPECT_NE(page.find("x end\n"), std::string::npos);
  EXPECT_NE(page.find("bytes left out: read the file"), std::string::npos);
  std::string wide;
  for (int i = 0; i < 1000; ++i) wide += "日";
  const std::string cut = first_use_page(preview_of_agent(an_agent({wide})), kNoColour);
  EXPECT_EQ(cut.find("\xef\xbf\xbd"), std::string::npos) << "never inside a character";
  EXPECT_EQ(harmless(cut).find("\xef\xbf\xbd"), std::string::npos);
}

TEST(FirstUsePage, ManyAgentsAreCountedAndThoseThatStayAreNamed) {
  Json agents = Json::array();
  for (size_t i = 0; i < kAgentsShown + 3; ++i) agents.push(an_agent({"x"}));
  agents.push(an_agent({"x"}).set("same", true).set("name", "old"));
  const std::string page = first_use_page(Json::object({{"agents", agents}}), kNoColour);
  EXPECT_NE(page.find("  … and 3 more agents: read the file\n  unchanged: old\n"),
            std::string::npos);
}

TEST(FirstUsePage, SaysSinceWhen) {
  const auto at = [](const char* text) {
    WallTime time;
    EXPECT_TRUE(parse_rfc3339(text, time));
    return time;
  };
  const Zone zone = Zone::fixed(std::chrono::hours{1});
  const WallTime now = at("2026-11-18T09:00:00Z");
  EXPECT_EQ(time_for_people(at("2026-11-18T07:32:26Z"), now, zone), "08:32:26");
  EXPECT_EQ(time_for_people(at("2026-11-15T19:40:01Z"), now, zone), "Nov 15 20:40");
  EXPECT_EQ(time_for_people(at("2025-12-31T23:30:00Z"), now, zone), "Jan 1 00:30");
  EXPECT_EQ(time_for_people(at("2025-03-05T10:00:00Z"), now, zone), "Mar 5 2025");
  Json preview = Json::object({{"path", "/p/\x1bpawl.toml"}, {"standing", "never"}});
  EXPECT_EQ(standing_line(preview, now, zone), "/p/\\u{1b}pawl.toml was never approved");
  preview.set("standing", "changed").set("at", "2026-11-15T19:40:01Z");
  EXPECT_EQ(standing_line(preview, now, zone),
            "/p/\\u{1b}pawl.toml changed since you approved it (Nov 15 20:40)");
}

}  // namespace
}  // namespace pawl::cli
