#include "term/terminal.h"

#include <algorithm>

#include "term/codec.h"
#include "term/interpreter.h"

namespace pawl::term {
namespace {

Options bounded(Options options) {
  options.scrollback_lines = std::min(options.scrollback_lines, kMaxScrollbackLines);
  return options;
}

}  // namespace

Terminal::Terminal(Size size, Options options)
    : options_(bounded(options)), screen_(size, options_.scrollback_lines) {}

void Terminal::feed(std::string_view bytes) {
  if (bytes.empty()) return;
  ScreenCodec::advance(screen_);
  Interpreter interpreter(screen_, options_.answers ? &answers_ : nullptr);
  parser_.feed(bytes, interpreter);
}

void Terminal::resize(Size size) {
  ScreenCodec::advance(screen_);
  Interpreter(screen_, nullptr).resize(size);
}

void Terminal::count(Counting counting) {
  ScreenCodec::count(screen_, counting);
}

void Terminal::person(const Person& person) {
  ScreenCodec::person(screen_, person);
}

void Terminal::process_exited() {
  ScreenCodec::advance(screen_);
  ScreenCodec::drop_active(screen_);
}

std::string Terminal::take_answers() {
  return std::exchange(answers_, {});
}

namespace {

constexpr std::string_view kMagic = "pawl-term";
constexpr uint64_t kVersion = 2;  // 1 is read, too

}  // namespace

std::string Terminal::serialise(bool with_scrollback) const {
  ByteWriter w;
  w.text(kMagic);
  w.number(kVersion);
  w.flag(options_.answers);
  w.number(options_.scrollback_lines);
  w.text(answers_);
  parser_.write(w);
  ScreenCodec::write(screen_, with_scrollback, w);
  return w.take();
}

Result<Terminal> Terminal::restore(std::string_view bytes) {
  ByteReader r(bytes);
  if (r.view(kMagic.size()) != kMagic) return fail("these bytes are no saved terminal");
  const uint64_t version = r.number();
  if (version < 1 || version > kVersion) return fail("the saved terminal is of another version");
  Options options;
  options.answers = r.flag();
  options.scrollback_lines = r.number(kMaxScrollbackLines);
  Terminal terminal({1, 1}, options);
  terminal.answers_ = r.text(kMaxAnswerBytes);
  terminal.parser_.read(r);
  ScreenCodec::read(terminal.screen_, version, r);
  if (!r.ok() || !r.at_end()) return fail("the saved terminal is damaged");
  return terminal;
}

}  // namespace pawl::term
