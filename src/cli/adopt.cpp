#include "cli/adopt.h"

#include <fmt/core.h>
#include <unistd.h>

#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <set>

#include "api/profiles.h"
#include "base/text.h"
#include "cli/ask.h"
#include "cli/said.h"
#include "os/file.h"
#include "os/home.h"
#include "os/proc.h"
#include "perceive/profile/catalog.h"

namespace pawl::cli {
namespace {

constexpr size_t kProcessesVisited = 64;  // per pane
constexpr const char* kFormat =
    "#{pane_id}\t#{pane_pid}\t#{pane_dead}\t#{session_name}\t#{session_name}:#{window_index}.#{"
    "pane_"
    "index}\t#{pane_current_path}";

struct FoundPane {
  std::string id;
  pid_t pid = 0;
  bool dead = false;
  std::string session, place, dir;
  std::string runtime;  // of the agent in it; empty: none was recognised
  std::vector<std::string> argv;
};

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value ? value : "";
}

// Where tmux itself would look.
std::string socket_of(const Json& args) {
  if (args.has("socket-path"))
    return os::absolute(args["socket-path"].as_string(), os::current_dir());
  const std::string here = variable("TMUX");
  if (!args.has("socket-name") && !here.empty()) return here.substr(0, here.find(','));
  const std::string base = variable("TMUX_TMPDIR").empty() ? "/tmp" : variable("TMUX_TMPDIR");
  return fmt::format("{}/tmux-{}/{}", base, ::getuid(), args["socket-name"].as_string("default"));
}

std::optional<FoundPane> pane_from(const std::string& line) {
  const auto parts = split(line, '\t');
  if (parts.size() != 6) return std::nullopt;
  FoundPane pane{parts[0], 0, parts[2] == "1", parts[3], parts[4], parts[5], {}, {}};
  std::from_chars(parts[1].data(), parts[1].data() + parts[1].size(), pane.pid);
  return pane;
}

// The process of the pane, or one below it, that some profile knows.
void recognise(FoundPane& pane, const perceive::Catalog& catalog) {
  const os::Proc proc;
  std::vector<pid_t> queue{pane.pid};
  for (size_t i = 0; i < queue.size() && i < kProcessesVisited; ++i) {
    auto argv = proc.command_line(queue[i], 8, 256);
    if (const auto* profile = catalog.by_command(argv); profile && profile->name != "generic") {
      pane.runtime = profile->name;
      pane.argv = std::move(argv);
      return;
    }
    for (const pid_t child : proc.children(queue[i])) queue.push_back(child);
  }
}

Result<std::vector<FoundPane>> panes_of(const std::string& socket, const std::string& target) {
  std::vector<std::string> words{"tmux", "-u", "-S", socket};
  if (target.empty())
    words.insert(words.end(), {"list-panes", "-a", "-F", kFormat});
  else
    words.insert(words.end(), {"display-message", "-p", "-t", target, kFormat});
  if (!os::exists(socket))
    return fail("there is no tmux server at " + socket, "name one with -L or -S, or start it");
  const Said said = said_by(words);
  if (!said.fine)
    return fail("tmux: " + said.text, "tmux -S " + socket + " list-panes -a shows its panes");
  std::vector<FoundPane> found;
  std::set<std::string> known;  // a window may be in several sessions
  for (const auto& line : split(said.text, '\n'))
    if (auto pane = pane_from(line); pane && known.insert(pane->id).second)
      found.push_back(std::move(*pane));
  if (found.empty() && !target.empty())
    return fail("tmux knows no pane '" + target + "'",
                "tmux -S " + socket + " list-panes -a shows those there are");
  return found;
}

bool confirmed(size_t count) {
  if (!::isatty(STDIN_FILENO)) return false;
  std::printf("adopt %s? [y/N] ", count == 1 ? "it" : "all of them");
  std::fflush(stdout);
  const int c = std::getchar();
  return c == 'y' || c == 'Y';
}

Json request_for(const Command& command, const std::string& socket, const FoundPane& pane) {
  const auto process = os::identify(pane.pid);
  Json args =
      Json::object({{"server", socket},
                    {"pane", pane.id},
                    {"pid", pane.pid},
                    {"start_ticks", process ? static_cast<int64_t>(process->start_ticks) : 0},
                    {"dir", pane.dir},
                    {"runtime", pane.runtime.empty() ? "generic" : pane.runtime},
                    {"wish", pane.session},
                    {"command", pane.argv}});
  if (command.args().has("name")) args.set("name", command.args()["name"]);
  if (command.args().has("restart")) args.set("restart", command.args()["restart"]);
  return args;
}

int adopt_these(const Command& command, const std::string& socket,
                const std::vector<FoundPane>& panes) {
  Json wanted = Json::array();
  for (const auto& pane : panes) wanted.push(request_for(command, socket, pane));
  return report(
      command, ask(command, "adopt", Json::object({{"panes", wanted}}), Client::Environment::given),
      "adopted");
}

// Those of this server that are Pawl's already.
std::set<std::string> adopted_at(const Json& fleet, const std::string& socket) {
  std::set<std::string> out;
  for (const auto& agent : fleet["agents"].items())
    if (agent["pane"].is_object() && agent["pane"]["server"].as_string() == socket &&
        !agent["pid"].is_null())
      out.insert(agent["pane"]["target"].as_string());
  return out;
}

int adopt_all(const Command& command, const std::string& socket, std::vector<FoundPane> panes) {
  std::erase_if(panes, [](const FoundPane& pane) { return pane.runtime.empty() || pane.dead; });
  const auto fleet = ask(command, "ls", Json::object({{"fields", Json::Array{"pane", "pid"}}}));
  if (!fleet.result) return fleet.code;
  const auto known = adopted_at(*fleet.result, socket);
  const size_t found = panes.size();
  std::erase_if(panes, [&](const FoundPane& pane) { return known.contains(pane.id); });
  if (panes.empty() && found > 0) {
    if (command.json())
      print_json(Json::object({{"version", 1}, {"results", Json::array()}}));
    else
      print(fmt::format("nothing new: {} adopted already\n", found == 1 ? "it is" : "all are"));
    return 0;
  }
  if (panes.empty())
    return complain({"no pane at " + socket + " runs an agent that a profile knows",
                     "adopt one by name: pawl adopt SESSION:WINDOW.PANE", 1});
  if (!command.args()["yes"].as_bool()) {
    for (const auto& pane : panes)
      std::printf("%-6s %-24s %-10s %s\n", pane.id.c_str(), pane.place.c_str(),
                  pane.runtime.c_str(), pane.dir.c_str());
    if (!confirmed(panes.size())) return complain({"nothing was adopted", "say y, or use -y", 1});
  }
  return adopt_these(command, socket, panes);
}

}  // namespace

