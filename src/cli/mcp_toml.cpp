// Codex' config.toml.

#include <fmt/core.h>
#include <toml++/toml.h>

#include "base/text.h"
#include "cli/mcp_files.h"

namespace pawl::cli {
namespace {

constexpr const char* kTables = "mcp_servers";
constexpr const char* kTable = "pawl";
constexpr std::string_view kHeader = "[mcp_servers.pawl]";
constexpr std::string_view kParts = "[mcp_servers.pawl.";

Result<toml::table> read_toml(const std::string& text) {
  try {
    return toml::parse(text);
  } catch (const toml::parse_error& error) {
    return fail(
        fmt::format("line {} is not TOML: {}", error.source().begin.line, error.description()));
  }
}

void leave_out_ours(toml::table& root) {
  toml::table* servers = root[kTables].as_table();
  if (!servers) return;
  servers->erase(kTable);
  if (servers->empty()) root.erase(kTables);
}

bool same_rest(toml::table a, toml::table b) {
  leave_out_ours(a);
  leave_out_ours(b);
  return a == b;
}

// A text in quotes: what JSON writes, TOML reads.
std::string quoted(const std::string& text) {
  return Json(text).dump();
}

// Lines of our table, and of tables in it; comments after its last value are somebody's.
struct Lines {
  size_t from = 0, to = 0;
};
std::optional<Lines> our_lines(const std::vector<std::string>& lines) {
  std::optional<Lines> out;
  for (size_t i = 0; i < lines.size(); ++i) {
    const std::string_view line = trim(lines[i]);
    if (line == kHeader) out = Lines{i, i + 1};
    if (!out || line == kHeader) continue;
    if (line.starts_with('[') && !line.starts_with(kParts)) break;
    if (!line.empty() && !line.starts_with('#')) out->to = i + 1;
  }
  return out;
}

}  // namespace

std::string toml_entry(const McpEntry& entry) {
  std::string out = fmt::format("{}\ncommand = {}\nargs = [\"mcp\"]\ntool_timeout_sec = {}\n",
                                kHeader, quoted(entry.command), kMcpTimeoutS);
  std::string environment;
  for (const auto& [name, value] : entry.environment)
    environment += (environment.empty() ? "" : ", ") + name + " = " + quoted(value);
  return environment.empty() ? out : out + "env = { " + environment + " }\n";
}

Result<std::string> with_toml_entry(const std::string& before, const McpEntry& entry) {
  const auto removed = without_toml_entry(before);
  if (!removed) return tl::unexpected(removed.error());
  std::string text = removed->value_or(before);
  if (!text.empty() && !text.ends_with('\n')) text += '\n';
  text += (text.empty() ? "" : "\n") + toml_entry(entry);
  const auto old = read_toml(before), now = read_toml(text);
  if (!now || !same_rest(*old, *now))
    return fail("its mcp_servers is not written as tables like [mcp_servers.NAME]");
  return text;
}

Result<std::optional<std::string>> without_toml_entry(const std::string& before) {
  const auto old = read_toml(before);
  if (!old) return tl::unexpected(old.error());
  if (!(*old)[kTables][kTable]) return std::nullopt;
  auto lines = split(before, '\n');
  auto ours = our_lines(lines);
  if (!ours) return fail("its [mcp_servers.pawl] is written in another way");
  if (ours->from > 0 && trim(lines[ours->from - 1]).empty()) --ours->from;
  const auto at = [&](size_t i) { return lines.begin() + static_cast<std::ptrdiff_t>(i); };
  lines.erase(at(ours->from), at(ours->to));
  std::string text = join(lines, "\n");
  if (!text.empty() && !text.ends_with('\n')) text += '\n';
  const auto now = read_toml(text);
  if (!now || (*now)[kTables][kTable] || !same_rest(*old, *now))
    return fail("it cannot be changed without touching the rest");
  return std::optional(text);
}

}  // namespace pawl::cli
