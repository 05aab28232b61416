#pragma once
// `pawl doctor`: is everything in order, and if not, what to do.

#include <string>

namespace pawl::cli {

int doctor(const std::string& home, bool json);

}  // namespace pawl::cli
