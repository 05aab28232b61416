#pragma once
// What the demo agent does by itself in each scene: a list of steps, played while it is busy.

#include <string>
#include <string_view>
#include <vector>

namespace demo {

enum class Do { prose, tool, result, ask, choose, limit, crash, leave };

struct Step {
  Do what;
  double seconds;    // how long it takes
  std::string text;  // said, run or asked for; of a limit: when it resets
};

// What it asks in a dialog, and what it says when one of the first two rows is chosen; the third refuses.
struct Question {
  const char* words;
  const char* rows[3];
  const char* kind;     // as it reports it
  const char* said[2];  // before the text of the step
};
const Question& question(Do what);

// Nothing for "idle"; null pointer for a name that is no scene.
const std::vector<Step>* scene(std::string_view name);
// The turn that answers a prompt typed by a person.
const std::vector<Step>& reply();
std::string scene_names();

}  // namespace demo
