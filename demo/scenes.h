#pragma once
// What the demo agent does by itself in each scene: a list of steps, played while it is busy.

#include <string>
#include <string_view>
#include <vector>

namespace demo {

enum class Do { prose, tool, result, ask, limit, crash, leave };

struct Step {
  Do what;
  double seconds;    // how long it takes
  std::string text;  // said, run or asked for; of a limit: when it resets
};

// Nothing for "idle"; null pointer for a name that is no scene.
const std::vector<Step>* scene(std::string_view name);
// The turn that answers a prompt typed by a person.
const std::vector<Step>& reply();
std::string scene_names();

}  // namespace demo
