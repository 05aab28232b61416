#include "perceive/profile/facts.h"

#include <algorithm>
#include <array>

namespace pawl::perceive {
namespace {

constexpr std::array<std::string_view, 18> kShells{
    "bash", "zsh", "sh",     "dash",  "fish", "ksh",   "mksh", "tcsh", "csh",
    "ash",  "nu",  "elvish", "xonsh", "pwsh", "-bash", "-zsh", "-sh",  "busybox"};
constexpr std::array<std::string_view, 9> kInterpreters{
    "node", "MainThread", "python", "python3", "bun", "deno", "ruby", "npx", "uv"};

template <class List>
bool has(const List& list, std::string_view name) {
  return std::find(list.begin(), list.end(), name) != list.end();
}

}  // namespace

bool shell_name(std::string_view process) {
  return has(kShells, process);
}

bool interpreter_name(std::string_view process) {
  return has(kInterpreters, process);
}

std::string program_name(const std::string& path) {
  return path.substr(path.rfind('/') + 1);
}

bool shell_in_front(const Facts& facts) {
  return facts.front_count <= 1 && shell_name(facts.front) && !facts.zombie &&
         (facts.busiest.empty() || shell_name(facts.busiest));
}

Result<FactsLine> parse_facts_line(std::string_view line) {
  const auto json = Json::parse(line);
  if (!json) return tl::unexpected(json.error());
  if (!json->is_object() || !(*json)["t"].is_number())
    return fail("not a line of facts: an object with \"t\" is expected");
  const auto flag = [&](const char* key) {
    const Json& value = (*json)[key];
    return value.is_bool() ? value.as_bool() : value.as_int() != 0;
  };
  FactsLine out;
  out.t = (*json)["t"].as_double();
  out.facts.canonical = flag("icanon");
  out.facts.echo = flag("echo");
  out.facts.signals = flag("isig");
  out.facts.front = (*json)["fg_comm"].as_string();
  out.facts.busiest = (*json)["mcomm"].as_string();
  out.facts.front_count = static_cast<int>((*json)["fgn"].as_int());
  out.facts.zombie = (*json)["st"].as_string() == "Z";
  out.facts.stopped = (*json)["st"].as_string() == "T";
  out.facts.outside = (*json)["desc_out"].as_strings();
  out.facts.cpu_s = (*json)["cpu"].as_double();
  return out;
}

}  // namespace pawl::perceive
