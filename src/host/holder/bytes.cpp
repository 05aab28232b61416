#include "host/holder/bytes.h"

#include <stdlib.h>
#include <string.h>

namespace pawl::holder {
namespace {

constexpr size_t kSmallest = 256;
constexpr size_t kShrinkAbove = 4096;

}  // namespace

bool Bytes::resize(size_t wanted) {
  size_t rounded = kSmallest;
  while (rounded < wanted) rounded *= 2;
  if (head > 0 && memory) memmove(memory, memory + head, size());
  tail -= head;
  head = 0;
  if (rounded == capacity) return true;
  char* moved = static_cast<char*>(realloc(memory, rounded));
  if (!moved) return rounded < capacity;
  memory = moved;
  capacity = rounded;
  return true;
}

char* Bytes::reserve(size_t count) {
  if (tail + count > capacity && !resize(size() + count)) return nullptr;
  return memory + tail;
}

bool Bytes::append(const void* bytes, size_t count) {
  if (count == 0) return true;
  char* room = reserve(count);
  if (!room) return false;
  memcpy(room, bytes, count);
  tail += count;
  return true;
}

void Bytes::consume(size_t count) {
  head += count;
  if (head >= tail) {
    release();
  } else if (capacity > kShrinkAbove && size() < capacity / 4) {
    resize(size() * 2);
  }
}

void Bytes::release() {
  free(memory);
  *this = Bytes{};
}

}  // namespace pawl::holder
