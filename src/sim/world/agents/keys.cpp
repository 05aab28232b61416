#include "sim/world/agents/keys.h"

#include <algorithm>

namespace pawl::sim {
namespace {

constexpr std::string_view kPasteBegins = "\x1b[200~", kPasteEnds = "\x1b[201~";

Key::Kind arrow(char letter) {
  switch (letter) {
    case 'A':
      return Key::Kind::up;
    case 'B':
      return Key::Kind::down;
    case 'C':
      return Key::Kind::right;
    case 'D':
      return Key::Kind::left;
    default:
      return Key::Kind::reply;
  }
}

// Where the sequence that begins at `at` ends; npos: it goes on in a later piece.
size_t sequence_end(std::string_view bytes, size_t at) {
  if (at + 1 >= bytes.size()) return at + 1;  // the key itself
  const char second = bytes[at + 1];
  if (second == 'O') return at + 2 < bytes.size() ? at + 3 : std::string_view::npos;
  if (second == ']') {
    const size_t bell = bytes.find('\a', at), st = bytes.find("\x1b\\", at + 2);
    if (bell == std::string_view::npos && st == std::string_view::npos) return bell;
    return std::min(bell == std::string_view::npos ? bell : bell + 1,
                    st == std::string_view::npos ? st : st + 2);
  }
  if (second != '[') return second == '\r' ? at + 2 : at + 1;
  size_t end = at + 2;
  while (end < bytes.size() && (bytes[end] < 0x40 || bytes[end] > 0x7e)) ++end;
  return end < bytes.size() ? end + 1 : std::string_view::npos;
}

Key sequence_key(std::string_view sequence) {
  if (sequence.size() == 1) return {Key::Kind::escape};
  if (sequence == "\x1b\r") return {Key::Kind::newline};
  const bool plain = sequence.size() == 3 && (sequence[1] == '[' || sequence[1] == 'O');
  if (plain && arrow(sequence[2]) != Key::Kind::reply) return {arrow(sequence[2])};
  return {Key::Kind::reply, std::string(sequence.substr(1))};
}

Key control_key(char c) {
  switch (c) {
    case '\r':
      return {Key::Kind::enter};
    case '\n':
      return {Key::Kind::newline};
    case '\t':
      return {Key::Kind::tab};
    case '\x7f':
    case '\b':
      return {Key::Kind::backspace};
    default:
      return {Key::Kind::control, std::string(1, static_cast<char>(c + 'a' - 1))};
  }
}

bool is_control(char c) {
  return static_cast<unsigned char>(c) < 0x20 || c == 0x7f;
}

}  // namespace

std::vector<Key> KeyReader::read(std::string_view more) {
  std::string whole = std::move(kept_);
  kept_.clear();
  whole += more;
  const std::string_view bytes = whole;
  std::vector<Key> keys;
  for (size_t at = 0; at < bytes.size();) {
    size_t end = at + 1;
    if (bytes.compare(at, kPasteBegins.size(), kPasteBegins) == 0) {
      const size_t from = at + kPasteBegins.size(), last = bytes.find(kPasteEnds, from);
      end = last == std::string_view::npos ? last : last + kPasteEnds.size();
      if (end != std::string_view::npos) {
        std::string text(bytes.substr(from, last - from));
        std::replace(text.begin(), text.end(), '\r', '\n');
        keys.push_back({Key::Kind::paste, std::move(text)});
      }
    } else if (bytes[at] == '\x1b') {
      end = sequence_end(bytes, at);
      if (end != std::string_view::npos) keys.push_back(sequence_key(bytes.substr(at, end - at)));
    } else if (is_control(bytes[at])) {
      keys.push_back(control_key(bytes[at]));
    } else {
      while (end < bytes.size() && !is_control(bytes[end])) ++end;
      keys.push_back({Key::Kind::text, std::string(bytes.substr(at, end - at))});
    }
    if (end == std::string_view::npos) {
      kept_ = bytes.substr(at);
      break;
    }
    at = end;
  }
  return keys;
}

}  // namespace pawl::sim
