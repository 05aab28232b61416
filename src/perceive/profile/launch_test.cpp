#include "perceive/profile/launch.h"

#include <gtest/gtest.h>

#include <map>

#include "base/json.h"

namespace pawl::perceive {
namespace {

using Words = std::vector<std::string>;

const Catalog& launch_catalog() {
  static const Catalog all = Catalog::built_in();
  return all;
}
const Profile& claude() {
  return *launch_catalog().find("claude");
}
const Caller kCaller{"/opt/it's \"here\"/pawl", "/var/p{agent}", "docs", SessionId{7}};

TEST(Launch, ClaudeGetsALayerOfSettingsAndKeepsItsOwnArguments) {
  const Words argv = with_hooks(claude(), {"claude", "-p", "do {pawl}"}, kCaller);
  ASSERT_EQ(argv.size(), 5u);
  EXPECT_EQ(argv[0], "claude");
  EXPECT_EQ(argv[1], "--settings");
  EXPECT_EQ(argv[3], "-p");
  EXPECT_EQ(argv[4], "do {pawl}") << "the user's own words are not filled in";
  const auto settings = Json::parse(argv[2]);
  ASSERT_TRUE(settings) << argv[2];
  for (const char* event : {"SessionStart", "SessionEnd", "UserPromptSubmit", "PreToolUse", "Stop",
                            "PostToolUse", "PermissionRequest", "Notification", "StopFailure"}) {
    const Json& rows = (*settings)["hooks"][event];
    ASSERT_EQ(rows.items().size(), 1u) << event;
    const Json& call = rows.items()[0]["hooks"].items()[0];
    EXPECT_EQ(call["type"].as_string(), "command");
    EXPECT_EQ(call["command"].as_string(),
              "'/opt/it'\\''s \"here\"/pawl' hook claude 2>/dev/null || :");
    EXPECT_EQ(call["timeout"].as_int(), 5);
  }
  EXPECT_EQ((*settings).members().size(), 1u) << "nothing but hooks is set";
}

TEST(Launch, CodexGetsANotifyThatNamesItsAgent) {
  const Words argv =
      with_hooks(*launch_catalog().find("codex"), {"/usr/bin/codex", "exec", "x"}, kCaller);
  EXPECT_EQ(argv,
            (Words{"/usr/bin/codex", "-c",
                   R"(notify=["env","PAWL_HOME=/var/p{agent}","PAWL_AGENT=docs","PAWL_SESSION=7",)"
                   R"("/opt/it's \"here\"/pawl","hook","codex"])",
                   "exec", "x"}));
}

TEST(Launch, NothingIsAddedWhereItWouldCollideOrIsUnclear) {
  for (const Words& argv : std::vector<Words>{{},
                                              {"claude", "--settings", "mine.json"},
                                              {"claude", "-p", "--settings={}"},
                                              {"bash"},
                                              {"sh", "-c", "npx @anthropic-ai/claude-code"},
                                              {"docker", "run", "claude"},
                                              {"my-claude"}})
    EXPECT_EQ(with_hooks(claude(), argv, kCaller), argv);
  const Words mine{"codex", "-c", "notify=[\"x\"]"};
  EXPECT_EQ(with_hooks(*launch_catalog().find("codex"), mine, kCaller), mine);
  EXPECT_EQ(with_hooks(*launch_catalog().find("gemini"), {"gemini"}, kCaller), Words{"gemini"});
  EXPECT_EQ(with_hooks(claude(), {"claude", "--settings-of-mine"}, kCaller).size(), 4u);
}

// A sandbox of the user's own takes nothing away: hooks, names and permissions are the program's inside it.
TEST(Launch, InASandboxTheProgramItselfGetsThem) {
  const Words sandbox{"bwrap", "--ro-bind", "/claude", "/claude", "claude", "hello"};
  const Words argv = with_hooks(claude(), sandbox, kCaller);
  ASSERT_EQ(argv.size(), 8u);
  EXPECT_EQ(argv[4], "claude");
  EXPECT_EQ(argv[5], "--settings");
  EXPECT_EQ(argv[7], "hello");
  EXPECT_EQ(resuming(*launch_catalog().find("codex"), {"env", "A=1", "codex"}, {"id"}),
            (Words{"env", "A=1", "codex", "resume", "id"}));
  EXPECT_EQ(launch_catalog().by_command(sandbox), &claude());
}

TEST(Launch, AScriptIsFollowedByTheArguments) {
  const std::string script = "/x/node_modules/@anthropic-ai/claude-code/cli.js";
  const Words argv = with_hooks(claude(), {"node", script, "hello"}, kCaller);
  ASSERT_EQ(argv.size(), 5u);
  EXPECT_EQ(argv[1], script);
  EXPECT_EQ(argv[2], "--settings");
  EXPECT_EQ(argv[4], "hello");
  EXPECT_EQ(with_hooks(claude(), {"npx", "-y", "@anthropic-ai/claude-code"}, kCaller)[3],
            "--settings");
}

TEST(Launch, TheProfileIsTheGivenOneOrTheCommands) {
  EXPECT_EQ(profile_of(launch_catalog(), "codex", {"claude"}), launch_catalog().find("codex"));
  EXPECT_EQ(profile_of(launch_catalog(), "generic", {"/usr/bin/claude"}), &claude());
  EXPECT_EQ(profile_of(launch_catalog(), "of-mine", {"claude"}), &claude());
  EXPECT_EQ(profile_of(launch_catalog(), "generic", {"bash"}), nullptr);
  EXPECT_EQ(profile_of(launch_catalog(), "generic", {}), nullptr);
}

// What is started again, as it was started.
Words resumed(const char* runtime, const Words& argv) {
  return resuming(*launch_catalog().find(runtime), argv, {"id-1"});
}
// What is begun, under a name of ours.
Words named(const char* runtime, const Words& argv) {
  return naming(*launch_catalog().find(runtime), argv, {"id-1", "/s/id-1.jsonl"});
}

TEST(Launch, AConversationGoesOnWithTheUsersOwnArguments) {
  EXPECT_EQ(resumed("claude", {"claude", "--model", "opus"}),
            (Words{"claude", "--resume", "id-1", "--model", "opus"}));
  EXPECT_EQ(resumed("codex", {"/usr/bin/codex", "-m", "x", "--no-daemon"}),
            (Words{"/usr/bin/codex", "resume", "id-1", "-m", "x", "--no-daemon"}));
  EXPECT_EQ(resumed("gemini", {"gemini", "-y"}), (Words{"gemini", "--resume", "id-1", "-y"}));
  EXPECT_EQ(resumed("pi", {"pi", "--models", "a"}),
            (Words{"pi", "--session", "id-1", "--models", "a"}));
  EXPECT_EQ(resumed("opencode", {"opencode"}), (Words{"opencode", "--session", "id-1"}));
  EXPECT_EQ(resumed("copilot", {"copilot"}), (Words{"copilot", "--resume", "id-1"}));
  EXPECT_EQ(resumed("goose", {"goose", "session", "--debug"}),
            (Words{"goose", "session", "--resume", "--session-id", "id-1", "--debug"}));
  EXPECT_EQ(resumed("claude", {"node", "/x/@anthropic-ai/claude-code/cli.js", "hi"}),
            (Words{"node", "/x/@anthropic-ai/claude-code/cli.js", "--resume", "id-1", "hi"}));
}

TEST(Launch, WhoNamesAConversationKeepsIt) {
  for (const auto& [runtime, argv] :
       std::vector<std::pair<const char*, Words>>{{"claude", {"claude", "--resume", "mine"}},
                                                  {"claude", {"claude", "--resume=mine"}},
                                                  {"claude", {"claude", "-r", "mine"}},
                                                  {"claude", {"claude", "-c"}},
                                                  {"claude", {"claude", "--session-id", "mine"}},
                                                  {"codex", {"codex", "resume", "--last"}},
                                                  {"codex", {"codex", "fork", "mine"}},
                                                  {"gemini", {"gemini", "--resume", "latest"}},
                                                  {"gemini", {"gemini", "-r", "2"}},
                                                  {"pi", {"pi", "--session", "mine"}},
                                                  {"pi", {"pi", "-c"}}})
    EXPECT_EQ(resumed(runtime, argv), argv);
}

TEST(Launch, WhatCannotGoOnIsStartedAsItWas) {
  for (const auto& [runtime, argv] :
       std::vector<std::pair<const char*, Words>>{{"claude", {"bash", "-c", "claude"}},
                                                  {"codex", {"codex", "exec", "resume it"}},
                                                  {"opencode", {"opencode", "run", "x"}},
                                                  {"aider", {"aider"}},
                                                  {"pi", {}}})
    EXPECT_EQ(resumed(runtime, argv), argv);
  EXPECT_EQ(resumed("codex", {"codex", "go on"}), (Words{"codex", "resume", "id-1", "go on"}));
}

TEST(Launch, ANewConversationIsNamedWhereTheProgramTakesAName) {
  EXPECT_EQ(named("gemini", {"gemini", "-y"}), (Words{"gemini", "--session-id", "id-1", "-y"}));
  EXPECT_EQ(named("pi", {"pi", "--models", "a"}),
            (Words{"pi", "--session", "/s/id-1.jsonl", "--models", "a"}));
  EXPECT_EQ(resuming(*launch_catalog().find("pi"), {"pi"}, {"id-1", "/s/id-1.jsonl"}),
            (Words{"pi", "--session", "/s/id-1.jsonl"}));
  for (const auto& [runtime, argv] :
       std::vector<std::pair<const char*, Words>>{{"gemini", {"gemini", "--resume", "latest"}},
                                                  {"gemini", {"gemini", "--session-id=mine"}},
                                                  {"gemini", {"gemini", "mcp", "list"}},
                                                  {"gemini", {"bash", "-c", "gemini"}},
                                                  {"pi", {"pi", "--session", "mine"}},
                                                  {"pi", {"pi", "--session-dir", "mine"}},
                                                  {"pi", {"pi", "-c"}},
                                                  {"pi", {"pi", "install", "x"}},
                                                  {"claude", {"claude"}}})
    EXPECT_EQ(named(runtime, argv), argv) << runtime;
  EXPECT_EQ(naming(*launch_catalog().find("pi"), {"pi"}, {"id-1"}), Words{"pi"})
      << "an id that pi does not know would be refused";
}

TEST(Launch, ThoseThatCanShortenTheirContextSayHow) {
  const std::map<std::string, std::string> words{{"claude", "/compact"},  {"codex", "/compact"},
                                                 {"copilot", "/compact"}, {"gemini", "/compress"},
                                                 {"kimi", "/compact"},    {"opencode", "/compact"},
                                                 {"pi", "/compact"},      {"qwen", "/compress"}};
  for (const auto& name : launch_catalog().names()) {
    const auto word = words.find(name);
    EXPECT_EQ(launch_catalog().find(name)->launch.compact, word == words.end() ? "" : word->second)
        << name;
  }
}

TEST(Launch, TheUsersOwnWordAboutTheTerminalWins) {
  EXPECT_EQ(terminal_wishes(claude(), {}),
            (Words{"TERM_PROGRAM=ghostty", "TERM_PROGRAM_VERSION=1.2.0"}));
  EXPECT_EQ(terminal_wishes(claude(), {"TERM_PROGRAM=mine", "A=1", "COLUMNS=3"}),
            (Words{"TERM_PROGRAM=mine", "TERM_PROGRAM_VERSION=1.2.0"}));
  EXPECT_EQ(terminal_wishes(*launch_catalog().find("codex"), {"TERM_PROGRAM=mine"}), Words{});
}

TEST(Launch, AModelAndAPermissionAreSaidInTheProgramsOwnWords) {
  EXPECT_EQ(with_wishes(claude(), {"claude", "hi"}, {"opus", "bypassPermissions"}),
            (Words{"claude", "--dangerously-skip-permissions", "--model", "opus", "hi"}));
  EXPECT_EQ(with_wishes(*launch_catalog().find("codex"), {"codex"}, {"", "dontAsk"}),
            (Words{"codex", "--sandbox", "workspace-write", "--ask-for-approval", "never"}));
  EXPECT_EQ(with_wishes(*launch_catalog().find("gemini"), {"gemini"}, {"flash", "acceptEdits"}),
            (Words{"gemini", "--approval-mode", "auto_edit", "--model", "flash"}));
  EXPECT_EQ(with_wishes(claude(), {"claude"}, {"", "default"}), (Words{"claude"}));
}

TEST(Launch, TheUsersOwnArgumentsStandBeforeAWish) {
  const Words own{"claude", "--model=haiku", "--permission-mode", "plan"};
  EXPECT_EQ(with_wishes(claude(), own, {"opus", "bypassPermissions"}), own);
  EXPECT_EQ(with_wishes(claude(), {"sh", "-c", "claude"}, {"opus", ""}),
            (Words{"sh", "-c", "claude"}));
}

TEST(Launch, AWishThatCannotBeHadIsSaid) {
  EXPECT_EQ(unfulfilled(claude(), {"opus", "plan"}), "");
  EXPECT_EQ(unfulfilled(*launch_catalog().find("gemini"), {"", "dontAsk"}),
            "gemini has no permission mode dontAsk (it has default, acceptEdits, "
            "bypassPermissions, plan)");
  EXPECT_EQ(unfulfilled(*launch_catalog().find("pi"), {"", "plan"}),
            "pi has no permission mode plan");
  EXPECT_EQ(unfulfilled(*launch_catalog().find("pi"), {"", "default"}), "");
  EXPECT_NE(unfulfilled(*launch_catalog().find("demo"), {"m", ""}), "");
}

}  // namespace
}  // namespace pawl::perceive
