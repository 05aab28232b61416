// What did not work is taken out of the box again, and what was in it before is put back.

#include <algorithm>
#include <utility>

#include "act/inject_steps.h"

namespace pawl::act {
namespace {

constexpr size_t kNarrow = 16;  // bytes in a row of a narrow box

}  // namespace

Inject Inject::taking_out(Order order, MonoTime now) {
  Inject inject(std::move(order), now);
  inject.stage_ = Stage::left_there;
  inject.taking_out_ = true;
  return inject;
}

Step Inject::left_there(const View& view) {
  if (view.human_waits) return end(view, Verdict::withdrawn, "a person began to type", true);
  if (asks(view)) return end(view, Verdict::withdrawn, "a dialog came up", true);
  if (view.turning || view.state == model::State::busy)
    return end(view, Verdict::withdrawn, "it works", true);
  if (view.box && !view.menu && stable(view)) {
    if (!view.draft) return end(view, Verdict::confirmed, "it is not in the box any more");
    return fail(view, "the text was not taken");
  }
  if (view.now - since_ < kSettleLong) return wait(view.now + kBoxStable);
  return end(view, Verdict::stuck, "its box is not on the screen", true);
}

// It is certain that it did not work. Nothing of it may stay where a person's words or the next text would be joined to it.
Step Inject::fail(const View& view, std::string witness, Verdict verdict) {
  outcome_ = Outcome{verdict, std::move(witness)};
  return sweep(view);
}

// Backwards from where the paste ended, row by row: in an empty box these keys do nothing, and whoever reads late reads them right
// after the paste. What may be a person's stays.
Step Inject::sweep(const View& view) {
  const bool strange = view.draft && !ours(view.rows, view.pasted, order_.text);
  if (view.menu || strange || sweeps_ >= kSweeps)
    return end(view, outcome_->verdict, outcome_->witness + "; it may still be in the box", true);
  ++sweeps_;
  const size_t rows =
      static_cast<size_t>(std::count(order_.text.begin(), order_.text.end(), '\n')) +
      order_.text.size() / kNarrow + 2;
  std::string keys = key("C-e", view);
  for (size_t i = 0; i < std::min(rows, kSweptRows); ++i)
    keys += key("C-u", view) + key("BSpace", view);
  return to(Stage::take_back, view, std::move(keys));
}

Step Inject::take_back(const View& view) {
  const bool empty = view.box && !view.draft && !view.menu && view.mode.empty() && stable(view);
  if (empty && view.now - since_ >= kGoneFor)
    return end(view, taking_out_ ? Verdict::confirmed : outcome_->verdict,
               outcome_->witness + "; it was taken out of the box again");
  if (!view.menu && view.now - since_ < kClearLong) return wait(view.now + kBoxStable);
  return sweep(view);
}

Step Inject::restore(const View& view) {
  const auto finish = [&](const char* more, bool safe) {
    Step step;
    step.outcome = Outcome{outcome_->verdict, outcome_->witness + more, !safe, outcome_->left};
    return step;
  };
  const bool back = view.box && view.draft;
  if (back && stable(view) && shown(view.rows, view.pasted, draft_) == Shown::whole)
    return finish("; the draft is back", true);
  if (view.now - since_ >= kRestoreLong) return finish("; the draft could not be put back", false);
  if (!putting_back_ && view.box && !view.draft && stable(view)) {
    putting_back_ = true;
    return to(Stage::restore, view, typed(draft_, view, false));
  }
  return wait(view.now + kBoxStable);
}

}  // namespace pawl::act
