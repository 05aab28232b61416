#include "cli/service.h"

#include <fmt/format.h>

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
  if (const Said said = said_by({"systemctl", "--user", "enable", "--now", kUnit}); !said.fine)
    return complain({"the service does not start: " + said.text,
                     "look at: journalctl --user -u pawl.service", 1});
  print("the daemon runs as a service and starts with this user's systemd\n");
  if (!said_by({"loginctl", "enable-linger"}).fine)
    print("to have it started at boot, before you log in: sudo loginctl enable-linger $USER\n");
  return 0;
}

}  // namespace

std::string unit_text(const std::string& program, const std::string& home,
                      const std::string& path) {
  std::string out =
      "[Unit]\n"
      "Description=Pawl keeps AI coding agents working\n"
      "Documentation=man:pawl(1)\n"
      "\n"
      "[Service]\n";
  out += "ExecStart=" + unit_word(program) + " daemon\n";
  out += "Environment=" + unit_word("PATH=" + path) + "\n";
  if (!home.empty()) out += "Environment=" + unit_word("PAWL_HOME=" + home) + "\n";
  out +=
      "Restart=always\n"
      "RestartSec=2\n"
      "# Terminals outlive the daemon: a new version takes them over.\n"
      "KillMode=process\n"
      "OOMScoreAdjust=-500\n"
      "\n"
      "[Install]\n"
      "WantedBy=default.target\n";
  return out;
}

int install_service(const Command& command) {
  const std::string path = unit_dir() + "/" + kUnit;
  if (command.args()["remove"].as_bool()) return uninstall(path);
  const std::string home = variable("PAWL_HOME").empty() ? "" : command.home;
  const std::string text = unit_text(os::own_executable(), home, variable("PATH"));
  if (command.args()["print"].as_bool()) return print(text), 0;
  if (auto made = os::make_private_dir(unit_dir()); !made) return complain(made.error());
  if (auto written = os::write_atomically(path, text); !written) return complain(written.error());
  return enable(path);
}

}  // namespace pawl::cli
