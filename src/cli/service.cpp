#include "cli/service.h"

#include <fmt/core.h>

#include <cstdlib>

#include "cli/ask.h"
#include "cli/said.h"
#include "os/file.h"
#include "os/home.h"
#include "os/process.h"

namespace pawl::cli {
namespace {

constexpr const char* kUnit = "pawl.service";

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value ? value : "";
}

// As systemd reads it: % and \ and " mean themselves.
std::string unit_word(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    if (c == '%') out += '%';
    out += c;
  }
  return out + '"';
}

std::string unit_dir() {
  const std::string config = variable("XDG_CONFIG_HOME");
  return os::absolute((config.empty() ? "~/.config" : config) + "/systemd/user", "/");
}

// The first line of a unit names what the rest of it was when we wrote it: FNV-1a.
std::string signed_by_us(const std::string& text) {
  uint64_t hash = 14695981039346656037ull;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211ull;
  return fmt::format("# Written by pawl install-service ({:016x}).\n", hash) + text;
}

// Never written, or still as we wrote it, perhaps with another PATH or by another version.
bool ours(const std::string& path) {
  const auto there = os::read_file(path);
  if (!there) return !os::exists(path);
  const size_t line = there->find('\n');
  return line != std::string::npos && signed_by_us(there->substr(line + 1)) == *there;
}

int uninstall(const std::string& path) {
  if (!os::exists(path)) return complain({"no service is installed", "there is nothing to do", 1});
  (void)said_by({"systemctl", "--user", "disable", "--now", kUnit});
  os::remove_file(path);
  (void)said_by({"systemctl", "--user", "daemon-reload"});
  print("removed " + path + "\n");
  return 0;
}

// Each step that does not work is said with what to do by hand: the unit is there either way.
int enable(const std::string& path) {
  print("wrote " + path + "\n");
  if (const Said said = said_by({"systemctl", "--user", "daemon-reload"}); !said.fine)
    return complain({"systemd of this user cannot be reached: " + said.text,
                     "log in normally and run: systemctl --user enable --now pawl.service", 1});
  // One that a command started would be in its way. Agents and tasks stay for the next.
  (void)said_by({os::own_executable(), "daemon", "--stop", "--keep-tasks"});
  if (const Said said = said_by({"systemctl", "--user", "enable", "--now", kUnit}); !said.fine)
    return complain({"the service does not start: " + said.text,
                     "look at: journalctl --user -u pawl.service", 1});
  print("the daemon runs as a service and starts with this user's systemd\n");
  if (said_by({"loginctl", "enable-linger"}).fine)
    print("it starts at boot, before you log in (loginctl enable-linger)\n");
  else
    print("to have it started at boot, before you log in: sudo loginctl enable-linger $USER\n");
  return 0;
}

}  // namespace

std::string unit_text(const std::string& program, const std::vector<std::string>& environment) {
  std::string out =
      "[Unit]\n"
      "Description=Pawl keeps AI coding agents working\n"
      "Documentation=man:pawl(1)\n"
      "# One that a command started may still be there: it is tried until that has gone.\n"
      "StartLimitIntervalSec=0\n"
      "\n"
      "[Service]\n"
      "Type=notify\n"
      "# The loop gives a sign of life; one that does not is ended, and the next takes its agents "
      "over.\n"
      "WatchdogSec=60\n";
  out += "ExecStart=" + unit_word(program) + " daemon\n";
  for (const auto& entry : environment) out += "Environment=" + unit_word(entry) + "\n";
  out +=
      "Restart=always\n"
      "RestartSec=2\n"
      "# Terminals outlive the daemon: a new version takes them over.\n"
      "KillMode=process\n"
      "# An agent that is killed for want of memory is Pawl's business: it is started again.\n"
      "OOMPolicy=continue\n"
      "Delegate=yes\n"
      "TasksMax=infinity\n"
      "\n"
      "[Install]\n"
      "WantedBy=default.target\n";
  return signed_by_us(out);
}

int install_service(const Command& command) {
  const std::string path = unit_dir() + "/" + kUnit;
  if (command.args()["remove"].as_bool()) return uninstall(path);
  std::vector<std::string> environment{"PATH=" + variable("PATH")};
  if (!variable("PAWL_HOME").empty()) environment.push_back("PAWL_HOME=" + command.home);
  if (!variable("PAWL_CONFIG").empty()) environment.push_back("PAWL_CONFIG=" + os::config_path());
  const std::string text = unit_text(os::own_executable(), environment);
  if (command.args()["print"].as_bool()) return print(text), 0;
  if (!ours(path) && !command.args()["force"].as_bool())
    return complain({path + " was changed by hand",
                     "keep your changes with: systemctl --user edit pawl.service, and overwrite it "
                     "with: pawl install-service --force",
                     1});
  if (auto made = os::make_private_dir(unit_dir()); !made) return complain(made.error());
  if (auto written = os::write_atomically(path, text); !written) return complain(written.error());
  return enable(path);
}

}  // namespace pawl::cli
