#include "act/message.h"

#include <gtest/gtest.h>

namespace pawl::act {
namespace {

using Kind = model::Channel::Kind;

Message alert() {
  return {"docs",
          WallTime{std::chrono::hours{24 * 365}},
          model::Severity::error,
          "it is parked: it ended 5 times",
          "crash loop",
          "find out why, then: pawl restart docs",
          "$ make\n<error> & `more`"};
}

std::string header(const Post& post, const std::string& name) {
  for (const auto& line : post.headers)
    if (line.starts_with(name + ": ")) return line.substr(name.size() + 2);
  return "none";
}

TEST(Message, AsJson) {
  EXPECT_EQ(to_json(alert()).dump(),
            R"({"version":1,"agent":"docs","at":"1971-01-01T00:00:00.000Z","severity":"error",)"
            R"("text":"it is parked: it ended 5 times","matter":"crash loop",)"
            R"("todo":"find out why, then: pawl restart docs",)"
            R"("screen":"$ make\n<error> & `more`"})");
  const Post post = post_of(Kind::webhook, alert());
  EXPECT_EQ(post.body, to_json(alert()).dump());
  EXPECT_EQ(header(post, "Content-Type"), "application/json");
}

TEST(Message, ForNtfy) {
  const Post post = post_of(Kind::ntfy, alert());
  EXPECT_EQ(post.body,
            "it is parked: it ended 5 times\n\nfind out why, then: pawl restart docs\n\n"
            "$ make\n<error> & `more`");
  EXPECT_EQ(header(post, "Title"), "docs: error");
  EXPECT_EQ(header(post, "Priority"), "high");
  EXPECT_EQ(header(post, "Tags"), "rotating_light");
  Message mild{"", {}, model::Severity::warning, "nothing was done"};
  EXPECT_EQ(header(post_of(Kind::ntfy, mild), "Title"), "pawl: warning");
  EXPECT_EQ(header(post_of(Kind::ntfy, mild), "Priority"), "default");
  EXPECT_EQ(post_of(Kind::ntfy, mild).body, "nothing was done");
}

TEST(Message, ForSlack) {
  const Post post = post_of(Kind::slack, alert());
  EXPECT_EQ(Json::parse(post.body)->operator[]("text").as_string(),
            "*docs: error* it is parked: it ended 5 times\nfind out why, then: pawl restart docs\n"
            "```\n$ make\n&lt;error&gt; &amp; `more`\n```");
  Message fence = alert();
  fence.screen = "a ``` b ```` c";
  const std::string text =
      Json::parse(post_of(Kind::slack, fence).body)->operator[]("text").as_string();
  EXPECT_NE(text.find("```\na ''' b '''` c\n```"), std::string::npos) << text;
}

TEST(Message, ForTheDesktop) {
  EXPECT_EQ(desktop_words(alert()),
            (std::vector<std::string>{
                "--app-name=pawl", "--urgency=critical", "--", "docs: error",
                "it is parked: it ended 5 times\nfind out why, then: pawl restart docs"}));
  Message odd{"", {}, model::Severity::warning, std::string("--help <b>\x1b[31m\0x", 17)};
  EXPECT_EQ(desktop_words(odd).at(4), "--help &lt;b&gt; [31m x");
  EXPECT_EQ(desktop_words(odd).at(1), "--urgency=normal");
}

TEST(Message, NothingBecomesAnotherHeader) {
  Message evil{"a\r\nX-Evil: 1", {}, model::Severity::error, "t"};
  const Post post = post_of(Kind::ntfy, evil);
  EXPECT_EQ(header(post, "Title"), "a  X-Evil: 1: error");
  Message foreign{"grün", {}, model::Severity::error, "t"};
  EXPECT_EQ(header(post_of(Kind::ntfy, foreign), "Title"), "gr?n: error");
}

TEST(Message, LongOnesAreCutBetweenCharacters) {
  Message message = alert();
  for (message.text = "x"; message.text.size() < 50000;) message.text += "ä";
  for (message.screen = "x"; message.screen.size() < 50000;) message.screen += "ö";
  message.screen += "end";
  const Json json = to_json(message);
  const std::string text = json["text"].as_string();
  EXPECT_LT(text.size(), kTextShown + 100);
  EXPECT_NE(text.find("ä\n… 48002 of 50001 bytes are left out here"), std::string::npos) << text;
  EXPECT_NE(text.find("…\nä"), std::string::npos) << "the end of a command matters, too";
  EXPECT_TRUE(text.ends_with("ä"));
  EXPECT_TRUE(json["screen"].as_string().starts_with("…ö"));
  EXPECT_TRUE(json["screen"].as_string().ends_with("öend"));
  EXPECT_LT(json.dump().size(), 10000u);
  EXPECT_LE(post_of(Kind::ntfy, message).body.size(), kNtfyBytes);
  EXPECT_GT(post_of(Kind::ntfy, message).body.size(), kNtfyBytes - 20);
  EXPECT_LT(post_of(Kind::slack, message).body.size(), 8000u);
  EXPECT_LT(desktop_words(message).at(4).size(), 1100u);
}

// What is in a link is ours alone: nothing of it has to be quoted.
Message asking() {
  Message out = alert();
  out.link = {"https://pawl.example/approve/a.b", true, "4832-0179", "slack"};
  return out;
}

TEST(Message, ALinkThatAnswers) {
  const Post ntfy = post_of(Kind::ntfy, asking());
  EXPECT_EQ(header(ntfy, "Click"), "https://pawl.example/approve/a.b");
  EXPECT_EQ(header(ntfy, "Actions"),
            "view, Answer, https://pawl.example/approve/a.b, clear=true; http, Refuse, "
            "https://pawl.example/approve/a.b/refuse, method=POST, clear=true");
  const std::string lines =
      "Answer: https://pawl.example/approve/a.b\nCode for the link in the slack message: 4832-0179";
  EXPECT_NE(ntfy.body.find(lines), std::string::npos) << ntfy.body;
  EXPECT_NE(desktop_words(asking()).back().find(lines), std::string::npos);
  const Json slack = *Json::parse(post_of(Kind::slack, asking()).body);
  EXPECT_NE(slack["text"].as_string().find(lines), std::string::npos);
  const auto& blocks = slack["blocks"].items();
  ASSERT_EQ(blocks.size(), 2u);
  EXPECT_EQ(blocks[1]["elements"].items()[0]["url"].as_string(), asking().link.url);
  const Json hook = to_json(asking())["approve"];
  EXPECT_EQ(hook["url"].as_string(), asking().link.url);
  EXPECT_EQ(hook["refuse"].as_string(), asking().link.url + "/refuse");
  EXPECT_EQ(hook["code"].as_string() + hook["code_for"].as_string(), "4832-0179slack");
}

TEST(Message, ALinkWithoutARowThatRefuses) {
  Message one = asking();
  one.link = {"https://pawl.example/approve/a.b", false};
  EXPECT_EQ(header(post_of(Kind::ntfy, one), "Actions"),
            "view, Answer, https://pawl.example/approve/a.b, clear=true");
  EXPECT_FALSE(to_json(one)["approve"].has("refuse"));
  EXPECT_FALSE(to_json(one)["approve"].has("code"));
}

TEST(Message, SlackRefusesLongBlocks) {
  Message one = asking();
  one.text = std::string(9000, '<');
  one.screen = std::string(9000, '&');
  const Json slack = *Json::parse(post_of(Kind::slack, one).body);
  EXPECT_LT(slack["blocks"].items()[0]["text"]["text"].as_string().size(), 3000u);
}

}  // namespace
}  // namespace pawl::act
