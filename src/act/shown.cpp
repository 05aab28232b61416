#include "act/shown.h"

#include <algorithm>
#include <cctype>
#include <charconv>

namespace pawl::act {
namespace {

constexpr size_t kTail = 24;       // letters of its end that a scrolled box must show
constexpr size_t kScrollRows = 4;  // a box with fewer rows shows everything
constexpr size_t kSizeLeeway = 2;  // programs count line ends, or not

std::string letters(std::string_view text) {
  std::string out;
  for (const char c : text)
    if (std::isalnum(static_cast<unsigned char>(c))) out += c;
  return out;
}

bool any_letter(const std::vector<std::string>& rows) {
  return std::any_of(rows.begin(), rows.end(), [](const std::string& row) {
    return std::any_of(row.begin(), row.end(), [](char c) { return c != ' '; });
  });
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

bool near(size_t a, size_t b) {
  return (a > b ? a - b : b - a) <= kSizeLeeway;
}

// A placeholder names a number of lines or characters, or none at all.
bool names_its_size(const std::string& row, const Sizes& sizes) {
  bool none = true;
  for (size_t at = 0; at < row.size();) {
    if (!std::isdigit(static_cast<unsigned char>(row[at]))) {
      ++at;
      continue;
    }
    const bool is_index = at > 0 && row[at - 1] == '#';
    size_t number = 0;
    const auto [end, error] = std::from_chars(row.data() + at, row.data() + row.size(), number);
    at = static_cast<size_t>(end - row.data());
    if (error != std::errc{} || is_index) continue;
    none = false;
    if (near(number, sizes.lines) || near(number, sizes.bytes) || near(number, sizes.points) ||
        near(number, sizes.units))
      return true;
  }
  return none;
}

}  // namespace

Shown shown(const std::vector<std::string>& rows, bool pasted, std::string_view text) {
  if (!any_letter(rows)) return Shown::nothing;
  if (pasted) {
    const Sizes sizes = sizes_of(text);
    const bool fits = std::any_of(rows.begin(), rows.end(), [&](const std::string& row) {
      return names_its_size(row, sizes);
    });
    return fits ? Shown::whole : Shown::part;
  }
  std::string all;
  for (const auto& row : rows) all += letters(row);
  const std::string wanted = letters(text);
  if (all == wanted) return Shown::whole;
  const bool scrolled = rows.size() >= kScrollRows && all.size() < wanted.size();
  if (scrolled && all.size() >= kTail && wanted.ends_with(all)) return Shown::whole;
  return Shown::part;
}

}  // namespace pawl::act
