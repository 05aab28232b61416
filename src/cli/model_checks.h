#pragma once
// What `pawl doctor` says of models: the day of each runtime's table of short names, and full names that are gone. Nobody can be asked
// without an account and a network; what is known is what tasks of this machine were told.

#include "cli/checks.h"
#include "perceive/profile/catalog.h"

namespace pawl::cli {

void add_model_tables(const perceive::Catalog& catalog, Checks& checks);
// Answers to `task ls`: tasks that failed, and tasks that were completed. A model that did not exist, and with which nothing was
// completed since, is gone.
void add_gone_models(const Json& failed, const Json& completed, Checks& checks);

}  // namespace pawl::cli
