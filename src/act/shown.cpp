#include "act/shown.h"

#include <algorithm>
#include <cctype>
#include <charconv>

#include "act/letters.h"
#include "term/utf8.h"

namespace pawl::act {
namespace {

constexpr size_t kLastPart = 24;   // characters of its end that a scrolled box must show
constexpr size_t kScrollRows = 4;  // a box with fewer rows shows everything

bool blank(char32_t c) {
  return c <= 0x20 || c == 0xA0 || (c >= 0x2000 && c <= 0x200A) || c == 0x202F || c == 0x3000;
}

// Frames have them too, and nobody can tell which is which.
bool border(char32_t c) {
  return c == '|' || (c >= 0x2500 && c <= 0x259F);
}

// What a program may draw beside a text: signs, arrows, shapes, icons. Everything else is a letter.
bool ornament(char32_t c) {
  if (c < 0x80) return std::isalnum(static_cast<int>(c)) == 0;
  return (c >= 0x2000 && c <= 0x2BFF) || (c >= 0xE000 && c <= 0xF8FF);
}

// It turns the order of others around, and some show a sign in its place.
bool turns(char32_t c) {
  return (c >= 0x202A && c <= 0x202E) || (c >= 0x2066 && c <= 0x2069);
}

// The characters that can be seen. `signs`: … as one sees them where such a sign is shown.
std::u32string solid(std::string_view text, bool signs = false) {
  std::string marked;
  if (signs) {
    term::Utf8Decoder decoder;
    for (size_t at = 0, from = 0; at < text.size(); ++at) {
      if (decoder.take(static_cast<uint8_t>(text[at])) != term::Utf8Decoder::Step::done) continue;
      if (turns(decoder.character())) term::append_utf8(marked, term::kReplacement);
      marked += text.substr(from, at + 1 - from);
      from = at + 1;
    }
    text = marked;
  }
  std::u32string out = spelt_apart(text);
  std::erase_if(out, [](char32_t c) { return blank(c) || border(c); });
  return out;
}

std::u32string solid(const std::vector<std::string>& rows) {
  std::string all;
  for (const auto& row : rows) all += row;
  return solid(all);
}

std::u32string letters(std::u32string text) {
  std::erase_if(text, ornament);
  return text;
}

std::u32string bare(std::u32string text) {
  std::erase_if(text, is_mark);
  return text;
}

// The last letter with its marks.
std::u32string_view last_letter(const std::u32string& text) {
  size_t at = text.size();
  while (at > 0 && is_mark(text[at - 1])) --at;
  return std::u32string_view(text).substr(at > 0 ? at - 1 : 0);
}

// All of it in this order, whatever stands between.
bool within(const std::u32string& text, const std::u32string& all) {
  size_t found = 0;
  for (const char32_t c : all)
    if (found < text.size() && text[found] == c) ++found;
  return found == text.size();
}

// Characters as the languages these programs are written in count them.
struct Sizes {
  size_t lines = 0, bytes = 0, points = 0, units = 0;
};

Sizes sizes_of(std::string_view text) {
  Sizes out;
  out.bytes = text.size();
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '\n') ++out.lines;
    if ((byte & 0xC0) != 0x80) ++out.points;
    if ((byte & 0xC0) != 0x80) out.units += byte >= 0xF0 ? 2 : 1;
  }
  return out;
}

// Blanks at the end are counted or not, and the last line is or is not one.
bool is_size(size_t number, std::string_view text) {
  const Sizes most = sizes_of(text);
  const Sizes least = sizes_of(text.substr(0, text.find_last_not_of(" \t\n") + 1));
  const auto is = [&](size_t Sizes::*what) {
    return number >= least.*what && number <= most.*what + 1;
  };
  return is(&Sizes::lines) || is(&Sizes::bytes) || is(&Sizes::points) || is(&Sizes::units);
}

