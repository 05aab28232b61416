// Any text as a profile: it is refused with file and line, or it can be used. Nothing else happens.

#include <cstdint>
#include <cstdlib>
#include <string>

#include "perceive/screen/sight.h"
#include "term/terminal.h"

namespace {

constexpr size_t kMostBytes = 16 << 10;  // of one profile: more only takes longer

void require(bool condition) {
  if (!condition) std::abort();
}

// Rows that have a little of everything.
const pawl::term::Terminal& screen() {
  static const pawl::term::Terminal made = [] {
    pawl::term::Terminal terminal({60, 20}, {.answers = false, .scrollback_lines = 0});
    terminal.feed("Toy v1\r\n* Thinking...\r\n\r\n1. one\r\n> 2. two\r\nEnter to confirm\r\n");
    terminal.feed("\xe2\x94\x80\xe2\x94\x80\xe2\x94\x80\xe2\x94\x80\xe2\x94\x80\r\n> x\r\n");
    terminal.feed("\xe2\x94\x80\xe2\x94\x80\xe2\x94\x80\xe2\x94\x80\xe2\x94\x80\r\nme@host:~$ ");
    return terminal;
  }();
  return made;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size > kMostBytes) return 0;
  const std::string text(reinterpret_cast<const char*>(data), size);
  const auto profile = pawl::perceive::parse_profile(text, "fuzz.toml");
  if (!profile) {
    require(profile.error().what.rfind("fuzz.toml:", 0) == 0);
    return 0;
  }
  require(!profile->name.empty());
  pawl::perceive::Eye eye(*profile);
  eye.look(screen().screen());
  require(!eye.sight().blank);
  return 0;
}
