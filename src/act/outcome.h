#pragma once
// How a procedure goes on, and how it ends.

#include <optional>
#include <string>

#include "base/clock.h"

namespace pawl::act {

enum class Verdict {
  confirmed,   // a witness saw it
  stuck,       // it is certain that it did not work: the text is still there, or never arrived
  unverified,  // written, and nobody can say
  refused,     // the program heard of it, and a hook of its own said no
  withdrawn    // not a byte was written: it may be tried again
};

struct Outcome {
  Verdict verdict = Verdict::unverified;
  std::string witness;      // how it is known
  bool draft_lost = false;  // what was kept on disk is not in the box any more
  bool left = false;        // our own text may be in the box still
};

struct Step {
  std::string write;                // to the terminal, now
  std::optional<std::string> keep;  // a person's draft: to be safe on disk before `write` is done
  std::optional<MonoTime> again;    // look again then, even if nothing changed
  std::optional<Outcome> outcome;   // the end
};

}  // namespace pawl::act
