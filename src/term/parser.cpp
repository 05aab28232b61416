#include "term/parser.h"

#include <algorithm>
#include <cstring>

namespace pawl::term {
namespace {

enum State : uint8_t {
  kGround,
  kEscape,
  kEscapeIntermediate,
  kCsiEntry,
  kCsiParam,
  kCsiIntermediate,
  kCsiIgnore,
  kDcsEntry,
  kDcsParam,
  kDcsIntermediate,
  kDcsData,
  kDcsIgnore,
  kOsc,
  kSwallow,
  kStates
};
enum Action : uint8_t { kIgnore, kExecute, kCollect, kParam, kPut, kEscDispatch, kCsiDispatch };

struct Transition {
  Action action = kIgnore;
  State next = kGround;
};

struct Table {
  Transition at[kStates][256];

  constexpr void set(State from, int first, int last, Action action, State next) {
    for (int b = first; b <= last; ++b) at[from][b] = {action, next};
  }
  // Controls act in the middle of a sequence, and the sequence goes on.
  constexpr void controls(State s, Action action) {
    set(s, 0x00, 0x17, action, s);
    set(s, 0x19, 0x19, action, s);
    set(s, 0x1c, 0x1f, action, s);
  }
  constexpr void head(State entry, State params, State intermediate, State ignore, Action done,
                      State end) {
    set(entry, 0x20, 0x2f, kCollect, intermediate);
    set(entry, 0x30, 0x3b, kParam, params);
    set(entry, 0x3c, 0x3f, kCollect, params);
    set(entry, 0x40, 0x7e, done, end);
    set(params, 0x20, 0x2f, kCollect, intermediate);
    set(params, 0x30, 0x3b, kParam, params);
    set(params, 0x3c, 0x3f, kIgnore, ignore);
    set(params, 0x40, 0x7e, done, end);
    set(intermediate, 0x20, 0x2f, kCollect, intermediate);
    set(intermediate, 0x30, 0x3f, kIgnore, ignore);
    set(intermediate, 0x40, 0x7e, done, end);
  }
};

constexpr Table make_table() {
  Table t{};
  for (int s = 0; s < kStates; ++s)
    t.set(static_cast<State>(s), 0, 255, kIgnore, static_cast<State>(s));
  for (State s : {kEscape, kEscapeIntermediate, kCsiEntry, kCsiParam, kCsiIntermediate, kCsiIgnore})
    t.controls(s, kExecute);
  t.set(kEscape, 0x20, 0x2f, kCollect, kEscapeIntermediate);
  t.set(kEscape, 0x30, 0x7e, kEscDispatch, kGround);
  t.set(kEscape, 'P', 'P', kIgnore, kDcsEntry);
  t.set(kEscape, '[', '[', kIgnore, kCsiEntry);
  t.set(kEscape, ']', ']', kIgnore, kOsc);
  for (int b : {'X', '^', '_'}) t.set(kEscape, b, b, kIgnore, kSwallow);
  t.set(kEscapeIntermediate, 0x20, 0x2f, kCollect, kEscapeIntermediate);
  t.set(kEscapeIntermediate, 0x30, 0x7e, kEscDispatch, kGround);
  t.head(kCsiEntry, kCsiParam, kCsiIntermediate, kCsiIgnore, kCsiDispatch, kGround);
  t.set(kCsiIgnore, 0x40, 0x7e, kIgnore, kGround);
  t.head(kDcsEntry, kDcsParam, kDcsIntermediate, kDcsIgnore, kIgnore, kDcsData);
  t.controls(kDcsData, kPut);
  t.set(kDcsData, 0x20, 0x7e, kPut, kDcsData);
  t.set(kDcsData, 0x80, 0xff, kPut, kDcsData);
  t.set(kOsc, 0x20, 0xff, kPut, kOsc);
  t.set(kOsc, 0x07, 0x07, kIgnore, kGround);
  for (int s = 0; s < kStates; ++s) {
    t.set(static_cast<State>(s), 0x18, 0x18, kIgnore, kGround);
    t.set(static_cast<State>(s), 0x1a, 0x1a, kIgnore, kGround);
    t.set(static_cast<State>(s), 0x1b, 0x1b, kIgnore, kEscape);
  }
  return t;
}

constexpr Table kTable = make_table();

bool takes_params(uint8_t s) {
  return s == kCsiEntry || s == kCsiParam || s == kDcsEntry || s == kDcsParam;
}
bool is_string(uint8_t state) {
  return state == kOsc || state == kDcsData;
}
bool printable(uint8_t b) {
  return b >= 0x20 && b < 0x7f;
}

// Where the run of printable ASCII ends; eight bytes at a time.
size_t printable_end(std::string_view bytes, size_t at) {
  constexpr uint64_t kOnes = 0x0101010101010101u, kHigh = 0x80 * kOnes;
  for (; at + 8 <= bytes.size(); at += 8) {
    uint64_t word;
    std::memcpy(&word, bytes.data() + at, 8);
    if (((word - 0x20 * kOnes) | word | (word + kOnes)) & kHigh)
      break;  // below 0x20, above 0x7f, 0x7f
  }
  while (at < bytes.size() && printable(static_cast<uint8_t>(bytes[at]))) ++at;
  return at;
}

char32_t three_bytes(std::string_view bytes, size_t at) {
  const auto b = [&](size_t i) {
    return static_cast<char32_t>(static_cast<uint8_t>(bytes[at + i]));
  };
  return (b(0) & 0x0f) << 12 | (b(1) & 0x3f) << 6 | (b(2) & 0x3f);
}

}  // namespace

void Parser::feed(std::string_view bytes, ParserSink& sink) {
  for (size_t i = 0; i < bytes.size();) {
    if (state_ == kGround) {
      i = ground(bytes, i, sink);
    } else if (const size_t run = fast_run(bytes, i)) {
      i += run;
    } else {
      step(static_cast<uint8_t>(bytes[i++]), sink);
    }
  }
}

bool Parser::in_string() const {
  return (state_ >= kDcsEntry && state_ <= kDcsIgnore) || state_ == kOsc || state_ == kSwallow;
}

// The length of a complete three-byte character here (most of CJK, boxes, bullets), else 0: the
// decoder's work.
size_t Parser::whole_character(std::string_view bytes, size_t at) const {
  if (utf8_.pending() || bytes.size() - at < 3) return 0;
  const auto b = [&](size_t i) { return static_cast<uint8_t>(bytes[at + i]); };
  if (b(0) < 0xe1 || b(0) > 0xec) return 0;  // no surrogates, nothing overlong
  return (b(1) & 0xc0) == 0x80 && (b(2) & 0xc0) == 0x80 ? 3 : 0;
}

size_t Parser::ground(std::string_view bytes, size_t at, ParserSink& sink) {
  while (at < bytes.size()) {
    const auto b = static_cast<uint8_t>(bytes[at]);
    if (const size_t size = whole_character(bytes, at)) {
      sink.print(three_bytes(bytes, at));
      at += size;
    } else if (b >= 0x80 || utf8_.pending()) {
      switch (utf8_.take(b)) {
        case Utf8Decoder::Step::more:
          ++at;
          break;
        case Utf8Decoder::Step::done:
          sink.print(utf8_.character()), ++at;
          break;
        case Utf8Decoder::Step::invalid:
          sink.print(kReplacement), ++at;
          break;
        case Utf8Decoder::Step::again:
          sink.print(kReplacement);
          break;
      }
    } else if (printable(b)) {
      const size_t end = printable_end(bytes, at + 1);
      sink.print_ascii(bytes.substr(at, end - at));
      at = end;
    } else if (b == 0x1b) {
      clear();
      const bool csi =
          at + 1 < bytes.size() && bytes[at + 1] == '[';  // the common case, in one step
      state_ = csi ? kCsiEntry : kEscape;
      return at + (csi ? 2 : 1);
    } else {
      if (b != 0x7f && b != 0x18 && b != 0x1a) sink.execute(b);
      ++at;
    }
  }
  return at;
}

size_t Parser::fast_run(std::string_view bytes, size_t at) {
  if (is_string(state_)) return string_run(bytes, at);
  if (takes_params(state_)) return param_run(bytes, at);
  return 0;
}

// Digits and separators up to the next other byte. Values beyond the limit are dropped.
size_t Parser::param_run(std::string_view bytes, size_t at) {
  Sequence& s = sequence_;
  size_t end = at, count = std::max<size_t>(s.count, 1);  // in registers: this loop is hot
  uint32_t value = s.count > 0 && count <= kMaxParams ? s.values[count - 1] : 0;
  bool given = count <= kMaxParams && (s.given >> (count - 1) & 1);
  for (; end < bytes.size(); ++end) {
    const char c = bytes[end];
    if (c >= '0' && c <= '9') {
      value = std::min(value * 10 + static_cast<uint32_t>(c - '0'), kMaxParamValue);
      given = true;
    } else if (c == ';' || c == ':') {
      store_param(count, value, given);
      if (count <= kMaxParams) ++count;
      if (c == ':' && count <= kMaxParams) s.joined |= uint64_t{1} << (count - 1);
      value = 0, given = false;
    } else {
      break;
    }
  }
  if (end == at) return 0;
  store_param(count, value, given);
  s.count = static_cast<uint8_t>(count);
  state_ = state_ == kDcsEntry || state_ == kDcsParam ? kDcsParam : kCsiParam;
  return end - at;
}

void Parser::store_param(size_t count, uint32_t value, bool given) {
  if (count > kMaxParams) return;
  sequence_.values[count - 1] = static_cast<uint16_t>(value);
  if (given) sequence_.given |= uint64_t{1} << (count - 1);
}

// How many bytes from `at` on only lengthen the string; they are taken.
size_t Parser::string_run(std::string_view bytes, size_t at) {
  size_t end = at;
  while (end < bytes.size() && static_cast<uint8_t>(bytes[end]) >= 0x20 && bytes[end] != 0x7f)
    ++end;
  const size_t room = kMaxStringBytes - string_.size();
  string_.append(bytes.substr(at, std::min(room, end - at)));
  if (end - at > room) overflow_ = true;
  return end - at;
}

void Parser::step(uint8_t byte, ParserSink& sink) {
  const Transition t = kTable.at[state_][byte];
  switch (t.action) {
    case kIgnore:
      break;
    case kExecute:
      sink.execute(byte);
      break;
    case kCollect:
      collect(byte);
      break;
    case kParam:
      break;  // param_run took it
    case kPut:
      if (string_.size() < kMaxStringBytes)
        string_.push_back(static_cast<char>(byte));
      else
        overflow_ = true;
      break;
    case kEscDispatch:
      if (!too_many_) sink.escape({collected_.data(), collected_count_}, static_cast<char>(byte));
      break;
    case kCsiDispatch:
      if (!too_many_) sink.control_sequence(finished(static_cast<char>(byte)));
      break;
  }
  if (t.next != state_ || byte == 0x1b) enter(t.next, byte, sink);
}

void Parser::enter(uint8_t next, uint8_t byte, ParserSink& sink) {
  if (is_string(state_)) leave_string(byte, sink);
  if (next == kEscape || next == kCsiEntry || next == kDcsEntry || next == kOsc) clear();
  if (next == kDcsData) sequence_.final = static_cast<char>(byte);
  state_ = next;
}

// CAN and SUB break a string off, everything else ends it.
void Parser::leave_string(uint8_t byte, ParserSink& sink) {
  if (overflow_)
    sink.too_long();
  else if (byte != 0x18 && byte != 0x1a) {
    if (state_ == kOsc)
      sink.operating_system_command(string_, byte == 0x07);
    else if (!too_many_)
      sink.device_control_string(finished(sequence_.final), string_);
  }
  string_ = {};
  overflow_ = false;
}

void Parser::clear() {
  sequence_.count = 0;
  sequence_.values[0] = 0;
  sequence_.given = sequence_.joined = 0;
  sequence_.prefix = sequence_.final = 0;
  collected_count_ = 0;
  too_many_ = false;
}

void Parser::collect(uint8_t byte) {
  if (byte >= 0x3c) {
    sequence_.prefix = static_cast<char>(byte);
  } else if (collected_count_ < kMaxIntermediates) {
    collected_[collected_count_++] = static_cast<char>(byte);
  } else {
    too_many_ = true;
  }
}

// For the length of one call to the sink.
const Sequence& Parser::finished(char final) {
  Sequence& s = sequence_;
  s.count = static_cast<uint8_t>(std::min<size_t>(s.count, kMaxParams));
  s.intermediates = {collected_.data(), collected_count_};
  s.final = final;
  return s;
}

void Parser::write(ByteWriter& w) const {
  w.number(state_);
  const Utf8Decoder utf8 =
      utf8_.pending() ? utf8_ : Utf8Decoder{};  // the last character is no state
  w.number(utf8.value()), w.number(utf8.needed()), w.number(utf8.low()), w.number(utf8.high());
  if (state_ == kGround) return;  // the rest is of the sequence before
  w.number(sequence_.count);
  for (size_t i = 0; i < std::min<size_t>(sequence_.count, kMaxParams); ++i)
    w.number(sequence_.values[i]);
  w.number(sequence_.given), w.number(sequence_.joined);
  w.number(static_cast<uint8_t>(sequence_.prefix)), w.number(static_cast<uint8_t>(sequence_.final));
  w.text({collected_.data(), collected_count_});
  w.flag(too_many_), w.flag(overflow_);
  w.text(string_);
}

void Parser::read(ByteReader& r) {
  *this = {};
  state_ = static_cast<uint8_t>(r.number(kStates - 1));
  const auto value = static_cast<uint32_t>(r.number(0x10ffff));
  const auto needed = static_cast<uint8_t>(r.number(3));
  const auto low = static_cast<uint8_t>(r.number(255)), high = static_cast<uint8_t>(r.number(255));
  r.expect(utf8_.set(value, needed, low, high));
  if (state_ == kGround) return;
  r.expect(!utf8_.pending());
  sequence_.count = static_cast<uint8_t>(r.number(kMaxParams + 1));
  for (size_t i = 0; i < std::min<size_t>(sequence_.count, kMaxParams); ++i)
    sequence_.values[i] = static_cast<uint16_t>(r.number(kMaxParamValue));
  sequence_.given = r.number(), sequence_.joined = r.number();
  const auto prefix = static_cast<char>(r.number(127));
  r.expect(prefix == 0 || (prefix >= '<' && prefix <= '?'));
  sequence_.prefix = prefix;
  sequence_.final = static_cast<char>(r.number(127));
  const std::string_view collected = r.view(kMaxIntermediates);
  std::copy(collected.begin(), collected.end(), collected_.begin());
  collected_count_ = static_cast<uint8_t>(collected.size());
  too_many_ = r.flag(), overflow_ = r.flag();
  string_ = r.text(kMaxStringBytes);
  r.expect(is_string(state_) || (string_.empty() && !overflow_));
}

bool Parser::operator==(const Parser& other) const {
  ByteWriter a, b;
  write(a), other.write(b);
  return a.take() == b.take();
}

}  // namespace pawl::term
