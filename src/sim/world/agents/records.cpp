#include "sim/world/agents/records.h"

#include <cctype>

#include "base/json.h"

namespace pawl::sim {
namespace {

constexpr const char* kClaudeVersion = "2.1.325";

const char* claude_error(Trouble trouble) {
  switch (trouble) {
    case Trouble::limit:
      return "rate_limit";
    case Trouble::auth:
      return "authentication_failed";
    case Trouble::overload:
      return "overloaded";
    case Trouble::none:
    case Trouble::context:
      break;
  }
  return "invalid_request";
}

int http_status(Trouble trouble) {
  switch (trouble) {
    case Trouble::limit:
      return 429;
    case Trouble::auth:
      return 401;
    case Trouble::overload:
      return 529;
    case Trouble::none:
    case Trouble::context:
      break;
  }
  return 400;
}

Json tool_input(const HookFacts& facts) {
  const bool file = facts.tool == "Write" || facts.tool == "Update" || facts.tool == "WriteFile" ||
                    facts.tool == "Edit";
  if (facts.tool == "AskUserQuestion")
    return Json::object(
        {{"questions", Json(Json::Array{Json::object({{"question", facts.subject}})})}});
  return Json::object({{file ? "file_path" : "command", facts.subject}});
}

Json base(const char* event, const HookFacts& facts) {
  return Json::object({{"session_id", facts.conversation},
                       {"transcript_path", facts.transcript},
                       {"cwd", facts.dir},
                       {"hook_event_name", event}});
}

Json with_tool(const char* event, const HookFacts& facts) {
  Json json = base(event, facts);
  json.set("tool_name", facts.tool == "Update" ? "Edit" : facts.tool);
  json.set("tool_input", tool_input(facts));
  return json;
}

Json claude_stop(const HookFacts& facts) {
  Json json = base("Stop", facts);
  json.set("stop_hook_active", false);
  json.set("last_assistant_message", facts.answer);
  Json jobs = Json::array();
  for (unsigned i = 0; i < facts.jobs; ++i)
    jobs.push(Json::object(
        {{"id", "b" + std::to_string(i + 1)}, {"type", "shell"}, {"status", "running"}}));
  json.set("background_tasks", jobs);
  json.set("session_crons", Json::array());
  return json;
}

Json notification(const HookFacts& facts, const char* type, const std::string& message) {
  Json json = base("Notification", facts);
  json.set("message", message);
  json.set("notification_type", type);
  return json;
}

Json claude_hook(Moment moment, const HookFacts& facts) {
  switch (moment) {
    case Moment::started:
      return base("SessionStart", facts).set("source", facts.source);
    case Moment::ended:
      return base("SessionEnd", facts).set("reason", facts.source);
    case Moment::prompt:
      return base("UserPromptSubmit", facts).set("prompt", facts.prompt);
    case Moment::tool_begins:
      return with_tool("PreToolUse", facts);
    case Moment::tool_ends:
      return with_tool("PostToolUse", facts).set("duration_ms", 1000);
    case Moment::asks:
      return with_tool("PermissionRequest", facts);
    case Moment::asks_still:
      return notification(facts, "permission_prompt", "Claude needs your permission");
    case Moment::idle_still:
      return notification(facts, "idle_prompt", "Claude is waiting for your input");
    case Moment::turn_ends:
      return claude_stop(facts);
    case Moment::turn_fails:
      return base("StopFailure", facts)
          .set("error", claude_error(facts.trouble))
          .set("last_assistant_message", facts.answer);
    case Moment::compacts:
      return base("PreCompact", facts).set("trigger", facts.source);
    case Moment::compacted:
      return base("PostCompact", facts).set("trigger", facts.source);
  }
  return {};
}

// Its `notify` program: the end of a turn, and nothing else.
Json codex_hook(Moment moment, const HookFacts& facts) {
  if (moment != Moment::turn_ends) return {};
  return Json::object({{"type", "agent-turn-complete"},
                       {"thread-id", facts.conversation},
                       {"turn-id", "1"},
                       {"cwd", facts.dir},
                       {"input-messages", Json(std::vector<std::string>{facts.prompt})},
                       {"last-assistant-message", facts.answer}});
}

Json gemini_hook(Moment moment, const HookFacts& facts) {
  switch (moment) {
    case Moment::started:
      return base("SessionStart", facts).set("source", facts.source);
    case Moment::ended:
      return base("SessionEnd", facts).set("reason", "exit");
    case Moment::prompt:
      return base("BeforeAgent", facts).set("prompt", facts.prompt);
    case Moment::tool_begins:
      return with_tool("BeforeTool", facts);
    case Moment::tool_ends:
      return with_tool("AfterTool", facts);
    case Moment::asks:
      return notification(facts, "ToolPermission", "Tool " + facts.tool + " requires permission");
    case Moment::turn_ends:
    case Moment::turn_fails:
      return base("AfterAgent", facts).set("prompt_response", facts.answer);
    case Moment::compacts:
      return base("PreCompress", facts).set("trigger", facts.source);
    case Moment::asks_still:
    case Moment::idle_still:
    case Moment::compacted:
      break;
  }
  return {};
}

std::string cut(const std::string& text) {
  size_t size = std::min(text.size(), kTranscriptWords);
  while (size > 0 && size < text.size() && (static_cast<unsigned char>(text[size]) & 0xC0) == 0x80)
    --size;
  return text.substr(0, size);
}

Json line(const char* type, WallTime at, const std::string& conversation, const std::string& dir) {
  return Json::object({{"type", type},
                       {"sessionId", conversation},
                       {"cwd", dir},
                       {"version", kClaudeVersion},
                       {"timestamp", rfc3339(at)},
                       {"isSidechain", false}});
}

}  // namespace

std::string hook_text(HookStyle style, Moment moment, const HookFacts& facts) {
  Json json;
  if (style == HookStyle::claude) json = claude_hook(moment, facts);
  if (style == HookStyle::codex) json = codex_hook(moment, facts);
  if (style == HookStyle::gemini) json = gemini_hook(moment, facts);
  return json.is_object() ? json.dump() : std::string();
}

void Transcript::clear() {
  tail_.clear();
  size_ = 0;
}

void Transcript::add(std::string text) {
  text += '\n';
  size_ += text.size();
  tail_ += text;
  while (tail_.size() > kTranscriptKept) {
    const size_t end = tail_.find('\n') + 1;
    if (end >= tail_.size()) break;
    tail_.erase(0, end);
  }
}

void Transcript::user(WallTime at, const std::string& conversation, const std::string& dir,
                      const std::string& text) {
  Json json = line("user", at, conversation, dir);
  json.set("message", Json::object({{"role", "user"}, {"content", cut(text)}}));
  add(json.dump());
}

void Transcript::assistant(WallTime at, const std::string& conversation, const std::string& dir,
                           const std::string& text, Trouble trouble, int64_t tokens) {
  Json json = line("assistant", at, conversation, dir);
  Json said = Json::array();
  said.push(Json::object({{"type", "text"}, {"text", cut(text)}}));
  Json message =
      Json::object({{"role", "assistant"}, {"model", "claude-opus-5-5"}, {"content", said}});
  if (trouble == Trouble::none) {
    message.set("usage", Json::object({{"input_tokens", 10},
                                       {"output_tokens", 40},
                                       {"cache_read_input_tokens", tokens},
                                       {"cache_creation_input_tokens", 0}}));
  } else {
    json.set("isApiErrorMessage", true);
    json.set("error", claude_error(trouble));
    json.set("apiErrorStatus", http_status(trouble));
  }
  json.set("message", message);
  add(json.dump());
}

std::string session_file(const SessionState& state) {
  Json json = Json::object({{"pid", state.process.pid},
                            {"procStart", std::to_string(state.process.start_ticks)},
                            {"sessionId", state.conversation},
                            {"cwd", state.dir},
                            {"version", kClaudeVersion},
                            {"status", state.status}});
  if (!state.waiting_for.empty()) json.set("waitingFor", state.waiting_for);
  json.set("statusUpdatedAt",
           std::chrono::duration_cast<std::chrono::milliseconds>(state.since.time_since_epoch())
               .count());
  return json.dump();
}

std::string transcript_path(const std::string& home, const std::string& dir,
                            const std::string& conversation) {
  std::string folder = dir;
  for (char& c : folder)
    if (!std::isalnum(static_cast<unsigned char>(c))) c = '-';
  return home + "/.claude/projects/" + folder + "/" + conversation + ".jsonl";
}

}  // namespace pawl::sim
