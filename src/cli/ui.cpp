#include "cli/ui.h"

#include <unistd.h>

#include <cstdio>
#include <cstdlib>

#include "cli/client.h"
#include "cli/commands.h"
#include "cli/ui_program.h"

namespace pawl::cli {
namespace {

std::string variable_or_empty(const char* name) {
  const char* value = std::getenv(name);
  return value ? value : "";
}

bool has_terminal() {
  return ::isatty(STDIN_FILENO) && ::isatty(STDOUT_FILENO);
}

}  // namespace

bool ui_fits() {
  return has_terminal() && ui::usable(variable_or_empty("TERM"));
}

int run_ui(const std::string& home) {
  const std::string term = variable_or_empty("TERM");
  if (!has_terminal())
    return complain({"ui needs a terminal", "use pawl ls, or pawl events -f", 2});
  if (!ui::usable(term))
    return complain({"ui needs a terminal that can move its cursor; TERM is " +
                         (term.empty() ? "not set" : "'" + term + "'"),
                     "set TERM, for example to xterm, or use pawl ls", 2});
  // Starts the daemon, and says why when it cannot.
  if (const auto client = Client::connect(home, Client::Start::yes); !client)
    return complain(client.error());
  const auto colours =
      ui::colours_of(term, variable_or_empty("COLORTERM"), !variable_or_empty("NO_COLOR").empty());
  return with_raw_terminal([&](int winch_fd) { return UiProgram(home, colours).run(winch_fd); });
}

}  // namespace pawl::cli
