#include "cli/mcp_install.h"

#include <fmt/core.h>
#include <unistd.h>

#include <climits>
#include <cstdio>
#include <cstdlib>
#include <iostream>

#include "base/text.h"
#include "cli/ask.h"
#include "cli/mcp_files.h"
#include "os/child.h"
#include "os/clock.h"
#include "os/file.h"
#include "os/process.h"

namespace pawl::cli {
namespace {

struct Program {
  std::string name;
  std::string title;
  std::string variable;  // says where its folder is
  std::string folder;    // … else
  std::string file;
  bool toml = false;
};

const Program* find_program_row(const std::string& name) {
  static const Program kPrograms[] = {
      {"claude", "Claude Code", "CLAUDE_CONFIG_DIR", "~", ".claude.json"},
      {"codex", "Codex", "CODEX_HOME", "~/.codex", "config.toml", true},
      {"gemini", "Gemini CLI", "GEMINI_CLI_HOME", "~", ".gemini/settings.json"}};
  for (const Program& program : kPrograms)
    if (program.name == name) return &program;
  return nullptr;
}

std::string text_of_variable(const char* name) {
  const char* value = std::getenv(name);
  return value ? value : "";
}

// What a link leads to: the link stays.
std::string path_for(const Program& program) {
  const std::string said = text_of_variable(program.variable.c_str());
  const std::string path =
      os::absolute((said.empty() ? program.folder : said) + "/" + program.file, os::current_dir());
  char real[PATH_MAX];
  return ::realpath(path.c_str(), real) ? std::string(real) : path;
}

// By its name when that is this very program, else by its place; in the same home.
McpEntry our_entry() {
  const std::string own = os::own_executable();
  const std::string named = os::find_program("pawl", text_of_variable("PATH"));
  char real[PATH_MAX];
  const bool same = !named.empty() && ::realpath(named.c_str(), real) && own == real;
  McpEntry entry{same ? "pawl" : own};
  for (const char* name : {"PAWL_HOME", "PAWL_CONFIG", "XDG_STATE_HOME", "XDG_CONFIG_HOME"})
    if (const std::string value = text_of_variable(name); !value.empty())
      entry.environment.emplace_back(name, value);
  return entry;
}

std::string by_hand(const Program& program, const McpEntry& entry) {
  if (program.toml) return toml_entry(entry);
  return "\"mcpServers\": " +
         Json::object({{"pawl", json_entry(entry, program.name == "gemini")}}).dump(2) + "\n";
}

Result<std::string> changed(const Program& program, const std::string& text,
                            const McpEntry& entry) {
  if (program.toml) return with_toml_entry(text, entry);
  return with_json_entry(text, json_entry(entry, program.name == "gemini"));
}

Result<std::optional<std::string>> without(const Program& program, const std::string& text) {
  return program.toml ? without_toml_entry(text) : without_json_entry(text);
}

bool agreed(const Command& command, bool& asked) {
  asked = command.args()["yes"].as_bool();
  if (asked) return true;
  if (::isatty(STDIN_FILENO) != 1) return false;
  asked = true;
  print("Write it? [y/N] ");
  std::string line;
  std::getline(std::cin, line);
  return line == "y" || line == "yes";
}

// Beside it; an older copy is never written over.
Result<std::string> keep_copy(const std::string& path, const std::string& text) {
  for (int i = 1; i < 1000; ++i) {
    const std::string copy =
        fmt::format("{}.before-pawl{}", path, i == 1 ? "" : "." + std::to_string(i));
    if (os::exists(copy)) {
      if (const auto old = os::read_file(copy); old && *old == text) return copy;
      continue;
    }
    if (auto written = os::write_atomically(copy, text); !written)
      return tl::unexpected(written.error());
    return copy;
  }
  return fail("too many copies of " + path, "remove some of them");
}

// Unless somebody else changed it meanwhile.
Done write_changed(const std::string& path, const std::string& before, const std::string& after) {
  const auto now = os::exists(path) ? os::read_file(path) : Result<std::string>("");
  if (!now) return tl::unexpected(now.error());
  if (*now != before) return fail(path + " was changed meanwhile", "try again");
  const std::string folder = path.substr(0, path.rfind('/'));
  if (!os::is_dir(folder))
    if (auto made = os::make_private_dir(folder); !made) return made;
  if (os::exists(path)) {
    const auto copy = keep_copy(path, before);
    if (!copy) return tl::unexpected(copy.error());
    print("copy of the file as it was: " + *copy + "\n");
  }
  return os::write_atomically(path, after);
}

int carry_out_change(const Command& command, const std::string& path, const std::string& before,
                     const std::string& after, const std::string& done) {
  bool asked = false;
  if (!agreed(command, asked))
    return asked ? complain({"nothing was written", "", 1})
                 : complain({"mcp install asks before it writes, and there is no terminal",
                             "add --yes", 2});
  if (auto written = write_changed(path, before, after); !written) return complain(written.error());
  print(done + "\n");
  return 0;
}

}  // namespace

int mcp_install(const Command& command) {
  const std::string name = command.args()["program"].as_string();
  const Program* program = find_program_row(name);
  if (!program)
    return complain({"mcp install: " + (name.empty() ? "which program?" : "'" + name + "'"),
                     "say claude, codex or gemini", 2});
  const std::string path = path_for(*program);
  const auto text = os::exists(path) ? os::read_file(path) : Result<std::string>("");
  if (!text) return complain(text.error());
  const McpEntry entry = our_entry();
  if (command.args()["undo"].as_bool()) {
    const auto after = without(*program, *text);
    if (!after)
      return complain({path + ": " + after.error().what, "remove the entry 'pawl' by hand"});
    if (!*after) {
      print("there is no entry 'pawl' in " + path + "\n");
      return 0;
    }
    print("The entry 'pawl' is removed from " + path + ".\n");
    return carry_out_change(command, path, *text, **after, "removed");
  }
  const auto after = changed(*program, *text, entry);
  if (!after) {
    print("Add this to " + path + " by hand:\n\n" + by_hand(*program, entry) + "\n");
    return complain({path + ": " + after.error().what, "it was left as it is"});
  }
  if (*after == *text) {
    print("it is there already: " + path + "\n");
    return 0;
  }
  print("This goes into " + path + ":\n\n" + by_hand(*program, entry) + "\n");
  return carry_out_change(command, path, *text, *after,
                          "written; restart " + program->title +
                              " to use it. To remove it: pawl mcp install " + name + " --undo");
}

}  // namespace pawl::cli
