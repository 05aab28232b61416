#include "perceive/records/not_text.h"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "term/utf8.h"

namespace pawl::perceive {
namespace {

// Bytes from here that make one character; 0: they make none.
size_t character_at(std::string_view text, size_t at) {
  term::Utf8Decoder decoder;
  for (size_t i = at; i < text.size(); ++i) {
    const auto step = decoder.take(static_cast<uint8_t>(text[i]));
    if (step == term::Utf8Decoder::Step::done) return i + 1 - at;
    if (step != term::Utf8Decoder::Step::more) return 0;
  }
  return 0;
}

// What no terminal is told: bell, backspace, tab, line ends, shifts, cancel and escape are.
bool stray_control(unsigned char c) {
  constexpr std::string_view kMeant = "\a\b\t\n\v\f\r\x0e\x0f\x18\x1a\x1b";
  return c < 0x20 && kMeant.find(static_cast<char>(c)) == std::string_view::npos;
}

// From the first such byte to the last one; what is between them belongs to it.
struct Stretch {
  size_t begin = 0, end = 0;
  size_t strange = 0, together = 0, most = 0;  // strange bytes; in a row, at most
  bool control = false;
  // One odd letter is of another encoding, and one odd control is nothing.
  bool counts() const { return most > 1 || (control && strange > 1); }
};

// The next stretch of a line; empty at its end.
Stretch next_stretch(std::string_view line, size_t from) {
  Stretch out{from, from};
  for (size_t at = from; at < line.size();) {
    const auto c = static_cast<unsigned char>(line[at]);
    const size_t size = c < 0x80 ? 1 : character_at(line, at);
    const bool control = stray_control(c);
    if (size > 0 && !control) {
      out.together = 0;
      at += size;
      if (out.strange > 0 && at - out.end >= NotText::kApart) return out;
      continue;
    }
    if (out.strange == 0) out.begin = at;
    ++out.strange;
    ++out.together;
    out.most = std::max(out.most, out.together);
    out.control = out.control || control;
    out.end = ++at;
  }
  return out;
}

std::string mark(size_t bytes) {
  return fmt::format("[{} bytes that are not text]", bytes);
}

}  // namespace

std::string NotText::feed(std::string_view line) {
  std::string out;
  size_t told = 0;
  Stretch next = next_stretch(line, 0);
  const bool odd = next.strange > 0;
  for (; next.strange > 0; next = next_stretch(line, next.end)) {
    if (!next.counts()) continue;
    out += line.substr(told, next.begin - told);
    out += mark(next.end - next.begin);
    told = next.end;
  }
  // Among such lines a stray one is of theirs.
  const bool goes_on = follows_ && odd;
  follows_ = goes_on || told > 0;
  if (!goes_on) return end() + out + std::string(line.substr(told));
  bytes_ += line.size();
  return bytes_ >= kTogether ? end() : std::string();
}

std::string NotText::end() {
  const size_t bytes = std::exchange(bytes_, 0);
  return bytes == 0 ? std::string() : mark(bytes) + "\n";
}

}  // namespace pawl::perceive
