#pragma once
// Bytes -> characters and control sequences: Paul Williams' state machine for DEC terminals as one
// table, with a fast lane for printable ASCII. Knows no meaning: the Interpreter gives it. All
// state between two bytes is in here (also in the middle of a sequence or of a UTF-8 character), so
// any chunking of a stream gives the same calls up to the cutting of runs.

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "term/bytes.h"
#include "term/utf8.h"

namespace pawl::term {

inline constexpr size_t kMaxParams =
    64;  // of a control sequence, with sub-parameters; the rest is dropped
inline constexpr uint32_t kMaxParamValue = 65535;  // larger numbers mean this one
inline constexpr size_t kMaxIntermediates = 3;     // more make the sequence unknown: swallowed
inline constexpr size_t kMaxStringBytes =
    64 * 1024;  // of OSC and DCS; longer ones are swallowed and counted

// `ESC [ prefix params intermediates final`, also the head of a DCS.
struct Sequence {
  std::array<uint16_t, kMaxParams> values{};
  uint64_t given = 0;   // bit i: value i was written by the program, not left out
  uint64_t joined = 0;  // bit i: value i follows a ':', it belongs to the one before
  uint8_t count = 0;
  char prefix = 0;  // one of < = > ? or 0
  std::string_view intermediates;
  char final = 0;

  // The value, or `fallback` when it is absent or 0.
  int at(size_t i, int fallback) const { return i < count && values[i] ? values[i] : fallback; }
  int raw(size_t i, int fallback = 0) const {
    return i < count && (given >> i & 1) ? values[i] : fallback;
  }
  bool is_joined(size_t i) const { return joined >> i & 1; }
};

// What the parser found, in order.
class ParserSink {
 public:
  virtual void print_ascii(std::string_view run) = 0;  // 0x20..0x7e
  virtual void print(char32_t c) = 0;                  // from 0x80
  virtual void execute(uint8_t control) = 0;
  virtual void escape(std::string_view intermediates, char final) = 0;
  virtual void control_sequence(const Sequence& sequence) = 0;
  virtual void operating_system_command(std::string_view text, bool bell) = 0;
  virtual void device_control_string(const Sequence& head, std::string_view text) = 0;
  virtual void too_long() = 0;  // a string beyond kMaxStringBytes was swallowed

 protected:
  ~ParserSink() = default;
};

class Parser {
 public:
  void feed(std::string_view bytes, ParserSink& sink);
  // Inside a string that somebody has to end: what comes is hidden until then.
  bool in_string() const;

  void write(ByteWriter& w) const;
  void read(ByteReader& r);  // failure shows in r.ok()
  bool operator==(const Parser&) const;

 private:
  size_t ground(std::string_view bytes, size_t at, ParserSink& sink);
  size_t whole_character(std::string_view bytes, size_t at) const;
  size_t fast_run(std::string_view bytes, size_t at);
  size_t param_run(std::string_view bytes, size_t at);
  void store_param(size_t count, uint32_t value, bool given);
  size_t string_run(std::string_view bytes, size_t at);
  void step(uint8_t byte, ParserSink& sink);
  void enter(uint8_t state, uint8_t byte, ParserSink& sink);
  void leave_string(uint8_t byte, ParserSink& sink);
  void clear();
  void collect(uint8_t byte);
  const Sequence& finished(char final);

  uint8_t state_ = 0;
  Utf8Decoder utf8_;
  Sequence sequence_;
  std::array<char, kMaxIntermediates> collected_{};
  uint8_t collected_count_ = 0;
  bool too_many_ = false;  // intermediates
  std::string string_;
  bool overflow_ = false;
};

}  // namespace pawl::term
