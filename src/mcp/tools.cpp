#include "mcp/tools.h"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>

#include "base/text.h"

namespace pawl::mcp {
namespace {

using api::Arg;

// For people at a terminal, or about files that the model can read itself.
constexpr std::string_view kNever[] = {"json", "watch",  "follow",   "raw",         "ansi",
                                       "file", "detach", "worktree", "prompt-file", "size"};
// What a list of agents says of each; `show` has the rest.
constexpr const char* kRow[] = {
    "name",    "machine", "runtime", "dir",   "mode",   "state",    "kind",          "since",
    "because", "paused",  "parked",  "input", "tokens", "cost_usd", "limited_until", "last_line"};
constexpr std::string_view kPromptHelp =
    "the whole prompt: everything the agent has to know; of a command: its standard input";

bool contains(const std::vector<std::string_view>& list, std::string_view word) {
  return std::find(list.begin(), list.end(), word) != list.end();
}

const api::Verb& verb_of(const Tool& tool) {
  const api::Verb* verb = api::find_verb(std::string(tool.verb));
  CHECK(verb);
  return *verb;
}

bool offered(const Tool& tool, const Arg& arg) {
  return std::find(std::begin(kNever), std::end(kNever), arg.name) == std::end(kNever) &&
         !contains(tool.left_out, arg.name);
}

// "max-cost" is max_cost: models write names like that.
std::string key_of(std::string name) {
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

bool is_list(const Arg& arg) {
  return arg.many || arg.form == Arg::Form::rest;
}
bool is_number(const Arg& arg) {
  return arg.metavar == "N" && arg.form == Arg::Form::option;
}
bool is_needed(const Tool& tool, const Arg& arg) {
  return arg.required || contains(tool.needed, arg.name);
}

std::string kind_of(const Arg& arg) {
  if (arg.form == Arg::Form::flag) return "true or false";
  if (is_list(arg)) return "a list of texts";
  return is_number(arg) ? "a whole number" : "a text";
}

Json schema_of(const Tool& tool, const Arg& arg) {
  Json out = Json::object();
  if (arg.form == Arg::Form::flag)
    out.set("type", "boolean");
  else if (is_list(arg))
    out.set("type", "array").set("items", Json::object({{"type", "string"}}));
  else
    out.set("type", is_number(arg) ? "integer" : "string");
  if (is_list(arg) && is_needed(tool, arg)) out.set("minItems", 1);
  std::string help = arg.help;
  if (arg.name == "timeout") help = "give up after this long (90, 5m, 2h; default 9m)";
  if (arg.name == "lines") help = fmt::format("the last N lines (default {})", kDefaultLines);
  return out.set("description", help);
}

Json input_schema(const Tool& tool) {
  Json properties = Json::object(), needed = Json::array();
  if (contains(tool.needed, "prompt"))
    properties.set("prompt",
                   Json::object({{"type", "string"}, {"description", std::string(kPromptHelp)}}));
  for (const Arg& arg : verb_of(tool).args) {
    if (!offered(tool, arg)) continue;
    properties.set(key_of(arg.name), schema_of(tool, arg));
    if (is_needed(tool, arg)) needed.push(key_of(arg.name));
  }
  if (contains(tool.needed, "prompt")) needed.push("prompt");
  Json out = Json::object({{"type", "object"}, {"properties", std::move(properties)}});
  if (!needed.items().empty()) out.set("required", std::move(needed));
  return out.set("additionalProperties", false);
}

Json annotations(const Tool& tool) {
  const bool looks = verb_of(tool).use.access == api::Access::look;
  Json out = Json::object({{"title", std::string(tool.verb)}, {"readOnlyHint", looks}});
  if (!looks)
    out.set("destructiveHint", tool.has(kEnds)).set("idempotentHint", tool.has(kRepeatable));
  return out.set("openWorldHint", tool.has(kReachesOut));
}

bool whole_number(const std::string& text) {
  int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc{} && end == text.data() + text.size() && value >= 0;
}

// As the verb reads it: numbers are texts there.
Result<Json> value_of(const Tool& tool, const Arg& arg, const Json& value) {
  const auto wrong = [&] {
    return fail(fmt::format("{}: '{}' is not {}", tool.name(), key_of(arg.name), kind_of(arg)),
                "see the tool's input schema", 2);
  };
  if (arg.form == Arg::Form::flag) {
    if (!value.is_bool()) return wrong();
    return value;
  }
  if (is_list(arg)) {
    if (!value.is_array() || value.as_strings().size() != value.items().size()) return wrong();
    if (value.items().empty() && is_needed(tool, arg))
      return fail(fmt::format("{}: '{}' is empty", tool.name(), key_of(arg.name)),
                  "name at least one", 2);
    return value;
  }
  const std::string text =
      is_number(arg) && value.is_integer() ? std::to_string(value.as_int()) : value.as_string();
  if (!value.is_string() && !value.is_integer()) return wrong();
  if (value.is_integer() && !is_number(arg)) return Json(std::to_string(value.as_int()));
  if (is_number(arg) && !whole_number(text)) return wrong();
  return Json(text);
}

Done unknown_arguments(const Tool& tool, const Json& arguments) {
  std::vector<std::string> known;
  for (const Arg& arg : verb_of(tool).args)
    if (offered(tool, arg)) known.push_back(key_of(arg.name));
  if (contains(tool.needed, "prompt")) known.emplace_back("prompt");
  for (const auto& [key, value] : arguments.members()) {
    if (std::find(known.begin(), known.end(), key) != known.end()) continue;
    const std::string list = known.empty() ? "it has none" : "it has " + join(known, ", ");
    const auto guess = nearest(key, known);
    return fail(fmt::format("{}: unknown argument '{}'", tool.name(), key),
                guess ? "did you mean '" + *guess + "'?" : list, 2);
  }
  return {};
}

Done take_prompt(const Json& arguments, Json& out) {
  const Json& prompt = arguments["prompt"];
  if (!prompt.is_string())
    return fail("task_start: 'prompt' is missing", "give the whole prompt as a text", 2);
  const size_t size = prompt.as_string().size();
  if (size == 0) return fail("task_start: the prompt is empty", "say what is to be done", 2);
  if (size > kMaxPrompt)
    return fail("task_start: the prompt is larger than 3 MiB",
                "put it into a file and name that in the prompt", 2);
  out.set("prompt", prompt);
  return {};
}

// What a person's terminal would bound, bounded here.
Done take_bounds(const Tool& tool, Json& out) {
  if (tool.has(kWaits) && !out["timeout"].is_string()) out.set("timeout", kDefaultWait);
  if (tool.has(kWaits) && !parse_duration_s(out["timeout"].as_string()))
    return fail(fmt::format("{}: '{}' is not a duration", tool.name(), out["timeout"].as_string()),
                "use 90, 5m or 2h", 2);
  if (tool.verb == "logs" || tool.verb == "task output") {
    const std::string lines = out["lines"].as_string(std::string(kDefaultLines));
    if (std::strtoll(lines.c_str(), nullptr, 10) > kMostLines)
      return fail(fmt::format("{}: at most {} lines at a time", tool.name(), kMostLines),
                  "ask for fewer", 2);
    if (!out["result"].as_bool()) out.set("lines", lines);
  }
  if (tool.verb == "events" && !out["since"].is_string()) out.set("since", "1h");
  if (tool.has(kAllMachines)) out.set("machines", !out["here"].as_bool());
  if (tool.verb == "ls")
    out.set("fields", std::vector<std::string>(std::begin(kRow), std::end(kRow)));
  if (tool.verb == "task ls") out.set("units", !out["here"].as_bool());
  return {};
}

}  // namespace

std::string Tool::name() const {
  std::string out(verb);
  std::replace(out.begin(), out.end(), ' ', '_');
  return out;
}

const std::vector<Tool>& tools() {
  constexpr std::string_view kStill =
      "When the time is over the result says still_running: call it again.";
  constexpr std::string_view kLast = "Long text is cut: the end is kept.";
  static const std::vector<Tool> table{
      {"ls", kAllMachines, {}, {}, "'show' has everything about one."},
      {"show"},
      {"why"},
      {"screen"},
      {"logs", kPlain, {}, {}, kLast},
      {"events", kAllMachines, {}, {}, "The last 200; default: of the last hour."},
      {"timeline"},
      {"alerts", kAllMachines},
      {"report", kAllMachines},
      {"wait", kWaits, {}, {}, kStill},
      {"send", kReachesOut, {"wait", "timeout", "drop"}, {"text"}},
      {"wake", kReachesOut},
      {"answer", kEnds | kReachesOut, {"keep", "about", "forget"}, {"row"}},
      {"keys", kEnds | kReachesOut},
      {"pause", kRepeatable},
      {"resume", kRepeatable | kReachesOut},
      {"stop", kEnds | kRepeatable},
      {"restart", kEnds | kReachesOut},
      {"run", kReachesOut | kEnvironment},
      {"start", kRepeatable | kReachesOut},
      {"mode", kRepeatable | kReachesOut},
      {"task start", kReachesOut | kEnvironment, {}, {"prompt"}},
      {"task ls", kAllMachines, {"all"}},
      {"task status"},
      {"task wait", kWaits, {}, {}, kStill},
      {"task output", kPlain, {}, {}, kLast},
      {"task cancel", kEnds | kRepeatable},
      {"task resume", kRepeatable | kReachesOut},
      {"inbox add", kReachesOut, {}, {"text"}},
      {"inbox ls"},
      {"inbox done", kEnds | kRepeatable},
      {"machine ls"},
      {"fleet ls"},
  };
  return table;
}

const Tool* find_tool(std::string_view name) {
  for (const Tool& tool : tools())
    if (tool.name() == name) return &tool;
  return nullptr;
}

Json tool_list() {
  Json list = Json::array();
  for (const Tool& tool : tools()) {
    const api::Verb& verb = verb_of(tool);
    std::string description = verb.summary;
    if (!tool.more.empty()) description += ". " + std::string(tool.more);
    list.push(Json::object({{"name", tool.name()},
                            {"title", verb.name},
                            {"description", std::move(description)},
                            {"inputSchema", input_schema(tool)},
                            {"annotations", annotations(tool)}}));
  }
  return list;
}

Result<Json> request_args(const Tool& tool, const Json& arguments) {
  if (auto fine = unknown_arguments(tool, arguments); !fine) return tl::unexpected(fine.error());
  Json out = Json::object();
  for (const Arg& arg : verb_of(tool).args) {
    if (!offered(tool, arg)) continue;
    const Json& value = arguments[key_of(arg.name)];
    if (value.is_null()) {
      if (!is_needed(tool, arg)) continue;
      return fail(fmt::format("{}: '{}' is missing", tool.name(), key_of(arg.name)),
                  "give " + kind_of(arg) + ": " + arg.help, 2);
    }
    const auto read = value_of(tool, arg, value);
    if (!read) return read;
    out.set(arg.name, *read);
  }
  if (contains(tool.needed, "prompt"))
    if (auto fine = take_prompt(arguments, out); !fine) return tl::unexpected(fine.error());
  if (auto fine = take_bounds(tool, out); !fine) return tl::unexpected(fine.error());
  return out;
}

}  // namespace pawl::mcp
