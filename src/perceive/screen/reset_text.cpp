// find_reset_time: first the words that announce a time, then a date, a time of day and a zone, each a pattern of its own.
#include <re2/re2.h>

#include <cmath>

#include "base/zone_names.h"
#include "perceive/screen/reset_time.h"

namespace pawl {
namespace {

using re2::StringPiece;

// In any case. Bytes, not characters: screen text may be cut anywhere.
struct Pattern : RE2 {
  explicit Pattern(const std::string& text) : RE2(text, how()) { CHECK(ok()); }

  static Options how() {
    Options out;
    out.set_encoding(Options::EncodingLatin1);
    out.set_case_sensitive(false);
    return out;
  }
};

// How many bytes of a character to leave out, because it is a blank or part of a frame: U+00A0, U+2007, U+2009, U+202F
// (between time and AM in newer ICU), and U+2500 to U+25BF (lines and blocks).
size_t blank_at(std::string_view text) {
  const auto byte = [&](size_t i) { return i < text.size() ? static_cast<uint8_t>(text[i]) : 0; };
  if (byte(0) <= ' ' || byte(0) == 0x7f) return 1;
  if (byte(0) == 0xc2 && byte(1) == 0xa0) return 2;
  if (byte(0) != 0xe2) return 0;
  if (byte(1) == 0x80 && (byte(2) == 0x87 || byte(2) == 0x89 || byte(2) == 0xaf)) return 3;
  return byte(1) >= 0x94 && byte(1) <= 0x96 && byte(2) >= 0x80 ? 3 : 0;
}

// One blank between words, straight apostrophes, no frames and no quotation marks (of JSON).
std::string normalised(std::string_view text) {
  if (text.size() > kResetTextLimit) text.remove_prefix(text.size() - kResetTextLimit);
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    if (const size_t blank = blank_at(text)) {
      if (!out.empty() && out.back() != ' ') out += ' ';
      text.remove_prefix(blank);
    } else if (text.starts_with("\xe2\x80\x99")) {
      out += '\'';
      text.remove_prefix(3);
    } else {
      if (text[0] != '"') out += text[0];
      text.remove_prefix(1);
    }
  }
  return out;
}

// What has to stand before a time, and what may come after it.
struct Lead {
  bool absolute = false;  // a time of day
  bool relative = false;  // "3 hours"
  bool dated = false;     // a time of day with its date only
  bool seconds = false;   // a bare number
};

std::optional<Lead> next_lead(StringPiece& rest) {
  static const Pattern pattern(
      R"(\b(?:)"
      R"((?:resets?|(?:continu|resum)(?:e|es|ing) automatically|(?:re)?try(?: again)?|available again))"
      R"( (at|on|by|in|after) )"
      R"(|resets?(?:_?(?:at|time))? ?[:=] ?|(?:resets|available again) )"
      R"(|(?:(limit\w*|reached|blocked|unavailable|paused|locked|wait) )?(until) )"
      R"(|(retry[-_ ]?(?:after|delay)) ?[:=] ?))");
  StringPiece preposition, limited, until, retry_after;
  if (!RE2::FindAndConsume(&rest, pattern, &preposition, &limited, &until, &retry_after))
    return std::nullopt;
  Lead lead;
  if (!preposition.empty()) {
    const char first = static_cast<char>(preposition[0] | 0x20);
    const bool after = preposition.size() == 5;
    lead.relative = first == 'i' || after;
    lead.absolute = first != 'i';
  } else if (!retry_after.empty()) {
    lead.relative = lead.absolute = lead.seconds = true;
  } else {
    lead.absolute = true;
    lead.dated = !until.empty() && limited.empty();
  }
  return lead;
}

std::string lower(const StringPiece& text) {
  std::string out(text.data(), text.size());
  for (char& c : out)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return out;
}

// Milliseconds of a unit; 0 when it is none.
int64_t unit_ms(const std::string& unit) {
  static constexpr struct {
    std::string_view names;  // each between blanks
    int64_t ms;
  } kUnits[] = {
      {" ms msec msecs millisecond milliseconds ", 1},
      {" s sec secs second seconds ", 1000},
      {" m min mins minute minutes ", 60'000},
      {" h hr hrs hour hours ", 3'600'000},
      {" d day days ", 86'400'000},
      {" w week weeks ", 604'800'000},
  };
  for (const auto& row : kUnits)
    if (row.names.find(" " + unit + " ") != std::string_view::npos) return row.ms;
  return 0;
}

// "3 hours 20 minutes", "3h12m5s", "1.5s", "an hour", "less than a minute".
std::optional<Duration> read_duration(StringPiece rest) {
  static const Pattern part(R"((?:,? and |, | )?(\d{1,9}(?:\.\d{1,9})?|an?\b) ?([a-z]{1,12}))");
  static const Pattern about(R"((?:about |approximately |less than |~))");
  RE2::Consume(&rest, about);
  double ms = 0;
  bool found = false;
  StringPiece number, unit;
  while (RE2::Consume(&rest, part, &number, &unit)) {
    const int64_t of_unit = unit_ms(lower(unit));
    if (of_unit == 0) break;
    const bool one = number[0] == 'a' || number[0] == 'A';
    ms += (one ? 1.0 : std::stod(std::string(number.data(), number.size()))) *
          static_cast<double>(of_unit);
    found = true;
  }
  const double most = static_cast<double>(kLongestReset.count()) / 1000;
  if (!found || ms > most) return std::nullopt;
  return Duration{static_cast<int64_t>(std::ceil(ms * 1000))};
}

// A bare number of seconds, as in the header "Retry-After: 30".
std::optional<Duration> read_seconds(StringPiece rest) {
  static const Pattern pattern(R"((\d{1,7})(?:$|[ ,;)}\]"']))");
  int64_t seconds = 0;
  if (!RE2::Consume(&rest, pattern, &seconds)) return std::nullopt;
  const Duration out = std::chrono::seconds{seconds};
  return out <= kLongestReset ? std::optional(out) : std::nullopt;
}

// The place of the first three letters among others: "november" is 10 of "janfebmar…".
int place_in(std::string_view names, const StringPiece& word) {
  return static_cast<int>(names.find(lower(word).substr(0, 3)) / 3);
}

const std::string kMonth =
    "(jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|"
    "oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\\.?";
const std::string kDayOfMonth = "(\\d{1,2})(?:st|nd|rd|th)?";

bool optional_int(const StringPiece& text, std::optional<int>& out) {
  if (text.empty()) return false;
  out = std::stoi(std::string(text.data(), text.size()));
  return true;
}

// "Nov 19", "Nov 18th, 2026", "19 November", "2026-11-15". False when the text does not go on with a date.
bool read_date(StringPiece& rest, ResetTime& out, bool& iso) {
  static const Pattern numbers(R"((\d{4})-(\d{1,2})-(\d{1,2}))");
  static const Pattern month_first(kMonth + " " + kDayOfMonth + R"((?:,? (\d{4}))?\b)");
  static const Pattern day_first(kDayOfMonth + " " + kMonth + R"((?:,? (\d{4}))?\b)");
  StringPiece year, month, day;
  if (RE2::Consume(&rest, numbers, &year, &month, &day)) {
    optional_int(month, out.month);
    iso = true;
  } else if (RE2::Consume(&rest, month_first, &month, &day, &year) ||
             RE2::Consume(&rest, day_first, &day, &month, &year)) {
    out.month = place_in("janfebmaraprmayjunjulaugsepoctnovdec", month) + 1;
  } else {
    return false;
  }
  optional_int(day, out.day);
  optional_int(year, out.year);
  return true;
}

// "tomorrow", "Mon", "Monday,"; "today" says nothing.
bool read_day(StringPiece& rest, ResetTime& out) {
  static const Pattern pattern(
      R"((today|tomorrow)\b|(sun|mon|tues?|wed(?:nes)?|thu(?:rs?)?|fri|sat(?:ur)?)(?:day)?\b\.?)");
  StringPiece relative, weekday;
  if (!RE2::Consume(&rest, pattern, &relative, &weekday)) return false;
  if (!weekday.empty()) out.weekday = place_in("sunmontuewedthufrisat", weekday);
  out.tomorrow = lower(relative) == "tomorrow";
  return true;
}

// "3am", "2:28 AM", "14:05", "14:05:00.5Z"; hours alone need am or pm.
bool read_clock(StringPiece& rest, ResetTime& out, bool iso) {
  static const Pattern pattern(R"((\d{1,2})(?::(\d{2})(?::(\d{2})(?:[.,]\d{1,9})?)?)?)"
                               R"((?: ?([ap])\.?m\b\.?|(Z)\b|([+-]\d{2}:?\d{2})\b|\b))");
  int hour = 0;
  StringPiece minute, second, half, utc, offset;
  if (!RE2::Consume(&rest, pattern, &hour, &minute, &second, &half, &utc, &offset)) return false;
  if (minute.empty() && half.empty()) return false;
  std::optional<int> value;
  if (optional_int(minute, value)) out.minute = *value;
  if (optional_int(second, value)) out.second = *value;
  if (out.minute > 59 || out.second > 60) return false;
  if (half.empty() ? hour > 23 : hour < 1 || hour > 12) return false;
  if (!half.empty()) hour = hour % 12 + (lower(half) == "p" ? 12 : 0);
  out.hour = hour;
  if (!utc.empty()) out.zone = "Z";
  if (!offset.empty() && iso) out.zone = std::string(offset.data(), offset.size());
  return true;
}

// "(Europe/Berlin)", "PST", "GMT+1". What is no zone is left alone: it is the next word.
void read_zone(StringPiece& rest, ResetTime& out) {
  static const Pattern pattern(
      R"( ?\(([A-Za-z0-9_+/:-]{1,64})\)| ([A-Za-z]{1,12}(?:/[A-Za-z0-9_+-]{1,32}){1,2}|)"
      R"((?:UTC|GMT)[+-]\d{1,2}(?::?\d{2})?|[+-]\d{2}:?\d{2}|[A-Za-z]{2,5})\b)");
  static const Pattern place(
      "(?:Africa|America|Antarctica|Arctic|Asia|Atlantic|Australia|Brazil|Canada|Chile|Etc|Europe|"
      "Indian|Mexico|Pacific|US)/.*");
  StringPiece more = rest, inside, bare;
  if (!RE2::Consume(&more, pattern, &inside, &bare)) return;
  const StringPiece& word = inside.empty() ? bare : inside;
  std::string name(word.data(), word.size());
  if (!builtin_zone(name) && !RE2::FullMatch(name, place)) return;
  out.zone = std::move(name);
  rest = more;
}

bool sensible(const ResetTime& time) {
  if (!time.month) return true;
  const int year = time.year.value_or(2000);  // a leap year
  return *time.month >= 1 && *time.month <= 12 && *time.day >= 1 &&
         *time.day <= days_in_month(year, *time.month) && year >= 1970;
}

std::optional<ResetTime> read_absolute(StringPiece rest, bool needs_date) {
  static const Pattern after_day(",? (?:at )?");
  static const Pattern after_date("(?:T|,? (?:at )?)");
  static const Pattern after_clock(",? (?:on )?");
  ResetTime out;
  bool iso = false;
  const bool has_day = read_day(rest, out);
  if (has_day) RE2::Consume(&rest, after_day);
  if (read_date(rest, out, iso) && !RE2::Consume(&rest, after_date)) return std::nullopt;
  if (!read_clock(rest, out, iso)) return std::nullopt;
  if (out.zone.empty()) read_zone(rest, out);
  StringPiece more = rest;
  if (!out.month && !has_day && RE2::Consume(&more, after_clock)) {
    if (read_date(more, out, iso) || read_day(more, out)) {
      rest = more;
      if (out.zone.empty()) read_zone(rest, out);
    }
  }
  if (!sensible(out) || (needs_date && !out.month)) return std::nullopt;
  return out;
}

ResetTime after(Duration in) {
  ResetTime out;
  out.in = in;
  return out;
}

}  // namespace

std::optional<ResetTime> find_reset_time(std::string_view text) {
  const std::string line = normalised(text);
  StringPiece rest(line);
  while (const auto lead = next_lead(rest)) {
    if (lead->relative) {
      if (const auto in = read_duration(rest)) return after(*in);
    }
    if (lead->absolute) {
      if (auto found = read_absolute(rest, lead->dated)) return found;
    }
    if (lead->seconds) {
      if (const auto in = read_seconds(rest)) return after(*in);
    }
  }
  return std::nullopt;
}

}  // namespace pawl
