#include "base/zone_names.h"

#include <string>

namespace pawl {
namespace {

using std::chrono::minutes;

struct Row {
  std::string_view name;
  int minutes;  // east of UTC
};

constexpr Row kRows[] = {
    {"UTC", 0},
    {"GMT", 0},
    {"ETC/UTC", 0},
    {"ETC/GMT", 0},
    {"Z", 0},
    {"ZULU", 0},
    {"UCT", 0},
    {"ETC/UCT", 0},
    {"ETC/ZULU", 0},
    {"UNIVERSAL", 0},
    {"ETC/UNIVERSAL", 0},
    {"GMT0", 0},
    {"GREENWICH", 0},
    // America
    {"PST", -8 * 60},
    {"PDT", -7 * 60},
    {"MST", -7 * 60},
    {"MDT", -6 * 60},
    {"CST", -6 * 60},
    {"CDT", -5 * 60},
    {"EST", -5 * 60},
    {"EDT", -4 * 60},
    {"AKST", -9 * 60},
    {"AKDT", -8 * 60},
    {"HST", -10 * 60},
    {"HDT", -9 * 60},
    {"AST", -4 * 60},
    {"ADT", -3 * 60},
    {"NST", -3 * 60 - 30},
    {"NDT", -2 * 60 - 30},
    {"BRT", -3 * 60},
    // Europe and Africa
    {"WET", 0},
    {"WEST", 60},
    {"BST", 60},
    {"CET", 60},
    {"CEST", 2 * 60},
    {"EET", 2 * 60},
    {"EEST", 3 * 60},
    {"MSK", 3 * 60},
    {"SAST", 2 * 60},
    {"WAT", 60},
    {"EAT", 3 * 60},
    // Asia and the Pacific
    {"IST", 5 * 60 + 30},
    {"PKT", 5 * 60},
    {"WIB", 7 * 60},
    {"SGT", 8 * 60},
    {"HKT", 8 * 60},
    {"AWST", 8 * 60},
    {"JST", 9 * 60},
    {"KST", 9 * 60},
    {"ACST", 9 * 60 + 30},
    {"ACDT", 10 * 60 + 30},
    {"AEST", 10 * 60},
    {"AEDT", 11 * 60},
    {"NZST", 12 * 60},
    {"NZDT", 13 * 60},
};

struct Place {
  std::string_view name;
  const char* rule;
};

constexpr Place kPlaces[] = {
    {"PT", "PST8PDT,M3.2.0,M11.1.0"},
    {"MT", "MST7MDT,M3.2.0,M11.1.0"},
    {"CT", "CST6CDT,M3.2.0,M11.1.0"},
    {"ET", "EST5EDT,M3.2.0,M11.1.0"},
};

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

// "+1", "-03", "+0530", "+5:30"
std::optional<Zone> offset_zone(std::string_view text) {
  if (text.size() < 2 || (text[0] != '+' && text[0] != '-')) return std::nullopt;
  const int sign = text[0] == '-' ? -1 : 1;
  std::string digits;
  size_t hour_digits = 0;
  for (const char c : text.substr(1)) {
    if (c == ':' && hour_digits == 0 && !digits.empty())
      hour_digits = digits.size();
    else if (is_digit(c) && digits.size() < 4)
      digits += c;
    else
      return std::nullopt;
  }
  const bool colon = hour_digits > 0;
  if (!colon) hour_digits = digits.size() > 2 ? digits.size() - 2 : digits.size();
  const size_t minute_digits = digits.size() - hour_digits;
  if (hour_digits > 2 || (minute_digits != 2 && (minute_digits != 0 || colon))) return std::nullopt;
  const int h = std::stoi(digits.substr(0, hour_digits));
  const int m = minute_digits == 0 ? 0 : std::stoi(digits.substr(hour_digits));
  if (h > 14 || m > 59) return std::nullopt;
  return Zone::fixed(minutes{sign * (h * 60 + m)});
}

}  // namespace

std::optional<Zone> builtin_zone(std::string_view name) {
  for (const Place& place : kPlaces)
    if (place.name == name) return *Zone::posix(place.rule);
  if (name.size() > 16) return std::nullopt;
  std::string upper(name);
  for (char& c : upper)
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  for (const Row& row : kRows)
    if (row.name == upper) return Zone::fixed(minutes{row.minutes});
  const bool prefixed = upper.starts_with("UTC") || upper.starts_with("GMT");
  return offset_zone(prefixed ? std::string_view(upper).substr(3) : upper);
}

}  // namespace pawl