int adopt(const Command& command) {
  const Json& args = command.args();
  const bool all = args["all"].as_bool();
  if (all == args.has("target"))
    return complain({"which pane?", "name one, like %3 or work:1.0, or use --all", 2});
  if (all && args.has("name"))
    return complain({"--name is for one pane", "leave it out, or name the pane", 2});
  const std::string socket = socket_of(args);
  auto panes = panes_of(socket, args["target"].as_string());
  if (!panes) return complain(panes.error());
  const auto profiles = api::load_profiles(os::config_dir());
  for (auto& pane : *panes) recognise(pane, profiles.catalog);
  if (all) return adopt_all(command, socket, std::move(*panes));
  if (panes->front().dead)
    return complain({"the program in " + panes->front().place + " has ended",
                     "start it again there: tmux respawn-pane", 1});
  return adopt_these(command, socket, {panes->front()});
}

int release(const Command& command) {
  return report(command, ask(command, "release", command.args()), "given back");
}

int attach_pane(const std::string& home, const Json& pane) {
  const std::string server = pane["server"].as_string(home + "/tmux/own.sock");
  const std::string target = pane["target"].as_string();
  const std::string here = variable("TMUX");
  const bool inside = here.substr(0, here.find(',')) == server;
  if (!inside) ::unsetenv("TMUX");  // another server: nested, as the person wants
  std::vector<std::string> words{
      "tmux", "-u", "-S", server, inside ? "switch-client" : "attach-session", "-t", target};
  std::vector<char*> argv;
  for (auto& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  ::execvp(argv[0], argv.data());
  return complain({"cannot run tmux", "install it", 1});
}

}  // namespace pawl::cli
