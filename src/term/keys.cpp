#include "term/keys.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <vector>

#include "base/text.h"
#include "term/utf8.h"

namespace pawl::term {
namespace {

enum Modifier { kShift = 1, kMeta = 2, kControl = 4 };

struct Key {
  const char* name;
  char form;   // 'c' CSI letter (SS3 in application mode), 's' SS3 letter, '~' CSI number ~, 'b' a
               // byte
  int number;  // letter, number or byte
};

constexpr Key kKeys[] = {
    {"Up", 'c', 'A'},     {"Down", 'c', 'B'},    {"Right", 'c', 'C'},  {"Left", 'c', 'D'},
    {"Home", 'c', 'H'},   {"End", 'c', 'F'},     {"Insert", '~', 2},   {"IC", '~', 2},
    {"DC", '~', 3},       {"Delete", '~', 3},    {"PPage", '~', 5},    {"PageUp", '~', 5},
    {"PgUp", '~', 5},     {"NPage", '~', 6},     {"PageDown", '~', 6}, {"PgDn", '~', 6},
    {"F1", 's', 'P'},     {"F2", 's', 'Q'},      {"F3", 's', 'R'},     {"F4", 's', 'S'},
    {"F5", '~', 15},      {"F6", '~', 17},       {"F7", '~', 18},      {"F8", '~', 19},
    {"F9", '~', 20},      {"F10", '~', 21},      {"F11", '~', 23},     {"F12", '~', 24},
    {"Enter", 'b', '\r'}, {"Tab", 'b', '\t'},    {"BTab", 't', 'Z'},   {"Escape", 'b', 0x1b},
    {"Esc", 'b', 0x1b},   {"BSpace", 'b', 0x7f}, {"Space", 'b', ' '},
};

bool same_name(std::string_view a, std::string_view b) {
  auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; };
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [&](char x, char y) { return lower(x) == lower(y); });
}

int modifier_named(char c) {
  switch (c) {
    case 'C':
      return kControl;
    case 'M':
      return kMeta;
    case 'S':
      return kShift;
    default:
      return 0;
  }
}

// "C-M-x" -> kControl | kMeta and "x".
int take_modifiers(std::string_view& name) {
  int modifiers = 0;
  if (name.size() == 2 && name[0] == '^') {
    name.remove_prefix(1);
    return kControl;
  }
  while (name.size() >= 3 && name[1] == '-' && modifier_named(name[0])) {
    modifiers |= modifier_named(name[0]);
    name.remove_prefix(2);
  }
  return modifiers;
}

std::string with_meta(std::string bytes, int modifiers) {
  return modifiers & kMeta ? "\x1b" + bytes : bytes;
}

// The C0 control of a character, or -1.
int control_of(char32_t c) {
  if (c >= 'a' && c <= 'z') return static_cast<int>(c - 'a' + 1);
  if (c >= '@' && c <= '_') return static_cast<int>(c - '@');
  if (c == ' ' || c == '2') return 0;
  if (c >= '3' && c <= '7') return static_cast<int>(c - '3' + 27);
  if (c == '?' || c == '8') return 0x7f;
  if (c == '/' || c == '-') return 31;
  return -1;
}

// Kitty's and xterm's unambiguous form: CSI code ; modifiers u.
std::string numbered(char32_t c, int modifiers) {
  if (modifiers == 0) return fmt::format("\x1b[{}u", static_cast<uint32_t>(c));
  return fmt::format("\x1b[{};{}u", static_cast<uint32_t>(c), modifiers + 1);
}

bool unambiguous(const Modes& modes) {
  return modes.kitty_keyboard & 1;
}

Result<std::string> character(char32_t c, int modifiers, const Modes& modes) {
  if (c < 0x80 && unambiguous(modes) && (modifiers & (kControl | kMeta))) {
    const bool upper = c >= 'A' && c <= 'Z';
    return numbered(upper ? c + 32 : c, modifiers | (upper ? kShift : 0));
  }
  std::string bytes;
  if (modifiers & kControl) {
    const int control = c < 0x80 ? control_of(c) : -1;
    if (control < 0) return fail("no terminal sends Control with this key", "leave out C-", 2);
    bytes.push_back(static_cast<char>(control));
  } else {
    if ((modifiers & kShift) && c >= 'a' && c <= 'z') c -= 32;
    append_utf8(bytes, c);
  }
  return with_meta(bytes, modifiers);
}