// A note names a number of lines or characters, or none at all.
Shown by_note(std::string_view note, std::string_view text) {
  bool none = true;
  for (size_t at = 0; at < note.size();) {
    if (!std::isdigit(static_cast<unsigned char>(note[at]))) {
      ++at;
      continue;
    }
    const bool is_index = at > 0 && note[at - 1] == '#';
    size_t number = 0;
    const auto [end, error] = std::from_chars(note.data() + at, note.data() + note.size(), number);
    at = static_cast<size_t>(end - note.data());
    if (error != std::errc{} || is_index) continue;
    none = false;
    if (is_size(number, text)) return Shown::whole;
  }
  return none ? Shown::likely : Shown::part;
}

// The one note in the box; empty when there is text beside it.
std::string note_in(const std::vector<std::string>& rows) {
  std::string all;
  for (const auto& row : rows) all += (all.empty() ? "" : " ") + row;
  const size_t begin = all.find('['), end = all.find(']');
  if (begin == std::string::npos || end == std::string::npos || end < begin) return all;
  return letters(solid(all.substr(0, begin) + all.substr(end + 1))).empty()
             ? all.substr(begin, end + 1 - begin)
             : "";
}

// The text as these rows would show all of it.
std::u32string wanted_in(const std::u32string& seen, std::string_view text) {
  const std::u32string plain = solid(text);
  const auto signs = [](const std::u32string& in) {
    return std::count(in.begin(), in.end(), term::kReplacement);
  };
  return signs(seen) > signs(plain) ? solid(text, true) : plain;
}

}  // namespace

bool ours(const std::vector<std::string>& rows, bool pasted, std::string_view text) {
  if (pasted && !note_in(rows).empty()) return true;
  std::u32string seen = solid(rows);
  const std::u32string wanted = bare(letters(wanted_in(seen, text)));
  seen = bare(letters(seen));
  if (within(seen, wanted)) return true;
  std::reverse(seen.begin(), seen.end());  // some turn round what is written from right to left
  return within(seen, wanted);
}

bool alike(std::string_view a, std::string_view b) {
  return solid(a) == solid(b);
}

namespace {

// With signs of the box between and around it.
bool is_all_of(const std::u32string& seen, const std::u32string& wanted) {
  return letters(seen) == letters(wanted) && within(wanted, seen);
}

}  // namespace

static std::u32string without_blanks(std::string_view text) {
  std::u32string out = spelt_apart(text);
  std::erase_if(out, blank);
  return out;
}

// A text of nothing but lines and blocks, in a box that holds nothing else.
static bool only_lines(const std::vector<std::string>& rows, std::string_view text) {
  std::string all;
  for (const auto& row : rows) all += row;
  const std::u32string wanted = without_blanks(text);
  return !wanted.empty() && without_blanks(all) == wanted;
}

bool shown_within(const std::vector<std::string>& rows, std::string_view text) {
  const std::u32string wanted = letters(solid(text));
  return wanted.size() >= kLastPart && letters(solid(rows)).find(wanted) != std::u32string::npos;
}

Shown shown(const std::vector<std::string>& rows, bool pasted, std::string_view text) {
  const std::u32string seen = solid(rows);
  if (seen.empty()) return only_lines(rows, text) ? Shown::whole : Shown::nothing;
  if (pasted) {
    const std::string note = note_in(rows);
    // A text may quote a note.
    if (!note.empty() && text.find(note) == std::string_view::npos) return by_note(note, text);
  }
  const std::u32string wanted = wanted_in(seen, text);
  if (seen == wanted || is_all_of(seen, wanted)) return Shown::whole;
  // Marks are lost where the program and our terminal measure differently; not those of the end: more of it may still come.
  const std::u32string seen_letters = letters(seen), wanted_letters = letters(wanted);
  if (last_letter(seen_letters) != last_letter(wanted_letters)) return Shown::part;
  if (is_all_of(bare(seen), bare(wanted))) return Shown::whole;
  const bool scrolled = rows.size() >= kScrollRows && seen_letters.size() < wanted_letters.size();
  if (scrolled && seen_letters.size() >= kLastPart &&
      bare(wanted_letters).ends_with(bare(seen_letters)))
    return Shown::likely;
  return Shown::part;
}

}  // namespace pawl::act
