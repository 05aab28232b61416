#include "ui/keys.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>

#include "base/text.h"

namespace pawl::ui {
namespace {

using Kind = Key::Kind;

constexpr std::string_view kPasteEnds = "\x1b[201~";
constexpr size_t kPiece = 4096;

size_t character_bytes(unsigned char first) {
  return first < 0xC0 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
}

std::optional<Key> key_of_byte(char byte) {
  if (byte == '\r' || byte == '\n') return Key{Kind::enter};
  if (byte == '\t') return Key{Kind::tab};
  if (byte == 0x7f || byte == 0x08) return Key{Kind::backspace};
  if (byte >= 1 && byte <= 26)
    return Key{Kind::control, std::string(1, static_cast<char>(byte + 96))};
  if (byte == 0x1c) return Key{Kind::control, "\\"};
  return std::nullopt;
}

// CSI letter, and SS3 letter.
std::optional<Key> key_of_letter(char letter) {
  struct Row {
    char letter;
    Kind kind;
  };
  constexpr std::array<Row, 7> kRows{{{'A', Kind::up},
                                      {'B', Kind::down},
                                      {'C', Kind::right},
                                      {'D', Kind::left},
                                      {'H', Kind::home},
                                      {'F', Kind::end},
                                      {'Z', Kind::back_tab}}};
  for (const auto& row : kRows)
    if (row.letter == letter) return Key{row.kind};
  return std::nullopt;
}

// CSI number ~
std::optional<Key> key_of_number(int number) {
  switch (number) {
    case 1:
    case 7:
      return Key{Kind::home};
    case 4:
    case 8:
      return Key{Kind::end};
    case 3:
      return Key{Kind::erase};
    case 5:
      return Key{Kind::page_up};
    case 6:
      return Key{Kind::page_down};
    default:
      return std::nullopt;
  }
}

std::vector<int> numbers_in(std::string_view text) {
  std::vector<int> numbers;
  for (const auto& part : split(text, ';')) {
    int number = 0;
    (void)std::from_chars(part.data(), part.data() + part.size(), number);
    numbers.push_back(number);
  }
  return numbers;
}

// CSI < button ; col ; row M
std::optional<Key> key_of_mouse(std::string_view body, char final) {
  const auto numbers = numbers_in(body);
  if (numbers.size() != 3 || final != 'M') return std::nullopt;
  const int row = numbers[2] - 1, col = numbers[1] - 1;
  const int button = numbers[0] & ~(4 | 8 | 16);  // without Shift, Meta and Control
  if (button == 0) return Key{Kind::click, "", row, col};
  if (button == 64) return Key{Kind::wheel_up, "", row, col};
  if (button == 65) return Key{Kind::wheel_down, "", row, col};
  return std::nullopt;
}

}  // namespace

std::vector<Key> KeyReader::read(std::string_view bytes) {
  std::vector<Key> keys;
  held_ += bytes;
  while (!held_.empty() && step(keys)) {
  }
  return keys;
}

std::vector<Key> KeyReader::flush() {
  std::vector<Key> keys;
  if (!holding()) return keys;
  const std::string rest = held_.substr(1);
  const bool escape_key = held_[0] == '\x1b';
  held_.clear();
  if (!escape_key) return keys;  // half a character
  keys.push_back({Kind::escape});
  for (auto& key : read(rest)) keys.push_back(std::move(key));
  return keys;
}

// Takes something off the front; false: what is there is not whole yet.
bool KeyReader::step(std::vector<Key>& keys) {
  if (pasting_) return paste(keys);
  if (held_[0] == '\x1b') return escape(keys);
  if (const auto key = key_of_byte(held_[0])) {
    keys.push_back(*key);
    held_.erase(0, 1);
    return true;
  }
  const size_t size = character_bytes(static_cast<unsigned char>(held_[0]));
  if (held_.size() < size) return false;
  if (static_cast<unsigned char>(held_[0]) >= 0x20)
    keys.push_back({Kind::text, held_.substr(0, size)});
  held_.erase(0, size);
  return true;
}

bool KeyReader::escape(std::vector<Key>& keys) {
  if (held_.size() < 2) return false;
  if (held_[1] == '[') return control_sequence(keys);
  if (held_[1] == 'O') {
    if (held_.size() < 3) return false;
    if (const auto key = key_of_letter(held_[2])) keys.push_back(*key);
    held_.erase(0, 3);
    return true;
  }
  keys.push_back({Kind::escape});
  held_.erase(0, 1);
  return true;
}

bool KeyReader::control_sequence(std::vector<Key>& keys) {
  size_t end = 2;
  while (end < held_.size() && static_cast<unsigned char>(held_[end]) >= 0x20 &&
         static_cast<unsigned char>(held_[end]) < 0x40)
    ++end;
  if (end == held_.size()) {
    if (held_.size() <= kMaxSequence) return false;
    held_.clear();
    return true;
  }
  const std::string body = held_.substr(2, end - 2);
  const char final = held_[end];
  held_.erase(0, end + 1);
  std::optional<Key> key;
  if (body == "200" && final == '~')
    pasting_ = true;
  else if (body.starts_with('<'))
    key = key_of_mouse(std::string_view(body).substr(1), final);
  else if (final == '~')
    key = key_of_number(numbers_in(body).front());
  else
    key = key_of_letter(final);
  if (key) keys.push_back(std::move(*key));
  return true;
}

bool KeyReader::paste(std::vector<Key>& keys) {
  const size_t end = held_.find(kPasteEnds);
  size_t whole = end;
  if (end == std::string::npos) {
    if (held_.size() < kPasteEnds.size()) return false;
    whole = held_.size() - (kPasteEnds.size() - 1);  // its end may be cut in two
  }
  for (size_t at = 0; at < whole; at += kPiece)
    keys.push_back({Kind::paste, held_.substr(at, std::min(kPiece, whole - at))});
  held_.erase(0, end == std::string::npos ? whole : end + kPasteEnds.size());
  pasting_ = end == std::string::npos;
  return !pasting_;
}

}  // namespace pawl::ui
