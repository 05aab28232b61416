#pragma once
// For tests: what the made-up agent program (rough_tui.h) shows, as the bytes it prints. Claude Code in looks: a box between
// two rules, long pastes as a note of their size, a spinner while it works, a dialog in place of the box.

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "term/utf8.h"
#include "term/width.h"

namespace pawl::core {

inline constexpr int kBoxColumns = 110;    // of text in the box
inline constexpr size_t kNoteLines = 4;    // a paste with so many line ends is shown as a note
inline constexpr size_t kNoteBytes = 800;  // … or so many bytes
inline constexpr size_t kBoxRows = 6;      // of a box without notes

struct RoughPicture {
  std::string text;   // of the box
  bool mute = false;  // … which is not shown
  bool notes = true;  // the box need not scroll
  bool busy = false, dialog = false;
  int turns = 0, spins = 0;
  std::string said = {};  // in place of its last answer
};

inline size_t lines_in(std::string_view text) {
  return static_cast<size_t>(std::count(text.begin(), text.end(), '\n'));
}

inline std::vector<std::string> box_wrapped(const std::string& text) {
  std::vector<std::string> rows{""};
  term::Utf8Decoder decoder;
  int column = 0;
  for (size_t at = 0, from = 0; at < text.size(); ++at) {
    if (text[at] == '\n') {
      rows.emplace_back();
      column = 0;
      from = at + 1;
      continue;
    }
    if (decoder.take(static_cast<uint8_t>(text[at])) == term::Utf8Decoder::Step::more) continue;
    const int width = text[at] == '\t' ? 1 : term::char_width(decoder.character());
    if (column + width > kBoxColumns) {
      rows.emplace_back();
      column = 0;
    }
    column += width;
    rows.back() += text[from] == '\t' ? " " : text.substr(from, at + 1 - from);
    from = at + 1;
  }
  return rows;
}

inline std::string paste_note(const std::string& text, int pastes) {
  const std::string number = std::to_string(pastes);
  if (const size_t lines = lines_in(text))
    return "[Pasted text #" + number + " +" + std::to_string(lines) + " lines]";
  const auto is_begin = [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; };
  return "[Pasted Content " + std::to_string(std::count_if(text.begin(), text.end(), is_begin)) +
         " chars]";
}

inline std::vector<std::string> box_rows_of(const RoughPicture& its) {
  std::vector<std::string> rows = its.mute ? std::vector<std::string>{""} : box_wrapped(its.text);
  if (rows.size() > kBoxRows && !its.notes) rows.erase(rows.begin(), rows.end() - kBoxRows);
  for (size_t i = 0; i < rows.size(); ++i) rows[i] = (i == 0 ? "❯ " : "  ") + rows[i];
  return rows;
}

inline std::string frame_of(const RoughPicture& its) {
  const std::string rule = [] {
    std::string row;
    for (int i = 0; i < 60; ++i) row += "─";
    return row;
  }();
  std::vector<std::string> rows{
      " Rough Code v1", "",
      its.said.empty() ? "● Turn " + std::to_string(its.turns) + "." : its.said, ""};
  const auto add = [&](const std::vector<std::string>& more) {
    rows.insert(rows.end(), more.begin(), more.end());
  };
  std::string cursor;
  if (its.dialog) {
    add({rule, " Bash command", "", "   touch made.txt", "", " Do you want to proceed?",
         " ❯ 1. Yes", "   2. Yes, and don't ask again for touch commands",
         "   3. No, and tell it what to do differently (esc)", "", " Esc to cancel"});
  } else {
    const char* const stars[] = {"✻", "✽", "✶"};
    if (its.busy) add({std::string(stars[its.spins % 3]) + " Thinking… (esc to interrupt)", ""});
    add({rule});
    add(box_rows_of(its));
    cursor = "\x1b[" + std::to_string(rows.size()) + ";119H";
    add({rule, its.busy ? "  esc to interrupt" : "  ? for shortcuts"});
    if (its.text.empty() || its.mute) cursor = "\x1b[" + std::to_string(rows.size() - 2) + ";3H";
  }
  std::string bytes = "\x1b[?25l\x1b[H";
  for (const auto& row : rows) bytes += row + "\x1b[K\r\n";
  return bytes + "\x1b[J" + cursor + "\x1b[?25h";
}

}  // namespace pawl::core
