#include "base/text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>

namespace pawl {

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> parts;
  size_t start = 0;
  for (;;) {
    const size_t end = text.find(separator, start);
    if (end == std::string_view::npos) break;
    parts.emplace_back(text.substr(start, end - start));
    start = end + 1;
  }
  parts.emplace_back(text.substr(start));
  return parts;
}

std::string join(const std::vector<std::string>& parts, std::string_view separator) {
  std::string out;
  for (const auto& part : parts) {
    if (&part != &parts.front()) out += separator;
    out += part;
  }
  return out;
}

std::string_view trim(std::string_view text) {
  constexpr std::string_view blanks = " \t\r\n";
  const size_t start = text.find_first_not_of(blanks);
  if (start == std::string_view::npos) return {};
  return text.substr(start, text.find_last_not_of(blanks) - start + 1);
}

namespace {

size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<size_t> row(b.size() + 1);
  for (size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (size_t i = 1; i <= a.size(); ++i) {
    size_t diagonal = row[0];
    row[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      const size_t substitute = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, substitute});
    }
  }
  return row.back();
}

}  // namespace

std::optional<std::string> nearest(std::string_view word,
                                   const std::vector<std::string>& candidates) {
  const size_t limit = word.size() <= 3 ? 1 : std::max<size_t>(2, word.size() / 3);
  std::optional<std::string> best;
  size_t best_distance = limit + 1;
  for (const auto& candidate : candidates) {
    const size_t distance = edit_distance(word, candidate);
    if (distance < best_distance) {
      best_distance = distance;
      best = candidate;
    }
  }
  return best;
}

bool valid_name(std::string_view name) {
  if (name.empty() || name.size() > 64 || name[0] == '-' || name == "." || name == "..")
    return false;
  return std::all_of(name.begin(), name.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' ||
           c == '_' || c == '-';
  });
}

namespace {
constexpr std::string_view kAlphabet =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
constexpr uint8_t kNoValue = 0xff;
// What each character stands for.
constexpr std::array<uint8_t, 256> values_of_alphabet() {
  std::array<uint8_t, 256> values{};
  values.fill(kNoValue);
  for (size_t i = 0; i < kAlphabet.size(); ++i)
    values[static_cast<uint8_t>(kAlphabet[i])] = static_cast<uint8_t>(i);
  return values;
}
constexpr auto kValues = values_of_alphabet();
}  // namespace

std::string base64(std::string_view bytes) {
  std::string out;
  out.reserve((bytes.size() + 2) / 3 * 4);
  for (size_t i = 0; i < bytes.size(); i += 3) {
    const size_t left = std::min<size_t>(3, bytes.size() - i);
    uint32_t group = 0;
    for (size_t k = 0; k < 3; ++k)
      group = group << 8 | (k < left ? static_cast<uint8_t>(bytes[i + k]) : 0u);
    for (size_t k = 0; k < 4; ++k) out += k <= left ? kAlphabet[group >> (18 - 6 * k) & 63] : '=';
  }
  return out;
}

std::optional<std::string> from_base64(std::string_view text) {
  while (!text.empty() && text.back() == '=') text.remove_suffix(1);
  if (text.size() % 4 == 1) return std::nullopt;
  std::string out;
  out.reserve(text.size() * 3 / 4);
  uint32_t group = 0;
  int bits = 0;
  for (const char c : text) {
    const uint8_t value = kValues[static_cast<uint8_t>(c)];
    if (value == kNoValue) return std::nullopt;
    group = group << 6 | value;
    bits += 6;
    if (bits >= 8) {
      bits -= 8;
      out += static_cast<char>(group >> bits & 0xff);
    }
  }
  return out;
}

std::optional<double> parse_duration_s(std::string_view text) {
  constexpr double kLongest = 100 * 365.25 * 86400;  // a clock can still be moved by it
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{}) return std::nullopt;
  const std::string_view unit(end, static_cast<size_t>(text.data() + text.size() - end));
  if (unit == "ms")
    value /= 1000;
  else if (unit == "m")
    value *= 60;
  else if (unit == "h")
    value *= 3600;
  else if (unit == "d")
    value *= 86400;
  else if (!unit.empty() && unit != "s")
    return std::nullopt;
  return value >= 0 && value <= kLongest ? std::optional(value) : std::nullopt;  // nor "nan", "inf"
}

std::string shell_quoted(const std::string& text) {
  std::string out = "'";
  for (const char c : text) c == '\'' ? out += "'\\''" : out += c;
  return out + "'";
}

}  // namespace pawl
