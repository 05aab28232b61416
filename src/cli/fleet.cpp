#include "cli/fleet.h"

#include <fmt/core.h>
#include <poll.h>
#include <unistd.h>

#include "base/text.h"
#include "cli/ask.h"
#include "cli/style.h"
#include "os/clock.h"
#include "os/file.h"

namespace pawl::cli {
namespace {

constexpr Duration kJoinedWithin = std::chrono::seconds{10};
constexpr int kLooksMs = 100;

std::string age_of(const Json& since, WallTime now) {
  WallTime at;
  return parse_rfc3339(since.as_string(), at) ? short_duration(now - at) : "-";
}

std::string what_of(const Json& node) {
  if (!node["online"].as_bool()) return safe(node["because"].as_string());
  const std::string labels = join(node["labels"].as_strings(), " ");
  return fmt::format("{} agents, {} tasks, pawl {}{}", node["agents"].as_int(),
                     node["tasks"].as_int(), safe(node["version"].as_string()),
                     labels.empty() ? "" : ", " + safe(labels));
}

std::string node_row(const Json& node, WallTime now) {
  const std::string name =
      safe(node["name"].as_string()) + (node["self"].as_bool() ? " (here)" : "");
  return fmt::format("{}  {}  {}  {}\n", fit(name, 24),
                     fit(node["online"].as_bool() ? "online" : "offline", 7),
                     fit(age_of(node["since"], now), 7), what_of(node));
}

std::string bus_line(const Json& bus) {
  if (!bus["online"].as_bool())
    return "this machine is not in touch with the fleet: " + safe(bus["because"].as_string()) +
           "\n";
  const std::string note = safe(bus["note"].as_string());
  return note.empty() ? "" : note + "\n";
}

size_t online(const Json& list) {
  size_t count = 0;
  for (const auto& node : list["nodes"].items()) count += node["online"].as_bool() ? 1 : 0;
  return count;
}

// Asked until the bus is reached or says why not, or the time is over.
Asked reached(const Command& command) {
  const MonoTime until = os::read_clock().mono + kJoinedWithin;
  for (;;) {
    Asked asked = ask(command, "fleet ls", Json::object());
    if (!asked.result) return asked;
    const Json& bus = (*asked.result)["bus"];
    const bool there = bus["online"].as_bool() && online(*asked.result) > 0;
    if (there || os::read_clock().mono >= until) return asked;
    ::poll(nullptr, 0, kLooksMs);
  }
}

}  // namespace

std::string unit_line(const Json& task) {
  std::string out = safe(task["task_name"].as_string()) + ": " + safe(task["status"].as_string());
  if (task["machine"].is_string()) out += " on " + safe(task["machine"].as_string());
  if (task["detail"].is_string()) out += ": " + safe(task["detail"].as_string());
  return out + "\n";
}

int fleet_join(const Command& command) {
  Json args = command.args();
  for (const char* key : {"creds", "ca"}) {
    const std::string file = args[key].as_string();
    if (file.empty()) continue;
    if (::access(file.c_str(), R_OK) != 0)
      return complain(
          {"--" + std::string(key) + ": cannot read " + file, "name a file of yours", 2});
    args.set(key, os::absolute(file, os::current_dir()));
  }
  const Asked joined = ask(command, "fleet join", args);
  if (!joined.result) return joined.code;
  const std::string node = (*joined.result)["node"].as_string();
  const Asked there = reached(command);
  if (!there.result) return there.code;
  const Json& bus = (*there.result)["bus"];
  if (command.json()) print_json(*there.result);
  if (!bus["online"].as_bool())
    return complain(
        {fmt::format("{} is not in the fleet yet: {}", node, safe(bus["because"].as_string())),
         "it is tried again and again; pawl fleet leave ends that", 1});
  if (!command.json())
    print(fmt::format("joined as {}: {} online\n{}", node, online(*there.result), bus_line(bus)));
  return 0;
}

int fleet_leave(const Command& command) {
  const auto asked = ask(command, "fleet leave", command.args());
  if (!asked.result) return asked.code;
  if (command.json())
    print_json(*asked.result);
  else
    print("left the fleet; agents of this machine go on\n");
  return 0;
}

int fleet_ls(const Command& command) {
  const auto asked = ask(command, "fleet ls", Json::object());
  if (!asked.result) return asked.code;
  if (command.json()) {
    print_json(*asked.result);
    return 0;
  }
  const Json& list = *asked.result;
  const WallTime now = os::read_clock().wall;
  if (list["bus"].is_null()) {
    print("not in a fleet: join one with  pawl fleet join nats://HOST:4222\n");
    return 0;
  }
  print(paint(look_of(STDOUT_FILENO), "1",
              fmt::format("{}  {}  {}  WHAT", fit("NODE", 24), fit("STATE", 7), fit("FOR", 7))) +
        "\n");
  for (const auto& node : list["nodes"].items()) print(node_row(node, now));
  print(bus_line(list["bus"]));
  return 0;
}

}  // namespace pawl::cli
