#include "api/last_line.h"

#include <algorithm>
#include <string_view>
#include <vector>

#include "term/utf8.h"

namespace pawl::api {
namespace {

struct Piece {
  char32_t character;
  std::string_view bytes;
};

std::vector<Piece> pieces_of(std::string_view text) {
  std::vector<Piece> pieces;
  term::Utf8Decoder decoder;
  size_t from = 0;
  for (size_t at = 0; at < text.size(); ++at) {
    if (decoder.take(static_cast<uint8_t>(text[at])) != term::Utf8Decoder::Step::done) continue;
    pieces.push_back({decoder.character(), text.substr(from, at + 1 - from)});
    from = at + 1;
  }
  return pieces;
}

// Lines, corners and blocks that frames are drawn with.
bool frame(char32_t c) {
  return (c >= 0x2500 && c <= 0x259F) || c == '|';
}

bool prompt(char32_t c) {
  return c == '>' || c == U'❯' || c == U'›' || c == U'»' || c == '$' || c == '%' || c == '#';
}

// A row without its frame; empty when there is nothing else in it.
std::string said_in(const std::string& row) {
  if (row.empty()) return {};
  const std::string text = perceive::plain_row(row);
  const std::vector<Piece> pieces = pieces_of(text);
  const auto edge = [](const Piece& one) { return one.character == ' ' || frame(one.character); };
  const auto first = std::find_if_not(pieces.begin(), pieces.end(), edge);
  const auto last = std::find_if_not(pieces.rbegin(), pieces.rend(), edge).base();
  if (first >= last) return {};
  if (std::all_of(first, last,
                  [&](const Piece& one) { return edge(one) || prompt(one.character); }))
    return {};
  const size_t begin = static_cast<size_t>(first->bytes.data() - text.data());
  const Piece& end = *(last - 1);
  const size_t length =
      static_cast<size_t>(end.bytes.data() - text.data()) + end.bytes.size() - begin;
  return term::plain_text(std::string_view(text).substr(begin, length), kLastLineBytes);
}

}  // namespace

std::string last_line(const term::Screen& screen, const perceive::Box* box) {
  const int rows = screen.size().rows;
  const int end = box && box->there ? std::clamp(box->first, 0, rows) : rows;
  for (int row = end - 1; row >= 0; --row)
    if (std::string said = said_in(screen.row_text(row)); !said.empty()) return said;
  return {};
}

}  // namespace pawl::api
