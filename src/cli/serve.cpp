#include "cli/serve.h"

#include <fmt/core.h>

#include "cli/ask.h"
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
  else
    print(sentence(*asked.result, args["url"].as_bool()));
  return 0;
}

}  // namespace pawl::cli
