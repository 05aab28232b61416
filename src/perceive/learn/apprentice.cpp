#include "perceive/learn/apprentice.h"

#include <algorithm>

#include "perceive/screen/sight.h"

namespace pawl::perceive {

Apprentice::Picture Apprentice::picture(Shown shown, const term::Screen& screen) {
  Picture out{still_of(shown, screen), {}, {}};
  for (int row = 0; row < screen.size().rows; ++row)
    out.rows.push_back(plain_row(screen.row_text(row)));
  for (int col = 0; col < out.still.col; ++col) {
    const auto cell = screen.cell(out.still.row, col);
    out.left += cell.text.empty() ? " " : cell.text;
  }
  return out;
}

// The row of the cursor went on where the cursor was, as far as the cursor went, and little else is different.
bool Apprentice::grew_at_cursor(const Picture& now) const {
  const Picture& before = *idle_;
  if (now.still.size != before.still.size || now.still.col - before.still.col < kLeastTyped ||
      !now.left.starts_with(before.left))
    return false;
  const int shift = now.still.row - before.still.row;
  constexpr int kOtherRows = 3;  // a hint that goes, a counter
  int differ = 0;
  for (size_t row = 0; row < before.rows.size() && shift == 0; ++row)
    differ += static_cast<int>(row) != now.still.row && before.rows[row] != now.rows[row] ? 1 : 0;
  return shift == 0 && differ <= kOtherRows;
}

void Apprentice::begin_again() {
  step_ = Step::nothing;
  idle_.reset();
  typed_.reset();
  busy_.clear();
}

void Apprentice::look(MonoTime now, const term::Screen& screen) {
  if (mistakes_ >= kMostMistakes) return;
  const Duration silent = now - looked_;
  looked_ = now;
  if (last_ && silent >= kStoodStill && step_ != Step::typed) {
    begin_again();
    idle_ = std::move(last_);
    step_ = Step::idle;
  }
  Picture seen = picture(Shown::busy, screen);
  if (step_ == Step::idle || step_ == Step::typed) {
    if (grew_at_cursor(seen)) {
      typed_ = seen;
      typed_->still.shown = Shown::typing;
      step_ = Step::typed;
    } else if (step_ == Step::typed && seen.still.col <= idle_->still.col) {
      step_ = Step::working;
      working_since_ = now;
    }
  }
  if (step_ == Step::working) {
    if (silent > kWritingGap)
      begin_again();
    else if (busy_.empty() || now - working_since_ >= kWrittenFor * static_cast<int>(busy_.size()))
      if (constexpr size_t kMostBusy = 4; busy_.size() < kMostBusy) busy_.push_back(seen.still);
  }
  last_ = std::move(seen);
}

std::optional<MonoTime> Apprentice::wake_at() const {
  constexpr size_t kLeastBusy = 2;
  if (step_ != Step::working || busy_.size() < kLeastBusy || !last_) return std::nullopt;
  if (last_->left != idle_->left || last_->still.size != idle_->still.size) return std::nullopt;
  return looked_ + kStoodStill;
}

bool Apprentice::finished(MonoTime now) const {
  const auto when = wake_at();
  return when && now >= *when;
}

std::optional<LearnedBox> Apprentice::learn() {
  std::vector<Still> stills{idle_->still, typed_->still, last_->still};
  stills.front().shown = stills.back().shown = Shown::idle;
  stills.insert(stills.end(), busy_.begin(), busy_.end());
  Still last = stills[2];
  begin_again();
  auto box = learn_only_box(stills);
  if (!box) return std::nullopt;
  box->idle = std::move(last);
  return std::move(*box);
}

}  // namespace pawl::perceive
