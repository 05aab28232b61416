#include "term/cast.h"

#include <fmt/core.h>

#include <charconv>

#include "base/text.h"

namespace pawl::term {
namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";

// Length of the valid UTF-8 sequence at `at`; 0: invalid; -1: cut off by the end of the text.
int sequence_length(std::string_view text, size_t at) {
  const auto byte = [&](size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char lead = byte(at);
  if (lead < 0x80) return 1;
  const int length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  if (lead < 0xC2 || lead > 0xF4) return 0;
  for (int i = 1; i < length; ++i) {
    if (at + static_cast<size_t>(i) >= text.size()) return -1;
    const unsigned char next = byte(at + static_cast<size_t>(i));
    unsigned char low = 0x80, high = 0xBF;
    if (i == 1 && lead == 0xE0) low = 0xA0;
    if (i == 1 && lead == 0xED) high = 0x9F;
    if (i == 1 && lead == 0xF0) low = 0x90;
    if (i == 1 && lead == 0xF4) high = 0x8F;
    if (next < low || next > high) return 0;
  }
  return length;
}

bool is_special(char c) {
  return static_cast<unsigned char>(c) < 0x20 || c == 0x7f || c == '"' || c == '\\';
}

struct Utf8 {
  size_t complete = 0;  // bytes before a sequence cut off by the end
  bool valid = true;
  size_t quoted = 2;  // bytes of them as append_quoted() gives them
};

Utf8 look(std::string_view text) {
  Utf8 seen;
  size_t at = 0;
  while (at < text.size()) {
    const char c = text[at];
    if (static_cast<unsigned char>(c) < 0x80) {
      seen.quoted += !is_special(c) ? 1 : c == '"' || c == '\\' ? 2 : 6;
      ++at;
      continue;
    }
    const int length = sequence_length(text, at);
    if (length < 0) break;
    if (length == 0) seen.valid = false;
    seen.quoted += length > 0 ? static_cast<size_t>(length) : kReplacement.size();
    at += length > 0 ? static_cast<size_t>(length) : 1;
  }
  seen.complete = at;
  return seen;
}

// `bytes` are those that are whole, with the tail of the last ones before them; the rest is the tail.
Utf8 take_whole(std::string& tail, std::string& joined, std::string_view& bytes) {
  if (!tail.empty()) {
    joined = tail + std::string(bytes);
    bytes = joined;
  }
  const Utf8 seen = look(bytes);
  tail = bytes.substr(seen.complete);
  bytes = bytes.substr(0, seen.complete);
  return seen;
}

size_t line_bytes(double t, size_t quoted) {
  return fmt::formatted_size("[{:.6f}, \"o\", ", t) + quoted + 2;
}

void append_escaped(std::string& out, char c) {
  constexpr std::string_view digits = "0123456789abcdef";
  if (c == '"' || c == '\\') {
    (out += '\\') += c;
    return;
  }
  out += "\\u00";
  out += digits[static_cast<unsigned char>(c) >> 4];
  out += digits[static_cast<unsigned char>(c) & 15];
}

// Plain runs are copied whole: most of a terminal's output is plain.
void append_quoted(std::string& out, std::string_view text) {
  out += '"';
  size_t plain = 0;
  const auto flush = [&](size_t end) { out.append(text.substr(plain, end - plain)); };
  for (size_t at = 0; at < text.size();) {
    const int length = sequence_length(text, at);
    const char c = text[at];
    const bool special = length == 1 && is_special(c);
    if (length > 0 && !special) {
      at += static_cast<size_t>(length);
      continue;
    }
    flush(at);
    if (special)
      append_escaped(out, c);
    else
      out += kReplacement;
    plain = ++at;
  }
  flush(text.size());
  out += '"';
}

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

// One escape as append_escaped() writes it, taken off the front; -1: another.
int take_escaped(std::string_view& text) {
  if (text.size() < 2 || text[0] != '\\') return -1;
  if (text[1] == '"' || text[1] == '\\') {
    const char c = text[1];
    text.remove_prefix(2);
    return c;
  }
  if (text.size() < 6 || text.substr(0, 4) != "\\u00") return -1;
  const int high = hex_digit(text[4]), low = hex_digit(text[5]);
  if (high < 0 || high > 7 || low < 0) return -1;
  text.remove_prefix(6);
  return high * 16 + low;
}

// The other way of append_quoted(), without the quotes. Nothing when it is written in another way.
std::optional<std::string> unquoted(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    size_t plain = 0;
    while (plain < text.size() && !is_special(text[plain])) {
      const int length = sequence_length(text, plain);
      if (length <= 0) return std::nullopt;
      plain += static_cast<size_t>(length);
    }
    out.append(text.substr(0, plain));
    text.remove_prefix(plain);
    if (text.empty()) break;
    const int c = take_escaped(text);
    if (c < 0) return std::nullopt;
    out += static_cast<char>(c);
  }
  return out;
}

// A line as cast_line() writes it: most that are read are our own, and JSON is slow. Others are nothing here, right or wrong.
std::optional<CastEvent> own_event(std::string_view line) {
  CastEvent event;
  if (!line.empty() && line.back() == '\n') line.remove_suffix(1);
  if (line.empty() || line.front() != '[') return std::nullopt;
  const auto [end, error] = std::from_chars(line.data() + 1, line.data() + line.size(), event.t,
                                            std::chars_format::fixed);
  if (error != std::errc{} || line[1] < '0' || line[1] > '9') return std::nullopt;
  line.remove_prefix(static_cast<size_t>(end - line.data()));
  constexpr std::string_view start = ", \"o\", \"", last = "\"]";
  if (line.size() < start.size() + last.size() || !line.ends_with(last)) return std::nullopt;
  event.code = line[3];
  if (is_special(event.code) || sequence_length(line, 3) != 1) return std::nullopt;
  if (line.substr(0, 3) != start.substr(0, 3) || line.substr(4, 4) != start.substr(4))
    return std::nullopt;
  line.remove_prefix(start.size());
  line.remove_suffix(last.size());
  auto data = unquoted(line);
  if (!data) return std::nullopt;
  event.data = std::move(*data);
  return event;
}

}  // namespace

