#include "act/leave.h"

#include <algorithm>
#include <utility>

#include "term/keys.h"

namespace pawl::act {

Step Leave::end(Verdict verdict, std::string witness) {
  Step step;
  step.outcome = Outcome{verdict, std::move(witness)};
  return step;
}

Step Leave::look(const View& view) {
  return mode_.empty() ? before(view) : after(view);
}

Step Leave::before(const View& view) {
  if (view.mode.empty()) return end(Verdict::confirmed, "somebody left it before");
  if (view.menu) return end(Verdict::withdrawn, "a dialog came up");
  if (view.human_waits) return end(Verdict::withdrawn, "a person began to type");
  if (view.draft) return end(Verdict::withdrawn, view.mode + ", and something is in it");
  if (view.turning || view.state == model::State::busy)
    return end(Verdict::withdrawn, "it works: a key might stop that");
  const auto key = term::key_bytes(view.leave, view.modes);
  if (view.leave.empty() || !key) return end(Verdict::withdrawn, "nobody knows how to leave it");
  const MonoTime from = std::max({since_, view.box_moved, view.human}) + kModeStable;
  Step step;
  if (view.now < from) {
    if (view.now - since_ >= kModeLong) return end(Verdict::withdrawn, "its screen keeps changing");
    step.again = from;
    return step;
  }
  mode_ = view.mode;
  since_ = view.now;
  step.write = *key;
  step.again = view.now + kModeStable;
  return step;
}

Step Leave::after(const View& view) {
  if (view.menu) return end(Verdict::unverified, "a dialog came up when its key was pressed");
  const bool back = view.mode.empty() && view.box && !view.draft;
  if (!back) steady_ = {};
  if (back && steady_ == MonoTime{}) steady_ = view.now;
  if (back && view.now - steady_ >= kModeStable)
    return end(Verdict::confirmed, "its prompt is back");
  if (!back && view.now - since_ >= kModeLong)
    return end(Verdict::stuck, view.mode.empty() ? "its prompt did not come back" : view.mode);
  Step step;
  step.again = back ? steady_ + kModeStable : since_ + kModeLong;
  return step;
}

}  // namespace pawl::act
