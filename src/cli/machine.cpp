#include "cli/machine.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>

#include "api/aim.h"
#include "api/handlers.h"
#include "api/later.h"
#include "api/place.h"
#include "base/text.h"
#include "cli/ask.h"
#include "cli/events.h"
#include "cli/style.h"
#include "fleet/ssh.h"
#include "os/clock.h"
#include "os/file.h"
#include "os/home.h"
#include "os/process.h"

namespace pawl::cli {
namespace {

constexpr std::string_view kFolder = "/machines/";
constexpr Duration kReachedWithin = std::chrono::seconds{12};
constexpr int kLookEveryMs = 100;

Done known_machine(const std::string& home, const std::string& machine) {
  if (valid_name(machine) && os::is_dir(home + std::string(kFolder) + machine)) return {};
  const auto guess = nearest(machine, os::list_dir(home + "/machines"));
  return fail("no machine named '" + machine + "'",
              guess ? "did you mean '" + *guess + "'?" : "pawl machine ls shows them all", 2);
}

// Runs ssh, or what stands in for it, at the person's own terminal: it may ask. Its exit code.
int at_terminal(const std::vector<std::string>& argv, int input = STDIN_FILENO) {
  std::fflush(stdout);
  const pid_t pid = ::fork();
  if (pid < 0) return 1;
  if (pid == 0) {
    ::dup2(input, STDIN_FILENO);
    std::vector<char*> words;
    for (const auto& word : argv) words.push_back(const_cast<char*>(word.c_str()));
    words.push_back(nullptr);
    ::execvp(words[0], words.data());
    std::fprintf(stderr, "pawl: ssh cannot be run: install the package openssh-client\n");
    ::_exit(126);
  }
  int status = 0;
  while (::waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

std::vector<std::string> plain_ssh(const fleet::SshPlace& place, const std::string& what) {
  std::vector<std::string> line{"ssh", "-oConnectTimeout=15"};
  if (place.port) line.push_back(fmt::format("-p{}", place.port));
  if (!place.user.empty()) line.push_back("-l" + place.user);
  line.insert(line.end(), {"--", place.host, what});
  return line;
}

// The new one replaces the old one only when it runs there.
constexpr const char* kInstall =
    "umask 022; mkdir -p ~/.local/bin && cat >~/.local/bin/pawl.new && chmod 755 "
    "~/.local/bin/pawl.new"
    " && ~/.local/bin/pawl.new version && mv ~/.local/bin/pawl.new ~/.local/bin/pawl";

int install(const fleet::SshPlace& place) {
  const os::Fd self(::open(os::own_executable().c_str(), O_RDONLY | O_CLOEXEC));
  if (!self) return complain({"cannot read " + os::own_executable(), "", 1});
  print("copying pawl to ~/.local/bin there …\n");
  if (at_terminal(plain_ssh(place, kInstall), self.get()) == 0) return 0;
  return complain({"pawl was not installed there",
                   "another kind of machine or older libraries: install its package there", 1});
}

// Asked until it is reached, or the time is over.
Asked reached(const Command& command, const std::string& name) {
  const MonoTime until = os::read_clock().mono + kReachedWithin;
  for (;;) {
    Asked asked = ask(command, "machine ls", Json::object());
    if (!asked.result) return asked;
    for (const auto& machine : (*asked.result)["machines"].items()) {
      if (machine["name"].as_string() != name) continue;
      if (machine["online"].as_bool() || os::read_clock().mono >= until) return {machine, 0};
    }
    ::poll(nullptr, 0, kLookEveryMs);
  }
}

std::string agents_text(const Json& count) {
  return fmt::format("{} agent{}", count.as_int(), count.as_int() == 1 ? "" : "s");
}

std::string row(const Json& machine, WallTime now) {
  WallTime since;
  const bool known = parse_rfc3339(machine["since"].as_string(), since);
  const std::string age = known ? short_duration(now - since) : "-";
  const bool online = machine["online"].as_bool();
  const std::string what =
      online ? agents_text(machine["agents"]) + ", pawl " + safe(machine["pawl"].as_string())
             : safe(machine["because"].as_string());
  const std::string skew = safe(machine["skew"].as_string());
  return fmt::format("{}  {}  {}  {}  {}{}\n", fit(safe(machine["name"].as_string()), 12),
                     fit(online ? "online" : "offline", 7), fit(age, 7),
                     fit(safe(machine["url"].as_string()), 28), what,
                     skew.empty() ? "" : "; " + skew);
}

}  // namespace

int machine_add(const Command& command) {
  const std::string name = command.args()["name"].as_string();
  const auto place = fleet::place_of(command.args()["url"].as_string());
  if (!place) return complain(place.error());
  if (!valid_name(name))
    return complain(
        {"'" + name + "' is no name of a machine", "use up to 64 of A-Z a-z 0-9 . _ -", 2});
  if (command.args()["install"].as_bool())
    if (const int code = install(*place); code != 0) return code;
  // Here a person can still answer ssh's questions, such as whether the host is the right one.
  if (::isatty(STDIN_FILENO) == 1)
    if (const int code = at_terminal(plain_ssh(*place, "true")); code != 0)
      return complain({"ssh does not reach " + place->host, "see what it said above", 1});
  const auto added = ask(command, "machine add", command.args(), Client::Environment::given);
  if (!added.result) return added.code;
  const auto machine = reached(command, name);
  if (!machine.result) return machine.code;
  if (command.json()) print_json(*machine.result);
  if ((*machine.result)["online"].as_bool()) {
    if (!command.json())
      print(fmt::format("{} is there: {}. Its agents are {}/NAME here\n", name,
                        agents_text((*machine.result)["agents"]), name));
    return 0;
  }
  return complain({"machine " + name + " is added, but not reached: " +
                       safe((*machine.result)["because"].as_string()),
                   "", 1});
}

int machine_ls(const Command& command) {
  const auto asked = ask(command, "machine ls", Json::object());
  if (!asked.result) return asked.code;
  if (command.json()) {
    print_json(*asked.result);
    return 0;
  }
  const auto& machines = (*asked.result)["machines"].items();
  if (machines.empty()) {
    print("no machines: add one with  pawl machine add NAME ssh://HOST\n");
    return 0;
  }
  const Look look = look_of(STDOUT_FILENO);
  print(paint(look, "1",
              fmt::format("{}  {}  {}  {}  WHAT", fit("MACHINE", 12), fit("STATE", 7),
                          fit("FOR", 7), fit("URL", 28))) +
        "\n");
  for (const auto& machine : machines) print(row(machine, os::read_clock().wall));
  return 0;
}

int machine_rm(const Command& command) {
  const auto asked = ask(command, "machine rm", command.args());
  if (!asked.result) return asked.code;
  if (command.json())
    print_json(*asked.result);
  else
    print(command.args()["name"].as_string() + " is forgotten; its agents go on\n");
  return 0;
}

int move_agent(const Command& command) {
  const auto tell = [](const Json& event) {
    std::fprintf(stderr, "pawl: %s\n", safe(event["text"].as_string()).c_str());
  };
  const auto asked =
      ask(command, "move", command.args(), Client::Environment::left_out, {tell, {}});
  if (!asked.result) return asked.code;
  const Json& done = *asked.result;
  const auto text = [&](const char* key) { return safe(done[key].as_string()); };
  if (command.json())
    print_json(done);
  else if (!done.has("machine"))
    print(text("name") + " goes on here\n");
  else
    print(fmt::format("{} is {}/{} now: {}\n", text("name"), text("machine"), text("there"),
                      text("state")));
  return 0;
}

Result<std::optional<std::string>> machine_of(const std::string& home, Parsed& parsed) {
  using api::Across;
  const api::Aim aim = api::aim_of(*parsed.verb, parsed.args);
  // A node of the fleet has no door: the daemon knows it, or says that there is none.
  if (os::exists(home + "/fleet.json") && !os::is_dir(home + std::string(kFolder) + aim.one()))
    return std::nullopt;
  for (const auto& [machine, args] : aim.at)
    if (auto fine = machine.empty() ? Done() : known_machine(home, machine); !fine)
      return tl::unexpected(fine.error());
  const Across across = parsed.verb->across;
  if (aim.here_only() || across == Across::awaited) return std::nullopt;
  // What can wait for a machine that is not reached is our daemon's to keep.
  if (api::can_wait(*parsed.verb) && !aim.one().empty()) return std::nullopt;
  if (const std::string one = aim.one(); !one.empty()) {
    parsed.args = aim.at.begin()->second;
    return one;
  }
  if (across == Across::gathered) return std::nullopt;
  return fail("'" + parsed.verb->name + "' is for one machine at a time",
              "say it once for each of them", 2);
}

Result<std::string> door_of(const std::string& home, const std::string& machine) {
  auto ours = Client::connect(home, Client::Start::yes);
  if (!ours) return tl::unexpected(ours.error());
  // Its answer: the doors are there.
  const auto there = ours->ask(Client::request("machine ls", Json::object()));
  if (!there) return tl::unexpected(there.error());
  return home + std::string(kFolder) + machine;
}

std::string machine_at(const std::string& door) {
  const size_t at = door.rfind(kFolder);
  if (at == std::string::npos || os::exists(door + "/" + os::kLockName)) return {};
  const std::string name = door.substr(at + kFolder.size());
  return valid_name(name) ? name : "";
}

void tell_machine(const Json& event) {
  if (event["type"].as_string() != "machine") return;
  std::fprintf(stderr, "pawl: machine %s %s\n", safe(event["machine"].as_string()).c_str(),
               machine_told(event).c_str());
}

tl::unexpected<Error> said_there(const Command& command, const std::string& verb, Error error) {
  if (!error.what.starts_with(api::kUnknownVerb)) return tl::unexpected(std::move(error));
  const std::string home = command.home.substr(0, command.home.rfind(kFolder));
  auto ours = Client::connect(home, Client::Start::no);
  const auto list = ours ? ours->ask(Client::request("machine ls", Json::object()))
                         : Result<Json>(tl::unexpected(ours.error()));
  std::string pawl, url;
  if (list)
    for (const auto& machine : (*list)["machines"].items())
      if (machine["name"].as_string() == command.machine) {
        pawl = machine["pawl"].as_string();
        url = machine["url"].as_string();
      }
  return tl::unexpected(
      api::said_by(command.machine, pawl, api::update_of(command.machine, url), verb, error));
}

std::string unreached(const Json& list) {
  std::string out;
  for (const auto& machine : list["machines"].items()) {
    const auto text = [&](const char* key) { return safe(machine[key].as_string()); };
    if (machine.has("online") && !machine["online"].as_bool())
      out += fmt::format("machine {} is not reached since {}: {}\n", text("name"), text("since"),
                         text("because"));
    else if (machine.has("answered") && !machine["answered"].as_bool())
      out += fmt::format("machine {} is left out: {}\n", text("name"), text("because"));
  }
  return out;
}

}  // namespace pawl::cli