std::string cast_line(const CastHeader& header) {
  Json json = Json::object({{"version", header.version},
                            {"width", int{header.size.cols}},
                            {"height", int{header.size.rows}},
                            {"timestamp", header.timestamp},
                            {"title", header.title},
                            {"env", Json::object({{"TERM", "xterm-256color"}})}});
  if (!header.extra.is_null()) json.set("pawl", header.extra);
  return json.dump() + "\n";
}

std::string cast_line(double t, char code, std::string_view data) {
  std::string out = fmt::format("[{:.6f}, \"{}\", ", t, code);
  append_quoted(out, data);
  out += "]\n";
  return out;
}

Result<CastHeader> parse_cast_header(std::string_view line) {
  const auto json = Json::parse(line);
  if (!json || !json->is_object())
    return fail("not an asciicast: the first line is no JSON object");
  CastHeader header;
  header.version = static_cast<int>((*json)["version"].as_int());
  if (header.version != 2 && header.version != 3)
    return fail(fmt::format("asciicast version {} is not supported", header.version),
                "versions 2 and 3 are");
  const Json& at = header.version == 3 ? (*json)["term"] : *json;
  const int64_t cols = at[header.version == 3 ? "cols" : "width"].as_int();
  const int64_t rows = at[header.version == 3 ? "rows" : "height"].as_int();
  if (cols < 1 || rows < 1 || cols > 10000 || rows > 10000)
    return fail("the recording has no usable size");
  header.size = {static_cast<uint16_t>(cols), static_cast<uint16_t>(rows)};
  header.timestamp = (*json)["timestamp"].as_int();
  header.title = (*json)["title"].as_string();
  header.command = (*json)["command"].as_string();
  header.extra = (*json)["pawl"];
  return header;
}

Result<CastEvent> parse_cast_event(std::string_view line) {
  if (auto own = own_event(line)) return std::move(*own);
  const auto json = Json::parse(line);
  if (!json) return tl::unexpected(json.error());
  const auto& items = json->items();
  if (items.size() != 3 || !items[0].is_number() || items[1].as_string().size() != 1 ||
      !items[2].is_string())
    return fail("not an event: [seconds, \"code\", \"data\"] is expected");
  return CastEvent{items[0].as_double(), items[1].as_string()[0], items[2].as_string()};
}

std::string CastEncoder::output(double t, std::string_view bytes) {
  std::string joined, lines;
  const Utf8 seen = take_whole(tail_, joined, bytes);
  if (bytes.empty()) return lines;
  if (!seen.valid) lines = cast_line(t, 'b', base64(bytes));
  return lines += cast_line(t, 'o', bytes);
}

size_t CastEncoder::count(double t, std::string_view bytes) {
  std::string joined;
  const Utf8 seen = take_whole(tail_, joined, bytes);
  if (bytes.empty()) return 0;
  const size_t base64_bytes = (bytes.size() + 2) / 3 * 4;
  return line_bytes(t, seen.quoted) + (seen.valid ? 0 : line_bytes(t, base64_bytes + 2));
}

std::string CastEncoder::finish(double t) {
  if (tail_.empty()) return {};
  std::string lines = cast_line(t, 'b', base64(tail_)) + cast_line(t, 'o', tail_);
  tail_.clear();
  return lines;
}

std::optional<std::string> CastDecoder::output(const CastEvent& event) {
  if (event.code == 'b') {
    exact_ = from_base64(event.data);
    return std::nullopt;
  }
  if (event.code != 'o') return std::nullopt;
  if (!exact_) return event.data;
  std::string bytes = std::move(*exact_);
  exact_.reset();
  return bytes;
}

}  // namespace pawl::term
