#pragma once
// Ids and sizes that cannot be mixed up.

#include <compare>
#include <cstdint>
#include <functional>

namespace pawl {

// A number with a meaning: Id<SessionTag> and Id<SeqTag> do not convert into each other or into integers.
template <class Tag>
struct Id {
  uint64_t value = 0;
  auto operator<=>(const Id&) const = default;
};

// Position of an event in the journal, from 1; 0 is "none".
using Seq = Id<struct SeqTag>;
// One terminal with one child, in one holder. Equal to the Seq of the decision that opened it: never reused.
using SessionId = Id<struct SessionTag>;
// A client's request in flight, within one life of the daemon.
using RequestId = Id<struct RequestTag>;
// Bytes of a session's output so far.
using Offset = Id<struct OffsetTag>;

struct Size {
  uint16_t cols = 80;
  uint16_t rows = 24;
  bool operator==(const Size&) const = default;
};

}  // namespace pawl

template <class Tag>
struct std::hash<pawl::Id<Tag>> {
  size_t operator()(const pawl::Id<Tag>& id) const noexcept {
    return std::hash<uint64_t>{}(id.value);
  }
};
