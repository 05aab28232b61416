#include "term/width.h"

#include <algorithm>
#include <iterator>

#include "term/utf8.h"

namespace pawl::term {
namespace {

struct CharRange {
  char32_t first, last;
};
#include "term/width_table.inc"

template <size_t N>
bool inside(const CharRange (&ranges)[N], char32_t c) {
  auto it = std::lower_bound(std::begin(ranges), std::end(ranges), c,
                             [](const CharRange& r, char32_t x) { return r.last < x; });
  return it != std::end(ranges) && it->first <= c;
}

}  // namespace

int char_width(char32_t c) {
  if (c < 0xa0) return 1;
  if (c < 0x300) return c == 0xad ? 0 : 1;
  if ((c >= 0x4e00 && c <= 0x9fff) || (c >= 0xac00 && c <= 0xd7a3)) return 2;  // most of CJK
  if (c >= 0x2500 && c <= 0x25fc) return 1;                                    // boxes and blocks
  if (inside(kTwoWide, c)) return 2;
  return inside(kZeroWidth, c) ? 0 : 1;
}

bool is_tone(char32_t c) {
  return c >= 0x1f3fb && c <= 0x1f3ff;
}

bool takes_tone(char32_t c) {
  return c == 0x270a || c == 0x270b || (c >= 0x1f300 && c <= 0x1faff && !is_tone(c));
}

int text_width(std::string_view text) {
  Utf8Decoder decoder;
  int width = 0;
  for (const char c : text)
    if (decoder.take(static_cast<uint8_t>(c)) == Utf8Decoder::Step::done)
      width += char_width(decoder.character());
  return width;
}

}  // namespace pawl::term
