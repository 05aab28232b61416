#include "term/scrollback.h"

#include "term/bytes.h"
#include "term/cell.h"

namespace pawl::term {
namespace {

// One line: flags (1 wrapped, 2 has runs), text, then per run its bytes, fg and bg.
void append(std::string& out, uint64_t value) {
  for (; value >= 0x80; value >>= 7) out.push_back(static_cast<char>(value | 0x80));
  out.push_back(static_cast<char>(value));
}

void append(std::string& out, const ScrollbackLine& line) {
  append(out, (line.wrapped ? 1u : 0u) | (line.runs.empty() ? 0u : 2u));
  append(out, line.text.size());
  out += line.text;
  if (line.runs.empty()) return;
  append(out, line.runs.size());
  for (const StyleRun& run : line.runs)
    append(out, run.bytes), append(out, run.fg), append(out, run.bg);
}

ScrollbackLine next(ByteReader& r) {
  ScrollbackLine line;
  const uint64_t flags = r.number();
  line.wrapped = flags & 1;
  line.text = r.text(kScrollbackBytes);
  if (flags & 2) {
    line.runs.resize(r.number(r.left()));
    for (StyleRun& run : line.runs) {
      run.bytes = static_cast<uint32_t>(r.number(UINT32_MAX));
      run.fg = static_cast<uint32_t>(r.number(UINT32_MAX));
      run.bg = static_cast<uint32_t>(r.number(UINT32_MAX));
    }
  }
  return line;
}

}  // namespace

Style StyleRun::style() const {
  return style_of(fg, bg);
}

void Scrollback::push(const ScrollbackLine& line) {
  ++total_;
  if (max_lines_ == 0) return;
  if (pages_.empty() || pages_.back().bytes.size() >= kScrollbackPageBytes) pages_.emplace_back();
  Page& page = pages_.back();
  const size_t before = page.bytes.size();
  append(page.bytes, line);
  bytes_ += page.bytes.size() - before;
  ++page.lines;
  ++lines_;
  if (lines_ > max_lines_) drop_oldest();
  while (bytes_ > kScrollbackBytes && pages_.size() > 1) {
    while (skipped_ + 1 < pages_.front().lines) drop_oldest();
    drop_oldest();
  }
}

ScrollbackLine& Scrollback::blank() {
  scratch_.text.clear();
  scratch_.runs.clear();
  scratch_.wrapped = false;
  return scratch_;
}

void Scrollback::drop_oldest() {
  --lines_;
  if (++skipped_ < pages_.front().lines) return;
  bytes_ -= pages_.front().bytes.size();
  pages_.pop_front();
  skipped_ = 0;
}

void Scrollback::clear() {
  pages_.clear();
  skipped_ = lines_ = bytes_ = 0;
}

std::vector<ScrollbackLine> Scrollback::take_last(size_t count) {
  count = std::min(count, lines_);
  std::vector<ScrollbackLine> taken = lines(lines_ - count, count);
  lines_ -= count;
  total_ -= count;
  while (count > 0) {
    Page& page = pages_.back();
    const size_t here = page.lines - (pages_.size() == 1 ? skipped_ : 0);
    bytes_ -= page.bytes.size();
    if (here <= count) {
      count -= here;
      pages_.pop_back();
      if (pages_.empty()) skipped_ = 0;
      continue;
    }
    page.lines -= count;
    ByteReader r(page.bytes);
    for (size_t i = 0; i < page.lines; ++i) next(r);
    page.bytes.resize(r.at());
    bytes_ += page.bytes.size();
    count = 0;
  }
  return taken;
}

template <class Visit>
void Scrollback::walk(size_t first, size_t count, Visit visit) const {
  if (first >= lines_) return;
  const size_t end = first + std::min(count, lines_ - first) + skipped_;
  size_t number = 0;
  first += skipped_;
  for (const Page& page : pages_) {
    if (number + page.lines <= first) {
      number += page.lines;
      continue;
    }
    ByteReader r(page.bytes);
    for (size_t i = 0; i < page.lines && number < end; ++i, ++number) {
      ScrollbackLine line = next(r);
      if (number >= first) visit(std::move(line));
    }
    if (number >= end) return;
  }
}

ScrollbackLine Scrollback::line(size_t number) const {
  ScrollbackLine found;
  walk(number, 1, [&](ScrollbackLine line) { found = std::move(line); });
  return found;
}

std::vector<ScrollbackLine> Scrollback::lines(size_t first, size_t count) const {
  std::vector<ScrollbackLine> out;
  walk(first, count, [&](ScrollbackLine line) { out.push_back(std::move(line)); });
  return out;
}

std::string Scrollback::text() const {
  std::string out;
  walk(0, lines_, [&](const ScrollbackLine& line) { out += line.text, out += '\n'; });
  if (!out.empty()) out.pop_back();
  return out;
}

bool Scrollback::operator==(const Scrollback& other) const {
  if (lines_ != other.lines_ || max_lines_ != other.max_lines_) return false;
  return lines(0, lines_) == other.lines(0, lines_);
}

}  // namespace pawl::term
