#pragma once
// One connection from a daemon: bytes in, cut into frames; frames out, through a bounded buffer.
// Never blocks.

#include <stdint.h>

#include "host/holder/bytes.h"
#include "host/protocol.h"

namespace pawl::holder {

constexpr size_t kOutLimit =
    256u << 10;  // output waits in the backlogs while this much is on its way

struct Link {
  int fd = -1;
  Bytes in;
  Bytes out;
  int64_t since_us = 0;

  bool open() const { return fd >= 0; }
  bool full() const { return out.size() >= kOutLimit; }

  bool receive();  // false: the connection is over
  // The next whole frame, nullptr when there is none (yet). *broken: the bytes are no protocol.
  const char* next(wire::Header* header, bool* broken) const;
  void drop(const wire::Header& header) { in.consume(sizeof header + header.length); }

  bool put(uint16_t type, uint64_t session, const void* payload, size_t length);
  bool send();  // false: the connection is over
  void shut();
};

}  // namespace pawl::holder
