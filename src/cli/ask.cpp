#include "cli/ask.h"

#include <cstdio>

namespace pawl::cli {

void print(std::string_view text) {
  std::fwrite(text.data(), 1, text.size(), stdout);
  std::fflush(stdout);
}

void print_json(const Json& json) {
  print(json.dump(2) + "\n");
}

Asked ask(const Command& command, const std::string& verb, const Json& args, bool environment,
          const Client::Sinks& sinks) {
  auto client = Client::connect(command.home, Client::Start::yes);
  if (!client) return {std::nullopt, complain(client.error())};
  auto result = client->ask(Client::request(verb, args, environment), sinks);
  // A daemon that was killed this very moment still had its socket: looking can be tried again, acting cannot.
  if (!result && result.error().what == kDaemonGone &&
      command.parsed.verb->access == api::Access::look) {
    client = Client::connect(command.home, Client::Start::yes);
    if (client) result = client->ask(Client::request(verb, args, environment), sinks);
  }
  if (!result) return {std::nullopt, complain(result.error())};
  return {std::move(*result), 0};
}

int report(const Command& command, const Asked& asked, const std::string& done_word,
           const std::string& left_word) {
  if (!asked.result) return asked.code;
  int code = 0;
  for (const auto& text : (*asked.result)["complaints"].as_strings())
    std::fprintf(stderr, "pawl: %s\n", text.c_str());
  for (const auto& entry : (*asked.result)["results"].items()) {
    const std::string name = entry["name"].as_string();
    if (entry["ok"].as_bool()) {
      const bool left = !left_word.empty() && entry["state"].is_null();
      if (!command.json()) print(name + " " + (left ? left_word : done_word) + "\n");
    } else {
      std::fprintf(stderr, "pawl: %s: %s\n", name.c_str(), entry["error"].as_string().c_str());
      code = 1;
    }
  }
  if (command.json()) print_json(*asked.result);
  return code;
}

}  // namespace pawl::cli
