#pragma once
// What verbs that talk to the daemon share: ask it, print what it says.

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "cli/client.h"
#include "cli/commands.h"

namespace pawl::cli {

void print(std::string_view text);
void print_json(const Json& json);

// Connects and asks; errors are printed. An empty result: exit with `code`.
struct Asked {
  std::optional<Json> result;
  int code = 0;
};
Asked ask(const Command& command, const std::string& verb, const Json& args,
          Client::Environment environment = Client::Environment::left_out,
          const Client::Sinks& sinks = {});

// The same, and the error is for the caller.
Result<Json> answer_of(const Command& command, const std::string& verb, const Json& args,
                       Client::Environment environment = Client::Environment::left_out,
                       const Client::Sinks& sinks = {});

// Nobody knows what becomes of what was asked: the daemon does not answer.
bool may_still_be_done(const Error& error);

// The same for who waits for something, or reads along: when the daemon goes, the next one is waited for and asked again. Nobody
// starts it within half a minute: then it is started. `again` makes the next request of the last.
Asked ask_patiently(const Command& command, const std::string& verb, Json args,
                    const Client::Sinks& sinks = {}, const std::function<void(Json&)>& again = {});

// "NAME started" lines of a verb for several agents, and the errors on stderr; gives the exit code. `left_word`: for those that
// are not Pawl's any more.
int report(const Command& command, const Asked& asked, const std::string& done_word,
           const std::string& left_word = "");

}  // namespace pawl::cli
