#pragma once
// The profiles in force: the built-in ones, and those of the user's configuration directory over them. A file that cannot be
// used is complained about and left out; the built-in profile of that name stays.

#include <string>
#include <vector>

#include "perceive/profile/catalog.h"

namespace pawl::api {

struct Profiles {
  perceive::Catalog catalog;
  std::vector<Error> complaints;
};

// `config`: the directory of pawl.toml; its profiles/*.toml are read.
Profiles load_profiles(const std::string& config);

}  // namespace pawl::api
