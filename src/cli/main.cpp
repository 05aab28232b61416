#include "cli/main.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <poll.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "base/text.h"
#include "base/version.h"
#include "cli/audit.h"
#include "cli/calibrate.h"
#include "cli/classify.h"
#include "cli/client.h"
#include "cli/commands.h"
#include "cli/config.h"
#include "cli/doctor.h"
#include "cli/help.h"
#include "cli/hook.h"
#include "cli/machine.h"
#include "cli/relay.h"
#include "cli/service.h"
#include "cli/simulate.h"
#include "cli/skill.h"
#include "cli/table.h"
#include "os/file.h"
#include "os/home.h"
#include "os/init.h"

namespace pawl::cli {
namespace {

constexpr double kGraceS = 60;
constexpr const char* kHolderName = "pawl-holder";  // as host/holder/main.cpp calls itself

int version(bool json) {
  if (json)
    std::printf("%s\n", Json::object({{"version", 1}, {"pawl", kVersion}}).dump().c_str());
  else
    std::printf("pawl %s\n", std::string(kVersion).c_str());
  return 0;
}

int help(const std::string& verb) {
  const Look look = look_of(STDOUT_FILENO);
  if (verb.empty()) {
    std::fputs(help_overview(look).c_str(), stdout);
    return 0;
  }
  if (const std::string family = help_on_family(verb, look); !family.empty()) {
    std::fputs(family.c_str(), stdout);
    return 0;
  }
  const auto parsed = parse_arguments({verb, "--help-is-handled-before"});
  const api::Verb* row = api::find_verb(verb);
  if (!row) return complain(parsed.error());
  std::fputs(help_on(*row, look).c_str(), stdout);
  return 0;
}

int completion(const std::string& shell) {
  const auto script = completion_script(shell);
  if (!script) return complain(script.error());
  std::fputs(script->c_str(), stdout);
  return 0;
}

// Unfinished ones end as every task ends: cleaned up, with a reason, and able to go on later.
Result<std::vector<std::string>> abandon_tasks(Client& client) {
  std::vector<std::string> names;
  const auto list = client.ask(Client::request("task ls", Json::object()));
  if (!list) return tl::unexpected(list.error());
  for (const auto& task : (*list)["tasks"].items())
    if (!task["final"].as_bool()) names.push_back(task["task_name"].as_string());
  if (names.empty()) return names;
  const auto ended = client.ask(Client::request("abandon", Json::object()));
  if (!ended) return tl::unexpected(ended.error());
  return names;
}

int stop_daemon(const std::string& home, bool keep_tasks) {
  auto client = Client::connect(home, Client::Start::no);
  if (!client) return complain(client.error());
  if (!keep_tasks) {
    const auto tasks = abandon_tasks(*client);
    if (!tasks) return complain(tasks.error());
    for (const auto& name : *tasks)
      std::printf("task %s is abandoned; go on with it: pawl task resume %s\n", name.c_str(),
                  name.c_str());
  }
  const auto left = client->ask(Client::request("shutdown", Json::object()));
  if (!left) return complain(left.error());
  while (client->receive(Client::Wait::yes)) {  // until it says no more …
  }
  const std::string lock = home + "/" + os::kLockName;
  for (int i = 0; i < 1000 && os::locked(lock); ++i) ::poll(nullptr, 0, 5);  // … and has gone
  const auto holder = os::read_file(lock);
  const auto pid = static_cast<long>(client->pulse().daemon());
  if (os::locked(lock) && holder && std::strtol(holder->c_str(), nullptr, 10) == pid)
    return complain(client->pulse().complaint());
  const auto running = (*left)["running"].as_int();
  const std::string rest =
      running == 0
          ? "no agents were running"
          : fmt::format("{} running: the next pawl command finds {}, pawl down ends {}",
                        running == 1 ? "1 agent keeps" : fmt::format("{} agents keep", running),
                        running == 1 ? "it" : "them", running == 1 ? "it" : "them");
  std::printf("the daemon (pid %lld) has ended; %s\n",
              static_cast<long long>((*left)["pid"].as_int()), rest.c_str());
  return 0;
}

// For completion scripts: agent names, one a line, without starting anything.
int names(const std::string& home) {
  auto client = Client::connect(home, Client::Start::no);
  if (!client) return 0;
  const auto list = client->ask(
      Client::request("ls", Json::object({{"fields", Json::Array{"name"}}, {"machines", true}})));
  if (!list) return 0;
  for (const auto& agent : (*list)["agents"].items())
    std::printf("%s\n", name_in(agent, "name").c_str());
  return 0;
}

bool wants_help(const std::vector<std::string>& words) {
  for (const auto& word : words) {
    if (word == "--") return false;
    if (word == "--help" || word == "-h") return true;
  }
  return false;
}

// "task start" is one verb of two words, also after "help".
void join_pair(std::vector<std::string>& words) {
  const size_t at = words[0] == "help" ? 1 : 0;
  if (words.size() < at + 2 || words[at + 1].starts_with('-')) return;
  if (words[at] != "task" && words[at] != "inbox" && words[at] != "archive" &&
      words[at] != "machine" && words[at] != "fleet")
    return;
  words[at] += " " + words[at + 1];
  words.erase(words.begin() + static_cast<std::ptrdiff_t>(at) + 1);
}

// In the foreground, until it is told to end.
int serve(const Command& command, const RunDaemon& run_daemon) {
  const bool init = command.args()["init"].as_bool();
  const std::string grace = command.args()["grace"].as_string();
  if (!grace.empty() && !init)
    return complain(
        {"--grace is for --init", "without it the daemon leaves its agents running", 2});
  DaemonWish wish;
  wish.dry_run = command.args()["dry-run"].as_bool();
  if (init) wish.drain_s = grace.empty() ? kGraceS : parse_duration_s(grace);
  if (init && !wish.drain_s)
    return complain(
        {"--grace: '" + grace + "' is not a duration", "say it as 90, 90s, 5m or 2h", 2});
  const auto run = [&] {
    const auto ran = run_daemon(command.home, wish, [] {});
    return ran ? *ran : complain(ran.error());
  };
  return init ? os::as_init(run, kHolderName) : run();
}

int dispatch(const Command& command, const RunDaemon& run_daemon) {
  const std::string& verb = command.parsed.verb->name;
  if (verb == "version") return version(command.json());
  if (verb == "help") return help(command.args()["verb"].as_string());
  if (verb == "completion") return completion(command.args()["shell"].as_string());
  if (verb == "audit") return audit(command);
  if (verb == "doctor") return doctor(command.home, command.json());
  if (verb == "classify") return classify(command);
  if (verb == "calibrate") return calibrate(command);
  if (verb == "simulate") return simulate(command);
  if (verb == "skill") return skill(command);
  if (verb == "install-service") return install_service(command);
  if (verb == "config") return config(command);
  if (verb != "daemon") return run_command(command);
  if (command.args()["stop"].as_bool())
    return stop_daemon(command.home, command.args()["keep-tasks"].as_bool());
  return serve(command, run_daemon);
}

// What Client starts: says on descriptor 3 that it is ready, or why it is not, and closes it.
int background_daemon(const std::string& home, const RunDaemon& run_daemon) {
  os::Fd starter(kReadyFd);
  ::fcntl(kReadyFd, F_SETFD, FD_CLOEXEC);
  const auto ran = run_daemon(home, DaemonWish{}, [&] {
    (void)!::write(starter.get(), kReadyWord, std::strlen(kReadyWord));
    starter.reset();
  });
  if (ran) return 0;
  const std::string why = text_of(ran.error());
  if (starter) (void)!::write(starter.get(), why.data(), why.size());
  return complain(ran.error());
}

}  // namespace

int main(int argc, char** argv, const RunDaemon& run_daemon) {
  std::signal(SIGPIPE, SIG_DFL);
  std::vector<std::string> words(argv + 1, argv + argc);
  if (words.empty() || words[0] == "--help" || words[0] == "-h") return help("");
  if (words[0] == "--version" || words[0] == "-V") return version(false);
  if (words[0] == "hook" && !(words.size() == 2 && wants_help(words))) return hook(words);
  join_pair(words);
  const std::string home = os::home_dir();
  if (words[0] == "__names") return names(home);
  if (words[0] == kRelayWord) return relay(home, words);
  if (words[0] == kBackgroundDaemon) return background_daemon(home, run_daemon);
  if (wants_help(words)) return help(words[0]);
  auto parsed = parse_arguments(words);
  if (!parsed) return complain(parsed.error());
  const bool talks = parsed->verb->use.handler && !parsed->verb->name.starts_with("machine ") &&
                     !parsed->verb->name.starts_with("fleet ");
  const auto machine =
      talks ? machine_of(home, *parsed) : Result<std::optional<std::string>>(std::nullopt);
  if (!machine) return complain(machine.error());
  if (!*machine) return dispatch({home, std::move(*parsed)}, run_daemon);
  const auto door = door_of(home, **machine);
  if (!door) return complain(door.error());
  return dispatch({*door, std::move(*parsed), **machine}, run_daemon);
}

}  // namespace pawl::cli
