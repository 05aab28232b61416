#include "perceive/records/hook.h"

#include <gtest/gtest.h>

#include "perceive/profile/catalog.h"

namespace pawl::perceive {
namespace {

const Catalog& hook_catalog() {
  static const Catalog all = Catalog::built_in();
  return all;
}

std::optional<HookWord> read(const char* runtime, const std::string& json) {
  return read_hook(*hook_catalog().find(runtime), json);
}

std::string told(const std::optional<HookWord>& hook) {
  if (!hook) return "no hook";
  if (!hook->word) return "-";
  constexpr const char* words[] = {"nothing", "idle", "busy", "waiting", "background"};
  const std::string word = words[static_cast<int>(hook->word->told)];
  return hook->word->kind.empty() ? word : word + " " + hook->word->kind;
}

struct Row {
  const char* members;  // of the hook, besides its session
  const char* expected;
};

void check(const char* runtime, const std::vector<Row>& rows) {
  for (const auto& [members, expected] : rows) {
    const std::string json = std::string(R"({"session_id":"s",)") + members + "}";
    EXPECT_EQ(told(read(runtime, json)), expected) << runtime << " " << json;
  }
}

TEST(Hook, ClaudeRows) {
  check("claude",
        {{R"("hook_event_name":"SessionStart","source":"startup")", "-"},
         {R"("hook_event_name":"SessionStart","source":"compact")", "-"},
         {R"("hook_event_name":"UserPromptSubmit","prompt":"x")", "busy"},
         {R"("hook_event_name":"PreToolUse","tool_name":"Bash")", "busy"},
         {R"("hook_event_name":"PreToolUse","tool_name":"AskUserQuestion")", "waiting question"},
         {R"("hook_event_name":"PostToolUse","tool_name":"AskUserQuestion")", "busy"},
         {R"("hook_event_name":"PostToolUseFailure")", "busy"},
         {R"("hook_event_name":"PermissionRequest","tool_name":"Bash")", "waiting permission"},
         {R"("hook_event_name":"PermissionRequest","tool_name":"AskUserQuestion")",
          "waiting question"},
         {R"("hook_event_name":"Notification","notification_type":"permission_prompt")",
          "waiting permission"},
         {R"("hook_event_name":"Notification","notification_type":"elicitation_dialog")",
          "waiting question"},
         {R"("hook_event_name":"Notification","notification_type":"idle_prompt")", "idle"},
         {R"("hook_event_name":"Notification","notification_type":"auth_success")", "-"},
         {R"("hook_event_name":"Notification")", "-"},
         {R"("hook_event_name":"PreCompact","trigger":"auto")", "busy"},
         {R"("hook_event_name":"PostCompact","trigger":"auto")", "-"},
         {R"("hook_event_name":"PostCompact","trigger":"manual")", "idle"},
         {R"("hook_event_name":"Stop","background_tasks":[],"session_crons":[])", "idle"},
         {R"("hook_event_name":"StopFailure","error":"rate_limit")", "idle"},
         {R"("hook_event_name":"SessionEnd","reason":"clear")", "nothing"},
         {R"("hook_event_name":"SubagentStop")", "-"},
         {R"("hook_event_name":"OfTheNextVersion")", "-"}});
}

TEST(Hook, WorkBehindThePromptIsNotTheEndOfWork) {
  check("claude",
        {{R"("hook_event_name":"Stop","background_tasks":[{"id":"1"}])", "background"},
         {R"("hook_event_name":"Stop","background_tasks":[{"type":"shell"},{"type":"subagent"}])",
          "background"},
         {R"("hook_event_name":"Stop","background_tasks":null,"session_crons":{})", "idle"},
         {R"("hook_event_name":"Stop","background_tasks":"one")", "idle"}});
}

TEST(Hook, ShellsBehindAFreePromptAreCounted) {
  const auto behind = [](const char* members) {
    const auto hook = read(
        "claude", std::string(R"({"session_id":"s","hook_event_name":"Stop",)") + members + "}");
    EXPECT_EQ(told(hook), "idle");
    return hook->word->behind;
  };
  EXPECT_EQ(behind(R"("background_tasks":[])"), 0);
  EXPECT_EQ(behind(R"("background_tasks":[{"type":"shell"},{"type":"monitor"}])"), 2);
  EXPECT_EQ(behind(R"("background_tasks":[{"type":"shell"}],"session_crons":[{"id":"c"}])"), 2);
}

TEST(Hook, ASubAgentsTurnsAreNotThoseOfThePrompt) {
  check("claude",
        {{R"("agent_id":"a1","hook_event_name":"PreToolUse","tool_name":"Bash")", "-"},
         {R"("agent_id":"a1","hook_event_name":"Stop")", "-"},
         {R"("agent_id":"a1","hook_event_name":"PermissionRequest")", "waiting permission"},
         {R"("agent_id":"","hook_event_name":"PreToolUse")", "busy"}});
}

TEST(Hook, CodexAndGeminiRows) {
  check("codex", {{R"("type":"agent-turn-complete")", "idle"},
                  {R"("hook_event_name":"UserPromptSubmit")", "busy"},
                  {R"("hook_event_name":"PermissionRequest")", "waiting permission"},
                  {R"("hook_event_name":"Interrupt")", "idle"},
                  {R"("hook_event_name":"Stop")", "idle"}});
  check("gemini", {{R"("hook_event_name":"BeforeAgent")", "busy"},
                   {R"("hook_event_name":"AfterAgent")", "idle"},
                   {R"("hook_event_name":"Notification","notification_type":"ToolPermission")",
                    "waiting permission"},
                   {R"("hook_event_name":"PreCompress","trigger":"auto")", "-"}});
  check("generic", {{R"("hook_event_name":"Stop")", "-"}});
}

TEST(Hook, BringsWhereTheConversationIs) {
  const auto hook = read("claude", R"({"session_id":"faccdbfd-6ffc-4d82-a7d5-c00330df97d5",
      "transcript_path":"/h/.claude/projects/-p/faccdbfd-6ffc-4d82-a7d5-c00330df97d5.jsonl","cwd":"/p","hook_event_name":"SessionStart"})");
  ASSERT_TRUE(hook);
  EXPECT_EQ(hook->event, "SessionStart");
  EXPECT_EQ(hook->session_id, "faccdbfd-6ffc-4d82-a7d5-c00330df97d5");
  EXPECT_EQ(hook->transcript, "/h/.claude/projects/-p/faccdbfd-6ffc-4d82-a7d5-c00330df97d5.jsonl");
  EXPECT_EQ(hook->cwd, "/p");
  const auto notify =
      read("codex", R"({"type":"agent-turn-complete","thread-id":"019a","cwd":"/p"})");
  ASSERT_TRUE(notify);
  EXPECT_EQ(notify->session_id, "019a");
}

// It would be read, and put away with the conversation.
TEST(Hook, AFileThatIsNoConversationsIsNotTaken) {
  for (const char* path :
       {"/etc/shadow", "/h/.ssh/facc", "/h/notes.jsonl", "/h/facc.jsonl/x", "x/facc.jsonl"})
    EXPECT_EQ(
        read("claude",
             std::string(R"({"session_id":"facc","hook_event_name":"Stop","transcript_path":")") +
                 path + "\"}")
            ->transcript,
        "")
        << path;
  EXPECT_EQ(read("gemini", R"({"session_id":"0123456789","hook_event_name":"SessionStart",)"
                           R"("transcript_path":"/h/session-2026-01234567.json"})")
                ->transcript,
            "/h/session-2026-01234567.json");
}

// Codex makes a title for a conversation in another one, whose id nobody can go on with.
TEST(Hook, WhatAProgramDoesBesideTheConversationSaysNothing) {
  EXPECT_FALSE(read("codex", R"({"type":"agent-turn-complete","thread-id":"b","input-messages":)"
                             R"(["Generate a concise, single-line task title of at most"]})"));
  EXPECT_TRUE(read("codex", R"({"type":"agent-turn-complete","thread-id":"a","input-messages":)"
                            R"(["remember 4711"]})"));
}

TEST(Hook, APromptIsToldWhole) {
  const std::string text(70000, 'x');
  const auto hook =
      read("claude", R"({"hook_event_name":"UserPromptSubmit","prompt":")" + text + R"(\nend"})");
  ASSERT_TRUE(hook);
  EXPECT_TRUE(hook->prompt);
  EXPECT_EQ(hook->prompt_text, text + "\nend");
  EXPECT_EQ(read("claude", R"({"hook_event_name":"Stop","prompt":"x"})")->prompt_text, "");
}

// They end in command lines and file names.
TEST(Hook, IdsAndPathsThatNoProgramWouldSayAreDropped) {
  for (const char* id :
       {"--dangerously-skip-permissions", "a b", "a;b", "../x", "a\\nb", "", "é"}) {
    const auto hook = read("claude", std::string(R"({"hook_event_name":"Stop","session_id":")") +
                                         id + R"(","transcript_path":"x/y","cwd":"/a\u0007b"})");
    ASSERT_TRUE(hook) << id;
    EXPECT_EQ(hook->session_id, "") << id;
    EXPECT_EQ(hook->transcript, "");
    EXPECT_EQ(hook->cwd, "");
  }
  EXPECT_EQ(conversation_id(std::string(129, 'a')), "");
  EXPECT_EQ(absolute_path("/" + std::string(5000, 'a')), "");
}

