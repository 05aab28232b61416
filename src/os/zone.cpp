#include "os/zone.h"

#include <sys/stat.h>

#include <algorithm>
#include <cstdlib>

#include "base/zone_names.h"
#include "os/file.h"

namespace pawl::os {
namespace {

constexpr size_t kNameLimit = 64;

bool valid_zone_name(std::string_view name) {
  if (name.empty() || name.size() > kNameLimit || name[0] == '/' ||
      name.find("..") != std::string_view::npos)
    return false;
  return std::all_of(name.begin(), name.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '+' || c == '/' || c == '-';
  });
}

std::string zone_dir() {
  const char* dir = std::getenv("TZDIR");
  return dir && *dir ? dir : "/usr/share/zoneinfo";
}

// Opening a pipe or a device could wait for ever.
bool is_regular(const std::string& path) {
  struct stat info {};
  return ::stat(path.c_str(), &info) == 0 && S_ISREG(info.st_mode);
}

Result<Zone> read_zone(const std::string& path) {
  if (!is_regular(path)) return fail("no such time zone file: " + path);
  const auto bytes = read_file(path, kZoneFileLimit);
  if (!bytes) return tl::unexpected(bytes.error());
  auto zone = Zone::parse(*bytes);
  if (!zone) return fail(path + ": " + zone.error().what, zone.error().fix);
  return zone;
}

// As far as it can be shown to a person: the name may be anything.
std::string shown(std::string_view name) {
  std::string out(name.substr(0, kNameLimit));
  std::replace_if(
      out.begin(), out.end(), [](char c) { return c < ' ' || c > '~'; }, '?');
  return out;
}

}  // namespace

Result<Zone> load_zone(std::string_view name) {
  if (auto zone = builtin_zone(name)) return *zone;
  if (!valid_zone_name(name))
    return fail("not a time zone: " + shown(name), "use a name like Europe/Berlin");
  const std::string dir = zone_dir();
  const std::string path = dir + "/" + std::string(name);
  if (!is_dir(dir)) return fail("no time zones in " + dir, "install tzdata, or set TZDIR");
  if (!is_regular(path))
    return fail("no such time zone: " + shown(name), "use a name like Europe/Berlin");
  return read_zone(path);
}

// A name means its file here and not an abbreviation: with TZ=CET a program has summer time.
Result<Zone> local_zone(std::string_view tz_variable, const std::string& localtime_file) {
  if (tz_variable.starts_with(':')) tz_variable.remove_prefix(1);
  if (tz_variable.empty())
    return exists(localtime_file) ? read_zone(localtime_file) : Result<Zone>(Zone::utc());
  if (tz_variable[0] == '/') return read_zone(std::string(tz_variable));
  const std::string path = zone_dir() + "/" + std::string(tz_variable);
  if (valid_zone_name(tz_variable) && is_regular(path)) return read_zone(path);
  if (const auto zone = builtin_zone(tz_variable); zone == Zone::utc()) return Zone::utc();
  if (auto zone = Zone::posix(tz_variable)) return zone;
  return fail("not a time zone: TZ=" + shown(tz_variable),
              "set TZ to a name like Europe/Berlin, or to a rule like CET-1CEST,M3.5.0,M10.5.0/3");
}

}  // namespace pawl::os
