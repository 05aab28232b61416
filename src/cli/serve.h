#pragma once
// `pawl serve`: asks the daemon to serve, and prints where, and a link that works once; or the CA of its certificate.

#include "cli/commands.h"

namespace pawl::cli {

int serve(const Command& command);

}  // namespace pawl::cli
