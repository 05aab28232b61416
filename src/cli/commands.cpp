#include "cli/commands.h"

#include <fmt/core.h>
#include <unistd.h>

#include <cstdio>
#include <map>

#include "base/text.h"
#include "cli/adopt.h"
#include "cli/ask.h"
#include "cli/attach.h"
#include "cli/client.h"
#include "cli/events.h"
#include "cli/export.h"
#include "cli/fleet.h"
#include "cli/machine.h"
#include "cli/report.h"
#include "cli/serve.h"
#include "cli/style.h"
#include "cli/table.h"
#include "cli/talk.h"
#include "cli/task.h"
#include "cli/timeline.h"
#include "cli/trust.h"
#include "cli/watch.h"
#include "cli/why.h"
#include "cli/work.h"
#include "os/clock.h"

namespace pawl::cli {
namespace {

bool on_terminal() {
  return ::isatty(STDIN_FILENO) && ::isatty(STDOUT_FILENO);
}

int ls(const Command& command) {
  if (command.args()["watch"].as_bool())
    return watch(command.home, !command.args()["here"].as_bool());
  Json wish = command.json() ? Json::object() : table_request();
  wish.set("machines", !command.args()["here"].as_bool());
  const auto asked = ask(command, "ls", wish);
  if (!asked.result) return asked.code;
  if (command.json())
    print_json(*asked.result);
  else
    print(agent_table(*asked.result, os::read_clock().wall, look_of(STDOUT_FILENO)) +
          unreached(*asked.result));
  return 0;
}

std::string shown(const Json& value) {
  if (value.is_null()) return "-";
  if (value.is_string()) return value.as_string();
  if (value.is_array() && !value.items().empty() && value.items()[0].is_object())
    return value.dump();
  if (value.is_array()) return join(value.as_strings(), " ");
  return value.dump();
}

int show(const Command& command) {
  const auto asked = ask(command, "show", command.args());
  if (!asked.result) return asked.code;
  if (command.json()) {
    print_json(*asked.result);
    return 0;
  }
  const Look look = look_of(STDOUT_FILENO);
  for (const auto& [key, value] : (*asked.result)["agent"].members()) {
    if (value.is_object()) continue;
    print(paint(look, "1", fit(key, 16)) +
          (key == "state" ? paint(look, state_colour(shown(value)), shown(value)) : shown(value)) +
          "\n");
  }
  const Json& agent = (*asked.result)["agent"];
  print(dialog_text(agent["name"].as_string(), agent["dialog"], look));
  return 0;
}

int why(const Command& command) {
  const auto asked = ask(command, "why", command.args());
  if (!asked.result) return asked.code;
  if (command.json())
    print_json(*asked.result);
  else
    print(why_text(*asked.result, look_of(STDOUT_FILENO)));
  return 0;
}

std::string without_blank_end(std::string text) {
  text.erase(text.find_last_not_of('\n') + 1);
  return text;
}

int screen(const Command& command) {
  const auto asked = ask(command, "screen", command.args());
  if (!asked.result) return asked.code;
  if (command.json())
    print_json(*asked.result);
  else
    print(without_blank_end((*asked.result)["screen"].as_string()) + "\n");
  if (!command.json()) print_notice(*asked.result);
  return 0;
}

int logs(const Command& command) {
  const auto asked = ask(command, "logs", command.args(), Client::Environment::left_out,
                         {{}, [](std::string_view bytes) { print(bytes); }});
  if (asked.result) print_notice(*asked.result);
  return asked.code;
}

// What goes to all machines, unless they are to be left out.
Json of_all(const Command& command) {
  return Json(command.args()).set("machines", !command.args()["here"].as_bool());
}

int events(const Command& command) {
  const Look look = look_of(STDOUT_FILENO);
  const bool json = command.json();
  const auto sink = [&](const Json& event) {
    print((json ? event.dump() : event_line(event, look)) + "\n");
  };
  const auto asked =
      ask(command, "events", of_all(command), Client::Environment::left_out, {sink, {}});
  if (asked.result) std::fputs(unreached(*asked.result).c_str(), stderr);
  return asked.code;
}

int timeline(const Command& command) {
  const auto asked = ask(command, "timeline", command.args());
  if (!asked.result) return asked.code;
  if (command.json())
    print_json(*asked.result);
  else
    print(timeline_text(*asked.result, look_of(STDOUT_FILENO)));
  return 0;
}

int alerts(const Command& command) {
  const auto asked = ask(command, "alerts", of_all(command));
  if (!asked.result) return asked.code;
  if (command.json())
    print_json(*asked.result);
  else
    print(alerts_page(*asked.result, look_of(STDOUT_FILENO)) + unreached(*asked.result));
  return 0;
}

int report_verb(const Command& command) {
  const auto asked = ask(command, "report", of_all(command));
  if (!asked.result) return asked.code;
  if (command.json())
    print_json(*asked.result);
  else
    print(report_page(*asked.result, os::read_clock().wall, look_of(STDOUT_FILENO)) +
          unreached(*asked.result));
  return 0;
}

int wait(const Command& command) {
  const auto asked =
      ask(command, "wait", command.args(), Client::Environment::left_out, {tell_machine, {}});
  if (!asked.result) return asked.code;
  if (command.json())
    print_json(*asked.result);
  else if (!(*asked.result)["agents"].is_array())
    print((*asked.result)["state"].as_string() + "\n");
  else
    for (const auto& agent : (*asked.result)["agents"].items())
      print(name_in(agent, "name") + ": " + agent["state"].as_string() + "\n");
  return 0;
}

int run(const Command& command) {
  const bool stay = !command.args()["detach"].as_bool() && on_terminal();
  Json args = command.args();
  if (stay && !args["size"].is_string()) {
    const Look look = look_of(STDOUT_FILENO);
    args.set("size", fmt::format("{}x{}", look.width, look.height));
  }
  const auto asked = ask(command, "run", args, Client::Environment::given);
  if (!asked.result) return asked.code;
  const std::string name = (*asked.result)["name"].as_string();
  if (stay) return attach({command.home, name, false});
  if (command.json())
    print_json(*asked.result);
  else
    print(name + "\n");
  return 0;
}

int stop(const Command& command) {
  return report(command, ask(command, "stop", command.args()), "stopped");
}
int restart(const Command& command) {
  return report(command, ask(command, "restart", command.args()), "restarted");
}
int start(const Command& command) {
  return report(command, ask(command, "start", command.args()), "started");
}
int pause(const Command& command) {
  return report(command, ask(command, "pause", command.args()), "paused");
}
int resume(const Command& command) {
  return report(command, ask(command, "resume", command.args()), "resumed");
}
// One agent, and one sentence about what became of it.
int change_one(const Command& command, const std::string& sentence,
               Client::Environment environment = Client::Environment::left_out) {
  const auto asked = ask(command, command.parsed.verb->name, command.args(), environment);
  if (!asked.result) return asked.code;
  if (command.json())
    print_json(*asked.result);
  else
    print(command.args()["name"].as_string() + " " + sentence + "\n");
  return 0;
}
int mode(const Command& command) {
  return change_one(command, "is " + command.args()["mode"].as_string());
}
int permission(const Command& command) {
  return change_one(command,
                    "has " + command.args()["mode"].as_string() + " from its next start on");
}
int register_verb(const Command& command) {
  const std::string name = command.args()["name"].as_string();
  return change_one(command, "is registered; start it with: pawl start " + name,
                    Client::Environment::given);
}
int rm(const Command& command) {
  return report(command, ask(command, "rm", command.args()), "removed");
}

// Those that were not in the journal have no state to tell that they have ended; nor has a pane that was given back.
Json with_ends(const Json& result, const Json& strangers) {
  Json list = Json::array();
  for (Json entry : result["results"].items()) {
    for (const auto& one : strangers.items())
      if (one["name"].as_string() == entry["name"].as_string() && entry["state"].is_null())
        entry.set("state", "exited");
    list.push(std::move(entry));
  }
  return Json(result).set("results", list);
}

int down(const Command& command) {
  const auto before = ask(command, "ls", Json::object());
  if (!before.result) return before.code;
  auto asked = ask(command, "down", Json::object());
  if (asked.result) asked.result = with_ends(*asked.result, (*before.result)["strangers"]);
  return report(command, asked, "stopped", "given back");
}

// An agent in tmux is visited there: the real pane, with everything a person is used to.
int attach_verb(const Command& command) {
  const auto shown = ask(command, "show", command.args());
  if (!shown.result) return shown.code;
  const Json& pane = (*shown.result)["agent"]["pane"];
  if (pane.is_object() && !command.args()["read-only"].as_bool()) {
    Json wish = command.args();
    const auto may = ask(command, "attach", wish.set("elsewhere", true));
    return may.result ? attach_pane(command.home, pane) : may.code;
  }
  return attach(
      {command.home, command.args()["name"].as_string(), command.args()["read-only"].as_bool()});
}

int reload(const Command& command) {
  const auto asked = ask(command, "reload", Json::object());
  if (!asked.result) return asked.code;
  const auto complaints = (*asked.result)["complaints"].as_strings();
  for (const auto& text : complaints) std::fprintf(stderr, "pawl: %s\n", text.c_str());
  if (command.json())
    print_json(*asked.result);
  else
    print(fmt::format("{} profiles\n", (*asked.result)["profiles"].items().size()));
  return complaints.empty() ? 0 : 1;
}

int status(const Command& command) {
  const auto asked = ask(command, "status", Json::object());
  if (asked.result) print_json(*asked.result);
  return asked.code;
}

}  // namespace

int complain(const Error& error) {
  std::fflush(stdout);
  std::fprintf(stderr, "pawl: %s\n", text_of(error).c_str());
  return error.exit_code;
}

int run_command(const Command& command) {
  static const std::map<std::string, int (*)(const Command&)> table{
      {"ls", ls},
      {"show", show},
      {"why", why},
      {"screen", screen},
      {"logs", logs},
      {"export", export_recording},
      {"events", events},
      {"wait", wait},
      {"timeline", timeline},
      {"alerts", alerts},
      {"report", report_verb},
      {"run", run},
      {"stop", stop},
      {"restart", restart},
      {"rm", rm},
      {"serve", serve},
      {"up", up},
      {"trust", trust},
      {"down", down},
      {"send", send},
      {"keys", keys},
      {"wake", wake},
      {"answer", answer},
      {"attach", attach_verb},
      {"adopt", adopt},
      {"release", release},
      {"status", status},
      {"reload", reload},
      {"start", start},
      {"pause", pause},
      {"resume", resume},
      {"mode", mode},
      {"permission", permission},
      {"register", register_verb},
      {"task start", task_start},
      {"task ls", task_ls},
      {"task status", task_status},
      {"task wait", task_wait},
      {"task output", task_output},
      {"task cancel", task_cancel},
      {"task resume", task_resume},
      {"task clean", task_clean},
      {"task events", task_events},
      {"machine add", machine_add},
      {"machine ls", machine_ls},
      {"machine rm", machine_rm},
      {"move", move_agent},
      {"fleet join", fleet_join},
      {"fleet leave", fleet_leave},
      {"fleet ls", fleet_ls},
      {"fleet enroll", fleet_enroll},
      {"fleet revoke", fleet_revoke},
      {"inbox add", inbox_add},
      {"inbox ls", inbox_ls},
      {"inbox done", inbox_done},
      {"archive ls", archive_ls},
      {"archive restore", archive_restore}};
  const auto it = table.find(command.parsed.verb->name);
  if (it == table.end())
    return complain(
        {"'" + command.parsed.verb->name + "' is not for people", "pawl help lists the verbs", 2});
  return it->second(command);
}

}  // namespace pawl::cli
