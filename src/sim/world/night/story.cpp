#include "sim/world/night/story.h"

#include <array>

namespace pawl::sim {
namespace {

constexpr std::array<std::string_view, kDoings> kWords{
    "types",          "submits",       "clears",         "presses",       "befalls",
    "answers",        "sends",         "gives work",     "rewrites",      "takes back",
    "wakes",          "pauses",        "resumes",        "stops",         "starts",
    "restarts",       "runs task",     "cancels task",   "resumes task",  "loses folder",
    "loses lease",    "kills daemon",  "kills holder",   "suspends",      "sets clock",
    "fills disk",     "frees disk",    "breaks reading", "mends reading", "puts pipe",
    "slows host",     "quickens host", "hangs kernel",   "wakes kernel",  "deletes home",
    "limits account", "service fails", "service works",  "reboots",       "hangs mount",
    "mends mount",    "cuts bus",      "calms"};

}  // namespace

std::string_view word(Does does) {
  return kWords[static_cast<size_t>(does)];
}

std::optional<Does> does_from(std::string_view word) {
  for (size_t i = 0; i < kWords.size(); ++i)
    if (kWords[i] == word) return static_cast<Does>(i);
  return std::nullopt;
}

}  // namespace pawl::sim
