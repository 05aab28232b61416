#pragma once
// The daemon's side of the holder protocol as values: frames to bytes, bytes to frames. Pure; the
// bytes are in protocol.h.

#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>

#include "base/result.h"
#include "host/host.h"
#include "host/protocol.h"

namespace pawl::host {

std::string encode(wire::Type type, SessionId session, std::string_view payload = {});

template <class T>
requires(std::is_trivially_copyable_v<T> && !std::is_convertible_v<T, std::string_view>) std::string
    encode(wire::Type type, SessionId session, const T& payload) {
  return encode(type, session,
                std::string_view(reinterpret_cast<const char*>(&payload), sizeof payload));
}

// Goes before the Open of the same session; optional.
std::string encode_place(SessionId session, std::string_view path);
// … and this; optional as well, but who does not know it must not be sent the Open (wire::kUntilVersion). No time: none.
std::string encode_until(SessionId session, BootTime until);
// Between two Writes; optional, but who does not know it does not answer (wire::kMarkVersion).
std::string encode_mark(SessionId session, uint64_t number);
BootTime time_of(const wire::Until& until);
// Fails when the request cannot be said in one frame, or holds a NUL byte.
Result<std::string> encode_open(SessionId session, const Launch& launch);

struct Frame {
  wire::Header header{};
  std::string_view payload;
  SessionId session() const { return {header.session}; }

  // The struct at the start of the payload, or behind what is before it there; nothing when it is too short.
  template <class T>
  std::optional<T> as(size_t after = 0) const {
    if (payload.size() < after + sizeof(T)) return std::nullopt;
    T value;
    std::memcpy(&value, payload.data() + after, sizeof value);
    return value;
  }
};

// Cuts a stream into frames. The views of a frame live until the next add().
class FrameReader {
 public:
  void add(std::string_view bytes);
  std::optional<Frame> next();
  bool broken() const { return broken_; }  // a length no holder would send
  size_t waiting() const { return bytes_.size() - at_; }

 private:
  std::string bytes_;
  size_t at_ = 0;
  bool broken_ = false;
};

// What to tell a person whose program did not start. `wanted` is empty when the daemon before us
// asked for it.
Error explain(const wire::OpenFailed& failed, const std::string& wanted, const std::string& dir);

}  // namespace pawl::host
