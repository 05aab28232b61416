#include "base/cron.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <charconv>

#include "base/text.h"

namespace pawl {
namespace {

constexpr auto kMinute = std::chrono::minutes{1};
constexpr int kDaysAhead = 366 * 28 + 7;  // February 29 on a Sunday comes that seldom

constexpr std::array<std::string_view, 12> kMonths{"jan", "feb", "mar", "apr", "may", "jun",
                                                   "jul", "aug", "sep", "oct", "nov", "dec"};
constexpr std::array<std::string_view, 7> kDays{"sun", "mon", "tue", "wed", "thu", "fri", "sat"};

struct Nickname {
  std::string_view name, means;
};
constexpr Nickname kNicknames[] = {{"@yearly", "0 0 1 1 *"},  {"@annually", "0 0 1 1 *"},
                                   {"@monthly", "0 0 1 * *"}, {"@weekly", "0 0 * * 0"},
                                   {"@daily", "0 0 * * *"},   {"@midnight", "0 0 * * *"},
                                   {"@hourly", "0 * * * *"}};

struct Field {
  const char* what;
  int first, last;
};
constexpr Field kFields[] = {{"minute", 0, 59},
                             {"hour", 0, 23},
                             {"day of the month", 1, 31},
                             {"month", 1, 12},
                             {"day of the week", 0, 7}};  // 7 is Sunday, too

template <size_t N>
int named(const std::array<std::string_view, N>& names, std::string_view word, int first) {
  const auto it = std::find(names.begin(), names.end(), word);
  return it == names.end() ? -1 : static_cast<int>(it - names.begin()) + first;
}

std::optional<int> number(std::string_view word, const Field& field) {
  int value = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (error != std::errc{} || end != word.data() + word.size()) {
    std::string small(word);
    for (char& c : small) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    value = field.last == 12 ? named(kMonths, small, 1) : -1;
    if (field.last == 7) value = named(kDays, small, 0);
  }
  if (value < field.first || value > field.last) return std::nullopt;
  return value;
}

// "*", "5", "1-5", "*/15", "8-18/2"
std::optional<std::vector<int>> values_of(std::string_view part, const Field& field) {
  int step = 1;
  const size_t slash = part.find('/');
  if (slash != std::string_view::npos) {
    const std::string_view text = part.substr(slash + 1);
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), step);
    if (error != std::errc{} || end != text.data() + text.size() || step < 1) return std::nullopt;
    part = part.substr(0, slash);
  }
  int from = field.first, to = field.last;
  if (part != "*") {
    const size_t dash = part.find('-');
    const auto first = number(part.substr(0, dash), field);
    const auto last = dash == std::string_view::npos ? first : number(part.substr(dash + 1), field);
    if (!first || !last || *first > *last) return std::nullopt;
    from = *first;
    to = dash == std::string_view::npos && slash != std::string_view::npos ? field.last : *last;
  }
  std::vector<int> values;
  for (int value = from; value <= to; value += step) values.push_back(value);
  return values;
}

Error not_understood(const Field& field, std::string_view text) {
  return {fmt::format("'{}' is no {} ({} to {})", text, field.what, field.first, field.last),
          "write it as crontab has it, like \"*/15 9-17 * * mon-fri\"", 2};
}

template <size_t N>
Done read_field(std::string_view text, const Field& field, std::bitset<N>& out) {
  for (const auto& part : split(text, ',')) {
    const auto values = values_of(part, field);
    if (!values) return tl::unexpected(not_understood(field, text));
    for (const int value : *values) out.set(static_cast<size_t>(value) % N);
  }
  return {};
}

}  // namespace

Result<Cron> Cron::parse(std::string_view text) {
  const std::string_view trimmed = trim(text);
  for (const auto& [name, means] : kNicknames)
    if (trimmed == name) return parse(means);
  std::vector<std::string> words = split(trimmed, ' ');
  std::erase(words, "");
  if (words.size() != std::size(kFields))
    return fail(fmt::format("'{}' is no time table", text),
                "give five fields, like \"*/15 9-17 * * mon-fri\": minute, hour, day of the month, "
                "month, day of the week",
                2);
  Cron cron;
  for (auto done :
       {read_field(words[0], kFields[0], cron.minutes_),
        read_field(words[1], kFields[1], cron.hours_), read_field(words[2], kFields[2], cron.days_),
        read_field(words[3], kFields[3], cron.months_),
        read_field(words[4], kFields[4], cron.weekdays_)})
    if (!done) return tl::unexpected(done.error());
  cron.every_hour_ = words[1].starts_with('*');
  cron.every_day_ = words[2].starts_with('*');
  cron.every_weekday_ = words[4].starts_with('*');
  if (!cron.next({}, Zone::utc()))
    return fail(fmt::format("'{}' never happens", text), "no month has such a day", 2);
  return cron;
}

// As crontab has it: when both kinds of day are restricted, either will do.
bool Cron::on_day(const Civil& time) const {
  if (!months_[static_cast<size_t>(time.month)]) return false;
  const bool day = days_[static_cast<size_t>(time.day)];
  const int weekday = weekday_of_days(civil_days(time.year, time.month, time.day));
  const bool week = weekdays_[static_cast<size_t>(weekday)];
  return every_day_ || every_weekday_ ? day && week : day || week;
}

// Clocks jumped over it.
bool Cron::skipped(const Civil& from, const Civil& to) const {
  if (every_hour_) return false;
  for (int64_t at = civil_seconds(from) + 60; at < civil_seconds(to); at += 60)
    if (const Civil time = civil_of_seconds(at); on_day(time) && at_minute(time)) return true;
  return false;
}

std::optional<WallTime> Cron::next_on_day(WallTime from, const Civil& day, const Zone& zone) const {
  Civil before = zone.civil(from - kMinute);
  for (WallTime at = from;; at += kMinute) {
    const Civil time = zone.civil(at);
    if (skipped(before, time)) return at;
    if (time.day != day.day || time.month != day.month) return std::nullopt;
    before = time;
    if (!at_minute(time) || !on_day(time)) continue;
    if (every_hour_ || zone.wall(time) == at) return at;
  }
}

std::optional<WallTime> Cron::next(WallTime after, const Zone& zone) const {
  const auto minutes = std::chrono::floor<std::chrono::minutes>(after.time_since_epoch());
  WallTime at{minutes + kMinute};
  for (int days = 0; days < kDaysAhead; ++days) {
    const Civil day = zone.civil(at);
    if (on_day(day))
      if (const auto found = next_on_day(at, day, zone)) return found;
    const WallTime tomorrow = zone.wall({day.year, day.month, day.day + 1, 0, 0, 0});
    at = std::max(tomorrow, at + kMinute);
  }
  return std::nullopt;
}

}  // namespace pawl
