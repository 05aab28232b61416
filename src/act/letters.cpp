#include "act/letters.h"

#include <utf8proc.h>

#include <vector>

#include "term/utf8.h"

namespace pawl::act {
namespace {

// Am of Thai and Lao: some programs write it as the two characters it looks like.
constexpr char32_t kThaiAm = 0xE33, kLaoAm = 0xEB3;

}  // namespace

std::u32string spelt_apart(std::string_view text) {
  const std::string clean =
      term::clean_text(text, text.size() * 3);  // U+FFFD is longer than what it stands for
  constexpr auto kHow = static_cast<utf8proc_option_t>(UTF8PROC_DECOMPOSE | UTF8PROC_IGNORE);
  const auto* bytes = reinterpret_cast<const utf8proc_uint8_t*>(clean.data());
  const auto size = static_cast<utf8proc_ssize_t>(clean.size());
  std::vector<utf8proc_int32_t> points(clean.size() + 1);
  utf8proc_ssize_t count = utf8proc_decompose(bytes, size, points.data(), size, kHow);
  if (count > size) {  // some need more characters than they had bytes
    points.resize(static_cast<size_t>(count) + 1);
    count = utf8proc_decompose(bytes, size, points.data(), count, kHow);
  }
  std::u32string out;
  for (utf8proc_ssize_t i = 0; i < count; ++i) {
    const auto c = static_cast<char32_t>(points[static_cast<size_t>(i)]);
    if (c == kThaiAm || c == kLaoAm)
      out += {c + 0x1A, c - 1};
    else
      out += c;
  }
  return out;
}

bool is_mark(char32_t c) {
  const utf8proc_category_t kind = utf8proc_category(static_cast<utf8proc_int32_t>(c));
  return kind == UTF8PROC_CATEGORY_MN || kind == UTF8PROC_CATEGORY_MC ||
         kind == UTF8PROC_CATEGORY_ME;
}

}  // namespace pawl::act
