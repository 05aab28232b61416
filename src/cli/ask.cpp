#include "cli/ask.h"

#include <fmt/core.h>
#include <poll.h>

#include <cstdio>

#include "base/text.h"
#include "cli/machine.h"
#include "cli/table.h"
#include "os/clock.h"

namespace pawl::cli {
namespace {

constexpr const char* kMayBeDone = "; what was asked may still be done";

// Who waits for an agent, follows something or said how long waits by that clock.
Patience patience_of(const std::string& verb, const Json& args) {
  Patience out;
  const std::string limit = args["timeout"].as_string();
  out.own_clock =
      verb == "wait" || verb == "task wait" || args["follow"].as_bool() || !limit.empty();
  if (const auto seconds = parse_duration_s(limit); !limit.empty() && seconds)
    out.at_most = std::chrono::duration_cast<Duration>(std::chrono::duration<double>(*seconds));
  return out;
}

}  // namespace

void print(std::string_view text) {
  std::fwrite(text.data(), 1, text.size(), stdout);
  std::fflush(stdout);
}

void print_json(const Json& json) {
  print(json.dump(2) + "\n");
}

Result<Json> answer_of(const Command& command, const std::string& verb, const Json& args,
                       Client::Environment environment, const Client::Sinks& sinks) {
  auto client = Client::connect(command.home, Client::Start::yes);
  if (!client) return tl::unexpected(client.error());
  const Patience patience = patience_of(verb, args);
  const bool looks = command.parsed.verb->use.access == api::Access::look;
  auto result = client->ask(Client::request(verb, args, environment), sinks, patience);
  // A daemon that was killed this very moment still had its socket: looking can be tried again, acting cannot.
  if (!result && result.error().what == kDaemonGone && looks) {
    client = Client::connect(command.home, Client::Start::yes);
    if (client) result = client->ask(Client::request(verb, args, environment), sinks, patience);
  }
  if (!result && !command.machine.empty()) return said_there(command, verb, result.error());
  if (!result && !looks && client && client->pulse().silent()) {
    Error error = result.error();
    error.fix += kMayBeDone;
    return tl::unexpected(error);
  }
  return result;
}

namespace {

constexpr Duration kNextDaemon = std::chrono::seconds{30};
constexpr int kLookEveryMs = 200;
constexpr int kTimedOut = 124;

// Nothing: it is not there yet.
std::optional<Result<Client>> next_daemon(const std::string& home, MonoTime gone) {
  const bool late = os::read_clock().mono - gone >= kNextDaemon;
  auto client = Client::connect(home, late ? Client::Start::yes : Client::Start::no);
  if (!client && !late) return std::nullopt;
  return client;
}

}  // namespace

Asked ask_patiently(const Command& command, const std::string& verb, Json args,
                    const Client::Sinks& sinks, const std::function<void(Json&)>& again) {
  const Patience patience = patience_of(verb, args);
  const auto until =
      patience.at_most ? std::optional(os::read_clock().mono + *patience.at_most) : std::nullopt;
  auto client = Client::connect(command.home, Client::Start::yes);
  for (;;) {
    if (!client) return {std::nullopt, complain(client.error())};
    auto result = client->ask(Client::request(verb, args), sinks, patience_of(verb, args));
    if (result) return {std::move(*result), 0};
    if (result.error().what != kDaemonGone) return {std::nullopt, complain(result.error())};
    std::fprintf(stderr, "pawl: the daemon has gone; waiting for the next one\n");
    std::optional<Result<Client>> next;
    for (const MonoTime gone = os::read_clock().mono; !next;) {
      ::poll(nullptr, 0, kLookEveryMs);
      if (until && os::read_clock().mono >= *until)
        return {std::nullopt, complain({"time is over, and no daemon is running",
                                        "wait again; any command starts one", kTimedOut})};
      next = next_daemon(command.home, gone);
    }
    client = std::move(*next);
    if (again) again(args);
    if (until)
      args.set("timeout",
               fmt::format("{:.3f}s",
                           std::chrono::duration<double>(*until - os::read_clock().mono).count()));
  }
}

bool may_still_be_done(const Error& error) {
  return error.what == kDaemonGone || error.fix.ends_with(kMayBeDone);
}

Asked ask(const Command& command, const std::string& verb, const Json& args,
          Client::Environment environment, const Client::Sinks& sinks) {
  auto result = answer_of(command, verb, args, environment, sinks);
  if (!result) return {std::nullopt, complain(result.error())};
  if (!(*result)["kept"].as_bool()) return {std::move(*result), 0};
  if (command.json())
    print_json(*result);
  else
    print(fmt::format("{}; it is done when {} is reached again, until {}\n",
                      safe((*result)["because"].as_string()),
                      safe((*result)["machine"].as_string()),
                      safe((*result)["until"].as_string())));
  return {std::nullopt, 0};
}

int report(const Command& command, const Asked& asked, const std::string& done_word,
           const std::string& left_word) {
  if (!asked.result) return asked.code;
  int code = 0;
  for (const auto& text : (*asked.result)["complaints"].as_strings())
    std::fprintf(stderr, "pawl: %s\n", text.c_str());
  for (const auto& entry : (*asked.result)["results"].items()) {
    const std::string name = name_in(entry, "name");
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
