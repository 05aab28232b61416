#include "act/press.h"

#include <algorithm>
#include <cctype>
#include <charconv>

#include "base/text.h"
#include "model/dialog.h"
#include "term/keys.h"

namespace pawl::act {
namespace {

std::string lower(std::string text) {
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

Step wait_until(MonoTime when) {
  Step step;
  step.again = when;
  return step;
}

}  // namespace

std::string said(const std::string& option) {
  return model::row_text(option);
}

int row_of(const std::vector<std::string>& options, const std::string& wish) {
  size_t number = 0;
  const auto [end, error] = std::from_chars(wish.data(), wish.data() + wish.size(), number);
  if (error == std::errc{} && end == wish.data() + wish.size())
    return number >= 1 && number <= options.size() ? static_cast<int>(number) - 1 : -1;
  int found = -1;
  for (size_t i = 0; i < options.size(); ++i)
    if (!wish.empty() && lower(said(options[i])) == lower(wish)) return static_cast<int>(i);
  for (size_t i = 0; i < options.size(); ++i) {
    if (wish.empty() || !lower(said(options[i])).starts_with(lower(wish))) continue;
    if (found >= 0) return -1;
    found = static_cast<int>(i);
  }
  return found;
}

Step Press::end(Verdict verdict, std::string witness) {
  Step step;
  step.outcome = Outcome{verdict, std::move(witness)};
  return step;
}

bool Press::same(const View& view) const {
  return view.menu && view.dialog == dialog_ && view.options.size() == said_.size() &&
         std::equal(said_.begin(), said_.end(), view.options.begin(),
                    [](const std::string& a, const std::string& b) { return a == said(b); });
}

bool Press::anew(const View& view) const {
  return entered_ && key_.empty() && view.chosen >= 0 && view.chosen != row_;
}

Step Press::press(const View& view, const char* key) {
  Step step;
  step.write = term::key_bytes(key, view.modes).value_or("");
  ++keys_;
  since_ = view.now;
  step.again = view.now + kMoveLong;
  return step;
}

// A program may say that it asks before the dialog is drawn.
Step Press::find(const View& view) {
  if (!same(view) || stable_ == MonoTime{}) {
    dialog_ = view.dialog;
    said_.clear();
    for (const auto& option : view.options) said_.push_back(said(option));
    stable_ = view.now;
  }
  const bool there = view.menu && (!said_.empty() || !key_.empty());
  if (there && view.now - stable_ >= kMenuStable) {
    if (!meant_.empty() && view.dialog != meant_)
      return end(Verdict::withdrawn, "another dialog is there now: " + view.question);
    found_ = true;
    if (!key_.empty()) return look(view);
    row_ = row_of(view.options, wish_);
    if (row_ < 0)
      return end(Verdict::withdrawn, "'" + wish_ + "' is none of its rows: " + join(said_, "; "));
    return look(view);
  }
  if (view.now - since_ >= kFindLong)
    return end(Verdict::withdrawn, "no dialog with rows to choose from is on its screen");
  return wait_until(view.now + kMenuStable);
}

// Programs redraw row by row: a dialog is gone when it stays so.
Step Press::gone(const View& view) {
  if (lost_ == MonoTime{}) lost_ = view.now;
  flickered_ = flickered_ || entered_;
  if (view.now - lost_ < kMenuStable) return wait_until(lost_ + kMenuStable);
  if (entered_ && same(view) && view.human > since_)
    return end(Verdict::unverified, "a person moved its pointer");
  if (entered_ || probing_)  // the arrow came after Enter
    return end(Verdict::confirmed, !view.menu   ? "the dialog is gone"
                                   : same(view) ? "it asks the same again"
                                                : "another dialog came up");
  if (moving_) return end(Verdict::unverified, "the dialog changed before the row was chosen");
  return end(Verdict::withdrawn, "that dialog is not on the screen any more");
}

Step Press::look(const View& view) {
  if (!view.refused.empty())
    return end(keys_ == 1 ? Verdict::withdrawn : Verdict::stuck, view.refused);
  if (!found_) return find(view);
  if (!same(view) || anew(view)) return gone(view);
  lost_ = {};
  if (entered_) return see_gone(view);
  if (!key_.empty()) {
    entered_ = true;
    return press(view, key_.c_str());
  }
  if (view.chosen < 0)
    return end(Verdict::withdrawn, "the dialog does not show which row is chosen");
  return move(view);
}

Step Press::see_gone(const View& view) {
  flickered_ = flickered_ || view.hook > since_ || view.reported > since_;
  const bool unheard = enters_ == 1 && said_.size() > 1 && !flickered_ && view.around == around_;
  if (unheard && view.now - since_ >= kProbeAfter) {
    entered_ = false;
    probing_ = moving_ = true;
    chosen_ = row_;
    return press(view, row_ == 0 ? "Down" : "Up");
  }
  if (view.now - since_ >= kGoneLong) return end(Verdict::stuck, "the dialog is still there");
  return wait_until(since_ + (unheard ? kProbeAfter : kGoneLong));
}

Step Press::move(const View& view) {
  if (view.chosen == row_ && !probing_) {
    entered_ = true;
    ++enters_;
    around_ = view.around;
    return press(view, "Enter");
  }
  probing_ = probing_ && view.chosen == row_;
  if (moving_ && view.chosen == chosen_) {
    if (view.now - since_ >= kMoveLong)
      return end(Verdict::stuck, "the dialog does not follow the arrow keys");
    return wait_until(since_ + kMoveLong);
  }
  if (++moves_ > 2 * said_.size()) return end(Verdict::stuck, "the row could not be reached");
  moving_ = true;
  chosen_ = view.chosen;
  return press(view, view.chosen < row_ ? "Down" : "Up");
}

}  // namespace pawl::act