std::string named_byte(const Key& key, int modifiers, const Modes& modes) {
  if (key.number == '\t' && (modifiers & kShift)) return with_meta("\x1b[Z", modifiers);
  if (unambiguous(modes) && (modifiers || key.number == 0x1b))
    return numbered(static_cast<char32_t>(key.number), modifiers);
  if (modes.modify_other_keys == 2 && modifiers && key.number != ' ')
    return fmt::format("\x1b[27;{};{}~", modifiers + 1, key.number);
  int byte = key.number;
  if ((modifiers & kControl) && byte == ' ') byte = 0;
  if ((modifiers & kControl) && byte == 0x7f) byte = 8;
  return with_meta(std::string(1, static_cast<char>(byte)), modifiers);
}

std::string named(const Key& key, int modifiers, const Modes& modes) {
  const auto letter = static_cast<char>(key.number);
  switch (key.form) {
    case 'b':
      return named_byte(key, modifiers, modes);
    case 't':
      return with_meta("\x1b[Z", modifiers);
    case '~':
      if (modifiers) return fmt::format("\x1b[{};{}~", key.number, modifiers + 1);
      return fmt::format("\x1b[{}~", key.number);
    default:
      if (modifiers) return fmt::format("\x1b[1;{}{}", modifiers + 1, letter);
      const bool ss3 = key.form == 's' || modes.app_cursor_keys;
      return fmt::format("\x1b{}{}", ss3 ? 'O' : '[', letter);
  }
}

// The only character of the text, or 0.
char32_t single(std::string_view text) {
  Utf8Decoder decoder;
  for (size_t i = 0; i < text.size(); ++i) {
    const auto step = decoder.take(static_cast<uint8_t>(text[i]));
    if (step == Utf8Decoder::Step::done) return i + 1 == text.size() ? decoder.character() : 0;
    if (step != Utf8Decoder::Step::more) return 0;
  }
  return 0;
}

}  // namespace

Result<std::string> key_bytes(std::string_view name, const Modes& modes) {
  std::string_view rest = name;
  const int modifiers = take_modifiers(rest);
  for (const Key& key : kKeys)
    if (same_name(rest, key.name)) return named(key, modifiers, modes);
  const char32_t c = single(rest);
  if (c >= 0x20 && !(c >= 0x7f && c < 0xa0)) return character(c, modifiers, modes);
  std::vector<std::string> known;
  for (const Key& key : kKeys) known.push_back(key.name);
  const auto near = nearest(rest, known);
  const std::string shown = clean_text(name, 64);
  return fail(fmt::format("unknown key: {}", shown.empty() ? "(empty)" : shown),
              near ? fmt::format("did you mean {}?", *near)
                   : "use a single character or a name like Enter, Escape, Up, F1, C-c, M-x",
              2);
}

std::string paste_bytes(std::string_view text, const Modes& modes) {
  std::string out = modes.bracketed_paste ? "\x1b[200~" : "";
  for (size_t i = 0; i < text.size(); ++i) {
    const auto c = static_cast<unsigned char>(text[i]);
    if (c == '\n' || c == '\r') {
      if (c == '\r' && i + 1 < text.size() && text[i + 1] == '\n') continue;
      out.push_back('\r');
    } else if (c == '\t' || (c >= 0x20 && c != 0x7f)) {
      if (c == 0xc2 && i + 1 < text.size() && static_cast<unsigned char>(text[i + 1]) < 0xa0) {
        ++i;  // a C1 control as UTF-8
        continue;
      }
      out.push_back(static_cast<char>(c));
    }
  }
  if (modes.bracketed_paste) out += "\x1b[201~";
  return out;
}

}  // namespace pawl::term
