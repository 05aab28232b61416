#pragma once
// The recordings of test/corpus as the emulator's tests need them: size, output bytes, borders of
// the reads.

#include <cstdint>
#include <string>
#include <vector>

#include "base/units.h"

namespace pawl::test {

struct Recording {
  std::string name;  // "claude/idle"
  Size size;
  std::string output;
  std::vector<size_t> reads;  // offsets after each read(2) of the recorder
};

std::vector<std::string> recording_names();  // sorted
Recording load_recording(const std::string& name);

}  // namespace pawl::test
