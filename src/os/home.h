#pragma once
// PAWL_HOME: the one folder that holds everything of one fleet (default $XDG_STATE_HOME/pawl, that is ~/.local/state/pawl).
// Two homes never meet.

#include <string>

#include "base/result.h"

namespace pawl::os {

std::string home_dir();  // absolute; not created

// Creates it 0700, or says why it cannot be used: not a folder, somebody else's, open to others.
Done prepare_home(const std::string& home);

// PAWL_CONFIG, else $XDG_CONFIG_HOME/pawl/pawl.toml, that is ~/.config/pawl/pawl.toml. May be missing.
std::string config_path();
// The folder of that file: profiles/ is beside it.
std::string config_dir();

inline constexpr const char* kSocketName = "pawl.sock";
inline constexpr const char* kLockName = "daemon.lock";
inline constexpr const char* kLogName = "daemon.log";
inline constexpr const char* kAliveName =
    "alive";  // its time is when a daemon last was; from when it is ready on

}  // namespace pawl::os
