#pragma once
// A queue of bytes: in at the back, out at the front. Costs nothing when empty, so that a thousand
// idle sessions are cheap. No constructor and no destructor: a zeroed Bytes is an empty one,
// release() gives the memory back.

#include <stddef.h>

namespace pawl::holder {

struct Bytes {
  char* memory = nullptr;
  size_t head = 0;
  size_t tail = 0;
  size_t capacity = 0;

  size_t size() const { return tail - head; }
  const char* begin() const { return memory + head; }

  // Room for `count` more at the back; nullptr when memory is short. Becomes part of the queue by
  // added().
  char* reserve(size_t count);
  void added(size_t count) { tail += count; }
  bool append(const void* bytes, size_t count);  // false and unchanged when memory is short
  void consume(size_t count);                    // from the front; shrinks
  void release();

 private:
  bool resize(size_t wanted);
};

}  // namespace pawl::holder
