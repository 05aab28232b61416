#pragma once
// Rows of a screen turned into patterns: what changes by itself (spinners, digits, words that differ between samples) becomes
// a class, the rest stays as it was seen. Used by learn.cpp alone.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace pawl::perceive {

std::vector<std::string> characters(std::string_view text);
// As RE2 wants it.
std::string escaped(std::string_view text);
// "[⠀-⣿]" for a glyph of a family that programs animate; nothing for any other text.
std::optional<std::string> spinner_class(const std::string& glyph);
// Only lines and blocks, as borders are: "────", "╭───╮", "┃".
bool border_row(std::string_view row);
// "^\s*─{8,}" for it.
std::string border_pattern(std::string_view row);
std::string strip_frame(std::string_view row);

// A part of a row between two or more spaces, in words.
struct Phrase {
  bool first = false;                // nothing but spaces and a frame is left of it
  std::vector<std::string> words;    // patterns
  std::optional<std::string> glyph;  // the spinner it begins with, as seen
  int letters = 0;                   // that stayed as they were seen
  std::string pattern() const;
  bool operator==(const Phrase&) const = default;
};
std::vector<Phrase> phrases(std::string_view row);

// What both have in common; nothing when that says too little.
std::optional<Phrase> unify(const Phrase& a, const Phrase& b);
// Parts of it that are signs of their own: "esc to interrupt"; the words after a spinner and its word.
std::vector<Phrase> parts(const Phrase& phrase);
// So much stayed that it is no accident.
bool telling(const Phrase& phrase);

// A question's row: quoted, bracketed and numbered parts are left open.
std::string question_pattern(std::string_view row);

}  // namespace pawl::perceive
