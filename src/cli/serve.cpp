#include "cli/serve.h"

#include <fmt/core.h>
#include <unistd.h>

#include "cli/ask.h"
#include "cli/authority.h"
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
