#include "sim/world/night/shrink.h"

#include <algorithm>

#include "sim/world/agents/behaviour_fields.h"

namespace pawl::sim {
namespace {

class Shrinking {
 public:
  Shrinking(const NightStory& story, const Violation& violation, const Play& play, size_t most)
      : best_{story, violation}, play_(play), most_(most) {}

  Shrunk run() {
    only_the_one();
    drop(&NightStory::actors);
    drop(&NightStory::tasks);
    drop(&NightStory::doings);
    for (size_t i = 0; i < best_.story.actors.size(); ++i)
      plainer([i](NightStory& story) -> Behaviour& { return story.actors[i].behaviour; });
    for (size_t i = 0; i < best_.story.tasks.size(); ++i)
      plainer([i](NightStory& story) -> TaskWays& { return story.tasks[i].ways; });
    drop(&NightStory::doings);
    return std::move(best_);
  }

 private:
  // Plays it; when it goes wrong in the same way it is the best so far.
  bool still(NightStory story) {
    if (best_.plays >= most_) return false;
    ++best_.plays;
    for (const auto& one : play_(story)) {
      if (one.checker != best_.violation.checker) continue;
      best_.story = std::move(story);
      best_.violation = one;
      return true;
    }
    return false;
  }
  // Most often nobody else is needed.
  void only_the_one() {
    const std::string& name = best_.violation.agent;
    if (name.empty()) return;
    NightStory story = best_.story;
    std::erase_if(story.actors, [&](const Actor& one) { return one.spec.name != name; });
    std::erase_if(story.tasks, [&](const TaskActor& one) { return one.spec.name != name; });
    std::erase_if(story.doings,
                  [&](const Doing& one) { return !one.agent.empty() && one.agent != name; });
    still(std::move(story));
  }
  static void forget_strangers(NightStory& story) {
    std::erase_if(story.doings, [&](const Doing& doing) {
      const auto named = [&](const auto& one) { return one.spec.name == doing.agent; };
      return !doing.agent.empty() &&
             std::none_of(story.actors.begin(), story.actors.end(), named) &&
             std::none_of(story.tasks.begin(), story.tasks.end(), named);
    });
  }
  // Halves, then quarters, … are left out as long as it still goes wrong.
  template <class T>
  void drop(std::vector<T> NightStory::*list) {
    if (best_.plays >= most_) return;
    size_t part = std::max<size_t>((best_.story.*list).size() / 2, 1);
    while (part >= 1 && !(best_.story.*list).empty()) {
      bool dropped = false;
      for (size_t from = 0; from < (best_.story.*list).size();) {
        NightStory story = best_.story;
        auto& items = story.*list;
        const auto first = items.begin() + static_cast<std::ptrdiff_t>(from);
        items.erase(first,
                    first + static_cast<std::ptrdiff_t>(std::min(part, items.size() - from)));
        forget_strangers(story);
        if (still(std::move(story)))
          dropped = true;
        else
          from += part;
        if (best_.plays >= most_) return;
      }
      if (part == 1 && !dropped) return;
      part = std::max<size_t>(part / 2, 1);
      if (part == 1 && !dropped && (best_.story.*list).size() == 1) return;
    }
  }
  // One oddity less at a time. `habits`: whose.
  template <class Habits>
  void plainer(Habits&& habits) {
    size_t count = 0;
    each_rate(habits(best_.story), [&](const char*, double&) { ++count; });
    for (size_t i = 0; i < count && best_.plays < most_; ++i) {
      NightStory story = best_.story;
      size_t at = 0;
      bool differs = false;
      each_rate(habits(story), [&](const char*, double& value) {
        if (at++ == i && value != 0) value = 0, differs = true;
      });
      if (differs) still(std::move(story));
    }
  }

  Shrunk best_;
  const Play& play_;
  size_t most_;
};

}  // namespace

Shrunk shrink(const NightStory& story, const Violation& violation, const Play& play, size_t most) {
  return Shrinking(story, violation, play, most).run();
}

}  // namespace pawl::sim
