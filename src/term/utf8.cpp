#include "term/utf8.h"

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

void append_clean(std::string& out, char32_t c, size_t limit) {
  if (c < 0x20 || (c >= 0x7f && c < 0xa0)) return;
  std::string one;
  append_utf8(one, c);
  if (out.size() + one.size() <= limit) out += one;
}

}  // namespace

std::string clean_text(std::string_view bytes, size_t limit) {
  std::string out;
  Utf8Decoder decoder;
  for (size_t i = 0; i < bytes.size();) {
    switch (decoder.take(static_cast<uint8_t>(bytes[i]))) {
      case Utf8Decoder::Step::more:
        ++i;
        break;
      case Utf8Decoder::Step::done:
        append_clean(out, decoder.character(), limit), ++i;
        break;
      case Utf8Decoder::Step::invalid:
        append_clean(out, kReplacement, limit), ++i;
        break;
      case Utf8Decoder::Step::again:
        append_clean(out, kReplacement, limit);
        break;
    }
  }
  if (decoder.pending()) append_clean(out, kReplacement, limit);
  return out;
}

}  // namespace pawl::term
