#include "cli/serve.h"

#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>

#include "cli/ask.h"
#include "cli/authority.h"
#include "cli/style.h"
#include "os/clock.h"
#include "os/file.h"

namespace pawl::cli {
namespace {

std::string sentence(const Json& result, bool link_only) {
  const std::string url = result["url"].as_string();
  if (link_only) return url + "\n";
  std::string out = fmt::format("listening at {}{}\n", result["address"].as_string(),
                                result["control"].as_bool() ? "" : ", without control");
  if (result["fingerprint"].is_string())
    out += fmt::format("certificate: SHA-256 {}\n", result["fingerprint"].as_string());
  if (result["ca"].is_string())
    out += "browsers trust it once they have the CA of this machine: pawl serve --ca\n";
  return out + fmt::format("open, once, within 10 minutes:\n  {}\n", url);
}

std::string age(const Json& browser, WallTime now) {
  WallTime seen;
  if (!parse_rfc3339(browser["seen"].as_string(), seen)) return "?";
  return short_duration(std::max(now - seen, Duration{0}));
}

std::string sessions_text(const Json& result, const Look& look) {
  std::string out;
  if (result.has("revoked")) out += fmt::format("signed out: {}\n", result["revoked"].as_int());
  if (result["sessions"].items().empty()) return out + "no browser is signed in\n";
  const auto line = [](const std::string& id, const std::string& name, const std::string& role,
                       const std::string& from, const std::string& used) {
    return fit(id, 8) + fit(name, 28) + fit(role, 10) + fit(from, 26) + used + "\n";
  };
  out += paint(look, "1", line("ID", "NAME", "ROLE", "FROM", "LAST USED"));
  const WallTime now = os::read_clock().wall;
  for (const auto& one : result["sessions"].items())
    out += line(one["id"].as_string(), safe(one["name"].as_string()), one["role"].as_string(),
                safe(one["address"].as_string()), age(one, now) + " ago");
  return out;
}

}  // namespace

int serve(const Command& command) {
  Json args = command.args();
  for (const char* file : {"cert", "key"})
    if (args[file].is_string())
      args.set(file, os::absolute(args[file].as_string(), os::current_dir()));
  const auto asked = ask(command, "serve", args);
  if (!asked.result) return asked.code;
  if (command.json())
    print_json(*asked.result);
  else if (asked.result->has("stopped"))
    print((*asked.result)["stopped"].as_bool() ? "stopped\n" : "nothing was listening\n");
  else if (asked.result->has("sessions"))
    print(sessions_text(*asked.result, look_of(STDOUT_FILENO)));
  else if (args["ca"].as_bool())
    print(::isatty(STDOUT_FILENO) == 1 ? authority_text(*asked.result, look_of(STDOUT_FILENO))
                                       : (*asked.result)["ca"].as_string());
  else
    print(sentence(*asked.result, args["url"].as_bool()));
  if (!command.json())
    for (const auto& note : (*asked.result)["notes"].as_strings())
      fmt::print(stderr, "pawl: {}\n", note);
  return 0;
}

}  // namespace pawl::cli
