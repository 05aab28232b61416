#pragma once
// How a rule says what it sees, and the rules that are not about box and turn (rules_beside.cpp).

#include <optional>
#include <string>
#include <utility>

#include "perceive/evidence.h"
#include "perceive/verdict.h"

namespace pawl::perceive {

inline Reading say(model::State state, Tier tier, std::string because, double confidence = 1,
                   std::string kind = {}) {
  Reading reading;
  reading.verdict = {state, std::move(kind), tier, std::move(because), confidence};
  return reading;
}

inline Reading wait_until(MonoTime when) {
  Reading reading;
  reading.hold = true;
  reading.again = when;
  return reading;
}

std::string quoted(const std::string& text);

// Nothing is written for so long before it is ready.
Duration quiet_needed(const Evidence& evidence);
std::optional<Reading> loading(const Evidence& evidence);
std::optional<Reading> stopped(const Evidence& evidence);
std::optional<Reading> work_behind(const Evidence& evidence);

// A sign of work is on the screen, and counts; the time from which it does not, if it may be something else.
bool looks_busy(const Evidence& evidence);
std::optional<MonoTime> row_void_from(const Evidence& evidence);

}  // namespace pawl::perceive
