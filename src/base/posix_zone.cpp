#include "base/posix_zone.h"

#include <algorithm>
#include <string>

#include "base/civil.h"

namespace pawl {
namespace {

constexpr int64_t kDay = 86400;

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

// Takes the text apart from the left. Everything is false when the text does not go on like that.
class Reader {
 public:
  explicit Reader(std::string_view text) : rest_(text) {}

  bool done() const { return rest_.empty(); }
  char next() const { return rest_.empty() ? '\0' : rest_[0]; }

  bool skip(char c) {
    if (next() != c) return false;
    rest_.remove_prefix(1);
    return true;
  }

  // "CET" or "<+0330>": three characters or more.
  bool name() {
    const bool quoted = skip('<');
    size_t n = 0;
    while (n < rest_.size() &&
           (is_letter(rest_[n]) ||
            (quoted && (is_digit(rest_[n]) || rest_[n] == '+' || rest_[n] == '-'))))
      ++n;
    rest_.remove_prefix(n);
    return n >= 3 && (!quoted || skip('>'));
  }

  bool number(int64_t low, int64_t high, int64_t& out) {
    size_t n = 0;
    int64_t value = 0;
    while (n < rest_.size() && n < 4 && is_digit(rest_[n])) value = value * 10 + (rest_[n++] - '0');
    rest_.remove_prefix(n);
    out = value;
    return n > 0 && value >= low && value <= high;
  }

  // "[+-]hh[:mm[:ss]]"
  bool time(int64_t hours_limit, int64_t& out) {
    const bool negative = skip('-');
    if (!negative) skip('+');
    int64_t h = 0, m = 0, s = 0;
    if (!number(0, hours_limit, h)) return false;
    if (skip(':') && !number(0, 59, m)) return false;
    if (skip(':') && !number(0, 59, s)) return false;
    out = (h * 3600 + m * 60 + s) * (negative ? -1 : 1);
    return true;
  }

  // "M3.5.0", "J60" or "59", each with "/time" or without.
  bool change(ZoneChange& out) {
    int64_t month = 0, week = 0, day = 0;
    if (skip('M')) {
      out.kind = ZoneChange::Kind::weekday;
      if (!number(1, 12, month) || !skip('.') || !number(1, 5, week) || !skip('.') ||
          !number(0, 6, day))
        return false;
    } else if (skip('J')) {
      out.kind = ZoneChange::Kind::julian;
      if (!number(1, 365, day)) return false;
    } else {
      out.kind = ZoneChange::Kind::ordinal;
      if (!number(0, 365, day)) return false;
    }
    out.month = static_cast<int>(month);
    out.week = static_cast<int>(week);
    out.day = static_cast<int>(day);
    return !skip('/') || time(167, out.time);
  }

 private:
  std::string_view rest_;
};

// Without rules, summer time is as in the United States: what the C library does as well.
constexpr ZoneChange kDefaultBegins{ZoneChange::Kind::weekday, 3, 2, 0};
constexpr ZoneChange kDefaultEnds{ZoneChange::Kind::weekday, 11, 1, 0};

bool read_zone(Reader& in, PosixZone& zone) {
  int64_t west = 0;
  if (!in.name() || !in.time(24, west)) return false;
  zone.standard = -west;
  if (in.done()) return true;
  if (!in.name()) return false;
  PosixZone::Summer summer{zone.standard + 3600, kDefaultBegins, kDefaultEnds};
  if (!in.done() && in.next() != ',') {
    if (!in.time(24, west)) return false;
    summer.offset = -west;
  }
  if (in.skip(',') && (!in.change(summer.begins) || !in.skip(',') || !in.change(summer.ends)))
    return false;
  zone.summer = summer;
  return in.done();
}

// Days since the epoch of the change in that year.
int64_t day_of(const ZoneChange& change, int64_t year) {
  if (change.kind == ZoneChange::Kind::ordinal) return civil_days(year, 1, 1) + change.day;
  if (change.kind == ZoneChange::Kind::julian) {
    const bool after_leap_day = is_leap_year(year) && change.day >= 60;
    return civil_days(year, 1, 1) + change.day - 1 + (after_leap_day ? 1 : 0);
  }
  const int64_t first = civil_days(year, change.month, 1);
  const int64_t day = first + (change.day - weekday_of_days(first) + 7) % 7 + (change.week - 1) * 7;
  return day < first + days_in_month(year, change.month) ? day : day - 7;
}

struct Turn {
  int64_t at = 0;
  bool to_summer = false;
  // At the same instant the one to summer comes last: that is how "summer all year" is written (RFC 8536, 3.3.1).
  auto operator<=>(const Turn&) const = default;
};

// The changes of five years around the instant, in order. Times up to 167 hours can move one into the next year.
std::array<Turn, 10> turns_around(const PosixZone& zone, int64_t instant) {
  std::array<Turn, 10> turns;
  const auto& summer = *zone.summer;
  const int64_t year = civil_of_seconds(instant).year;
  for (size_t i = 0; i < 5; ++i) {
    const int64_t y = year - 2 + static_cast<int64_t>(i);
    turns[2 * i] = {day_of(summer.begins, y) * kDay + summer.begins.time - zone.standard, true};
    turns[2 * i + 1] = {day_of(summer.ends, y) * kDay + summer.ends.time - summer.offset, false};
  }
  std::sort(turns.begin(), turns.end());
  return turns;
}

}  // namespace

int64_t PosixZone::offset_at(int64_t instant) const {
  if (!summer) return standard;
  bool is_summer = false;
  for (const Turn& turn : turns_around(*this, instant)) {
    if (turn.at > instant) break;
    is_summer = turn.to_summer;
  }
  return is_summer ? summer->offset : standard;
}

std::optional<int64_t> PosixZone::next_change(int64_t instant) const {
  if (!summer) return std::nullopt;
  for (const Turn& turn : turns_around(*this, instant))
    if (turn.at > instant) return turn.at;
  return std::nullopt;
}

Result<PosixZone> parse_posix_zone(std::string_view text) {
  PosixZone zone;
  Reader in(text);
  if (text.size() > kPosixZoneLimit || !read_zone(in, zone))
    return fail("not a time zone rule: " + std::string(text.substr(0, kPosixZoneLimit)),
                "write it like CET-1CEST,M3.5.0,M10.5.0/3");
  return zone;
}

}  // namespace pawl
