#include "api/window.h"

#include <algorithm>
#include <charconv>

#include "base/text.h"
#include "store/journal.h"

namespace pawl::api {
namespace {

constexpr double kLongestAge = 50.0 * 365 * 86400;  // seconds; a longer one is the same

}  // namespace

Duration from_seconds(double s) {
  return std::chrono::duration_cast<Duration>(std::chrono::duration<double>(s));
}

Result<WallTime> instant(const std::string& text, WallTime now) {
  WallTime time;
  if (parse_rfc3339(text, time)) return time;
  const auto age = parse_duration_s(text);
  if (age && *age >= 0) return now - from_seconds(std::min(*age, kLongestAge));
  return fail("'" + text + "' is neither a time nor an age", "use 2026-11-15T02:00:00Z or 2h", 2);
}

Result<Window> window_of(const Call& call, Duration by_default) {
  Window window{call.now.wall - by_default, call.now.wall};
  const std::string since = call.args["since"].as_string(), until = call.args["until"].as_string();
  if (!until.empty()) {
    const auto time = instant(until, call.now.wall);
    if (!time) return tl::unexpected(time.error());
    window.until = std::min(*time, call.now.wall);
    window.since = window.until - by_default;
  }
  if (!since.empty()) {
    const auto time = instant(since, call.now.wall);
    if (!time) return tl::unexpected(time.error());
    window.since = *time;
  }
  if (window.since >= window.until)
    return fail(
        "there is no time between " + rfc3339(window.since) + " and " + rfc3339(window.until),
        "begin earlier, as in --since 8h", 2);
  return window;
}

Result<Seq> events_since(const Call& call) {
  const std::string text = call.args["since"].as_string();
  return text.empty() ? Result<Seq>(Seq{}) : seq_since(call.engine, text, call.now.wall);
}

Result<Seq> seq_since(core::Engine& engine, const std::string& text, WallTime now) {
  uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error == std::errc{} && end == text.data() + text.size()) return Seq{number};
  const auto time = instant(text, now);
  if (time) return engine.journal().seq_at(*time);
  return fail("'" + text + "' is neither an event number, a time nor an age",
              "use 1234, 2026-11-15T02:00:00Z or 2h", 2);
}

}  // namespace pawl::api
