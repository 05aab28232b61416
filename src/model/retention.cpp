#include "model/retention.h"

#include <fmt/core.h>

#include <array>
#include <string_view>

namespace pawl::model {
namespace {

constexpr std::array<std::string_view, 4> kForgetWords{"tasks", "recordings", "archive", "folders"};
constexpr std::array<std::string_view, 3> kBoundWords{"age", "count", "total"};

uint64_t bytes_in(const std::vector<Held>& all) {
  uint64_t out = 0;
  for (const auto& one : all) out += one.bytes;
  return out;
}

}  // namespace

HeldBytes bytes_of(const Holdings& holdings) {
  return {bytes_in(holdings.tasks), bytes_in(holdings.recordings), bytes_in(holdings.archive)};
}

std::string bytes_text(uint64_t bytes) {
  const auto number = static_cast<double>(bytes);
  if (number >= 1e9) return fmt::format("{:.1f} GB", number / 1e9);
  if (number >= 1e6) return fmt::format("{:.0f} MB", number / 1e6);
  if (number >= 1e3) return fmt::format("{:.0f} kB", number / 1e3);
  return fmt::format("{} bytes", bytes);
}

std::string_view word(Forget what) {
  return kForgetWords[static_cast<size_t>(what)];
}

std::string_view word(Bound why) {
  return kBoundWords[static_cast<size_t>(why)];
}

std::optional<Forget> forget_from(std::string_view text) {
  for (size_t i = 0; i < kForgetWords.size(); ++i)
    if (kForgetWords[i] == text) return static_cast<Forget>(i);
  return std::nullopt;
}

std::optional<Bound> bound_from(std::string_view text) {
  for (size_t i = 0; i < kBoundWords.size(); ++i)
    if (kBoundWords[i] == text) return static_cast<Bound>(i);
  return std::nullopt;
}

}  // namespace pawl::model
