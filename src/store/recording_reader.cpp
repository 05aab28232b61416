#include "store/recording_reader.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <tuple>

#include "base/text.h"
#include "store/part_file.h"

namespace pawl::store {

std::optional<Size> parse_size(const std::string& text) {
  unsigned cols = 0, rows = 0;
  if (std::sscanf(text.c_str(), "%ux%u", &cols, &rows) != 2 || cols == 0 || rows == 0 ||
      cols > 10000 || rows > 10000)
    return std::nullopt;
  return Size{static_cast<uint16_t>(cols), static_cast<uint16_t>(rows)};
}

namespace {

// The lines of a text, as views; the last one only when it is whole.
template <class Visit>
void each_line(std::string_view text, size_t from, Visit&& visit) {
  while (from < text.size()) {
    const size_t end = text.find('\n', from);
    if (end == std::string_view::npos) return;
    visit(text.substr(from, end - from), end + 1);
    from = end + 1;
  }
}

std::optional<std::string> terminal_in(const term::CastEvent& keyframe) {
  const size_t space = keyframe.data.find(' ');
  return space == std::string::npos
             ? std::nullopt
             : from_base64(std::string_view(keyframe.data).substr(space + 1));
}

// Where the line of the last keyframe that can be read starts, or npos. Keyframe lines are ours and always look like this.
size_t last_keyframe(std::string_view text) {
  for (size_t mark = text.rfind(", \"k\", \""); mark != std::string_view::npos;) {
    const size_t before = text.rfind('\n', mark);
    const size_t start = before == std::string_view::npos ? 0 : before + 1;
    const auto event = term::parse_cast_event(text.substr(start, text.find('\n', start) - start));
    if (event && event->code == 'k' && terminal_in(*event)) return start;
    mark = start == 0 ? std::string_view::npos : text.substr(0, start).rfind(", \"k\", \"");
  }
  return std::string_view::npos;
}

// The last resize before a keyframe: the size of the terminal in it.
std::optional<Size> size_before(std::string_view text, size_t keyframe) {
  const std::string_view mark = ", \"r\", \"";
  const size_t at =
      keyframe == std::string_view::npos ? keyframe : text.substr(0, keyframe).rfind(mark);
  if (at == std::string_view::npos) return std::nullopt;
  return parse_size(std::string(
      text.substr(at + mark.size(), text.find('"', at + mark.size()) - at - mark.size())));
}

}  // namespace

void take(Recovered& recovered, term::CastDecoder& decoder, const term::CastEvent& event) {
  recovered.last_t = std::max(recovered.last_t, event.t);
  if (event.code == 'k') {
    auto terminal = terminal_in(event);
    if (!terminal) return;
    recovered.keyframe = std::move(*terminal);
    recovered.end = Offset{std::strtoull(event.data.c_str(), nullptr, 10)};
    recovered.steps.clear();
  } else if (event.code == 'r') {
    if (const auto size = parse_size(event.data)) recovered.steps.push_back({{}, size});
  } else if (auto bytes = decoder.output(event)) {
    recovered.end.value += bytes->size();
    recovered.steps.push_back({std::move(*bytes), std::nullopt});
  }
}

std::optional<LineHead> line_head(std::string_view line) {
  const std::string text(line.substr(0, 40));
  if (text.empty() || text[0] != '[') return std::nullopt;
  char* end = nullptr;
  const double t = std::strtod(text.c_str() + 1, &end);
  const std::string_view rest(end);
  if (!rest.starts_with(", \"") || rest.size() < 5 || rest[4] != '"') return std::nullopt;
  return LineHead{t, rest[3]};
}

std::string part_path(const std::string& dir, SessionId session, int number) {
  return fmt::format("{}/{:010}-{:04}.cast", dir, session.value, number);
}

std::vector<Part> parts_in(Disk& disk, const std::string& dir) {
  std::vector<Part> parts;
  for (const auto& name : disk.list_dir(dir)) {
    unsigned long long session = 0;
    int number = 0, used = 0;
    if (std::sscanf(name.c_str(), "%llu-%d.cast%n", &session, &number, &used) != 2) continue;
    const auto length = static_cast<size_t>(used);
    if (length > 0 && (length == name.size() || name.substr(length) == kPackedEnding))
      parts.push_back({dir + "/" + name.substr(0, length), SessionId{session}, number});
  }
  std::sort(parts.begin(), parts.end(), [](const Part& a, const Part& b) {
    return std::tie(a.session, a.number, a.path) < std::tie(b.session, b.number, b.path);
  });
  const auto same = [](const Part& a, const Part& b) { return a.path == b.path; };
  parts.erase(std::unique(parts.begin(), parts.end(), same), parts.end());  // in both forms
  return parts;
}

Result<PartEnd> read_end(Disk& disk, const std::string& path) {
  std::string damage;
  const auto text = read_part(disk, path, &damage);
  if (!text) return tl::unexpected(text.error());
  const size_t first_end = text->find('\n');
  if (first_end == std::string::npos) return fail(path + " has no whole header");
  auto header = term::parse_cast_header(std::string_view(*text).substr(0, first_end));
  if (!header) return fail(path + ": " + header.error().what);
  PartEnd end{*header, {}, text->rfind('\n') + 1, damage};
  end.recovered.end = Offset{static_cast<uint64_t>(header->extra["offset"].as_int())};
  const std::string_view whole = std::string_view(*text).substr(0, end.whole_bytes);
  const size_t keyframe = last_keyframe(whole);
  end.recovered.first_size = size_before(whole, keyframe).value_or(header->size);
  bool skip_repaint = header->extra["repaint"].as_bool() && keyframe == std::string_view::npos;
  term::CastDecoder decoder;
  each_line(whole, keyframe == std::string_view::npos ? first_end + 1 : keyframe,
            [&](std::string_view line, size_t) {
              const auto event = term::parse_cast_event(line);
              if (!event) return;  // a line somebody edited: worth less than the rest
              if (std::exchange(skip_repaint, false)) return;
              take(end.recovered, decoder, *event);
            });
  return end;
}

Result<std::string> output_of(Disk& disk, const std::vector<Part>& parts, std::string* damage) {
  std::string bytes;
  for (const auto& part : parts) {
    const auto text = read_part(disk, part.path, damage);
    if (!text) return tl::unexpected(text.error());
    bool first = true, skip = false;
    term::CastDecoder decoder;
    each_line(*text, 0, [&](std::string_view line, size_t) {
      if (std::exchange(first, false)) {
        const auto header = term::parse_cast_header(line);
        skip = header && header->extra["repaint"].as_bool();
        return;
      }
      const auto event = term::parse_cast_event(line);
      if (!event || std::exchange(skip, false)) return;
      if (auto more = decoder.output(*event)) bytes += *more;
    });
  }
  return bytes;
}

Result<std::string> recent_output(Disk& disk, const std::string& dir, size_t limit,
                                  std::string* damage) {
  const auto parts = parts_in(disk, dir);
  std::string bytes;
  for (auto part = parts.rbegin(); part != parts.rend() && bytes.size() < limit; ++part) {
    auto more = output_of(disk, {*part}, damage);
    if (!more) return more;
    bytes = *more + bytes;
  }
  if (bytes.size() > limit) bytes.erase(0, bytes.size() - limit);
  return bytes;
}

}  // namespace pawl::store
