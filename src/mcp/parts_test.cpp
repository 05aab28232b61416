#include <gtest/gtest.h>

#include <set>

#include "mcp/lines.h"
#include "mcp/resources.h"
#include "mcp/results.h"
#include "mcp/subscriptions.h"
#include "mcp/tools.h"

namespace pawl::mcp {
namespace {

TEST(McpLines, CutsMessagesWhereverTheyAreBroken) {
  Lines lines(10);
  lines.feed("ab");
  EXPECT_FALSE(lines.next());
  lines.feed("c\n\nde\n");
  EXPECT_EQ(lines.next()->text, "abc");
  EXPECT_EQ(lines.next()->text, "");
  EXPECT_EQ(lines.next()->text, "de");
  EXPECT_FALSE(lines.next());
}

TEST(McpLines, ReadsOverWhatIsTooLong) {
  Lines lines(10);
  for (int i = 0; i < 1000; ++i) {
    lines.feed("0123456789");
    EXPECT_FALSE(lines.next());
  }
  lines.feed("\n{}\n");
  EXPECT_TRUE(lines.next()->too_long);
  EXPECT_EQ(lines.next()->text, "{}");
  lines.feed("0123456789a\n0123456789\n");
  EXPECT_TRUE(lines.next()->too_long);
  EXPECT_EQ(lines.next()->text, "0123456789");
}

Json tool_named(const std::string& name) {
  const Json list = tool_list();
  for (const Json& tool : list.items())
    if (tool["name"].as_string() == name) return tool;
  return {};
}

TEST(McpTools, AreTheVerbsWithHonestHints) {
  const Json list = tool_list();
  std::set<std::string> names;
  for (const Json& tool : list.items()) {
    names.insert(tool["name"].as_string());
    EXPECT_EQ(tool["inputSchema"]["type"].as_string(), "object");
    const Json& hints = tool["annotations"];
    const bool looks =
        api::find_verb(std::string(find_tool(tool["name"].as_string())->verb))->use.access ==
        api::Access::look;
    EXPECT_EQ(hints["readOnlyHint"].as_bool(), looks) << tool.dump();
    EXPECT_EQ(hints.has("destructiveHint"), !looks) << tool.dump();
  }
  EXPECT_EQ(names.size(), list.items().size());
  for (const char* name : {"attach", "serve", "doctor", "rm", "down", "daemon", "trust"})
    EXPECT_FALSE(names.contains(name)) << name;
  EXPECT_TRUE(tool_named("task_cancel")["annotations"]["destructiveHint"].as_bool());
  EXPECT_FALSE(tool_named("send")["annotations"]["destructiveHint"].as_bool());
  EXPECT_TRUE(tool_named("keys")["annotations"]["destructiveHint"].as_bool());
}

TEST(McpTools, SchemasComeFromTheRows) {
  const Json start = tool_named("task_start")["inputSchema"];
  EXPECT_EQ(start["properties"]["prompt"]["type"].as_string(), "string");
  EXPECT_EQ(start["properties"]["command"]["type"].as_string(), "array");
  EXPECT_EQ(start["properties"]["retries"]["type"].as_string(), "integer");
  EXPECT_EQ(start["properties"]["yolo"]["type"].as_string(), "boolean");
  EXPECT_TRUE(start["properties"].has("max_cost"));
  EXPECT_FALSE(start["properties"].has("prompt-file"));
  EXPECT_EQ(start["required"].as_strings(), (std::vector<std::string>{"name", "prompt"}));
}

Result<Json> args(const char* tool, const char* json) {
  return request_args(*find_tool(tool), *Json::parse(json));
}

TEST(McpTools, ArgumentsBecomeThoseOfTheVerb) {
  const auto task = args("task_start", R"({"name":"t","prompt":"go","max_cost":"2","retries":3})");
  ASSERT_TRUE(task) << text_of(task.error());
  EXPECT_EQ((*task)["max-cost"].as_string(), "2");
  EXPECT_EQ((*task)["retries"].as_string(), "3");
  EXPECT_EQ((*task)["prompt"].as_string(), "go");
  EXPECT_EQ((*args("logs", R"({"name":"a"})"))["lines"].as_string(), kDefaultLines);
  EXPECT_EQ((*args("events", "{}"))["since"].as_string(), "1h");
  EXPECT_FALSE((*args("task_output", R"({"name":"a","result":true})")).has("lines"));
}

TEST(McpTools, WrongArgumentsAreNamed) {
  const auto why = [](const char* tool, const char* json) {
    const auto read = args(tool, json);
    return read ? "" : text_of(read.error());
  };
  EXPECT_NE(why("show", "{}").find("'name' is missing"), std::string::npos);
  EXPECT_NE(why("show", R"({"name":["a"]})").find("is not a text"), std::string::npos);
  EXPECT_NE(why("stop", R"({"names":"a"})").find("is not a list of texts"), std::string::npos);
  EXPECT_NE(why("wait", R"({"names":[],"until":"ready"})").find("is empty"), std::string::npos);
  EXPECT_NE(why("task_start", R"({"name":"t","prompt":""})").find("is empty"), std::string::npos);
  EXPECT_NE(why("logs", R"({"name":"a","lines":99999})").find("2000"), std::string::npos);
  EXPECT_NE(why("logs", R"({"name":"a","lines":"x"})").find("whole number"), std::string::npos);
  EXPECT_NE(why("wait", R"({"names":["a"],"until":"ready","timeout":"soon"})").find("duration"),
            std::string::npos);
  EXPECT_EQ(why("task_start", R"({"name":"t","prompt":"x","command":["true"]})"), "");
}

TEST(McpResults, LongThingsAreCutAndItIsSaid) {
  std::string text;
  for (int i = 0; i < 20000; ++i) text += "line " + std::to_string(i) + "\n";
  const std::string cut = cut_to_end(text);
  EXPECT_LT(cut.size(), kMaxText + 100);
  EXPECT_NE(cut.find("earlier bytes are left out]\nline "), std::string::npos);
  EXPECT_TRUE(cut.ends_with("line 19999\n"));
  Json list = Json::array();
  for (int i = 0; i < 5000; ++i) list.push(Json::object({{"text", std::string(1000, 'x')}}));
  const Json small = bounded(Json::object({{"list", list}}));
  EXPECT_LE(small.dump().size(), kMaxStructured + 100);
  EXPECT_TRUE(small["cut"].is_string());
  EXPECT_FALSE(bounded(Json::object({{"a", 1}})).has("cut"));
}

TEST(McpResults, OfEventsTheLastAreKept) {
  Before before;
  for (int i = 0; i < 250; ++i) before.add(Json::object({{"seq", i}}));
  const Json result = tool_result("events", Json::object(), before);
  EXPECT_EQ(result["structuredContent"]["left_out"].as_int(), 50);
  EXPECT_EQ(result["structuredContent"]["events"].items().at(0)["seq"].as_int(), 50);
}

TEST(McpResources, AddressesAreRead) {
  EXPECT_EQ(resource_from("pawl://agent/docs/why"), (Resource{Resource::Of::agent, "docs", "why"}));
  EXPECT_EQ(resource_from("pawl://agent/gpu%2Fdocs/log")->name, "gpu/docs");
  EXPECT_EQ(resource_from("pawl://task/gpu/fix/output")->name, "gpu/fix");
  for (const char* uri : {"", "pawl://", "pawl://agent", "pawl://agent/docs", "pawl://agent//why",
                          "pawl://task/t/why", "pawl://agent/docs/result", "pawl://agent/a%2/why",
                          "pawl://agent/a%zz/why", "file:///x"})
    EXPECT_FALSE(resource_from(uri)) << uri;
  const Json templates = template_list();
  EXPECT_EQ(templates.items().size(), 5U);
}

TEST(McpSubscriptions, AreBounded) {
  Subscriptions all;
  for (size_t i = 0; i < kMaxSubscriptions; ++i)
    EXPECT_TRUE(all.add({}, "pawl://agent/a" + std::to_string(i) + "/why"));
  EXPECT_FALSE(all.add({}, "pawl://report"));
  EXPECT_TRUE(all.add({}, "pawl://agent/a0/why")) << "that one is there";
  for (size_t i = 0; i < kMaxListens; ++i) EXPECT_TRUE(all.open(static_cast<int64_t>(i)));
  EXPECT_FALSE(all.open(99));
}

}  // namespace
}  // namespace pawl::mcp
