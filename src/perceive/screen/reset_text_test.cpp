#include <gtest/gtest.h>

#include <random>

#include "perceive/screen/reset_time.h"

namespace pawl {
namespace {

// "tomorrow wd1 2027-11-19 00:19:00 UTC", without what is not there; "in 45000ms"; "-" for nothing.
std::string found_in(std::string_view text) {
  const auto time = find_reset_time(text);
  if (!time) return "-";
  if (time->in) return "in " + std::to_string(time->in->count() / 1000) + "ms";
  std::string out;
  char part[40];
  if (time->tomorrow) out += "tomorrow ";
  if (time->weekday) out += "wd" + std::to_string(*time->weekday) + " ";
  if (time->year) out += std::to_string(*time->year) + "-";
  if (time->month) out += std::to_string(*time->month) + "-" + std::to_string(*time->day) + " ";
  std::snprintf(part, sizeof part, "%02d:%02d", time->hour, time->minute);
  out += part;
  if (time->second != 0) out += ":" + std::to_string(time->second);
  if (!time->zone.empty()) out += " " + time->zone;
  return out;
}

struct Row {
  const char* text;
  const char* found;
};

void expect(const std::vector<Row>& rows) {
  for (const auto& row : rows) EXPECT_EQ(found_in(row.text), row.found) << row.text;
}

TEST(FindResetTime, Claude) {
  expect({
      {"You've hit your session limit · resets 2:19am (UTC)", "02:19 UTC"},
      {"You’ve hit your session limit · resets 2:19am (UTC)", "02:19 UTC"},
      {"resets 3am (Europe/Berlin)", "03:00 Europe/Berlin"},
      {"resets 12am (America/Argentina/Buenos_Aires)", "00:00 America/Argentina/Buenos_Aires"},
      {"resets 12pm", "12:00"},
      {"resets 12:01 a.m.", "00:01"},
      {"RESETS 3PM (EUROPE/BERLIN)", "15:00 EUROPE/BERLIN"},
      {"You've hit your weekly limit · resets Nov 19, 12:19am (UTC)", "11-19 00:19 UTC"},
      {"resets Nov 19, 2027, 12:19am (America/New_York)", "2027-11-19 00:19 America/New_York"},
      {"Resets Nov 19 at 3pm (UTC)", "11-19 15:00 UTC"},
      {"resets Dec 31, 11:59pm (Asia/Kolkata)", "12-31 23:59 Asia/Kolkata"},
      {"Session limit reached · continuing automatically at 2:26am", "02:26"},
      {"Continuing automatically at 2:26am (Etc/GMT+5) · esc to stop", "02:26 Etc/GMT+5"},
      {"resets Mon 3pm", "wd1 15:00"},
      {"resets Wednesday, 3:30pm (UTC)", "wd3 15:30 UTC"},
      {"resets on Thursday at 9am", "wd4 09:00"},
      {"resets Thu, Nov 19, 9am", "wd4 11-19 09:00"},
      {"resets tomorrow at 9am", "tomorrow 09:00"},
      {"resets 9am tomorrow (UTC)", "tomorrow 09:00 UTC"},
      {"resets today at 11pm", "23:00"},
      {"Claude usage limit reached. Your limit will reset at 3pm (America/Santiago).",
       "15:00 America/Santiago"},
      {"You've used 85% of your session limit · resets 4:59pm (Asia/Tokyo) · /upgrade",
       "16:59 Asia/Tokyo"},
      {"resets 15:00", "15:00"},
      {"resets 3pm (GMT+1)", "15:00 GMT+1"},
      {"resets 3pm (your time)", "15:00"},
      {"resets 3pm (session)", "15:00"},
      {"resets Feb 29, 3pm", "2-29 15:00"},
      {"resets Feb 29, 2028, 3pm", "2028-2-29 15:00"},
  });
}

TEST(FindResetTime, Codex) {
  expect({
      {"■ You’ve hit your usage limit. Upgrade to Pro or try again at 2:28 AM.", "02:28"},
      {"You've hit your usage limit or try again at Nov 18th, 2026 12:25 AM.", "2026-11-18 00:25"},
      {"Try again at Dec 1st, 2026 1:05 PM.", "2026-12-1 13:05"},
      {"try again at Jan 2nd, 2027 12:00 PM.", "2027-1-2 12:00"},
      {"try again at Mar 3rd, 2027 9:07 AM", "2027-3-3 09:07"},
      {"Switch to another model now, or try again at 11:59 PM.", "23:59"},
      {"or try again later.", "-"},
      {"try again in 3 hours 20 minutes", "in 12000000ms"},
      {"Try again in 2 days 4 hours.", "in 187200000ms"},
      {"try again in 5 days, 3 hours and 1 minute.", "in 442860000ms"},
      {"try again in 45s", "in 45000ms"},
      {"Please try again in 1.898s.", "in 1898ms"},
      {"try again in 350ms", "in 350ms"},
      {"Try again in less than a minute.", "in 60000ms"},
      {"try again in an hour", "in 3600000ms"},
      {"try again in 1 week", "in 604800000ms"},
      {"5h limit: 0% left (resets 14:05)", "14:05"},
      {"Weekly limit: 12% left (resets 03:14 on 19 Nov)", "11-19 03:14"},
  });
}

TEST(FindResetTime, GeminiAndOthers) {
  expect({
      {"Usage limit reached for gemini-3-pro. Access resets at 3:04 PM PST.", "15:04 PST"},
      {"Access resets at 11:00 AM UTC", "11:00 UTC"},
      {"Access resets at 3:04\u202fPM GMT+1.", "15:04 GMT+1"},
      {"access resets at 3:04\u00a0pm pst.", "15:04 pst"},
      {"Access resets at 3:04 PM GMT+5:30.", "15:04 GMT+5:30"},
      {"Access resets at 3 PM ET, or switch", "15:00 ET"},
      {"Access resets at 3:04 PM or upgrade", "15:04"},
      {"Your quota will reset after 3h12m5s.", "in 11525000ms"},
      {"quota will reset after 59m", "in 3540000ms"},
      {"Please retry in 34.074824224s.", "in 34074ms"},
      {"retry after 30s", "in 30000ms"},
      {"Retry-After: 30", "in 30000ms"},
      {"{\"retryDelay\": \"34s\"}", "in 34000ms"},
      {"retry_after=120, limit=5", "in 120000ms"},
      {"available again at 14:05", "14:05"},
      {"available again in 2 hours", "in 7200000ms"},
      {"until 2026-11-15 14:05", "2026-11-15 14:05"},
      {"blocked until 3pm", "15:00"},
      {"until Nov 15, 3pm", "11-15 15:00"},
      {"limit resets at 2026-11-15T14:05:00Z", "2026-11-15 14:05 Z"},
      {"resets 2026-11-15T14:05:31.123Z", "2026-11-15 14:05:31 Z"},
      {"{\"resets_at\":\"2026-11-15T14:05:00+02:00\"}", "2026-11-15 14:05 +02:00"},
      {"resetsAt: 2026-11-15T14:05Z", "2026-11-15 14:05 Z"},
      {"try again after 2026-11-15 14:05 -0300", "2026-11-15 14:05 -0300"},
      {"resets in 3h 20m", "in 12000000ms"},
      {"Resets in 3 hr 20 min", "in 12000000ms"},
      {"resets in ~5 minutes", "in 300000ms"},
  });
}

TEST(FindResetTime, OverSeveralLinesAndInFrames) {
  expect({
      {"You've hit your weekly limit · resets\nNov 19,\n  12:19am\n(UTC)", "11-19 00:19 UTC"},
      {"│ Usage limit reached for gemini. Access resets │\n│ at 3:04 PM PST.        │",
       "15:04 PST"},
      {"resets Nov\t19,\r\n12:19am", "11-19 00:19"},
      {"resets every day; try again at 4pm, resets 5pm", "16:00"},
      {"resets 25:00, that is: resets 1am", "01:00"},
  });
}

TEST(FindResetTime, NonsenseIsNothing) {
  expect({
      {"", "-"},
      {"resets", "-"},
      {"resets ", "-"},
      {"resets 25:99", "-"},
      {"resets 24:00", "-"},
      {"resets 13pm", "-"},
      {"resets 0am", "-"},
      {"resets 3", "-"},
      {"resets 3:5", "-"},
      {"resets 125:00", "-"},
      {"resets 14:055", "-"},
      {"resets 10:00:99", "-"},
      {"resets 3pmx", "-"},
      {"resets Feb 31", "-"},
      {"resets Feb 30, 3pm", "-"},
      {"resets Feb 29, 2027, 3pm", "-"},
      {"resets Nov 31, 3pm", "-"},
      {"resets Nov 0, 3pm", "-"},
      {"resets 2026-13-01 10:00", "-"},
      {"resets 0000-01-01 10:00", "-"},
      {"resets Nov 19", "-"},
      {"resets in 99999 days", "-"},
      {"try again in 999999999 weeks", "-"},
      {"try again in a moment", "-"},
      {"try again in a few minutes", "-"},
      {"try again in 3 steps", "-"},
      {"Retry-After: soon", "-"},
      {"retry after 2 attempts", "-"},
  });
}

TEST(FindResetTime, ATimeInProseIsNone) {
  expect({
      {"we met at 3pm", "-"},
      {"the build of 2026-11-15T14:05:00Z failed", "-"},
      {"I worked until 3pm", "-"},
      {"Nov 19, 12:19am (UTC)", "-"},
      {"presets 3pm", "-"},
      {"git reset --hard 12:30", "-"},
      {"the counter resets 2 times in 3 hours", "-"},
      {"password reset 5m ago", "-"},
      {"Continue automatically at usage limit", "-"},
      {"let's continue at 3pm", "-"},
      {"Retrying in 5 seconds… (attempt 2/10)", "-"},
      {"resets every 5 hours", "-"},
      {"API Error: 529 Overloaded. usually temporary — try again in a moment.", "-"},
  });
}

TEST(FindResetTime, LooksAtTheEndOfALongText) {
  const std::string filler(kResetTextLimit, 'x');
  EXPECT_EQ(found_in(filler + " resets 3pm"), "15:00");
  EXPECT_EQ(found_in("resets 3pm " + filler), "-");
}

// Ten kilobytes each: what patterns that backtrack would choke on. A limit per text would be flaky; the test's own is enough.
TEST(FindResetTime, HostileTextEndsQuickly) {
  const auto repeated = [](const std::string& part) {
    std::string out;
    while (out.size() < 10'000) out += part;
    return out;
  };
  for (const std::string part : {"resets ",
                                 "resets 1",
                                 "resets Nov ",
                                 "try again in 1h",
                                 "try again in 1 h and ",
                                 "until ",
                                 "limit",
                                 "limit until ",
                                 "(",
                                 "1:",
                                 "resets 1:00 (",
                                 "resets 3pm/",
                                 "\xe2",
                                 "\xe2\x94",
                                 "\xff\xfe",
                                 "a ",
                                 "retry after ",
                                 "9",
                                 "resets in 9",
                                 "\xc2",
                                 "Retry-After: 9",
                                 " "}) {
    const std::string text = repeated(part);
    const auto alone = find_reset_time(text);
    EXPECT_TRUE(!alone || alone->in.value_or(Duration{0}) <= kLongestReset) << part;
    EXPECT_EQ(find_reset_time("resets Nov 19, 3pm | " + text)->day, 19) << part;
  }
  EXPECT_EQ(found_in(std::string("resets\0 3pm", 11)), "15:00");
}

TEST(FindResetTime, RandomWordsAreSensibleOrNothing) {
  const char* const words[] = {"resets", "try again",  "at", "in",      "on",       "until",
                               "Nov",    "Feb",        "31", "29",      "3pm",      "14:05",
                               "(UTC)",  "2026-11-15", "T",  "Z",       "tomorrow", "Mon",
                               ",",      "99",         "h",  "minutes", ":",        "\xe2\x94\x82",
                               "+02:00", "PST"};
  const unsigned seed = 20261115;
  std::mt19937 chance(seed);
  int found = 0;
  for (int i = 0; i < 20000; ++i) {
    std::string text;
    for (int k = 0; k < 8; ++k) {
      text += words[chance() % std::size(words)];
      if (chance() % 3 != 0) text += ' ';
    }
    const auto time = find_reset_time(text);
    if (!time) continue;
    ++found;
    ASSERT_TRUE(time->hour >= 0 && time->hour < 24 && time->minute >= 0 && time->minute < 60)
        << text;
    ASSERT_EQ(time->month.has_value(), time->day.has_value()) << text << " seed " << seed;
    if (time->month) {
      ASSERT_LE(*time->day, days_in_month(time->year.value_or(2000), *time->month)) << text;
    }
  }
  EXPECT_GT(found, 100);
}

}  // namespace
}  // namespace pawl
