#include "act/inject.h"

#include <algorithm>
#include <utility>

#include "act/inject_steps.h"
#include "act/typable.h"
#include "model/dialog.h"

namespace pawl::act {
namespace {

using model::State;

constexpr size_t kBytesPerSecond = 32u << 10;  // a slow program reads at least that fast
constexpr size_t kLineTail = 24;               // of a plain program's echo
constexpr size_t kSigns = 2;                   // that a box draws when something is in it

std::string in_one(const std::vector<std::string>& rows) {
  std::string out;
  for (const auto& row : rows) out += row;
  return out;
}

// Does the line end as the text does?
bool ends_alike(const std::string& line, const std::string& text) {
  const std::string last = text.substr(text.rfind('\n') + 1);
  const std::string tail = last.substr(last.size() - std::min(last.size(), kLineTail));
  return !tail.empty() && line.ends_with(tail);
}

constexpr const char* kHookSaidNo = "a hook of its own refused the prompt";

// Shown otherwise than it was sent, and too much of it to be somebody's own words.
bool most_of(const std::vector<std::string>& rows, const std::string& text) {
  size_t size = 0;
  for (const auto& row : rows) size += row.size();
  return size >= text.size() / 2 && ours(rows, false, text);
}

}  // namespace

// Marked as a paste when the program asked for that. One that did not would take each line's end for Enter: to a box it goes
// as a line feed, which is no Enter.
std::string typed(const std::string& text, const View& view, bool plain) {
  // A backslash before Enter is a line end in most boxes, and Enter after "@name" or "$name" chooses a file or a skill; a space after
  // the text ends all of it, and is lost in all of them.
  const size_t word = text.find_last_of(" \t\n");
  const size_t last = word == std::string::npos ? 0 : word + 1;
  const bool named = last < text.size() && (text[last] == '@' || text[last] == '$');
  const bool continued = !plain && (text.ends_with('\\') || named);
  std::string bytes = term::paste_bytes(continued ? text + " " : text, view.modes);
  if (!plain && !view.modes.bracketed_paste) std::replace(bytes.begin(), bytes.end(), '\r', '\n');
  return bytes;
}

Inject::Inject(Order order, MonoTime now) : order_(std::move(order)), since_(now) {
  order_.text = as_pasted(order_.text);
}

Inject Inject::resumed(Order order, MonoTime now, std::string draft) {
  Inject inject(std::move(order), now);
  inject.draft_ = std::move(draft);
  inject.stage_ = Stage::found;
  return inject;
}

Step Inject::look(const View& view) {
  if (!view.refused.empty()) return refused(view);
  if (!view.mode.empty()) return in_mode(view);
  switch (stage_) {
    case Stage::settle:
      return settle(view);
    case Stage::clear:
      return clear(view);
    case Stage::echo:
      return echo(view);
    case Stage::burst:
      return burst(view);
    case Stage::taken:
      return taken(view);
    case Stage::take_back:
      return take_back(view);
    case Stage::restore:
      return restore(view);
    case Stage::found:
      return found(view);
    case Stage::left_there:
      return left_there(view);
    case Stage::plain_echo:
      return plain_echo(view);
    case Stage::plain_taken:
      break;
  }
  return plain_taken(view);
}

Step Inject::to(Stage stage, const View& view, std::string write) {
  stage_ = stage;
  since_ = view.now;
  Step step;
  step.write = std::move(write);
  step.again = view.now + kBoxStable;
  return step;
}

Step Inject::end(const View& view, Verdict verdict, std::string witness, bool left) {
  outcome_ = Outcome{verdict, std::move(witness), false, left};
  if (!draft_.empty()) return to(Stage::restore, view);
  Step step;
  step.outcome = outcome_;
  return step;
}

Step Inject::settle(const View& view) {
  if (!order_.cannot.empty()) return end(view, Verdict::refused, order_.cannot);
  if (view.menu) return end(view, Verdict::withdrawn, "a dialog came up");
  if (view.human_waits && !order_.now)
    return end(view, Verdict::withdrawn, "a person began to type");
  if (view.now - view.human < kKeysSettle) return wait(view.human + kKeysSettle);
  // Whose box it is nobody knows, nor when it will be empty; what lies in it is somebody's.
  if (order_.plain && view.box && view.draft)
    return end(view, Verdict::stuck, "somebody's text is in the box: nothing was typed");
  // What has a box that cannot be seen at the moment is not typed to blindly: there may be words in it.
  if (order_.plain && (view.box || !view.interface)) {
    const MonoTime up = view.launched + kPlainYoung;
    if (view.launched != MonoTime{} && view.now < up) return wait(up);
    boxed_ = view.box;
    bare_ = in_one(view.rows).size();
    return to(Stage::plain_echo, view, typed(order_.text, view, true));
  }
  const bool rests =
      view.state == State::ready || (order_.limit_over && view.state == State::limited);
  const bool box = view.box && (rests || order_.now);
  if (box && stable(view)) return settle_box(view);
  if (view.now - since_ < kSettleLong)
    return wait(std::min(since_ + kSettleLong, std::max(view.now, view.box_moved) + kBoxStable));
  return end(view, Verdict::withdrawn,
             view.box ? "it was not ready any more" : "its box is not on the screen");
}

Step Inject::settle_box(const View& view) {
  if (!view.draft) return paste(view);
  if (!order_.now) return end(view, Verdict::withdrawn, "somebody's text is in the box");
  if (view.rows.size() != 1 || view.pasted)
    return end(view, Verdict::withdrawn, "a longer draft is in the box, and it would not survive");
  Step step = to(Stage::clear, view, key("C-e", view) + key("C-u", view));
  step.keep = draft_ = view.rows[0] + view.blanks;
  return step;
}

Step Inject::clear(const View& view) {
  if (view.box && !view.draft && stable(view)) return paste(view);
  if (view.now - since_ < kClearLong) return wait(view.now + kBoxStable);
  if (shown(view.rows, view.pasted, draft_) == Shown::whole) draft_.clear();  // it is where it was
  return end(view, Verdict::withdrawn, "the draft in the box could not be cleared");
}

Step Inject::paste(const View& view) {
  was_busy_ = view.state == State::busy;
  return to(Stage::echo, view, typed(order_.lead + order_.text, view, false));
}

Duration Inject::reading() const {
  return std::chrono::seconds{order_.text.size() / kBytesPerSecond};
}

// A picture that is half drawn may look like a dialog, and so may our own text: one stands there for a while, and asks its own.
bool Inject::asks(const View& view) {
  const bool own = std::all_of(view.options.begin(), view.options.end(), [&](const auto& row) {
    return order_.text.find(model::row_text(row)) != std::string::npos;
  });
  if (!view.menu || (own && !view.options.empty()))
    asks_since_ = {};
  else if (asks_since_ == MonoTime{})
    asks_since_ = view.now;
  return asks_since_ != MonoTime{} && view.now - asks_since_ >= kAsksFor;
}

Shown Inject::in_box(const View& view) const {
  return view.box && view.draft ? shown(view.rows, view.pasted, order_.text) : Shown::nothing;
}

// Nothing: it goes on.
std::optional<Step> Inject::asked_meanwhile(const View& view) {
  if (asks(view))
    return end(view, Verdict::unverified, "a dialog came up while the text was being typed", true);
  if (asks_since_ != MonoTime{}) return wait(view.now + kBoxStable);
  return std::nullopt;
}

Step Inject::echo(const View& view) {
  if (auto stop = asked_meanwhile(view)) return *stop;
  const Shown seen = in_box(view);
  if (may_be_there(seen) && stable(view)) return to(Stage::burst, view);
  const MonoTime until =
      std::min(std::max(since_, view.box_moved) + kEchoLong + reading(), since_ + kEchoMost);
  if (view.now < until) return wait(view.now + kBoxStable);
  return fail(view, seen == Shown::nothing ? "the text did not appear in the box in time"
                                           : "the box does not show the text as it was sent");
}

Step Inject::burst(const View& view) {
  const MonoTime from = std::max(since_, view.box_moved) + order_.burst;
  if (view.menu || !may_be_there(in_box(view))) {
    stage_ = Stage::echo;  // with its own time
    return echo(view);
  }
  if (view.now < from) return wait(from);
  return enter(view);
}

Step Inject::enter(const View& view) {
  ++enters_;
  seen_whole_ = in_box(view) == Shown::whole;
  empty_since_ = {};
  left_box_ = false;
  entered_ = view.now;
  if (first_enter_ == MonoTime{}) {
    first_enter_ = view.now;
    unknown_ = unknown(view).size();
    no_before_ = view.no.has_value();
  }
  return to(Stage::taken, view, key("Enter", view));
}

Step Inject::taken(const View& view) {
  watch_box(view);
  // Out of the box, it is what the person said last.
  seen_whole_ = seen_whole_ || (emptied_ && shown_within(view.above, order_.text));
  turn_seen_ = turn_seen_ || (view.turning && told(view));
  if (unknown(view).size() > unknown_ && !view.menu)
    return turned_down(view, Verdict::stuck, "it says: " + unknown(view).front());
  no_before_ = no_before_ && view.no;
  if (view.no && !no_before_ && !view.menu && !was_busy_ && !turn_seen_)
    return turned_down(view, Verdict::refused, kHookSaidNo + (": " + *view.no));
  // Whatever tells of a prompt tells of another one while ours is in the box.
  if (may_be_there(in_box(view)) && !view.menu) return still_there(view);
  if (const auto seen = witnessed(view)) return end(view, seen->verdict, seen->witness);
  if (asks(view) && !emptied_)
    return end(view, Verdict::unverified, "a dialog came up when Enter was pressed", true);
  const Duration patience = view.submitting ? kHooksLong
                            : emptied_      ? kTurnLong + reading()
                                            : kTakenLong;
  if (view.now - entered_ < patience) return wait(view.now + kBoxStable);
  if (view.box && view.draft && ours(view.rows, view.pasted, order_.text))
    return fail(view, "the box still holds a part of the text after Enter");
  if (view.submitting)
    return end(view, Verdict::unverified, "its own hooks still look at the prompt");
  if (told_of_another(view))
    return end(view, Verdict::unverified, "its hook told of another text than was sent");
  if (!emptied_) return end(view, Verdict::unverified, "its box was not seen again after Enter");
  if (was_busy_) return end(view, Verdict::unverified, "its box emptied while it was working");
  return end(view, Verdict::unverified,
             seen_whole_ ? "its box emptied, but no turn was seen to start"
                         : "its box emptied, but not all of the text had been seen in it");
}

// Some put such a text back into the box.
Step Inject::turned_down(const View& view, Verdict verdict, const std::string& says) {
  if (view.box && view.draft && stable(view)) return fail(view, says, verdict);
  if (emptied_ && view.now - empty_since_ >= kGoneFor)
    return end(view, verdict, "its box emptied, and " + says);
  if (view.now - entered_ < kTakenLong) return wait(view.now + kBoxStable);
  return end(view, verdict, says);
}

// Enter was swallowed, or the picture is late: a second one into an empty box does nothing.
Step Inject::still_there(const View& view) {
  if (given_back(view)) {
    if (stable(view)) return fail(view, kHookSaidNo, Verdict::refused);
    return wait(view.now + kBoxStable);
  }
  const Duration patience = told(view) ? kTurnLong : kAgainAfter * enters_;
  const MonoTime next = std::max(entered_, view.box_moved) + patience;
  if (view.now < next) return wait(next);
  if (enters_ < kEnters) return enter(view);
  return fail(view,
              "the text is still in the box after " + std::to_string(enters_) + " times Enter");
}

Step Inject::found(const View& view) {
  const bool there = !view.menu && may_be_there(in_box(view));
  if (there && view.now - since_ >= order_.burst && stable(view)) {
    was_busy_ = view.state == State::busy;  // with it, perhaps
    return enter(view);
  }
  if (view.now - since_ < kTurnLong) return wait(view.now + kBoxStable);
  const bool left = view.draft && most_of(view.rows, order_.text);
  return end(view, Verdict::unverified, "the daemon was restarted while it was being typed", left);
}

// As if the last step had not been: a text that is not in the box yet may come later.
Step Inject::refused(const View& view) {
  switch (stage_) {
    case Stage::clear:
      draft_.clear();  // it is where it was
      [[fallthrough]];
    case Stage::echo:
    case Stage::plain_echo:
      return end(view, Verdict::withdrawn, view.refused);
    case Stage::restore:
      putting_back_ = false;
      return wait(view.now + kBoxStable);
    case Stage::plain_taken:
      return end(view, Verdict::unverified, "it was typed, and Enter was not: " + view.refused);
    case Stage::settle:
    case Stage::burst:
    case Stage::taken:
    case Stage::take_back:
    case Stage::found:
    case Stage::left_there:
      break;
  }
  return wait(view.now + kBoxStable);  // Enter is pressed again while the text is there
}

// The box looked empty and was not: its program had not drawn what is in it.
bool Inject::behind_others(const View& view) const {
  const std::string all = in_one(view.rows);
  return boxed_ && view.box && all.size() > bare_ + order_.text.size() + kSigns &&
         all.ends_with(order_.text);
}

Step Inject::plain_echo(const View& view) {
  if (auto stop = asked_meanwhile(view)) return *stop;
  echoed_ = ends_alike(view.line, order_.text);
  if (behind_others(view))
    return end(view, Verdict::stuck,
               "somebody's text came up in the box before it: Enter was not pressed, and it may "
               "still be in the box",
               true);
  if (!echoed_ && view.now - since_ < kPlainEcho) return wait(since_ + kPlainEcho);
  line_ = view.line;
  row_ = view.cursor_row;
  return to(Stage::plain_taken, view, key("Enter", view));
}

Step Inject::plain_taken(const View& view) {
  if (view.menu) return end(view, Verdict::unverified, "a dialog came up when Enter was pressed");
  // A box that is drawn: the line is still in it, or the picture is late.
  if (view.box && view.draft) {
    if (view.now - since_ < kPlainEcho) return wait(since_ + kPlainEcho);
    return end(view, Verdict::stuck, "the text is still in the box after Enter", true);
  }
  if (boxed_ && !view.box) {
    if (view.now - since_ < kTurnLong) return wait(since_ + kTurnLong);
    return end(view, Verdict::unverified, "its box was not seen again after Enter");
  }
  if (echoed_ && (view.cursor_row != row_ || !view.line.starts_with(line_)))
    return view.line_editor
               ? end(view, Verdict::confirmed, "the line was echoed and taken")
               : end(view, Verdict::unverified,
                     "the terminal echoed the line; whether its program reads it is not known");
  if (view.now - since_ < kPlainEcho) return wait(since_ + kPlainEcho);
  return end(view, Verdict::unverified,
             echoed_ ? "the line was echoed; what became of it is not seen"
                     : "it was typed; nothing on the screen shows what became of it");
}

}  // namespace pawl::act
