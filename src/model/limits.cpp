#include "model/limits.h"

#include <fmt/core.h>

#include <cctype>
#include <charconv>
#include <cmath>
#include <optional>
#include <string_view>

namespace pawl::model {
namespace {

constexpr double kKiB = 1024;
constexpr double kMostMemory = 1ull << 50;

// The number at the beginning; what follows it stays.
std::optional<double> take_number(std::string_view& text) {
  double value = 0;
  const auto [end, error] =
      std::from_chars(text.data(), text.data() + text.size(), value, std::chars_format::fixed);
  if (error != std::errc{} || !std::isfinite(value) || value < 0) return std::nullopt;
  text.remove_prefix(static_cast<size_t>(end - text.data()));
  return value;
}

std::optional<double> factor_of(std::string_view unit) {
  constexpr std::string_view kUnits = "KMGT";
  if (unit.empty()) return std::nullopt;
  const size_t place = kUnits.find(static_cast<char>(std::toupper(unit[0])));
  const std::string_view rest = unit.substr(1);
  if (place == kUnits.npos || !(rest.empty() || rest == "B" || rest == "iB")) return std::nullopt;
  return std::pow(kKiB, place + 1);
}

}  // namespace

Result<uint64_t> memory_limit(const std::string& text) {
  if (text.empty()) return 0;
  std::string_view rest = text;
  const auto value = take_number(rest);
  const auto factor = factor_of(rest);
  if (!value || !factor || *value * *factor > kMostMemory)
    return fail("'" + text + "' is not a size", "say it as 512M or 4G", 2);
  if (*value * *factor < kLeastMemory)
    return fail("'" + text + "' is too little memory for any program",
                "give " + memory_text(kLeastMemory) + " or more", 2);
  return static_cast<uint64_t>(*value * *factor);
}

Result<int> cpu_limit(const std::string& text) {
  if (text.empty()) return 0;
  std::string_view rest = text;
  const auto value = take_number(rest);
  if (!value || rest != "%" || *value < 1 || *value > kMostCpu)
    return fail("'" + text + "' is not a share of CPU",
                "say 50% for half a processor, 200% for two", 2);
  return static_cast<int>(*value);
}

std::string memory_text(uint64_t bytes) {
  const char* const units[] = {"KiB", "MiB", "GiB", "TiB"};
  double value = static_cast<double>(bytes) / kKiB;
  size_t unit = 0;
  for (; value >= kKiB && unit < 3; ++unit) value /= kKiB;
  const bool whole = value >= 100 || value == std::floor(value);
  return whole ? fmt::format("{:.0f} {}", value, units[unit])
               : fmt::format("{:.1f} {}", value, units[unit]);
}

}  // namespace pawl::model