TEST(Hook, AFailureSaysWhatItMeans) {
  struct Case {
    const char* error;
    const char* shown;
    std::optional<NoticeKind> kind;
  };
  for (const auto& [error, shown, kind] : std::vector<Case>{
           {"rate_limit", "You've hit your session limit · resets 2:19am (UTC)", NoticeKind::limit},
           {"rate_limit", "", NoticeKind::limit},
           {"rate_limit",
            "API Error: Server is temporarily limiting requests (not your usage limit)",
            NoticeKind::overload},
           {"rate_limit", "API Error: Request rejected (429) · x", NoticeKind::overload},
           {"overloaded", "", NoticeKind::overload},
           {"server_error", "", NoticeKind::overload},
           {"authentication_failed", "", NoticeKind::auth},
           {"oauth_org_not_allowed", "", NoticeKind::auth},
           {"billing_error", "Credit balance is too low", NoticeKind::credit},
           {"invalid_request", "Prompt is too long", NoticeKind::context},
           {"invalid_request", "", std::nullopt},
           {"model_not_found", "", std::nullopt},
           {"of_the_next_version", "", std::nullopt}}) {
    Json json = Json::object({{"hook_event_name", "StopFailure"}, {"error", error}});
    if (*shown) json.set("last_assistant_message", shown);
    const auto hook = read("claude", json.dump());
    ASSERT_TRUE(hook);
    EXPECT_EQ(hook->notice, kind) << error << " " << shown;
    EXPECT_EQ(hook->error, error);
    EXPECT_EQ(hook->text, shown);
  }
  EXPECT_FALSE(read("claude", R"({"hook_event_name":"Stop","error":"rate_limit"})")->notice);
}

