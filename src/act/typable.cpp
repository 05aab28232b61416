#include "act/typable.h"

#include <fmt/core.h>

#include <algorithm>

#include "term/keys.h"

namespace pawl::act {
namespace {

std::string name_of(unsigned char c) {
  switch (c) {
    case 0x00:
      return "NUL";
    case 0x07:
      return "BEL";
    case 0x08:
      return "backspace";
    case 0x1b:
      return "ESC";
    case 0x7f:
      return "DEL";
    default:
      return c < 0x20 ? fmt::format("Ctrl-{}", static_cast<char>('@' + c))
                      : fmt::format("U+{:04X}", c);
  }
}

bool harmless(unsigned char c) {
  return (c >= 0x20 && c != 0x7f) || c == '\n' || c == '\r' || c == '\t';
}

}  // namespace

std::optional<std::string> control_character(std::string_view text) {
  for (size_t at = 0; at < text.size(); ++at) {
    const auto c = static_cast<unsigned char>(text[at]);
    if (!harmless(c)) return fmt::format("{} at byte {}", name_of(c), at + 1);
    // Those from U+0080 to U+009F, as UTF-8.
    const auto next = static_cast<unsigned char>(at + 1 < text.size() ? text[at + 1] : 0);
    if (c == 0xc2 && next >= 0x80 && next < 0xa0)
      return fmt::format("{} at byte {}", name_of(next), at + 1);
  }
  return std::nullopt;
}

std::string as_pasted(const std::string& text) {
  std::string out = term::paste_bytes(text, {});
  std::replace(out.begin(), out.end(), '\r', '\n');
  const size_t word = out.find_first_not_of(" \t\n");
  const size_t before = word == std::string::npos ? word : out.rfind('\n', word);
  return before == std::string::npos ? out : out.substr(before + 1);
}

}  // namespace pawl::act
