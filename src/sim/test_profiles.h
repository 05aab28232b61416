#pragma once
// For tests: the profiles that are built in, read once.

#include "perceive/profile/catalog.h"

namespace pawl::sim {

inline const perceive::Catalog& test_profiles() {
  static const perceive::Catalog catalog = perceive::Catalog::built_in();
  return catalog;
}

}  // namespace pawl::sim
