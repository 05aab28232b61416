#pragma once
// UTF-8, one byte at a time and hostile-safe: what is not UTF-8 becomes U+FFFD, one per maximal
// subpart (the practice of the Unicode standard, chapter 3.9). Used by the parser, the stripper and
// titles.

#include <cstdint>
#include <string>
#include <string_view>

namespace pawl::term {

inline constexpr char32_t kReplacement = 0xfffd;

class Utf8Decoder {
 public:
  enum class Step : uint8_t {
    more,     // the byte was taken, the character is not complete
    done,     // the byte completed `character()`
    invalid,  // the byte was taken and is no UTF-8: show U+FFFD
    again,    // what came before was cut short: show U+FFFD, then offer the same byte again
  };
  Step take(uint8_t byte);
  char32_t character() const { return value_; }
  bool pending() const { return needed_ != 0; }
  void reset() { *this = {}; }
  bool operator==(const Utf8Decoder&) const = default;

  // For serialise(): the whole state as three numbers; false when no stream of bytes leads to them.
  uint32_t value() const { return value_; }
  uint8_t needed() const { return needed_; }
  uint8_t low() const { return low_; }
  uint8_t high() const { return high_; }
  bool set(uint32_t value, uint8_t needed, uint8_t low, uint8_t high);

 private:
  Step start(uint8_t byte);
  void expect(uint8_t needed, uint32_t bits, uint8_t low, uint8_t high);

  uint32_t value_ = 0;
  uint8_t needed_ = 0;                // continuation bytes still to come
  uint8_t low_ = 0x80, high_ = 0xbf;  // what the next one may be
};

void append_utf8(std::string& out, char32_t c);

// The text as valid UTF-8 without control characters (C0, DEL, C1), at most `limit` bytes, cut
// between characters. For everything a program names and a person sees outside the grid.
std::string clean_text(std::string_view bytes, size_t limit);
// The same without characters that show nothing or turn the order of others around (bidirectional
// controls, zero width, tags, fillers): for names that another program will show.
std::string plain_text(std::string_view bytes, size_t limit);

}  // namespace pawl::term
