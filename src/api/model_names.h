#pragma once
// Which model a task is to use (R5). A short name has to be in a table: the user's [models], or what its runtime's profile knows of
// that day (profiles/*.toml, [models]). Full names pass, whatever they are; so does every name for a runtime without a table.

#include <string>

#include "base/result.h"
#include "model/config.h"
#include "perceive/profile/profile.h"

namespace pawl::api {

// `profile`: of its runtime; null: nobody described that.
Result<std::string> full_model_name(const model::Config& config, const perceive::Profile* profile,
                                    const std::string& name);

}  // namespace pawl::api
