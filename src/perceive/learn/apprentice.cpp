#include "perceive/learn/apprentice.h"

#include "base/text.h"
#include "perceive/screen/sight.h"

namespace pawl::perceive {

void Apprentice::refresh(const term::Screen& screen) {
  const bool all = last_.size != screen.size();
  last_.size = screen.size();
  last_.rows.resize(screen.size().rows);
  for (int row = 0; row < screen.size().rows; ++row)
    if (all || screen.row_generation(row) > generation_)
      last_.rows[static_cast<size_t>(row)] = plain_row(screen.row_text(row));
  generation_ = screen.generation();
  const term::Cursor cursor = screen.cursor();
  last_.row = cursor.row;
  last_.col = cursor.col;
  last_.visible = cursor.visible;
  last_.left.clear();
  for (int col = 0; col < cursor.col; ++col) {
    const auto cell = screen.cell(cursor.row, col);
    last_.left += cell.text.empty() ? " " : cell.text;
  }
}

Still Apprentice::still(Shown shown, const Picture& picture) {
  return {
      shown, picture.size, picture.row, picture.col, picture.visible, {}, join(picture.rows, "\n")};
}

// The row of the cursor went on where the cursor was, as far as the cursor went, and little else is different.
bool Apprentice::grew_at_cursor() const {
  const Picture& before = *idle_;
  if (last_.size != before.size || last_.row != before.row ||
      last_.col - before.col < kLeastTyped || !last_.left.starts_with(before.left))
    return false;
  constexpr int kOtherRows = 3;  // a hint that goes, a counter
  int differ = 0;
  for (size_t row = 0; row < before.rows.size(); ++row)
    differ += static_cast<int>(row) != last_.row && before.rows[row] != last_.rows[row] ? 1 : 0;
  return differ <= kOtherRows;
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
  if (!last_.rows.empty() && silent >= kStoodStill && step_ != Step::typed) {
    begin_again();
    idle_ = last_;
    step_ = Step::idle;
  }
  refresh(screen);
  if (step_ == Step::idle || step_ == Step::typed) {
    if (grew_at_cursor()) {
      typed_ = last_;
      step_ = Step::typed;
    } else if (step_ == Step::typed && last_.col <= idle_->col) {
      step_ = Step::working;
      working_since_ = now;
    }
  }
  if (step_ != Step::working) return;
  constexpr size_t kMostBusy = 4;
  if (silent > kWritingGap)
    begin_again();
  else if (busy_.size() < kMostBusy &&
           now - working_since_ >= kWrittenFor * static_cast<int>(busy_.size()))
    busy_.push_back(still(Shown::busy, last_));
}

std::optional<MonoTime> Apprentice::wake_at() const {
  constexpr size_t kLeastBusy = 2;
  if (step_ != Step::working || busy_.size() < kLeastBusy) return std::nullopt;
  if (last_.left != idle_->left || last_.size != idle_->size) return std::nullopt;
  return looked_ + kStoodStill;
}

bool Apprentice::finished(MonoTime now) const {
  const auto when = wake_at();
  return when && now >= *when;
}

std::optional<LearnedBox> Apprentice::learn() {
  std::vector<Still> stills{still(Shown::idle, *idle_), still(Shown::typing, *typed_),
                            still(Shown::idle, last_)};
  stills.insert(stills.end(), busy_.begin(), busy_.end());
  Still last = stills[2];
  begin_again();
  auto box = learn_only_box(stills);
  if (!box) return std::nullopt;
  box->idle = std::move(last);
  return std::move(*box);
}

}  // namespace pawl::perceive
