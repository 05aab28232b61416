#pragma once
// asciicast v2 lines, both ways (doc/recording.md). Pure: store/recording writes the files, classify and replay read them.
//
// Beside the standard codes ("o" output, "i" input, "r" resize, "x" exit, "m" marker) Pawl writes two that players skip:
//   "b"  base64 of the exact bytes of the next "o", when those are not valid UTF-8
//   "k"  a keyframe: "OFFSET BASE64", the whole terminal at that offset of the output

#include <optional>
#include <string>
#include <string_view>

#include "base/json.h"
#include "base/result.h"
#include "base/units.h"

namespace pawl::term {

struct CastHeader {
  int version = 2;
  Size size;
  int64_t timestamp = 0;  // seconds since the epoch
  std::string title;
  std::string command;  // what was recorded, when the file says it
  Json extra;           // the "pawl" member, null when another program wrote the file
};

struct CastEvent {
  double t = 0;  // seconds since the start; a reader of v3 turns its intervals into this
  char code = 0;
  std::string data;
};

std::string cast_line(const CastHeader& header);
std::string cast_line(double t, char code, std::string_view data);
Result<CastHeader> parse_cast_header(std::string_view line);
Result<CastEvent> parse_cast_event(std::string_view line);

// Turns output bytes into lines. A code point cut in two waits for its rest.
class CastEncoder {
 public:
  // The lines for these bytes: one "o", or "b" and "o" when they are not UTF-8, or nothing yet.
  std::string output(double t, std::string_view bytes);
  // The same, but only how long those lines would be: for who does not keep them.
  size_t count(double t, std::string_view bytes);
  // The waiting bytes as lines of their own: at the end of the stream.
  std::string finish(double t);
  size_t waiting() const { return tail_.size(); }

 private:
  std::string tail_;
};

// The exact output bytes of a sequence of events; feed every event in order.
class CastDecoder {
 public:
  std::optional<std::string> output(const CastEvent& event);

 private:
  std::optional<std::string> exact_;
};

}  // namespace pawl::term
