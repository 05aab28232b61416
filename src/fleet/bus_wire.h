#pragma once
// The conversation of bus.h as bytes: frames (api/frame.h) of JSON, values in base64. Both ends are strict: what is not exactly like
// this ends the connection, and whoever reads says why.
//
// Each connection to a server has a number. An ask names the one its asker knew of: one that was written down before a connection was
// lost is never done after the next has come up, because its asker was told `unknown` already.

#include <string>
#include <string_view>
#include <variant>

#include "base/result.h"
#include "fleet/bus.h"

namespace pawl::fleet {

inline constexpr int kBusWire = 1;  // a program of another version is told so
inline constexpr size_t kMaxBusValue = 512u << 10;
inline constexpr size_t kMaxBusText = 4u << 10;  // of a name, a sentence, a path
inline constexpr size_t kMaxBusSentence = 1000;  // of what people read; the rest is cut off
inline constexpr Duration kLongestAsk = std::chrono::hours{24};
// A value in base64, and everything around it in its worst form.
inline constexpr size_t kMaxBusFrame = kMaxBusValue / 3 * 4 + (256u << 10);

// "Are you there?" and, with the same number, "yes".
struct BusPulse {
  uint64_t number = 0;
  bool operator==(const BusPulse&) const = default;
};

struct ToBus {
  std::variant<BusJoin, BusAsk, BusPulse> what;
  uint64_t link = 0;  // of an ask
  bool operator==(const ToBus&) const = default;
};

struct FromBus {
  std::variant<BusNews, BusPulse> what;
  uint64_t link = 0;
  bool operator==(const FromBus&) const = default;
};

// What is wrong with an ask that cannot be sent at all.
Done sendable(const BusAsk& ask);
// Whole frames.
std::string bus_frame(const ToBus& said);
std::string bus_frame(const FromBus& said);
// Of a frame's payload.
Result<ToBus> read_to_bus(std::string_view payload);
Result<FromBus> read_from_bus(std::string_view payload);

std::string_view word(BusOp op);
std::string_view word(BusEnd end);

}  // namespace pawl::fleet
