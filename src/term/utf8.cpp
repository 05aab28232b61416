#include "term/utf8.h"

#include <algorithm>
#include <iterator>

namespace pawl::term {

void Utf8Decoder::expect(uint8_t needed, uint32_t bits, uint8_t low, uint8_t high) {
  needed_ = needed;
  value_ = bits;
  low_ = low;
  high_ = high;
}

Utf8Decoder::Step Utf8Decoder::start(uint8_t b) {
  if (b < 0x80) {
    value_ = b;
    return Step::done;
  }
  if (b >= 0xc2 && b <= 0xdf) {
    expect(1, b & 0x1fu, 0x80, 0xbf);
  } else if (b >= 0xe0 && b <= 0xef) {
    expect(2, b & 0x0fu, b == 0xe0 ? 0xa0 : 0x80, b == 0xed ? 0x9f : 0xbf);
  } else if (b >= 0xf0 && b <= 0xf4) {
    expect(3, b & 0x07u, b == 0xf0 ? 0x90 : 0x80, b == 0xf4 ? 0x8f : 0xbf);
  } else {
    return Step::invalid;
  }
  return Step::more;
}

Utf8Decoder::Step Utf8Decoder::take(uint8_t b) {
  if (needed_ == 0) return start(b);
  if (b < low_ || b > high_) {
    reset();
    return Step::again;
  }
  value_ = (value_ << 6) | (b & 0x3fu);
  low_ = 0x80;
  high_ = 0xbf;
  return --needed_ == 0 ? Step::done : Step::more;
}

bool Utf8Decoder::set(uint32_t value, uint8_t needed, uint8_t low, uint8_t high) {
  if (needed > 3 || low < 0x80 || high > 0xbf || low > high || value > 0x10ffff) return false;
  if (needed > 0 && value >= (0x110000u >> (6 * needed)) + 1) return false;
  value_ = value;
  needed_ = needed;
  low_ = low;
  high_ = high;
  return true;
}

void append_utf8(std::string& out, char32_t c) {
  auto put = [&out](char32_t byte) { out.push_back(static_cast<char>(byte)); };
  if (c < 0x80) {
    put(c);
  } else if (c < 0x800) {
    put(0xc0 | (c >> 6));
    put(0x80 | (c & 0x3f));
  } else if (c < 0x10000) {
    put(0xe0 | (c >> 12));
    put(0x80 | ((c >> 6) & 0x3f));
    put(0x80 | (c & 0x3f));
  } else {
    put(0xf0 | (c >> 18));
    put(0x80 | ((c >> 12) & 0x3f));
    put(0x80 | ((c >> 6) & 0x3f));
    put(0x80 | (c & 0x3f));
  }
}

namespace {

bool is_control(char32_t c) {
  return c < 0x20 || (c >= 0x7f && c < 0xa0);
}

struct Range {
  char32_t first, last;
};
constexpr Range kUnseen[] = {
    {0xad, 0xad},        // soft hyphen
    {0x34f, 0x34f},      // grapheme joiner
    {0x61c, 0x61c},      // Arabic letter mark
    {0x115f, 0x1160},    // Hangul fillers
    {0x17b4, 0x17b5},    // Khmer inherent vowels
    {0x180b, 0x180f},    // Mongolian selectors
    {0x200b, 0x200f},    // zero width, left-to-right and right-to-left marks
    {0x2028, 0x202e},    // line and paragraph separators, embeddings and overrides
    {0x2060, 0x206f},    // joiners, isolates, invisible operators
    {0x3164, 0x3164},    // Hangul filler
    {0xfe00, 0xfe0f},    // variation selectors
    {0xfeff, 0xfeff},    // byte order mark
    {0xffa0, 0xffa0},    // Hangul filler, half width
    {0xfff9, 0xfffb},    // annotations
    {0x1bca0, 0x1bca3},  // shorthand controls
    {0x1d173, 0x1d17a},  // musical controls
    {0xe0000, 0xe0fff},  // tags, more selectors
};

bool is_unseen(char32_t c) {
  return std::any_of(std::begin(kUnseen), std::end(kUnseen),
                     [c](const Range& r) { return c >= r.first && c <= r.last; });
}

// Every character that `keep` wants, as long as there is room.
template <class Keep>
std::string kept(std::string_view bytes, size_t limit, Keep keep) {
  std::string out;
  const auto add = [&](char32_t c) {
    std::string one;
    append_utf8(one, c);
    if (keep(c) && out.size() + one.size() <= limit) out += one;
  };
  Utf8Decoder decoder;
  for (size_t i = 0; i < bytes.size();) {
    switch (decoder.take(static_cast<uint8_t>(bytes[i]))) {
      case Utf8Decoder::Step::more:
        ++i;
        break;
      case Utf8Decoder::Step::done:
        add(decoder.character()), ++i;
        break;
      case Utf8Decoder::Step::invalid:
        add(kReplacement), ++i;
        break;
      case Utf8Decoder::Step::again:
        add(kReplacement);
        break;
    }
  }
  if (decoder.pending()) add(kReplacement);
  return out;
}

}  // namespace

std::string clean_text(std::string_view bytes, size_t limit) {
  return kept(bytes, limit, [](char32_t c) { return !is_control(c); });
}

std::string plain_text(std::string_view bytes, size_t limit) {
  return kept(bytes, limit, [](char32_t c) { return !is_control(c) && !is_unseen(c); });
}

}  // namespace pawl::term
