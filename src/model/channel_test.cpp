#include "model/channel.h"

#include <gtest/gtest.h>

#include "model/config.h"

namespace pawl::model {
namespace {

std::string refusal(std::string_view word) {
  const auto channel = channel_from(word);
  return channel ? "" : text_of(channel.error());
}

TEST(Channel, TheFiveKinds) {
  EXPECT_EQ(channel_from("desktop"), Channel{Channel::Kind::desktop});
  EXPECT_EQ(channel_from("exec:tell-me"), (Channel{Channel::Kind::exec, "tell-me"}));
  EXPECT_EQ(channel_from("exec:/opt/a b/tell"), (Channel{Channel::Kind::exec, "/opt/a b/tell"}));
  EXPECT_EQ(channel_from("webhook:http://h"), (Channel{Channel::Kind::webhook, "http://h"}));
  EXPECT_EQ(channel_from("ntfy:https://ntfy.sh/t"),
            (Channel{Channel::Kind::ntfy, "https://ntfy.sh/t"}));
  EXPECT_EQ(channel_from("slack:https://h:1/T/B"),
            (Channel{Channel::Kind::slack, "https://h:1/T/B"}));
}

TEST(Channel, AnUnknownOneIsRefusedWithWhatThereIs) {
  const std::string known =
      " is not known: use desktop, exec:PROGRAM, webhook:URL, ntfy:URL or slack:URL";
  EXPECT_EQ(refusal("mail"), "notify = \"mail\"" + known);
  EXPECT_EQ(refusal(""), "notify = \"\"" + known);
  EXPECT_EQ(refusal("slack"), "notify = \"slack\"" + known);
  EXPECT_EQ(refusal("desktop:0"), "notify = \"desktop:…\"" + known);
  // Its own URL, or a token: what was written behind the colon is not repeated.
  EXPECT_EQ(refusal("telegram:123:SECRET"), "notify = \"telegram:…\"" + known);
  EXPECT_EQ(refusal("https://h/SECRET"), "notify = \"https:…\"" + known);
}

TEST(Channel, WhatIsNoUrlAndNoProgram) {
  for (const char* bad : {"webhook:", "webhook:ftp://h/SECRET", "ntfy:h/SECRET", "slack:https://",
                          "slack:https://u:SECRET@/x", "webhook:http:///SECRET",
                          "webhook:http://h/a SECRET", "webhook:http://u:SECRET/x@h/",
                          "webhook:http://h:x/SECRET", "ntfy:http://h\r\nX: SECRET"}) {
    const std::string text = refusal(bad);
    EXPECT_NE(text.find("is no URL: begin it with https://"), std::string::npos) << bad << text;
    EXPECT_EQ(text.find("SECRET"), std::string::npos) << text;
  }
  for (const char* bad : {"exec:", "exec:./x", "exec:a/b", "exec:~/x"})
    EXPECT_NE(refusal(bad).find("is no program: give its absolute path"), std::string::npos) << bad;
}

TEST(Channel, ItsNameHoldsNoSecret) {
  const auto name = [](std::string_view word) { return name_of(*channel_from(word)); };
  EXPECT_EQ(name("desktop"), "desktop");
  EXPECT_EQ(name("exec:/bin/tell"), "exec:/bin/tell");
  EXPECT_EQ(name("slack:https://hooks.slack.com/services/T/B/X"), "slack:https://hooks.slack.com");
  EXPECT_EQ(name("ntfy:https://u:p@h:8443/topic?auth=x#y"), "ntfy:https://h:8443");
  EXPECT_EQ(name("webhook:http://[::1]:80/x"), "webhook:http://[::1]:80");
  EXPECT_EQ(name("webhook:http://h?token=x@y"), "webhook:http://h");
  EXPECT_EQ(name("webhook:http://u:a@b@h\\@x"), "webhook:http://h");
}

TEST(Channel, ABadOneIsRefusedWithTheSpecification) {
  AgentSpec spec;
  spec.notify = {"desktop", "exec:tell"};
  EXPECT_TRUE(check(spec));
  spec.notify.emplace_back("mail");
  EXPECT_EQ(check(spec).error().what, "notify = \"mail\" is not known");
  const auto config = parse_config("[agent.a]\nnotify = [\"mail\"]\n", "p.toml");
  EXPECT_EQ(text_of(config.error()).find("p.toml:1:1: notify = \"mail\" is not known"), 0u)
      << text_of(config.error());
}

}  // namespace
}  // namespace pawl::model
