#pragma once
// From screens that a person named (still.h) to a profile: where the input box is and what is in it when it is empty, what is
// on the screen only while the program works, and what only while it asks. Pure. Used by `pawl calibrate`; the profile is a
// file like any other, with comments that say from which samples each rule was learnt, to be read and bettered by people.

#include <string>
#include <vector>

#include "perceive/learn/still.h"

namespace pawl::perceive {

struct LearnHints {
  std::string name;                    // of the profile
  std::vector<std::string> processes;  // that were in front of the terminal
  std::vector<std::string> arguments;  // that tell it from other programs of its interpreter
};

struct LearnedProfile {
  std::string name;
  std::string toml;
  std::vector<std::string> notes;  // what could not be learnt, and what to add
};

// At least one idle and one busy sample. A typing sample shows where text begins; without a dialog no dialog is known.
Result<LearnedProfile> learn(const LearnHints& hints, const std::vector<Still>& stills);

// The box alone: [[box]] and what it holds while it is empty, as lines of a profile.
struct LearnedBox {
  std::string rows;          // to stand at the end of one
  std::string placeholders;  // … and at its beginning
  Still idle;                // the last picture it was learnt from
};
// Read back: in the idle and the typing samples it is where the learner says, and only a typing one has a draft.
Result<LearnedBox> learn_only_box(const std::vector<Still>& stills);

// The stills that this profile reads wrongly.
struct Misread {
  size_t index = 0;
  Verdict verdict;
};
struct Trial {
  std::vector<Misread> wrong;
  size_t right = 0;
  size_t generic_right = 0;  // by the built-in profile for unknown programs
};
Result<Trial> try_profile(const std::string& toml, const std::string& path,
                          const std::vector<Still>& stills);

}  // namespace pawl::perceive
