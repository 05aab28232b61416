#include "cli/mcp_files.h"

#include <gtest/gtest.h>

namespace pawl::cli {
namespace {

const McpEntry kEntry{"pawl"};

TEST(McpFiles, JsonGetsOneEntryAndKeepsEveryOtherByte) {
  const Json entry = json_entry(kEntry, false);
  for (const std::string before :
       {"{}", "{ }\n", "{\"a\":1}", "{\n  \"mcpServers\": {}\n}\n",
        "{\n\t\"n\": 1.50, \"s\": \"}{\\\"\",\n\t\"mcpServers\": {\"x\": {\"command\": "
        "\"y\"}},\n\t\"z\": [1, {\"q\": null}]\n}\n"}) {
    const auto with = with_json_entry(before, entry);
    ASSERT_TRUE(with) << before << text_of(with.error());
    EXPECT_EQ((*Json::parse(*with))["mcpServers"]["pawl"], entry) << *with;
    EXPECT_EQ(with_json_entry(*with, entry), *with) << "a second time";
    const auto back = without_json_entry(*with);
    ASSERT_TRUE(back && *back) << *with;
    if (before.find("\"x\"") != std::string::npos) {
      EXPECT_EQ(**back, before);
    }
    EXPECT_EQ(*without_json_entry(**back), std::nullopt);
  }
  EXPECT_EQ((*Json::parse(*with_json_entry("", entry)))["mcpServers"]["pawl"], entry);
}

TEST(McpFiles, AnOtherEntryOfThatNameIsReplaced) {
  const auto with = with_json_entry(R"({"mcpServers":{"b":{},"pawl":{"command":"old"}}})",
                                    json_entry(kEntry, true));
  ASSERT_TRUE(with);
  EXPECT_EQ((*Json::parse(*with))["mcpServers"]["pawl"]["timeout"].as_int(), 3'600'000);
  EXPECT_EQ(**without_json_entry(*with), R"({"mcpServers":{"b":{}}})");
}

TEST(McpFiles, JsonWithCommentsOrMistakesIsRefused) {
  for (const char* text : {"// mine\n{}", "{\"a\": 1,}", "{", "[]", "{\"mcpServers\": []}",
                           "{\"mcpServers\": {}, \"mcpServers\": {\"a\": {}}}"})
    EXPECT_FALSE(with_json_entry(text, json_entry(kEntry, false))) << text;
}

TEST(McpFiles, TomlKeepsItsComments) {
  const std::string before =
      "# mine\nmodel = \"x\"  # this one\n\n[mcp_servers.other]\ncommand = \"o\" # keep\n";
  const auto with = with_toml_entry(before, kEntry);
  ASSERT_TRUE(with) << text_of(with.error());
  EXPECT_TRUE(with->starts_with(before));
  EXPECT_TRUE(with->ends_with(toml_entry(kEntry)));
  EXPECT_EQ(with_toml_entry(*with, kEntry), *with) << "a second time";
  EXPECT_EQ(**without_toml_entry(*with), before);
  const std::string more = *with + "\n# about the next\n[profiles.a]\nmodel = \"y\"\n";
  EXPECT_EQ(**without_toml_entry(more),
            before + "\n# about the next\n[profiles.a]\nmodel = \"y\"\n");
  EXPECT_EQ(with_toml_entry("", kEntry), toml_entry(kEntry));
}

TEST(McpFiles, TomlThatCannotBeChangedForCertainIsRefused) {
  for (const char* text : {"a = ", "mcp_servers = { other = { command = \"o\" } }\n",
                           "mcp_servers.pawl.command = \"p\"\n"})
    EXPECT_FALSE(with_toml_entry(text, kEntry)) << text;
}

TEST(McpFiles, TheHomeGoesWithIt) {
  const McpEntry entry{"/opt/pawl", {{"PAWL_HOME", "/a \"b\""}}};
  EXPECT_EQ(json_entry(entry, false)["env"]["PAWL_HOME"].as_string(), "/a \"b\"");
  EXPECT_TRUE(
      with_toml_entry("x = 1\n", entry)->ends_with("env = { PAWL_HOME = \"/a \\\"b\\\"\" }\n"));
}

}  // namespace
}  // namespace pawl::cli
