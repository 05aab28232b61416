#include "cli/trust.h"

#include <fmt/core.h>
#include <termios.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>

#include "base/text.h"
#include "cli/ask.h"
#include "cli/first_use_page.h"
#include "os/clock.h"
#include "os/file.h"
#include "os/home.h"
#include "os/zone.h"

namespace pawl::cli {
namespace {

constexpr int kRefused = 6;
constexpr const char* kUsualName = "/pawl.toml";

// One file has one place, however its folder is reached. The person's own configuration has the name that Pawl has for it.
std::string place_of(const std::string& path) {
  const std::string own = os::config_path();
  const auto id = os::file_id(path);
  if (id && id == os::file_id(own)) return own;
  if (os::not_a_file(path)) return path;  // a pipe: its folder is somebody's descriptors
  std::error_code error;
  const std::filesystem::path name(path);
  const auto folder = std::filesystem::canonical(name.parent_path(), error);
  return error ? path : (folder / name.filename()).string();
}

struct ConfigFile {
  std::string path, text;
  Json args() const { return Json::object({{"text", text}, {"path", path}}); }
};

Result<ConfigFile> read_config_file(const std::string& path, const std::string& fix) {
  auto text = os::read_stream(path);
  if (!text) return fail(text.error().what, fix);
  return ConfigFile{place_of(path), std::move(*text)};
}

Zone zone_here() {
  const char* variable = std::getenv("TZ");
  return os::local_zone(variable ? variable : "").value_or(Zone::utc());
}

// What was typed before the question is no answer to it. The end of the input is a no.
bool said_yes(const char* question) {
  ::tcflush(STDIN_FILENO, TCIFLUSH);
  std::fputs(question, stderr);
  std::fflush(stderr);
  std::string line;
  for (int c = std::getchar(); c != EOF && c != '\n'; c = std::getchar())
    if (line.size() < 16) line += static_cast<char>(c);
  const std::string_view word = trim(line);
  return word == "y" || word == "Y" || word == "yes" || word == "Yes" || word == "YES";
}

// `up` was refused: because of who asks, or because the file is not approved. Then a person is asked. True: approved now.
Result<bool> approved_now(const Command& command, const ConfigFile& file) {
  const auto preview = answer_of(command, "preview", file.args(), Client::Environment::given);
  if (!preview) return tl::unexpected(preview.error());
  if ((*preview)["fine"].as_bool()) return true;  // by somebody else, this very moment
  const std::string line = standing_line(*preview, os::read_clock().wall, zone_here());
  if (!::isatty(STDIN_FILENO) || !::isatty(STDERR_FILENO))
    return fail(line, "read it, then approve it: pawl trust " + (*preview)["place"].as_string(),
                kRefused);
  std::fprintf(stderr, "%s. It would run:\n\n%s\n", line.c_str(),
               first_use_page(*preview, look_of(STDERR_FILENO)).c_str());
  if (!said_yes("Run these? [y/N] ")) return false;
  const auto approved = answer_of(command, "trust", file.args(), Client::Environment::given);
  if (!approved) return tl::unexpected(approved.error());
  return true;
}

int list(const Command& command) {
  const auto asked = ask(command, "trust", Json::object({{"list", true}}));
  if (!asked.result) return asked.code;
  if (command.json()) {
    print_json(*asked.result);
    return 0;
  }
  const Zone zone = zone_here();
  for (const auto& one : (*asked.result)["approved"].items()) {
    WallTime at;
    parse_rfc3339(one["at"].as_string(), at);
    print(fit(time_for_people(at, os::read_clock().wall, zone), 14) +
          harmless(one["path"].as_string()) + "\n");
  }
  return 0;
}

// The place may be gone.
int forget(const Command& command, std::string path) {
  const bool named = path.ends_with(".toml") || (os::exists(path) && !os::is_dir(path));
  if (!named) path += kUsualName;
  const auto asked =
      ask(command, "trust", Json::object({{"forget", true}, {"path", place_of(path)}}));
  if (!asked.result) return asked.code;
  if (command.json())
    print_json(*asked.result);
  else
    print("forgot " + harmless((*asked.result)["path"].as_string()) +
          "; agents that run are left alone\n");
  return 0;
}

}  // namespace

int up(const Command& command) {
  const Json& args = command.args();
  const auto file =
      read_config_file(os::absolute(args["file"].as_string("pawl.toml"), os::current_dir()),
                       "name the file: pawl up FILE");
  if (!file) return complain(file.error());
  if (args["trust"].as_bool()) {
    const auto approved = ask(command, "trust", file->args(), Client::Environment::given);
    if (!approved.result) return approved.code;
  }
  auto result = answer_of(command, "up", file->args(), Client::Environment::given);
  if (!result && result.error().exit_code == kRefused) {
    const auto approved = approved_now(command, *file);
    if (!approved) return complain(approved.error());
    if (!*approved)
      return complain(
          {harmless(file->path) + " was not approved", "nothing was started", kRefused});
    result = answer_of(command, "up", file->args(), Client::Environment::given);
  }
  if (!result) return complain(result.error());
  return report(command, {std::move(*result), 0}, "is up");
}

int trust(const Command& command) {
  const Json& args = command.args();
  if (args["list"].as_bool() && (args["forget"].as_bool() || args.has("place")))
    return complain({"--list shows all of them", "leave the rest out: pawl trust --list", 2});
  if (args["list"].as_bool()) return list(command);
  std::string path = os::absolute(args["place"].as_string("."), os::current_dir());
  if (args["forget"].as_bool()) return forget(command, path);
  if (os::is_dir(path)) path += kUsualName;
  const auto file =
      read_config_file(path, "name a folder that has a pawl.toml, or the file: pawl trust DIR");
  if (!file) return complain(file.error());
  const auto approved = ask(command, "trust", file->args(), Client::Environment::given);
  if (!approved.result) return approved.code;
  if (command.json()) {
    print_json(*approved.result);
    return 0;
  }
  const auto preview = ask(command, "preview", file->args(), Client::Environment::given);
  if (!preview.result) return preview.code;
  print(first_use_page(*preview.result, look_of(STDOUT_FILENO)));
  print("approved " + harmless(file->path) + ": pawl up runs this until the file changes\n");
  return 0;
}

}  // namespace pawl::cli
