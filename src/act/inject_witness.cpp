// What tells that a text was taken: the program's hook, its transcript, its box and its turn.
#include <algorithm>

#include "act/inject.h"

namespace pawl::act {

bool Inject::sent() const {
  if (stage_ == Stage::plain_echo) return order_.text.find('\n') != std::string::npos;
  return enters_ > 0 || stage_ == Stage::found || stage_ == Stage::plain_taken;
}

bool Inject::told_of_another(const View& view) const {
  return view.prompt_hook > first_enter_ && !view.prompt_text.empty() &&
         !command() &&  // it may tell of what that stands for
         !alike(view.prompt_text, order_.text);
}

bool Inject::hook_told(const View& view) const {
  return view.prompt_hook > first_enter_ && !told_of_another(view);
}

// Told from inside the program. While it worked before, the words may be about another prompt of the same turn.
bool Inject::told(const View& view) const {
  return hook_told(view) || (!was_busy_ && view.transcript_user > first_enter_);
}

std::optional<Outcome> Inject::witnessed(const View& view) const {
  if (hook_told(view) && began(view))
    return Outcome{Verdict::confirmed, "its hook told of the prompt"};
  if (told_of_another(view)) return std::nullopt;
  if (!known(view)) return std::nullopt;
  if (!was_busy_ && view.transcript_user > first_enter_ && began(view))
    return Outcome{Verdict::confirmed, "the prompt is in its transcript"};
  if (emptied_ && seen_whole_ && !was_busy_ && !view.submitting && view.worked > first_enter_)
    return Outcome{Verdict::confirmed, "its box emptied and its turn started"};
  return std::nullopt;
}

// The rows in which it says that it knows no such command.
std::vector<std::string> Inject::unknown(const View& view) const {
  std::vector<std::string> out;
  if (!command()) return out;
  const std::string name = order_.text.substr(0, order_.text.find_first_of(" \t\n"));
  for (const auto& row : view.unknown)
    if (row.find(name) != std::string::npos) out.push_back(row);
  return out;
}

// For a moment a command that it does not know looks like a turn. One that it said so of before may be known by now, and nobody can
// tell.
bool Inject::known(const View& view) const {
  if (!command()) return true;
  return unknown(view).empty() && view.now - std::max(entered_, empty_since_) >= kCommandLong;
}

// Its hooks hear of a prompt before one of them may refuse it. That gives the text back; a turn, or peace for a while, does not. And
// a turn that is still to begin would be taken for that of the next text.
bool Inject::began(const View& view) const {
  if (was_busy_ || turn_seen_) return true;
  return emptied_ && !view.submitting && view.now - entered_ >= kTurnLong;
}

// It was out of the box, and is in it again, although the program heard of it.
bool Inject::given_back(const View& view) const {
  return left_box_ && !was_busy_ && !turn_seen_ && hook_told(view);
}

// A box that is drawn row by row is empty for a moment.
void Inject::watch_box(const View& view) {
  if (view.box && view.draft) {
    empty_since_ = {};
    emptied_ = false;
  } else if (view.box && empty_since_ == MonoTime{}) {
    empty_since_ = view.now;
  }
  if (empty_since_ != MonoTime{} && view.now - empty_since_ >= kBoxStable)
    emptied_ = left_box_ = true;
  const bool worked = view.worked > first_enter_;
  if (worked && may_be_there(in_box(view))) beside_ = true;
  // Whoever tells of what it does has told of its prompt before: else it works at something else, and asks about that.
  const bool other = view.hook > first_enter_ && !hook_told(view);
  if (worked && !beside_ && !other && !view.box && view.menu) emptied_ = true;
}

}  // namespace pawl::act
