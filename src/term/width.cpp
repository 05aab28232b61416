#include "term/width.h"

#include <string>

#include "term/utf8.h"

namespace pawl::term {
namespace {

#include "term/letters.inc"

// The ends of a letter that is made of several characters.
struct LetterEnds {
  char32_t first = 0, last = 0;  // the last one without signs of presentation
  bool linked = false;           // the next consonant belongs to it
};

LetterEnds ends_of(std::string_view text) {
  LetterEnds ends;
  Utf8Decoder decoder;
  for (const char byte : text) {
    if (decoder.take(static_cast<uint8_t>(byte)) != Utf8Decoder::Step::done) continue;
    const char32_t c = decoder.character();
    const LetterClass kind = letter(c).kind();
    if (ends.first == 0) ends.first = c;
    if (c != kAsPicture) ends.last = c;
    if (kind == LetterClass::linker)
      ends.linked = letter(ends.first).kind() == LetterClass::consonant;
    else if (kind != LetterClass::extend && kind != LetterClass::joiner)
      ends.linked = false;
  }
  return ends;
}

}  // namespace

Letter letter(char32_t c) {
  return {c < 0x110000 ? kLetters[kBlockOf[c >> 8] * 256u + (c & 0xff)]
                       : uint8_t{1u << kWidthShift}};
}

std::optional<int> joined_width(std::string_view before, int columns, char32_t c,
                                Counting counting) {
  const Letter it = letter(c);
  const auto if_so = [](bool so, int width) { return so ? std::optional(width) : std::nullopt; };
  switch (it.kind()) {
    case LetterClass::tone:
      return if_so(letter(ends_of(before).last).takes_tone(), 2);
    case LetterClass::picture: {
      const LetterEnds ends = ends_of(before);
      return if_so(
          ends.last == kZeroWidthJoiner && letter(ends.first).kind() == LetterClass::picture, 2);
    }
    case LetterClass::regional: {
      const LetterEnds ends = ends_of(before);
      return if_so(ends.first == ends.last && before.size() == 4 &&
                       letter(ends.first).kind() == LetterClass::regional,
                   2);
    }
    case LetterClass::consonant:
      return if_so(counting == Counting::clusters && ends_of(before).linked, columns);
    case LetterClass::spacing:
      return if_so(counting != Counting::characters && !before.empty() && before != " ", columns);
    case LetterClass::other:
    case LetterClass::extend:
    case LetterClass::linker:
    case LetterClass::prepend:
    case LetterClass::lead:
    case LetterClass::vowel:
    case LetterClass::tail:
    case LetterClass::open:
    case LetterClass::closed:
    case LetterClass::joiner:
      break;
  }
  if (c == kAsPicture && counting != Counting::characters && letter(ends_of(before).last).emoji())
    return 2;
  return if_so(it.width() == 0, columns);
}

namespace {

// One character of valid UTF-8; U+FFFD for what is none.
char32_t take_character(std::string_view text, size_t& at) {
  Utf8Decoder decoder;
  while (at < text.size()) {
    switch (decoder.take(static_cast<uint8_t>(text[at]))) {
      case Utf8Decoder::Step::more:
        ++at;
        break;
      case Utf8Decoder::Step::done:
        ++at;
        return decoder.character();
      case Utf8Decoder::Step::invalid:
        ++at;
        return kReplacement;
      case Utf8Decoder::Step::again:
        return kReplacement;
    }
  }
  return kReplacement;
}

bool ascii_at(std::string_view text, size_t at) {
  return at >= text.size() || static_cast<uint8_t>(text[at]) < 0x80;
}

}  // namespace

LetterSpan next_letter(std::string_view text, size_t begin, Counting counting) {
  if (ascii_at(text, begin) && ascii_at(text, begin + 1))
    return {begin + 1, 1, static_cast<unsigned char>(text[begin]), false};
  LetterSpan span;
  span.end = begin;
  span.first = take_character(text, span.end);
  span.columns = char_width(span.first);
  for (size_t at = span.end; at < text.size() && at - begin < kLetterBytes;) {
    const char32_t c = take_character(text, at);
    if (c < 0xa0) break;
    const auto together =
        joined_width(text.substr(begin, span.end - begin), span.columns, c, counting);
    if (!together) break;
    span.columns = *together;
    span.several = true;
    span.end = at;
  }
  return span;
}

int char_width(char32_t c) {
  return letter(c).width();
}

int text_width(std::string_view text) {
  Utf8Decoder decoder;
  int width = 0, columns = 0;  // of all, of the letter that goes on
  size_t begin = 0;            // of that letter
  for (size_t at = 0; at < text.size(); ++at) {
    if (decoder.take(static_cast<uint8_t>(text[at])) != Utf8Decoder::Step::done) continue;
    const char32_t c = decoder.character();
    size_t from = at;
    while (from > begin && (static_cast<uint8_t>(text[from]) & 0xc0) == 0x80) --from;
    const auto together =
        c < 0xa0 ? std::nullopt
                 : joined_width(text.substr(begin, from - begin), columns, c, Counting::characters);
    if (!together) begin = from;
    const int now = together ? *together : char_width(c);
    width += together ? now - columns : now;
    columns = now;
  }
  return width;
}

}  // namespace pawl::term
