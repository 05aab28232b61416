#include "os/zone.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstdlib>
#include <ctime>

#include "base/test_dir.h"
#include "base/test_tzif.h"
#include "os/file.h"

namespace pawl::os {
namespace {

using std::chrono::hours;
using std::chrono::seconds;

// An environment variable, and back to what it was.
class Variable {
 public:
  Variable(const char* name, const std::string& value) : name_(name) {
    if (const char* before = std::getenv(name)) before_ = before;
    ::setenv(name, value.c_str(), 1);
  }
  ~Variable() { before_ ? ::setenv(name_, before_->c_str(), 1) : ::unsetenv(name_); }
  Variable(const Variable&) = delete;
  Variable& operator=(const Variable&) = delete;

 private:
  const char* name_;
  std::optional<std::string> before_;
};

std::string berlin_file() {
  TestTzif file;
  file.offsets = {3600};
  file.footer = "CET-1CEST,M3.5.0,M10.5.0/3";
  return file.bytes();
}

int64_t offset_in_july(const Zone& zone) {
  return zone.offset(WallTime{seconds{1'782'864'000}}).count();  // 2026-07-01
}

TEST(LoadZone, ReadsTheFileOfTheName) {
  TestDir dir;
  const Variable tzdir("TZDIR", dir.path());
  ASSERT_TRUE(make_private_dir(dir / "Europe"));
  ASSERT_TRUE(write_atomically(dir / "Europe/Berlin", berlin_file()));
  const auto zone = load_zone("Europe/Berlin");
  ASSERT_TRUE(zone) << text_of(zone.error());
  EXPECT_EQ(offset_in_july(*zone), 7200);
}

TEST(LoadZone, UtcAndAbbreviationsNeedNoFiles) {
  const Variable tzdir("TZDIR", "/nonexistent");
  for (const char* name : {"UTC", "GMT", "Etc/UTC", "Z"}) EXPECT_EQ(load_zone(name), Zone::utc());
  EXPECT_EQ(load_zone("PST"), Zone::fixed(hours{-8}));
  EXPECT_EQ(load_zone("CEST"), Zone::fixed(hours{2}));
  EXPECT_EQ(load_zone("GMT+1"), Zone::fixed(hours{1}));
  const auto missing = load_zone("Europe/Berlin");
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().fix, "install tzdata, or set TZDIR");
}

TEST(LoadZone, NamesFromAScreenCannotLeaveTheFolder) {
  TestDir dir;
  const Variable tzdir("TZDIR", dir / "zones");
  ASSERT_TRUE(make_private_dir(dir / "zones/Europe"));
  ASSERT_TRUE(write_atomically(dir / "secret", berlin_file()));
  ASSERT_TRUE(write_atomically(dir / ("zones/" + std::string(64, 'a')), berlin_file()));
  ASSERT_TRUE(write_atomically(dir / ("zones/" + std::string(65, 'a')), berlin_file()));
  EXPECT_TRUE(load_zone(std::string(64, 'a')));
  for (const std::string& name :
       {std::string("../secret"), std::string("Europe/../../secret"), dir / "secret",
        std::string(""), std::string("/"), std::string("a b"), std::string("a.b"),
        std::string("\033[31m"), std::string("a\0b", 3), std::string(65, 'a'),
        std::string("Europe"), std::string("No/Such")}) {
    const auto zone = load_zone(name);
    ASSERT_FALSE(zone) << name;
    EXPECT_EQ(zone.error().what.find('\033'), std::string::npos) << "shown to people";
    EXPECT_FALSE(zone.error().fix.empty());
  }
}

TEST(LoadZone, AFileThatIsNoneIsSaidSo) {
  TestDir dir;
  const Variable tzdir("TZDIR", dir.path());
  ASSERT_TRUE(write_atomically(dir / "text", "hello"));
  ASSERT_TRUE(write_atomically(dir / "large", std::string(kZoneFileLimit + 1, 'x')));
  ASSERT_EQ(::mkfifo((dir / "pipe").c_str(), 0600), 0);
  const auto text = load_zone("text");
  ASSERT_FALSE(text);
  EXPECT_TRUE(text.error().what.starts_with(dir / "text: not a time zone file"))
      << text.error().what;
  EXPECT_FALSE(load_zone("large"));
  EXPECT_FALSE(load_zone("pipe")) << "and it does not wait for a writer";
}

TEST(LocalZone, UnderstandsEveryFormOfTz) {
  TestDir dir;
  const Variable tzdir("TZDIR", dir.path());
  ASSERT_TRUE(make_private_dir(dir / "Europe"));
  ASSERT_TRUE(write_atomically(dir / "Europe/Berlin", berlin_file()));
  ASSERT_TRUE(write_atomically(dir / "CET", berlin_file()));
  const std::vector<std::pair<std::string, int64_t>> rows{
      {"Europe/Berlin", 7200},
      {":Europe/Berlin", 7200},
      {dir / "Europe/Berlin", 7200},
      {":" + dir / "Europe/Berlin", 7200},
      {"CET", 7200},
      {"CET-1CEST,M3.5.0,M10.5.0/3", 7200},
      {"EST5EDT", -14400},
      {"EST5", -18000},
      {"<+0545>-5:45", 20700},
      {"UTC", 0},
      {"UTC0", 0},
      {"GMT+1", -3600},  // POSIX counts westwards
  };
  for (const auto& [tz, offset] : rows) {
    const auto zone = local_zone(tz);
    ASSERT_TRUE(zone) << tz << ": " << text_of(zone.error());
    EXPECT_EQ(offset_in_july(*zone), offset) << tz;
  }
  for (const char* tz : {"Mars/Base", "PST", "../x", "/nonexistent", "/", "\033[31m"}) {
    const auto zone = local_zone(tz);
    ASSERT_FALSE(zone) << tz;
    EXPECT_EQ(zone.error().what.find('\033'), std::string::npos);
  }
}

TEST(LocalZone, WithoutTzIsTheMachinesZone) {
  TestDir dir;
  ASSERT_TRUE(write_atomically(dir / "localtime", berlin_file()));
  ASSERT_TRUE(write_atomically(dir / "broken", "x"));
  for (const char* tz : {"", ":"}) {
    const auto zone = local_zone(tz, dir / "localtime");
    ASSERT_TRUE(zone);
    EXPECT_EQ(offset_in_july(*zone), 7200);
    EXPECT_EQ(local_zone(tz, dir / "missing"), Zone::utc());
    EXPECT_FALSE(local_zone(tz, dir / "broken"));
  }
}

// The C library reads the same files: every zone of this machine, against it, twice a week for two centuries.
TEST(LocalZone, AgreesWithTheCLibrary) {
  const char* const names[] = {"Europe/Berlin",     "America/New_York",   "Australia/Lord_Howe",
                               "Europe/Dublin",     "Pacific/Apia",       "Asia/Kathmandu",
                               "Africa/Casablanca", "America/Sao_Paulo",  "Asia/Gaza",
                               "America/Nuuk",      "Asia/Tehran",        "Antarctica/Troll",
                               "Africa/Monrovia",   "Pacific/Kiritimati", "America/St_Johns"};
  int compared = 0;
  for (const char* name : names) {
    const auto zone = load_zone(name);
    if (!zone) continue;  // a machine without tzdata
    const Variable tz("TZ", name);
    ::tzset();
    for (int64_t t = -3'155'673'600; t < 4'102'444'800; t += 302'393) {
      const time_t instant = t;
      tm shown{};
      ::localtime_r(&instant, &shown);
      const Civil expected{shown.tm_year + 1900, shown.tm_mon + 1, shown.tm_mday,
                           shown.tm_hour,        shown.tm_min,     shown.tm_sec};
      ASSERT_EQ(zone->civil(WallTime{seconds{t}}), expected) << name << " at " << t;
    }
    ++compared;
  }
  ::tzset();
  if (compared == 0) GTEST_SKIP() << "no tzdata here";
}

}  // namespace
}  // namespace pawl::os
