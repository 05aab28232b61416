// pawl: one executable. The command line is a client even here; `pawl daemon` is the other half, and tmux runs two small
// helpers of it.

#include "cli/main.h"

#include <string_view>

#include "daemon/daemon.h"
#include "host/tmux/relay_point.h"

int main(int argc, char** argv) {
  const std::string_view verb = argc > 1 ? argv[1] : "";
  // A pane's, when it is not another machine's (cli/relay.h).
  const bool machines = argc > 2 && std::string_view(argv[2]) == "--from";
  if (verb == "__relay" && !machines) return pawl::host::relay_main(argc - 1, argv + 1);
  if (verb == "__gate") return pawl::host::gate_main(argc - 1, argv + 1);
  return pawl::cli::main(argc, argv,
                         [](const std::string& home, const pawl::cli::DaemonWish& wish,
                            const std::function<void()>& ready) {
                           return pawl::daemon::run(home, wish.dry_run, wish.drain_s, ready);
                         });
}
