#pragma once
// The proof that killing the daemon loses nothing: one program in three roles (survive_main.cpp
// picks).
//   the driver kills the daemon fifty times and compares; the daemon appends what it gets to files
//   and acknowledges; the printers print known bytes.

#include <cstdint>
#include <string>

#include "host/host.h"

namespace pawl::host::survive {

constexpr int kPrinters = 8;
constexpr int kKills = 50;
constexpr uint64_t kBytes = 50'000'000;
constexpr uint64_t kBytesEach = kBytes / kPrinters;
constexpr int kPrintMs = 15000;  // how long each printer takes, so that every kill hits living ones

int run_driver(const std::string& program, uint64_t seed);
int run_daemon(const std::string& program, const std::string& home);
int run_printer(uint64_t number);

// The last printer ends itself by a signal, the others exit with a number of their own.
std::string expected_end(uint64_t number);
std::string end_text(const Ended& ended);
std::string output_path(const std::string& home, uint64_t number);
std::string end_path(const std::string& home, uint64_t number);

}  // namespace pawl::host::survive
