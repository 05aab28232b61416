// A mode in which what is typed would be no prompt.
#include <algorithm>

#include "act/inject.h"

namespace pawl::act {

// What is typed now would be run as a command, or start another session: not a key, no Enter for what is in the box, and a
// draft that was saved stays in its file.
Step Inject::in_mode(const View& view) {
  const auto give_up = [&](Verdict verdict, const std::string& witness, bool left = false) {
    Step step;
    step.outcome = Outcome{verdict, witness, !draft_.empty(), left};
    return step;
  };
  switch (stage_) {
    case Stage::settle:
    case Stage::clear:
    case Stage::left_there:
      return give_up(Verdict::withdrawn, view.mode);
    case Stage::echo:
    case Stage::burst:
      // Our own text led there. It is ours alone, so it is taken out again, which leads back.
      if (view.box && view.draft && ours(view.rows, view.pasted, order_.text))
        return fail(view, view.mode + ": Enter was not pressed");
      [[fallthrough]];
    case Stage::plain_echo:
      return give_up(Verdict::stuck,
                     view.mode + ": Enter was not pressed, and the text may still be in the box",
                     true);
    case Stage::restore:
      return give_up(outcome_->verdict,
                     outcome_->witness + "; the draft was not put back: " + view.mode);
    case Stage::take_back:
      return take_back(view);
    case Stage::taken:
    case Stage::found:
    case Stage::plain_taken:
      break;
  }
  if (const auto seen = witnessed(view)) return give_up(seen->verdict, seen->witness);
  const MonoTime until = std::max(since_, entered_) + kTurnLong;
  if (view.now >= until) return give_up(Verdict::unverified, view.mode);
  Step step;
  step.again = until;
  return step;
}

}  // namespace pawl::act
