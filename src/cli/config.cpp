#include "cli/config.h"

#include <fmt/core.h>

#include <cstdio>

#include "model/config.h"
#include "os/file.h"
#include "os/home.h"

namespace pawl::cli {
namespace {

std::string path_of(const Json& args) {
  if (args["file"].is_string()) return os::absolute(args["file"].as_string(), os::current_dir());
  const std::string here = os::current_dir() + "/pawl.toml";
  return os::exists(here) ? here : os::config_path();
}

}  // namespace

int config(const Command& command) {
  const Json& args = command.args();
  if (args["what"].as_string() != "check")
    return complain(
        {"config: '" + args["what"].as_string() + "' is not known", "pawl config check", 2});
  const std::string path = path_of(args);
  const auto text = os::read_stream(path);
  if (!text) return complain({text.error().what, "name one: pawl config check FILE", 1});
  const auto read = model::read_config(*text, path);
  if (!read) return complain(read.error());
  if (command.json()) {
    Json mistakes = Json::array();
    for (const auto& error : read->repairs) mistakes.push(text_of(error));
    std::printf("%s\n", Json::object({{"version", 1},
                                      {"path", path},
                                      {"agents", read->config.agents.size()},
                                      {"mistakes", mistakes}})
                            .dump()
                            .c_str());
  } else {
    for (const auto& error : read->repairs)
      std::fprintf(stderr, "pawl: %s\n", text_of(error).c_str());
    std::printf("%s: %zu agents, %zu mistakes\n", path.c_str(), read->config.agents.size(),
                read->repairs.size());
  }
  return read->repairs.empty() ? 0 : 1;
}

}  // namespace pawl::cli
