#include "cli/detach.h"

#include <algorithm>
#include <array>

namespace pawl::cli {
namespace {

constexpr std::string_view kPaste = "\x1b[200~", kPasteEnd = "\x1b[201~";
constexpr std::array<std::string_view, 3> kDetach{"\x1c", "\x1b[92;5u", "\x1b[27;5;92~"};

// How many bytes at the end of `text` could still become the sequence; of at least `least`.
size_t begun_at_end(std::string_view text, std::string_view sequence, size_t least) {
  for (size_t length = sequence.size() - 1; length >= least; --length)
    if (text.ends_with(sequence.substr(0, length))) return length;
  return 0;
}

// An Escape alone must not wait: only what is longer than a key press is held.
size_t to_hold(std::string_view text) {
  size_t hold = begun_at_end(text, kPaste, 3);
  for (const auto sequence : kDetach) hold = std::max(hold, begun_at_end(text, sequence, 3));
  return hold;
}

}  // namespace

void DetachWatch::pass(size_t count, std::string& keys) {
  keys += held_.substr(0, count);
  tail_ += held_.substr(0, count);
  tail_.erase(0, tail_.size() - std::min<size_t>(tail_.size(), 2));
  held_.erase(0, count);
}

// Up to its end, or all there is. False: it goes on.
bool DetachWatch::paste(std::string& keys) {
  const size_t end = held_.find(kPasteEnd);
  const size_t count = end == std::string::npos ? held_.size() - begun_at_end(held_, kPasteEnd, 1)
                                                : end + kPasteEnd.size();
  pass(count, keys);
  pasting_ = end == std::string::npos;
  return !pasting_;
}

DetachWatch::Seen DetachWatch::typed(std::string_view bytes, MonoTime now) {
  if (now - last_ >= kPasteRests) pasting_ = false;
  last_ = now;
  held_ += bytes;
  Seen seen;
  for (;;) {
    if (pasting_ && !paste(seen.keys)) return seen;
    size_t first = std::string::npos;
    for (const auto sequence : kDetach) first = std::min(first, held_.find(sequence));
    const size_t begin = (tail_ + held_).find(kPaste);
    const size_t begun = begin == std::string::npos ? begin : begin + kPaste.size() - tail_.size();
    if (begun == std::string::npos || first < begun) {
      seen.detach = first != std::string::npos;
      const size_t count = seen.detach ? first : held_.size() - to_hold(held_);
      pass(count, seen.keys);
      if (seen.detach) held_.clear();
      return seen;
    }
    pass(begun, seen.keys);
    pasting_ = true;
  }
}

}  // namespace pawl::cli
