#pragma once
// The full-screen interface as a program: a client of the local socket, as `ls -w` is. What is to be seen and what a key does is in
// src/ui; this has the terminal, the connections, the clock, and the verbs that it runs as `pawl VERB`.

#include <string>

namespace pawl::cli {

// Until q. The exit code.
int run_ui(const std::string& home);
// Standard input and output are a terminal that can show it.
bool ui_fits();

}  // namespace pawl::cli
