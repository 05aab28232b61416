#include "sim/fleet/shorten.h"

#include <algorithm>

namespace pawl::sim {
namespace {

class Shortening {
 public:
  Shortening(const FleetStory& story, const FleetViolation& violation, size_t most)
      : best_{story, violation}, most_(most) {}

  ShortFleetStory run() {
    for (size_t part = std::max<size_t>(best_.story.doings.size() / 2, 1);;
         part = std::max<size_t>(part / 2, 1)) {
      const bool fewer = leave_out(part);
      if (best_.plays >= most_ || (part == 1 && !fewer)) break;
    }
    plainer();
    last_node();
    return std::move(best_);
  }

 private:
  bool still(FleetStory story) {
    if (best_.plays >= most_) return false;
    ++best_.plays;
    for (const auto& one : FleetPlay(story).run().violations) {
      if (one.judge != best_.violation.judge) continue;
      best_.violation = one;
      best_.story = std::move(story);
      return true;
    }
    return false;
  }
  // So many doings at once; the calm stays.
  bool leave_out(size_t part) {
    bool fewer = false;
    for (size_t from = 0; from + 1 < best_.story.doings.size();) {
      FleetStory story = best_.story;
      const size_t count = std::min(part, story.doings.size() - 1 - from);
      const auto first = story.doings.begin() + static_cast<std::ptrdiff_t>(from);
      story.doings.erase(first, first + static_cast<std::ptrdiff_t>(count));
      if (still(std::move(story)))
        fewer = true;
      else
        from += part;
    }
    return fewer;
  }
  void plainer() {
    const auto without = [this](auto&& change) {
      FleetStory story = best_.story;
      change(story);
      if (!(story == best_.story)) still(std::move(story));
    };
    without([](FleetStory& story) { story.network = {}; });
    without([](FleetStory& story) { story.network.lost = 0; });
    without([](FleetStory& story) { story.network.unheard = 0; });
    without([](FleetStory& story) { story.network.doubled = 0; });
    without([](FleetStory& story) { story.network.forked = 0; });
    for (size_t i = 0; i < best_.story.nodes.size(); ++i) {
      without([i](FleetStory& story) { story.nodes[i].rate = 1; });
      without([i](FleetStory& story) { story.nodes[i].wall_off = Duration{0}; });
    }
  }
  // The last nodes, when nothing happens to them.
  void last_node() {
    while (best_.story.nodes.size() > 2) {
      FleetStory story = best_.story;
      story.nodes.pop_back();
      for (const auto& doing : story.doings)
        if (doing.node >= story.nodes.size()) return;
      if (!still(std::move(story))) return;
    }
  }

  ShortFleetStory best_;
  size_t most_;
};

}  // namespace

ShortFleetStory shorten(const FleetStory& story, const FleetViolation& violation, size_t most) {
  return Shortening(story, violation, most).run();
}

}  // namespace pawl::sim
