#include "fleet/member_values.h"

#include <array>

namespace pawl::fleet {
namespace {

constexpr std::array<std::string_view, 4> kStates{"waiting", "claimed", "ended", "cancelled"};
constexpr std::array<std::string_view, 4> kSettled{"accepted", "given back", "superseded",
                                                   "cancelled"};
constexpr std::string_view kHex = "0123456789abcdef";

bool plain(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '-';
}

}  // namespace

std::string_view word(UnitState state) {
  return kStates[static_cast<size_t>(state)];
}

std::optional<UnitState> unit_state_from(std::string_view text) {
  for (size_t i = 0; i < kStates.size(); ++i)
    if (kStates[i] == text) return static_cast<UnitState>(i);
  return std::nullopt;
}

std::string_view word(Settled how) {
  return kSettled[static_cast<size_t>(how)];
}

std::string token_of(std::string_view name) {
  std::string out;
  for (const char c : name) {
    if (plain(c)) {
      out += c;
      continue;
    }
    const auto byte = static_cast<unsigned char>(c);
    out += {'=', kHex[byte >> 4], kHex[byte & 15]};
  }
  return out;
}

std::string name_of(std::string_view token) {
  std::string out;
  for (size_t i = 0; i < token.size(); ++i) {
    const size_t high = i + 2 < token.size() ? kHex.find(token[i + 1]) : std::string_view::npos;
    const size_t low = i + 2 < token.size() ? kHex.find(token[i + 2]) : std::string_view::npos;
    if (token[i] != '=' || high == std::string_view::npos || low == std::string_view::npos) {
      out += token[i];
      continue;
    }
    out += static_cast<char>(high * 16 + low);
    i += 2;
  }
  return out;
}

}  // namespace pawl::fleet