TEST(Hook, NonsenseIsNoHook) {
  for (const std::string& text :
       {std::string(), std::string("{"), std::string("[]"), std::string("\"Stop\""),
        std::string("null"), std::string("{}"), std::string(R"({"hook_event_name":3})"),
        std::string(R"({"hook_event_name":""})"), std::string(R"({"hook_event_name":"a b"})"),
        std::string(R"({"hook_event_name":"\u001b[2J"})"), std::string("\0\xff", 2),
        R"({"hook_event_name":")" + std::string(65, 'x') + "\"}",
        R"({"hook_event_name":"Stop","x":")" + std::string(kMaxHookBytes, 'x') + "\"}"})
    EXPECT_FALSE(read("claude", text)) << text.substr(0, 80);
}

TEST(Hook, EveryProfileReadsItsOwnRows) {
  for (const auto& name : hook_catalog().names())
    for (const HookRule& rule : hook_catalog().find(name)->hook_rules) {
      Json json = Json::object({{"hook_event_name", rule.event}});
      if (!rule.field.empty()) json.set(rule.field, rule.value);
      const auto hook = read_hook(*hook_catalog().find(name), json.dump());
      ASSERT_TRUE(hook) << name << " " << rule.event;
      const bool speaks = rule.means != Means::start && rule.means != Means::note;
      EXPECT_EQ(hook->word.has_value(), speaks) << name << " " << rule.event;
      EXPECT_EQ(speaks ? hook->word->kind : "", rule.kind);
    }
}

TEST(Hook, ABadRowOfAProfileIsComplainedAbout) {
  const auto complaint = [](const std::string& text) {
    const auto profile = parse_profile("name = \"x\"\n" + text, "x.toml");
    return profile ? std::string("none") : profile.error().what;
  };
  EXPECT_EQ(complaint("[[hook]]\nmeans = \"busy\"\n"), "x.toml:2: hook has no 'event'");
  EXPECT_NE(complaint("[[hook]]\nevent = \"a\"\nmeans = \"lazy\"\n").find("'means' must be one of"),
            std::string::npos);
  EXPECT_NE(complaint("[[hook]]\nevent = \"a\"\nmeans = \"waiting\"\n").find("has no 'kind"),
            std::string::npos);
  EXPECT_NE(complaint("[[hook]]\nevent = \"a\"\nfield = \"b\"\n").find("field and value"),
            std::string::npos);
  EXPECT_NE(complaint("[hooks.errors]\na = \"b\"\n").find("'a' must be one of limit"),
            std::string::npos);
  EXPECT_EQ(complaint("[hooks.errors]\na = \"auth\"\n[hooks]\n"), "none");
}

}  // namespace
}  // namespace pawl::perceive
