#include "term/codec.h"

#include "term/utf8.h"

namespace pawl::term {
namespace {

uint16_t small(ByteReader& r, uint64_t max) {
  return static_cast<uint16_t>(r.number(max));
}

bool valid_cell(const Cell& cell, const Extras& extras) {
  const uint32_t c = cell.character();
  if ((cell.text & Cell::kWidthMask) == Cell::kWidthMask || !extras.has_extra(cell.extra()))
    return false;
  if (cell.is_cluster()) {
    if (!extras.has_cluster(c) || extras.cluster_text(c).empty()) return false;
  } else if (c != 0 && (c < 0x20 || (c >= 0x7f && c < 0xa0) || (c >= 0xd800 && c < 0xe000))) {
    return false;
  }
  return valid_style_bits(cell.fg, cell.bg);
}

// Every wide cell has its right half and no right half stands alone.
bool whole_pairs(const Cell* row, int cols) {
  for (int c = 0; c < cols; ++c) {
    if (row[c].right_half() && (c == 0 || !row[c - 1].wide())) return false;
    if (row[c].wide() && (c + 1 == cols || !row[c + 1].right_half())) return false;
  }
  return true;
}

}  // namespace

void ScreenCodec::write(const Screen& s, bool with_scrollback, ByteWriter& w) {
  w.number(s.size_.cols), w.number(s.size_.rows);
  write_extras(s, w);
  write_grid(s.main_grid_, w);
  w.flag(!s.alternate_grid_.empty());
  if (!s.alternate_grid_.empty()) write_grid(s.alternate_grid_, w);
  w.flag(s.alternate_);
  write_place(s.at_, w);
  for (const Screen::Place& place : s.saved_) write_place(place, w);
  write_modes(s, w);
  write_marks(s, w);
  write_status(s, w);
  write_scrollback(s, with_scrollback, w);
  write_level4(s, w);
}

void ScreenCodec::read(Screen& s, uint64_t version, ByteReader& r) {
  const Size size{small(r, kMaxCols), small(r, kMaxRows)};
  r.expect(size.cols > 0 && size.rows > 0);
  if (!r.ok()) return;
  s = Screen(size, s.scrollback_.max_lines());
  read_extras(s, r);
  s.main_grid_ = read_grid(s, r);
  if (r.flag()) s.alternate_grid_ = read_grid(s, r);
  s.alternate_ = r.flag();
  r.expect(!s.alternate_ || !s.alternate_grid_.empty());
  if (!r.ok()) return;
  s.at_ = read_place(s, r);
  for (Screen::Place& place : s.saved_) place = read_place(s, r);
  read_modes(s, r);
  read_marks(s, r);
  read_status(s, r);
  read_scrollback(s, r);
  if (version >= 2) read_level4(s, r);
}

// Per row: wrapped, used, then runs of equal cells.
void ScreenCodec::write_grid(const Grid& grid, ByteWriter& w) {
  for (int row = 0; row < grid.rows(); ++row) {
    const Cell* cells = grid.row(row);
    const int used = grid.used(row);
    w.flag(grid.wrapped(row));
    w.number(static_cast<uint64_t>(used));
    for (int c = 0; c < used;) {
      int end = c + 1;
      while (end < used && cells[end] == cells[c]) ++end;
      w.number(static_cast<uint64_t>(end - c));
      w.number(cells[c].text), w.number(cells[c].fg), w.number(cells[c].bg);
      c = end;
    }
  }
}

Grid ScreenCodec::read_grid(const Screen& s, ByteReader& r) {
  Grid grid(s.size_);
  grid.mark_all(s.generation_);
  for (int row = 0; row < grid.rows() && r.ok(); ++row) {
    grid.set_wrapped(row, r.flag());
    const int used = static_cast<int>(r.number(s.size_.cols));
    Cell* cells = grid.touch(row, used, s.generation_);
    for (int c = 0; c < used && r.ok();) {
      const int end = c + static_cast<int>(r.number(static_cast<uint64_t>(used - c)));
      Cell cell;
      cell.text = static_cast<uint32_t>(r.number(UINT32_MAX));
      cell.fg = static_cast<uint32_t>(r.number(UINT32_MAX));
      cell.bg = static_cast<uint32_t>(r.number(UINT32_MAX));
      r.expect(end > c && valid_cell(cell, s.extras_));
      if (!r.ok()) break;
      for (; c < end; ++c) cells[c] = cell;
    }
    r.expect(!r.ok() || whole_pairs(cells, s.size_.cols));
  }
  return grid;
}

void ScreenCodec::write_pen(const Screen::Pen& pen, ByteWriter& w) {
  w.number(pen.fg), w.number(pen.bg), w.number(pen.extra_number);
}

Screen::Pen ScreenCodec::read_pen(Screen& s, ByteReader& r) {
  Screen::Pen pen;
  pen.fg = static_cast<uint32_t>(r.number(UINT32_MAX));
  pen.bg = static_cast<uint32_t>(r.number(UINT32_MAX));
  pen.extra_number = static_cast<uint32_t>(r.number(Cell::kMaxExtra));
  r.expect(valid_style_bits(pen.fg, pen.bg) && s.extras_.has_extra(pen.extra_number));
  if (r.ok()) pen.extra = s.extras_.at(pen.extra_number);
  r.expect(pen.extra_number == 0 || !(pen.extra == Extra{}));
  return pen;
}

void ScreenCodec::write_place(const Screen::Place& place, ByteWriter& w) {
  w.number(place.row), w.number(place.col);
  w.flag(place.pending_wrap), w.flag(place.origin);
  write_pen(place.pen, w);
  for (char set : place.charsets.g) w.number(static_cast<uint8_t>(set));
  w.number(place.charsets.active), w.number(place.charsets.single);
}

Screen::Place ScreenCodec::read_place(Screen& s, ByteReader& r) {
  Screen::Place place;
  place.row = small(r, s.size_.rows - 1u);
  place.col = small(r, s.size_.cols - 1u);
  place.pending_wrap = r.flag(), place.origin = r.flag();
  place.pen = read_pen(s, r);
  for (char& set : place.charsets.g) {
    set = static_cast<char>(r.tiny(127));
    r.expect(set == 'B' || set == '0' || set == 'A');
  }
  place.charsets.active = r.tiny(3), place.charsets.single = r.tiny(3);
  return place;
}

void ScreenCodec::write_extras(const Screen& s, ByteWriter& w) {
  w.number(s.extras_.clusters().size());
  for (const std::string& cluster : s.extras_.clusters()) w.text(cluster);
  w.number(s.extras_.extras().size() - 1);
  for (size_t i = 1; i < s.extras_.extras().size(); ++i) {
    const Extra& e = s.extras_.extras()[i];
    w.number(pack(e.underline_colour)), w.text(e.uri), w.text(e.id);
  }
  w.number(s.extras_.refused());
}

void ScreenCodec::read_extras(Screen& s, ByteReader& r) {
  std::vector<std::string> clusters(r.number(std::min(kMaxClusters, r.left())));
  for (std::string& c : clusters) {
    c = r.text(kClusterBytes);
    r.expect(clean_text(c, kClusterBytes) == c);
  }
  std::vector<Extra> extras(r.number(std::min<size_t>(Cell::kMaxExtra, r.left())) + 1);
  for (size_t i = 1; i < extras.size(); ++i) {
    const auto colour = static_cast<uint32_t>(r.number(Cell::kColourMask));
    r.expect(colour >> 24 <= 2);
    extras[i].underline_colour = unpack(colour);
    extras[i].uri = clean_text(r.view(kMaxLinkBytes), kMaxLinkBytes);
    extras[i].id = clean_text(r.view(kMaxLinkIdBytes), kMaxLinkIdBytes);
  }
  const size_t refused = r.number(kMaxClusters);
  if (r.ok()) r.expect(s.extras_.set(std::move(clusters), std::move(extras), refused));
}

void ScreenCodec::write_status(const Screen& s, ByteWriter& w) {
  w.number(s.status_.reports());
  w.number(s.status_.all().size());
  for (const StatusRecord& record : s.status_.all()) {
    w.text(record.id);
    w.number(static_cast<uint8_t>(record.state)), w.number(static_cast<uint8_t>(record.kind));
    w.number(record.progress ? *record.progress + 1u : 0u);
    w.text(record.app), w.text(record.title), w.text(record.message);
    w.number(record.updated);
  }
}

void ScreenCodec::read_status(Screen& s, ByteReader& r) {
  const uint64_t reports = r.number();
  std::vector<StatusRecord> records(r.number(std::min(kMaxStatusRecords, r.left())));
  for (StatusRecord& record : records) {
    record.id = r.text(kMaxStatusIdBytes);
    record.state = static_cast<ProgramState>(r.tiny(4));
    record.kind = static_cast<BlockedKind>(r.tiny(3));
    if (const uint8_t progress = r.tiny(101)) record.progress = static_cast<uint8_t>(progress - 1);
    record.app = r.text(kMaxStatusAppBytes);
    record.title = r.text(kMaxStatusTitleBytes);
    record.message = r.text(kMaxStatusMessageBytes);
    record.updated = r.number();
  }
  if (r.ok()) r.expect(s.status_.set(std::move(records), reports));
}

void ScreenCodec::write_scrollback(const Screen& s, bool with_lines, ByteWriter& w) {
  const Scrollback& back = s.scrollback_;
  w.number(back.total());
  w.number(with_lines ? back.size() : 0);
  if (!with_lines) return;
  for (const ScrollbackLine& line : back.lines(0, back.size())) {
    w.text(line.text), w.flag(line.wrapped);
    w.number(line.runs.size());
    for (const StyleRun& run : line.runs) w.number(run.bytes), w.number(run.fg), w.number(run.bg);
  }
}

void ScreenCodec::read_scrollback(Screen& s, ByteReader& r) {
  const uint64_t total = r.number();
  const uint64_t count = r.number(std::min<uint64_t>(s.scrollback_.max_lines(), r.left()));
  for (uint64_t i = 0; i < count && r.ok(); ++i) {
    ScrollbackLine line;
    line.text = r.text(kMaxCols * kClusterBytes);
    r.expect(clean_text(line.text, line.text.size()) == line.text);
    line.wrapped = r.flag();
    line.runs.resize(r.number(std::min<uint64_t>(line.text.size(), r.left())));
    uint64_t bytes = 0;
    for (StyleRun& run : line.runs) {
      run.bytes = static_cast<uint32_t>(r.number(line.text.size()));
      run.fg = static_cast<uint32_t>(r.number(UINT32_MAX));
      run.bg = static_cast<uint32_t>(r.number(UINT32_MAX));
      r.expect(valid_style_bits(run.fg, run.bg) && !(run.bg & Cell::kProtected));
      bytes += run.bytes;
    }
    r.expect(line.runs.empty() || bytes == line.text.size());
    if (r.ok()) s.scrollback_.push(line);
  }
  s.scrollback_.set_total(total);
}

}  // namespace pawl::term
