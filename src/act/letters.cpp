#include "act/letters.h"

#include <string_view>

namespace pawl::act {
namespace {

// The letter without its marks, for every one of the block.
constexpr char32_t kLatinFrom = 0xC0, kMoreFrom = 0x1E00;
constexpr std::u16string_view kLatin =
    u"AAAAAAÆCEEEEIIIIÐNOOOOO×ØUUUUYÞßaaaaaaæceeeeiiiiðnooooo÷øuuuuyþy"
    u"AaAaAaCcCcCcCcDdĐđEeEeEeEeEeGgGgGgGgHhĦħIiIiIiIiIıĲĳJjKkĸLlLlLlĿ"
    u"ŀŁłNnNnNnŉŊŋOoOoOoŒœRrRrRrSsSsSsSsTtTtŦŧUuUuUuUuUuUuWwYyYZzZzZzſ";
constexpr std::u16string_view kMore =
    u"AaBbBbBbCcDdDdDdDdDdEeEeEeEeEeFfGgHhHhHhHhHhIiIiKkKkKkLlLlLlLlMm"
    u"MmMmNnNnNnNnOoOoOoOoPpPpRrRrRrRrSsSsSsSsSsTtTtTtTtUuUuUuUuUuVvVv"
    u"WwWwWwWwWwXxXxYyZzZzZzhtwyẚſẜẝẞẟAaAaAaAaAaAaAaAaAaAaAaAaEeEeEeEe"
    u"EeEeEeEeIiIiOoOoOoOoOoOoOoOoOoOoOoOoUuUuUuUuUuUuUuYyYyYyYyỺỻỼỽỾỿ";
static_assert(kLatin.size() == 192 && kMore.size() == 256);

constexpr char32_t kLead = 0x1100, kVowel = 0x1161, kTail = 0x11A7, kSyllable = 0xAC00;
constexpr char32_t kVowels = 21, kTails = 28;

bool within(char32_t c, char32_t from, char32_t to) {
  return c >= from && c <= to;
}

// Letters of Korean put together, as every screen shows them. False: this one does not belong to the one before it.
bool joined_syllable(std::u32string& out, char32_t c) {
  char32_t& last = out.back();
  if (within(last, kLead, 0x1112) && within(c, kVowel, 0x1175)) {
    last = kSyllable + ((last - kLead) * kVowels + (c - kVowel)) * kTails;
    return true;
  }
  const bool open = within(last, kSyllable, 0xD7A3) && (last - kSyllable) % kTails == 0;
  if (!open || !within(c, kTail + 1, 0x11C2)) return false;
  last += c - kTail;
  return true;
}

// The marks of Japanese letters, which come right after the bare ones: か が, は ば ぱ.
bool joined_kana(std::u32string& out, char32_t c) {
  if (c != 0x3099 && c != 0x309A) return false;
  if (within(out.back(), 0x304B, 0x30FD)) out.back() += c - 0x3098;
  return true;
}

}  // namespace

void add_letter(std::u32string& out, char32_t c) {
  if (c == 0xAD) return;
  if (!out.empty() && (joined_syllable(out, c) || joined_kana(out, c))) return;
  if (within(c, kLatinFrom, 0x17F)) c = kLatin[c - kLatinFrom];
  if (within(c, kMoreFrom, 0x1EFF)) c = kMore[c - kMoreFrom];
  // й ё ї ў, and the large ones
  constexpr std::u32string_view kMarked = U"йёїўЙЁЇЎ", kBare = U"иеіуИЕІУ";
  if (const size_t at = kMarked.find(c); at != std::u32string_view::npos) c = kBare[at];
  out += c;
}

}  // namespace pawl::act
