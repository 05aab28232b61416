// Any bytes through the emulator: no crash, no chunking effect, nothing lost by saving, painted as
// it is. Input: columns, rows, chunk size, one byte of flags, then output of a hostile program.
// 0xfe 0xfe C R resizes.

#include "term/terminal.h"

#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "term/paint.h"
#include "term/strip.h"

namespace {

using pawl::Size;
using pawl::term::Options;
using pawl::term::Painter;
using pawl::term::Stripper;
using pawl::term::Terminal;

void require(bool condition) {
  if (!condition) std::abort();
}

constexpr std::string_view kResize = "\xfe\xfe";

// Feeds in pieces of `step` bytes (0: as long as possible), resizing where the input says so.
template <class Between>
void run(Terminal& t, std::string_view bytes, size_t step, Between between) {
  while (!bytes.empty()) {
    if (bytes.starts_with(kResize) && bytes.size() >= 4) {
      t.resize({static_cast<uint16_t>(bytes[2] & 63), static_cast<uint16_t>(bytes[3] & 15)});
      bytes.remove_prefix(4);
      continue;
    }
    size_t n = std::min(bytes.find(kResize, 1), bytes.size());
    if (step > 0) n = std::min(n, step);
    t.feed(bytes.substr(0, n));
    bytes.remove_prefix(n);
    between(t);
  }
}

void check_saving(const Terminal& t) {
  const auto restored = Terminal::restore(t.serialise());
  require(restored && *restored == t && restored->serialise() == t.serialise());
}

void check_painting(const Terminal& t, Painter& painter, Terminal& person) {
  const Size size = t.screen().size();
  person.resize(size);
  person.feed(painter.frame(t.screen(), size));
  require(t.screen().same_picture(person.screen()));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size < 4) return 0;
  const Size first{static_cast<uint16_t>(data[0] % 32 + 1),
                   static_cast<uint16_t>(data[1] % 10 + 1)};
  const size_t step = data[2] % 17 + 1u;
  const Options options{(data[3] & 1) != 0, data[3] & 2 ? 5u : 100u};
  const std::string_view bytes(reinterpret_cast<const char*>(data) + 4, size - 4);

  Terminal whole(first, options), pieces(first, options), person(first);
  const auto counting = static_cast<pawl::term::Counting>((data[3] >> 2 & 3) % 3);
  whole.count(counting), pieces.count(counting);
  person.count(pawl::term::Counting::clusters);  // as terminals do that know clusters
  run(whole, bytes, 0, [](Terminal&) {});
  Painter painter;
  size_t turn = 0;
  run(pieces, bytes, step, [&](Terminal& t) {
    if (++turn % 64 == 0 && turn < 256) check_painting(t, painter, person);
  });
  require(whole == pieces && whole.serialise() == pieces.serialise());
  check_saving(whole);
  check_painting(whole, painter, person);
  whole.process_exited();
  whole.take_answers();

  Stripper all, some;
  std::string text;
  for (size_t at = 0; at < bytes.size(); at += step) text += some.feed(bytes.substr(at, step));
  require(all.feed(bytes) == text);
  return 0;
}
