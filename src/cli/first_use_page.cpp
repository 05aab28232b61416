#include "cli/first_use_page.h"

#include <fmt/core.h>

#include <algorithm>
#include <vector>

#include "base/text.h"
#include "term/utf8.h"

namespace pawl::cli {
namespace {

constexpr int kNameColumns = 14;
constexpr const char* kMonths[] = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                   "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};

std::string spelled(char32_t c) {
  if (c == '\n') return "\\n";
  if (c == '\t') return "\\t";
  std::string one;
  term::append_utf8(one, c);
  return term::plain_text(one, one.size()).empty()
             ? fmt::format("\\u{{{:x}}}", static_cast<uint32_t>(c))
             : one;
}

// Not in the middle of a character.
size_t boundary(std::string_view text, size_t at) {
  while (at > 0 && at < text.size() && (static_cast<uint8_t>(text[at]) & 0xc0) == 0x80) --at;
  return at;
}

std::string shortened(const std::string& text) {
  if (text.size() <= kValueShown) return text;
  const size_t head = boundary(text, kValueShown * 2 / 3);
  const size_t tail = boundary(text, text.size() - kValueShown / 3);
  return fmt::format("{} … ({} bytes left out: read the file) … {}", text.substr(0, head),
                     tail - head, text.substr(tail));
}

bool plain_word(const std::string& word) {
  return !word.empty() && std::all_of(word.begin(), word.end(), [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') ||
           std::string_view("@%+=:,./_-").find(c) != std::string_view::npos;
  });
}

// As one would type it.
std::string command_line(const std::vector<std::string>& words) {
  std::vector<std::string> out;
  for (const auto& word : words) out.push_back(plain_word(word) ? word : shell_quoted(word));
  return shortened(harmless(join(out, " ")));
}

std::string agent_text(const Json& agent, const Look& look) {
  const std::string indent(2 + kNameColumns + 1, ' ');
  std::string out =
      "  " + paint(look, "1", fit(harmless(agent["name"].as_string()), kNameColumns)) + " ";
  if (agent["error"].is_string())
    return out + "cannot be started: " + shortened(harmless(agent["error"].as_string())) + "\n";
  out += command_line(agent["command"].as_strings()) + "\n";
  out += indent + "in " + shortened(harmless(agent["dir"].as_string())) + "\n";
  for (const auto& [key, value] : agent["keys"].members()) {
    const auto words = value.as_strings();
    const std::string text =
        words.size() == 1 ? shortened(harmless(words[0])) : command_line(words);
    out += indent + key + " = " + text + "\n";
  }
  return out;
}

}  // namespace

std::string harmless(std::string_view text) {
  std::string out;
  term::Utf8Decoder decoder;
  for (size_t i = 0; i < text.size();) {
    const auto step = decoder.take(static_cast<uint8_t>(text[i]));
    if (step != term::Utf8Decoder::Step::again) ++i;
    if (step == term::Utf8Decoder::Step::more) continue;
    out +=
        spelled(step == term::Utf8Decoder::Step::done ? decoder.character() : term::kReplacement);
  }
  if (decoder.pending()) out += spelled(term::kReplacement);
  return out;
}

std::string time_for_people(WallTime time, WallTime now, const Zone& zone) {
  const Civil at = zone.civil(time), today = zone.civil(now);
  if (at.year == today.year && at.month == today.month && at.day == today.day)
    return fmt::format("{:02}:{:02}:{:02}", at.hour, at.minute, at.second);
  const std::string day = fmt::format("{} {}", kMonths[at.month - 1], at.day);
  if (at.year != today.year) return fmt::format("{} {}", day, at.year);
  return fmt::format("{} {:02}:{:02}", day, at.hour, at.minute);
}

std::string standing_line(const Json& preview, WallTime now, const Zone& zone) {
  const std::string path = harmless(preview["path"].as_string());
  WallTime at;
  if (!parse_rfc3339(preview["at"].as_string(), at)) return path + " was never approved";
  const std::string when = time_for_people(at, now, zone);
  if (preview["standing"].as_string() == "changed")
    return path + " changed since you approved it (" + when + ")";
  return path + " is approved (" + when + ")";
}

std::string first_use_page(const Json& preview, const Look& look) {
  std::string out;
  std::vector<std::string> same;
  size_t shown = 0, more = 0;
  for (const auto& agent : preview["agents"].items()) {
    if (agent["same"].as_bool())
      same.push_back(harmless(agent["name"].as_string()));
    else if (shown == kAgentsShown)
      ++more;
    else
      ++shown, out += agent_text(agent, look);
  }
  if (more > 0) out += fmt::format("  … and {} more agents: read the file\n", more);
  if (!same.empty()) out += "  unchanged: " + shortened(join(same, ", ")) + "\n";
  return out;
}

}  // namespace pawl::cli
