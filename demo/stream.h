#pragma once
// The demo agent's modes without a panel, for tests and benches.

#include <cstdint>
#include <string>

namespace demo {

struct PrintOptions {
  uint64_t bytes = 0;
  uint64_t seed = 0;
  uint64_t rate = 0;  // bytes a second; 0: as fast as the terminal takes them
};

// Exactly `bytes` bytes of coloured UTF-8 text, the same for the same seed. False when stdout
// broke.
bool print_stream(const PrintOptions& options);
// One spinner frame every 1/hz s, for `seconds` (0: until killed).
bool spin(double hz, double seconds);
// Every line of stdin back as "echo: LINE".
bool echo_lines();

// Appends a line to the file that PAWL_DEMO_PROMPTS names, when it names one: what was submitted.
void note_prompt(const std::string& prompt);

}  // namespace demo
