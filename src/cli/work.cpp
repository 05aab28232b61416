#include "cli/work.h"

#include <fmt/core.h>

#include "cli/ask.h"
#include "cli/style.h"
#include "cli/talk.h"
#include "os/clock.h"
#include "os/random.h"

namespace pawl::cli {
namespace {

// Prints the sentence, or the JSON as it came.
template <class Say>
int ask_and_say(const Command& command, const std::string& verb, const Json& args, Say say) {
  const auto asked = ask(command, verb, args);
  if (!asked.result) return asked.code;
  if (command.json())
    print_json(*asked.result);
  else
    print(say(*asked.result));
  return 0;
}

std::string row(const Json& item) {
  return fmt::format("{}  {}  {}  {}\n", fit(item["state"].as_string(), 7),
                     fit(item["priority"].as_string(), 8),
                     fit(safe(item["from"].as_string("-")), 16), safe(item["id"].as_string()));
}

std::string items_of(const Json& inbox) {
  if (inbox["items"].items().empty()) return "nothing waits for it\n";
  std::string out =
      fmt::format("{}  {}  {}  ID\n", fit("STATE", 7), fit("PRIORITY", 8), fit("FROM", 16));
  for (const auto& item : inbox["items"].items()) out += row(item);
  return out;
}

std::string archived(const Json& archive) {
  if (archive["archived"].items().empty()) return "nothing was put away for it\n";
  std::string out;
  for (const auto& one : archive["archived"].items())
    out += fmt::format("{}  {} MB  from {}\n", safe(one["id"].as_string()),
                       one["size"].as_int() >> 20, safe(one["origin"].as_string()));
  return out;
}

}  // namespace

// "default-20261119t113745-3f2a": a unit of work needs a name of its own.
static std::string unit_name(const std::string& queue) {
  std::string time = rfc3339(os::read_clock().wall).substr(0, 19);
  std::erase_if(time, [](char c) { return c == '-' || c == ':'; });
  time[8] = 't';
  return queue + "-" + time + "-" + os::random_uuid().substr(0, 4);
}

static bool is_lowercase_name(const std::string& text) {
  return text.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-") == std::string::npos &&
         text[0] != '-';
}

// Work for whichever machine of the fleet takes from that queue: a task there, with what its [defaults] say.
static int inbox_of_fleet(const Command& command, Json args) {
  const std::string queue = args["fleet"].as_string();
  if (queue.empty() || queue.size() > 40 || !is_lowercase_name(queue))
    return complain({"inbox add: bad queue name '" + safe(queue) + "'",
                     "use lowercase letters, digits and '-', at most 40", 2});
  if (args["priority"].is_string() || args["from"].is_string())
    return complain({"inbox add --fleet: --from and --priority are for an agent's inbox",
                     "leave them out; say in the text who it is from", 2});
  if (args["text"].is_string() && args["name"].is_string())
    return complain({"inbox add --fleet: an agent and a queue", "give one of them", 2});
  if (args["name"].is_string()) args.set("text", args["name"]);
  int code = 0;
  if (!text_into(args, "inbox add", true, code)) return code;
  const Json task = Json::object({{"name", unit_name(queue)},
                                  {"on", "any"},
                                  {"needs", "queue=" + queue},
                                  {"prompt", args["text"].as_string()}});
  return ask_and_say(command, "task start", task, [&](const Json& given) {
    const std::string name = safe(given["task_name"].as_string());
    return fmt::format("{} waits for a machine that takes from {}: pawl task status {}\n", name,
                       queue, name);
  });
}

int inbox_add(const Command& command) {
  Json args = command.args();
  if (args["fleet"].is_string()) return inbox_of_fleet(command, std::move(args));
  if (!args["name"].is_string())
    return complain({"inbox add: which agent?", "pawl inbox add NAME TEXT", 2});
  int code = 0;
  if (!text_into(args, "inbox add", true, code)) return code;
  return ask_and_say(command, "inbox add", args, [](const Json& added) {
    if (added["item"].as_bool())
      return fmt::format("{0} is away: it waits on the fleet's bus for {0}/{1}\n",
                         safe(added["machine"].as_string()), safe(added["name"].as_string()));
    return added["id"].as_string() + " waits for " + added["name"].as_string() + "\n";
  });
}

int inbox_ls(const Command& command) {
  return ask_and_say(command, "inbox ls", command.args(), items_of);
}

int inbox_done(const Command& command) {
  return ask_and_say(command, "inbox done", command.args(), [](const Json& done) {
    return done["id"].as_string() + " of " + done["name"].as_string() + " is done\n";
  });
}

int archive_ls(const Command& command) {
  return ask_and_say(command, "archive ls", command.args(), archived);
}

int archive_restore(const Command& command) {
  return ask_and_say(command, "archive restore", command.args(), [](const Json& back) {
    return safe(back["path"].as_string()) + " is back\n";
  });
}

}  // namespace pawl::cli
