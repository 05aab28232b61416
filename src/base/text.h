#pragma once
// Small helpers on text that two layers need.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace pawl {

std::vector<std::string> split(std::string_view text, char separator);
std::string join(const std::vector<std::string>& parts, std::string_view separator);
std::string_view trim(std::string_view text);
// For a shell's command line: in single quotes.
std::string shell_quoted(const std::string& text);

// The candidate nearest to `word` (edit distance 1 for three letters, 2 or a third of its length for more), for "did you mean".
std::optional<std::string> nearest(std::string_view word,
                                   const std::vector<std::string>& candidates);

// [A-Za-z0-9._-]{1,64}, not starting with '-' and not "." or "..": the name of an agent, and of a folder.
bool valid_name(std::string_view name);

std::string base64(std::string_view bytes);
std::optional<std::string> from_base64(std::string_view text);

// Around bytes that show how a screen stands and were not printed by its program. Terminals ignore the marks.
inline constexpr std::string_view kPictureBegins = "\x1b_pawl-picture\x1b\\";
inline constexpr std::string_view kPictureEnds = "\x1b_pawl-picture-ends\x1b\\";

// "90", "90s", "5m", "2h", "1d" -> seconds.
std::optional<double> parse_duration_s(std::string_view text);

}  // namespace pawl
