// Hostile saved terminals: an error or a terminal that works, never a crash. Keys and pastes get
// the same bytes.

#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "term/keys.h"
#include "term/paint.h"
#include "term/terminal.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using pawl::term::Terminal;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  (void)pawl::term::key_bytes(bytes, {});
  (void)pawl::term::paste_bytes(bytes, {});
  auto terminal = Terminal::restore(bytes);
  if (!terminal) return 0;
  const std::string again = terminal->serialise();
  const auto twice = Terminal::restore(again);
  if (!twice || !(*twice == *terminal) || twice->serialise() != again) std::abort();
  terminal->feed(
      "\x1b[2;2Habc\xe6\xbc\xa2\xcc\x81\x1b[1;4;58;5;3mx\r\n\n\x1b[S\x1b[L\x1b[?1049h\x1b[2Jy\x1b[?"
      "1049l");
  terminal->feed(bytes);
  terminal->resize({7, 3});
  pawl::term::Painter painter;
  (void)painter.frame(terminal->screen(), {10, 10});
  (void)pawl::term::ansi_text(terminal->screen());
  (void)terminal->screen().scrollback().text();
  return 0;
}
