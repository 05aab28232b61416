// pawl: one executable. The command line is a client even here; `pawl daemon` is the other half.

#include "cli/main.h"

#include "daemon/daemon.h"

int main(int argc, char** argv) {
  return pawl::cli::main(argc, argv, pawl::daemon::run);
}
