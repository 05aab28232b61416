// The libFuzzer targets under AFL++ in persistent mode: linked in by afl.sh, compiled by
// afl-clang-fast++ only.

#include <unistd.h>

#include <cstddef>
#include <cstdint>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

__AFL_FUZZ_INIT();

int main() {
  __AFL_INIT();
  const unsigned char* data = __AFL_FUZZ_TESTCASE_BUF;
  while (__AFL_LOOP(10000))
    LLVMFuzzerTestOneInput(data, static_cast<size_t>(__AFL_FUZZ_TESTCASE_LEN));
  return 0;
}
