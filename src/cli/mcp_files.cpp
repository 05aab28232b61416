#include "cli/mcp_files.h"

#include <algorithm>

namespace pawl::cli {
namespace {

constexpr const char* kServers = "mcpServers";
constexpr const char* kOurs = "pawl";

// Where a member of an object is in the text. Only for text that was parsed before.
struct Span {
  std::string key;
  size_t begin = 0, value = 0, end = 0;
};

size_t after_space(const std::string& text, size_t at) {
  return std::min(text.find_first_not_of(" \t\r\n", at), text.size());
}

size_t after_string(const std::string& text, size_t at) {
  for (++at; at < text.size() && text[at] != '"'; ++at)
    if (text[at] == '\\') ++at;
  return at + 1;
}

size_t after_value(const std::string& text, size_t at) {
  if (text[at] == '"') return after_string(text, at);
  if (text[at] != '{' && text[at] != '[')
    return std::min(text.find_first_of(",]} \t\r\n", at), text.size());
  int depth = 0;
  while (at < text.size()) {
    if (text[at] == '"') {
      at = after_string(text, at);
      continue;
    }
    if (text[at] == '{' || text[at] == '[') ++depth;
    if (text[at] == '}' || text[at] == ']') --depth;
    ++at;
    if (depth == 0) break;
  }
  return at;
}

// Of the object whose brace is there.
std::vector<Span> spans_of(const std::string& text, size_t brace) {
  std::vector<Span> out;
  for (size_t at = after_space(text, brace + 1); at < text.size() && text[at] == '"';) {
    Span span;
    span.begin = at;
    const size_t key_end = after_string(text, at);
    if (const auto key = Json::parse(text.substr(at, key_end - at))) span.key = key->as_string();
    span.value = after_space(text, after_space(text, key_end) + 1);
    span.end = after_value(text, span.value);
    out.push_back(span);
    at = after_space(text, span.end);
    if (at < text.size() && text[at] == ',') at = after_space(text, at + 1);
  }
  return out;
}

std::optional<Span> find_span(const std::vector<Span>& spans, const char* key) {
  const auto it =
      std::find_if(spans.begin(), spans.end(), [&](const Span& span) { return span.key == key; });
  return it == spans.end() ? std::nullopt : std::optional(*it);
}

bool twice(const std::vector<Span>& spans, const char* key) {
  return std::count_if(spans.begin(), spans.end(),
                       [&](const Span& span) { return span.key == key; }) > 1;
}

Result<Json> read_object(const std::string& text) {
  auto json = Json::parse(text);
  if (!json) return fail("it is not plain JSON (comments, or a mistake)");
  if (!json->is_object()) return fail("it is not a JSON object");
  if (const Json& servers = (*json)[kServers]; !servers.is_null() && !servers.is_object())
    return fail("its \"mcpServers\" is not an object");
  const auto top = spans_of(text, after_space(text, 0));
  if (twice(top, kServers)) return fail("it has \"mcpServers\" twice");
  if (const auto servers = find_span(top, kServers);
      servers && twice(spans_of(text, servers->value), kOurs))
    return fail("its \"mcpServers\" has \"pawl\" twice");
  return json;
}

// Everything but our entry, for comparing.
Json the_rest(const Json& json) {
  Json out = Json::object();
  for (const auto& [key, value] : json.members()) {
    if (key != kServers) {
      out.set(key, value);
      continue;
    }
    Json servers = Json::object();
    for (const auto& [name, server] : value.members())
      if (name != kOurs) servers.set(name, server);
    if (!servers.members().empty()) out.set(key, std::move(servers));
  }
  return out;
}

std::string indented(const Json& entry, const std::string& by) {
  std::string out;
  for (const char c : entry.dump(2)) out += c == '\n' ? "\n" + by : std::string(1, c);
  return out;
}

// As the first member of the object whose brace is there.
void put_first(std::string& text, size_t brace, const std::string& member,
               const std::string& closing) {
  const bool empty = text[after_space(text, brace + 1)] == '}';
  if (empty) text.erase(brace + 1, after_space(text, brace + 1) - brace - 1);
  text.insert(brace + 1, empty ? member + closing : member + ",");
}

}  // namespace

Json json_entry(const McpEntry& entry, bool gemini) {
  Json out = Json::object();
  if (!gemini) out.set("type", "stdio");
  out.set("command", entry.command).set("args", Json::Array{"mcp"});
  if (gemini) out.set("timeout", kMcpTimeoutS * 1000);
  Json environment = Json::object();
  for (const auto& [name, value] : entry.environment) environment.set(name, value);
  if (!environment.members().empty()) out.set("env", std::move(environment));
  return out;
}

Result<std::string> with_json_entry(const std::string& before, const Json& entry) {
  std::string text = after_space(before, 0) == before.size() ? "{}\n" : before;
  const auto old = read_object(text);
  if (!old) return tl::unexpected(old.error());
  const size_t brace = after_space(text, 0);
  const std::string member = "\n    \"pawl\": " + indented(entry, "    ");
  if (const auto servers = find_span(spans_of(text, brace), kServers)) {
    if (const auto ours = find_span(spans_of(text, servers->value), kOurs))
      text.replace(ours->value, ours->end - ours->value, indented(entry, "    "));
    else
      put_first(text, servers->value, member, "\n  ");
  } else {
    put_first(text, brace, "\n  \"mcpServers\": {" + member + "\n  }", "\n");
  }
  const auto now = Json::parse(text);
  if (!now || the_rest(*now) != the_rest(*old) || (*now)[kServers][kOurs] != entry)
    return fail("it cannot be changed without touching the rest");
  return text;
}

Result<std::optional<std::string>> without_json_entry(const std::string& before) {
  if (after_space(before, 0) == before.size()) return std::nullopt;
  const auto old = read_object(before);
  if (!old) return tl::unexpected(old.error());
  const auto servers = find_span(spans_of(before, after_space(before, 0)), kServers);
  if (!servers) return std::nullopt;
  const auto members = spans_of(before, servers->value);
  const auto ours = find_span(members, kOurs);
  if (!ours) return std::nullopt;
  std::string text = before;
  size_t from = servers->value + 1, to = after_space(text, ours->end);
  if (ours->begin != members.front().begin)  // with the comma before it …
    from = text.rfind(',', ours->begin), to = ours->end;
  else if (text[to] == ',')  // … or after it
    ++to;
  text.erase(from, to - from);
  const auto now = Json::parse(text);
  if (!now || the_rest(*now) != the_rest(*old) || (*now)[kServers].has(kOurs))
    return fail("it cannot be changed without touching the rest");
  return std::optional(text);
}

}  // namespace pawl::cli
