#include "core/parts/screen_text.h"

#include <fmt/core.h>

#include <algorithm>

namespace pawl::core {
namespace {

void add_line(std::string& out, std::string_view text, bool wrapped) {
  if (!wrapped) text = text.substr(0, text.find_last_not_of(' ') + 1);
  out += text;
  if (!wrapped) out += '\n';
}

}  // namespace

std::string scrolled_off(const term::Screen& screen, uint64_t from) {
  const term::Scrollback& above = screen.scrollback();
  if (from >= above.total()) return {};
  const uint64_t oldest = above.total() - above.size();
  std::string out;
  if (from < oldest) out = fmt::format("[{} lines that came too fast]\n", oldest - from);
  const size_t first = static_cast<size_t>(std::max(from, oldest) - oldest);
  for (const auto& line : above.lines(first, above.size() - first))
    add_line(out, line.text, line.wrapped);
  return out;
}

std::string picture_of(const term::Screen& screen) {
  int rows = screen.size().rows;
  while (rows > 0 && screen.row_text(rows - 1).empty()) --rows;
  std::string out;
  for (int row = 0; row < rows; ++row)
    add_line(out, screen.row_text(row), row + 1 < rows && screen.row_wrapped(row));
  return out;
}

}  // namespace pawl::core
