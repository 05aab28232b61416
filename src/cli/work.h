#pragma once
// `pawl inbox …` and `pawl archive …`.

#include "cli/commands.h"

namespace pawl::cli {

int inbox_add(const Command& command);
int inbox_ls(const Command& command);
int inbox_done(const Command& command);
int archive_ls(const Command& command);
int archive_restore(const Command& command);

}  // namespace pawl::cli
