#include "host/holder/link.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

namespace pawl::holder {
namespace {

constexpr size_t kReceiveAtOnce = 16u << 10;
constexpr size_t kReceivePerTurn = 1u << 20;

char receive_space[kReceiveAtOnce];

}  // namespace

bool Link::receive() {
  for (size_t total = 0; total < kReceivePerTurn;) {
    const ssize_t got = recv(fd, receive_space, sizeof receive_space, MSG_DONTWAIT);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return errno == EAGAIN;
    if (got == 0 || !in.append(receive_space, static_cast<size_t>(got))) return false;
    if (static_cast<size_t>(got) < sizeof receive_space) return true;
    total += static_cast<size_t>(got);
  }
  return true;
}

const char* Link::next(wire::Header* header, bool* broken) const {
  if (in.size() < sizeof *header) return nullptr;
  memcpy(header, in.begin(), sizeof *header);
  *broken = header->length > wire::kMaxPayload;
  if (*broken || in.size() < sizeof *header + header->length) return nullptr;
  return in.begin() + sizeof *header;
}

bool Link::put(uint16_t type, uint64_t session, const void* payload, size_t length) {
  const wire::Header header{static_cast<uint32_t>(length), type, 0, session};
  char* room = out.reserve(sizeof header + length);
  if (!room) return false;
  memcpy(room, &header, sizeof header);
  if (length > 0) memcpy(room + sizeof header, payload, length);
  out.added(sizeof header + length);
  return true;
}

bool Link::send() {
  while (out.size() > 0) {
    const ssize_t done = ::send(fd, out.begin(), out.size(), MSG_DONTWAIT | MSG_NOSIGNAL);
    if (done < 0 && errno == EINTR) continue;
    if (done < 0) return errno == EAGAIN;
    out.consume(static_cast<size_t>(done));
  }
  return true;
}

void Link::shut() {
  if (fd >= 0) close(fd);
  in.release();
  out.release();
  *this = Link{};
}

}  // namespace pawl::holder
