#include "cli/work.h"

#include <fmt/core.h>

#include "cli/ask.h"
#include "cli/style.h"
#include "cli/talk.h"

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

int inbox_add(const Command& command) {
  Json args = command.args();
  int code = 0;
  if (!text_into(args, "inbox add", true, code)) return code;
  return ask_and_say(command, "inbox add", args, [](const Json& added) {
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
