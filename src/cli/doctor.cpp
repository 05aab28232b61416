#include "cli/doctor.h"

#include <fmt/core.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <vector>

#include "api/profiles.h"
#include "base/text.h"
#include "cli/checks.h"
#include "cli/client.h"
#include "cli/model_checks.h"
#include "cli/style.h"
#include "os/file.h"
#include "os/home.h"
#include "os/socket.h"

namespace pawl::cli {
namespace {

constexpr uint64_t kLowSpace = 1u << 30;
constexpr const char* kTasksAsked = "200";  // the last ones that failed, and that were completed

using Grade = Check::Grade;

Check home_check(const std::string& home) {
  if (!os::exists(home)) {
    std::string above = home;
    while (!os::exists(above) && above.size() > 1)
      above = above.substr(0, std::max<size_t>(1, above.rfind('/')));
    if (os::is_dir(above) && ::access(above.c_str(), W_OK | X_OK) == 0)
      return {"home", Grade::good, home + " (not created yet)", ""};
    return {"home", Grade::bad, home + " cannot be created in " + above,
            "set PAWL_HOME to a folder of your own"};
  }
  const auto fine = os::prepare_home(home);
  if (!fine) return {"home", Grade::bad, fine.error().what, fine.error().fix};
  return {"home", Grade::good, home, ""};
}

Check space_check(const std::string& home) {
  const auto space = os::disk_space(os::exists(home) ? home : "/");
  if (!space) return {"disk", Grade::warning, space.error().what, ""};
  const auto found = fmt::format("{} MiB free", space->free_bytes >> 20);
  if (space->free_bytes < kLowSpace)
    return {"disk", Grade::warning, found, "free some space: recordings and the journal need it"};
  return {"disk", Grade::good, found, ""};
}

Check pty_check() {
  const auto most = os::read_file("/proc/sys/kernel/pty/max");
  const auto used = os::read_file("/proc/sys/kernel/pty/nr");
  if (!most || !used)
    return {"terminals", Grade::warning, "the kernel does not say how many there may be", ""};
  const long max = std::strtol(most->c_str(), nullptr, 10),
             now = std::strtol(used->c_str(), nullptr, 10);
  const auto found = fmt::format("{} of {} in use", now, max);
  if (max - now < 64) return {"terminals", Grade::bad, found, "raise kernel.pty.max"};
  return {"terminals", Grade::good, found, ""};
}

Check files_check() {
  rlimit limit{};
  ::getrlimit(RLIMIT_NOFILE, &limit);
  const auto found = fmt::format("{} open files allowed", limit.rlim_max);
  if (limit.rlim_max < 4096)
    return {"files", Grade::warning, found,
            "raise the limit (ulimit -Hn) for fleets above 1000 agents"};
  return {"files", Grade::good, found, ""};
}

// One that lives without a socket is named at once, not waited for.
std::optional<Check> reach_check(const std::string& home) {
  if (os::connect_local(home, os::kSocketName)) return std::nullopt;
  const auto daemon = unreachable_daemon(home);
  if (!daemon) return std::nullopt;
  return Check{"daemon", Grade::bad, daemon->text(),
               fmt::format("look again in 10 s; see {}/{}; if it stays so: kill -9 {} (agents keep "
                           "running, the next command starts another daemon)",
                           home, os::kLogName, daemon->pid)};
}

Check daemon_check(const std::string& home) {
  if (auto check = reach_check(home)) return *check;
  auto client = Client::connect(home, Client::Start::no);
  if (!client) return {"daemon", Grade::good, "not running; it starts by itself", ""};
  const auto status = client->ask(Client::request("status", Json::object()));
  if (!status) return {"daemon", Grade::bad, status.error().what, status.error().fix};
  if (!(*status)["healthy"].as_bool())
    return {"daemon", Grade::bad,
            "nothing is done to any agent: " + (*status)["trouble"].as_string(),
            "remove the cause; it goes on by itself"};
  if (const int64_t unwatched = (*status)["unwatched"].as_int(); unwatched > 0)
    return {"daemon", Grade::warning,
            fmt::format("the folders of {} agents cannot be watched; wake-up files there are "
                        "noticed after 5 s",
                        unwatched),
            "raise fs.inotify.max_user_watches"};
  return {"daemon", Grade::good,
          fmt::format("pid {}, {} agents, {} running", (*status)["pid"].as_int(),
                      (*status)["agents"].as_int(), (*status)["running"].as_int()),
          ""};
}

// Json null: no daemon answers.
Json ask_daemon(const std::string& home, const std::string& verb, Json args = Json::object()) {
  auto client = Client::connect(home, Client::Start::no);
  const auto answer =
      client ? client->ask(Client::request(verb, std::move(args))) : Result<Json>(Json());
  return answer.value_or(Json());
}

// What the files of agents said wrong, and what was made of it (O10).
void add_repairs(const Json& list, Checks& checks) {
  for (const auto& agent : list["agents"].items())
    for (const auto& one : agent["repairs"].items())
      checks.push_back({"config", Grade::warning,
                        agent["name"].as_string() + ": " + safe(one.as_string()),
                        "correct its pawl.toml, then: pawl up"});
}

Json ask_tasks(const std::string& home, const char* status) {
  return ask_daemon(home, "task ls", Json::object({{"status", status}, {"limit", kTasksAsked}}));
}

Checks all_checks(const std::string& home) {
  Checks checks{home_check(home), space_check(home),   pty_check(),
                files_check(),    journal_check(home), daemon_check(home)};
  const bool answers = checks.back().grade != Grade::bad;
  if (answers) {
    add_socket(home, checks);
    const Json status = ask_daemon(home, "status");
    const long pid = status["pid"].as_int();
    if (pid > 0) add_descriptors(pid, checks);
    add_kept(status, checks);
    add_limits(status, checks);
  }
  add_holders(home, checks);
  add_model_tables(api::load_profiles(os::config_dir()).catalog, checks);
  if (!answers) return checks;
  const Json list = ask_daemon(home, "ls");
  add_strangers(list, checks);
  add_repairs(list, checks);
  add_gone_models(ask_tasks(home, "failed"), ask_tasks(home, "completed"), checks);
  return checks;
}

std::string_view mark(Grade grade) {
  return grade == Grade::good ? "ok" : grade == Grade::warning ? "warning" : "bad";
}

}  // namespace

int doctor(const std::string& home, bool json) {
  const Checks checks = all_checks(home);
  const Look look = look_of(STDOUT_FILENO);
  Json list = Json::array();
  int code = 0;
  for (const auto& check : checks) {
    if (check.grade == Grade::bad) code = 1;
    list.push(Json::object({{"name", check.name},
                            {"grade", mark(check.grade)},
                            {"found", check.found},
                            {"fix", check.fix.empty() ? Json() : Json(check.fix)}}));
    if (json) continue;
    const char* colour = check.grade == Grade::good      ? "32"
                         : check.grade == Grade::warning ? "33"
                                                         : "31";
    std::printf("%s  %s%s\n", paint(look, colour, fit(mark(check.grade), 7)).c_str(),
                fit(check.name, 10).c_str(), check.found.c_str());
    if (!check.fix.empty()) std::printf("         → %s\n", check.fix.c_str());
  }
  if (json) std::printf("%s\n", Json::object({{"version", 1}, {"checks", list}}).dump(2).c_str());
  return code;
}

}  // namespace pawl::cli
