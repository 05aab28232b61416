#pragma once
// One number for everything that was written down in a night: two runs of one seed have the same.

#include <cstdint>
#include <string_view>

#include "model/event.h"

namespace pawl::sim {

inline uint64_t digest_of(uint64_t before, std::string_view bytes) {
  uint64_t out = before ^ 0xcbf29ce484222325u;
  for (const char c : bytes) out = (out ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
  return out;
}

inline uint64_t digest_of(uint64_t before, const model::Event& event) {
  before = digest_of(before, event.agent);
  before = digest_of(before, model::body_of(event.fact).dump());
  return before ^ static_cast<uint64_t>(event.at.time_since_epoch().count());
}

}  // namespace pawl::sim
