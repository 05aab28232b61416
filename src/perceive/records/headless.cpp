#include "perceive/records/headless.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/text.h"
#include "perceive/screen/reset_time.h"

namespace pawl::perceive {
namespace {

using Hear = std::string (*)(const Json&, Heard);
constexpr std::array<std::pair<std::string_view, Hear>, 4> kFormats{
    {{"claude", hear_claude}, {"codex", hear_codex}, {"gemini", hear_gemini}, {"pi", hear_pi}}};

Hear hearing(std::string_view format) {
  for (const auto& [name, hear] : kFormats)
    if (name == format) return hear;
  return nullptr;
}

bool contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

struct Clue {
  const char* trouble;
  const char* words;  // in small letters
};
// The first that is found. Programs put their service's words into their own errors, so these are the services' words.
constexpr Clue kClues[] = {
    {"session", "no conversation found"},
    {"session", "no previous sessions found"},
    {"session", "no rollout found"},
    {"session", "invalid session identifier"},
    {"session", "session id is already in use"},
    {"session", "no session found"},
    {"limit", "usage limit"},
    {"limit", "hit your limit"},
    {"limit", "usage_limit"},
    {"limit", "daily quota"},
    {"limit", "exceeded your current quota"},
    {"limit", "limit will reset"},
    {"auth", "authentication"},
    {"auth", "invalid api key"},
    {"auth", "incorrect api key"},
    {"auth", "api key not valid"},
    {"auth", "unauthorized"},
    {"auth", "unauthenticated"},
    {"auth", "please run /login"},
    {"auth", "not logged in"},
    {"context", "prompt is too long"},
    {"context", "context window"},
    {"context", "context_length"},
    {"context", "exceeds the maximum number of tokens"},
    {"model", "does not exist"},
    {"model", "is not found for api version"},
    {"model", "model_not_found"},
    {"model", "model not found"},
    {"model", "issue with the selected model"},
    {"overload", "overloaded"},
    {"overload", "high demand"},
    {"overload", "at capacity"},
    {"overload", "too many requests"},
    {"overload", "rate limit"},
    {"overload", "rate_limit"},
    {"overload", "resource_exhausted"},
    {"overload", "resource has been exhausted"},
    {"overload", "internal server error"},
    {"overload", "service unavailable"},
    {"overload", "connection"},
    {"overload", "stream disconnected"},
    {"overload", "fetch failed"},
    {"overload", "timed out"},
};

}  // namespace

bool headless_format(std::string_view name) {
  return name == "plain" || hearing(name) != nullptr;
}

std::string trouble_in(std::string_view words) {
  std::string small(words);
  std::transform(small.begin(), small.end(), small.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  for (const Clue& clue : kClues)
    if (contains(small, clue.words)) return clue.trouble;
  return {};
}

Headless::Headless(std::string format, model::TaskReport known, ZoneOf zone_of)
    : format_(std::move(format)), zone_of_(std::move(zone_of)), report_(std::move(known)) {}

std::string Headless::feed(std::string_view bytes, WallTime now) {
  std::string out;
  while (!bytes.empty()) {
    const size_t end = bytes.find('\n');
    line_ += bytes.substr(0, end == std::string_view::npos ? bytes.size() : end + 1);
    bytes.remove_prefix(end == std::string_view::npos ? bytes.size() : end + 1);
    if (end != std::string_view::npos || line_.size() > kMaxRecordBytes) out += take_line(now);
  }
  return out;
}

std::string Headless::end(WallTime now) {
  std::string out = std::exchange(mid_line_, false) ? "\n" : "";
  if (!line_.empty()) out += take_line(now) + "\n";
  out += words_.feed(streamed_.take()) + not_text_.end();
  streaming_ = 0;
  return out;
}

// A picture comes after bytes that were lost: what was before it and what is after it are two lines, and the first is not whole.
std::string Headless::take_line(WallTime now) {
  std::string line = std::exchange(line_, {}), out;
  for (size_t at = 0; (at = line.find(kPictureBegins)) != std::string::npos;) {
    const std::string cut = line.substr(0, at);
    if (!hearing(format_) || !trim(cut).starts_with('{')) out += read_line(cut, now);
    if (!out.empty() && !out.ends_with('\n')) out += '\n';
    const size_t end = line.find(kPictureEnds, at);
    line.erase(0, end == std::string::npos ? line.size() : end + kPictureEnds.size());
  }
  return out + read_line(line, now);
}

std::string Headless::read_line(const std::string& line, WallTime now) {
  const Hear hear = hearing(format_);
  const std::string_view text = trim(line);
  if (hear && text.starts_with('{') && text.ends_with('}')) {
    if (const auto record = Json::parse(text); record && record->is_object())
      return hear_record(*record, line.size(), now);
  }
  const std::string said = stripper_.feed(not_text_.feed(line));
  if (contains(said, "approval policy is Never; reject command")) report_.denials += 1;  // Codex
  // What is no record is a word of the program about itself: some errors come no other way.
  if (!hear || !report_.trouble.empty() || report_.answered || trim(said).empty()) return said;
  report_.trouble = trouble_in(said);
  if (!report_.trouble.empty() || !report_.spoke)
    report_.message = std::string(trim(said)).substr(0, 300);
  return said;
}

std::string Headless::hear_record(const Json& record, size_t bytes, WallTime now) {
  report_.spoke = true;
  const std::string said =
      words_.feed(hearing(format_)(record, {report_, session_id_, said_, streamed_, now}));
  streaming_ = streamed_.text.empty() ? 0 : streaming_ + bytes;
  find_reset(now);
  if (!said.empty()) mid_line_ = !said.ends_with('\n');
  return said;
}

// Some say when their limit ends in words only.
void Headless::find_reset(WallTime now) {
  if (report_.trouble != "limit" || report_.until || !zone_of_) return;
  const auto written = find_reset_time(report_.message);
  if (!written) return;
  if (const auto zone = zone_of_(written->zone)) report_.until = resolve(*written, now, *zone);
}

}  // namespace pawl::perceive
