#include "perceive/learn/learn_row.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cctype>

#include "base/text.h"

namespace pawl::perceive {
namespace {

// What programs animate, each family in one class.
struct Family {
  std::string_view glyphs;
  const char* pattern;
};
constexpr std::array kFamilies{Family{"◐◓◑◒◴◷◶◵◜◝◞◟", "[◐◓◑◒◴◷◶◵◜◝◞◟]"},
                               Family{"∙○◎◉●◌◍◯", "[∙○◎◉●◌◍◯]"},
                               Family{"·✢✶✻✽✳∗✦✧*", "[·✢✶✻✽✳∗✦✧*]"},
                               Family{"■⬝▪□▫", "[■⬝▪□▫·]"},
                               Family{"▁▂▃▄▅▆▇█", "[▁▂▃▄▅▆▇█]"},
                               Family{"▖▘▝▗", "[▖▘▝▗]"},
                               Family{"|/-\\", "[|/\\\\-]"}};
constexpr int kTellingLetters = 4;
constexpr size_t kMaxWords = 8;  // of a phrase; what follows says less and less

bool braille(std::string_view c) {
  return c >= "\xE2\xA0\x80" && c <= "\xE2\xA3\xBF" && c.size() == 3;
}

bool line_character(std::string_view c) {  // U+2500 to U+259F
  return c.size() == 3 && c >= "\xE2\x94\x80" && c <= "\xE2\x96\x9F";
}

bool frame_bar(std::string_view c) {
  return c == "│" || c == "┃" || c == "|" || c == "║";
}

bool ends_in_dots(std::string_view word) {
  return word.ends_with("…") || word.ends_with("\\.\\.\\.");
}

int letters_in(std::string_view word) {
  return static_cast<int>(std::count_if(
      word.begin(), word.end(), [](unsigned char c) { return std::isalpha(c) || c >= 0xC3; }));
}

// One word: a spinner, a bar of blocks, or text with its digits left open.
std::string word_pattern(const std::string& word, bool& number) {
  const auto chars = characters(word);
  if (const auto spinner = spinner_class(chars[0])) {
    const bool all = std::all_of(chars.begin(), chars.end(),
                                 [&](const std::string& c) { return spinner_class(c) == spinner; });
    if (all) return chars.size() == 1 ? *spinner : *spinner + "{2,}";
  }
  std::string out;
  for (size_t at = 0; at < word.size();) {
    const size_t end = word.find_first_not_of("0123456789", at);
    if (end != at) {
      out += "\\d+";
      number = true;
    }
    if (end == std::string::npos) break;
    const size_t next = word.find_first_of("0123456789", end);
    out += escaped(word.substr(end, next == std::string::npos ? next : next - end));
    at = next == std::string::npos ? word.size() : next;
  }
  return out;
}

Phrase phrase_of(std::string_view text, bool first) {
  Phrase phrase;
  phrase.first = first;
  for (const auto& word : split(text, ' ')) {
    if (word.empty() || phrase.words.size() == kMaxWords) continue;
    bool number = false;
    std::string pattern = word_pattern(word, number);
    // Times and counts come in many shapes: what stands before them is enough when it tells something.
    if (number && telling(phrase)) break;
    const bool spins = pattern.starts_with('[') && pattern != escaped(word);
    if (phrase.words.empty() && spins) phrase.glyph = word;
    if (!spins) phrase.letters += number ? 0 : letters_in(word);
    phrase.words.push_back(std::move(pattern));
  }
  return phrase;
}

}  // namespace

std::vector<std::string> characters(std::string_view text) {
  std::vector<std::string> out;
  for (size_t at = 0; at < text.size();) {
    size_t end = at + 1;
    while (end < text.size() && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) ++end;
    out.emplace_back(text.substr(at, end - at));
    at = end;
  }
  return out;
}

std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (std::string_view("\\.+*?()[]{}|^$").find(c) != std::string_view::npos) out += '\\';
    out += c;
  }
  return out;
}

std::optional<std::string> spinner_class(const std::string& glyph) {
  if (braille(glyph)) return "[⠀-⣿]";
  for (const Family& family : kFamilies)
    for (const auto& one : characters(family.glyphs))
      if (one == glyph) return family.pattern;
  return std::nullopt;
}

bool border_row(std::string_view row) {
  const auto chars = characters(trim(row));
  return !chars.empty() && std::all_of(chars.begin(), chars.end(), [](const std::string& c) {
    return line_character(c) || c == "╹" || c == "╻";
  });
}

std::string border_pattern(std::string_view row) {
  const auto chars = characters(trim(row));
  if (chars.size() < 8) return "^\\s*" + escaped(trim(row)) + "$";
  const std::string& line = chars[chars.size() / 2];
  return "^\\s*" + (chars[0] == line ? "" : chars[0]) + line + "{8,}";
}

std::string strip_frame(std::string_view row) {
  auto chars = characters(trim(row));
  while (!chars.empty() && (frame_bar(chars.back()) || chars.back() == " ")) chars.pop_back();
  size_t begin = 0;
  while (begin < chars.size() && (frame_bar(chars[begin]) || chars[begin] == " ")) ++begin;
  std::string out;
  for (; begin < chars.size(); ++begin) out += chars[begin];
  return out;
}

std::string Phrase::pattern() const {
  return (first ? "^\\s*[│┃|]?\\s*" : "") + join(words, " ");
}

std::vector<Phrase> phrases(std::string_view row) {
  std::vector<Phrase> out;
  const std::string text = strip_frame(row);
  bool first = true;
  for (size_t at = 0; at < text.size();) {
    size_t end = text.find("  ", at);
    if (end == std::string::npos) end = text.size();
    const std::string_view part = trim(std::string_view(text).substr(at, end - at));
    if (!part.empty()) {
      Phrase phrase = phrase_of(part, first);
      if (!phrase.words.empty()) out.push_back(std::move(phrase));
      first = false;
    }
    at = end + 2;
  }
  return out;
}

std::optional<Phrase> unify(const Phrase& a, const Phrase& b) {
  if (a.first != b.first || a.glyph.has_value() != b.glyph.has_value()) return std::nullopt;
  Phrase out;
  out.first = a.first;
  out.glyph = a.glyph;
  for (size_t i = 0; i < std::min(a.words.size(), b.words.size()); ++i) {
    if (a.words[i] == b.words[i]) {
      out.words.push_back(a.words[i]);
      if (!a.words[i].starts_with('[')) out.letters += letters_in(a.words[i]);
    } else if (i == 0 && a.glyph) {
      return std::nullopt;
    } else if (ends_in_dots(a.words[i]) && ends_in_dots(b.words[i])) {
      out.words.emplace_back("\\S+(?:…|\\.\\.\\.)");
      out.letters += a.glyph ? kTellingLetters : 0;
    } else {
      out.words.emplace_back("\\S+");
    }
  }
  while (!out.words.empty() && out.words.back() == "\\S+") out.words.pop_back();
  if (!telling(out)) return std::nullopt;
  return out;
}

std::vector<Phrase> parts(const Phrase& phrase) {
  std::vector<Phrase> out;
  const auto add = [&](size_t from, size_t to) {
    Phrase part;
    for (size_t i = from; i < to; ++i) {
      part.words.push_back(phrase.words[i]);
      part.letters += letters_in(phrase.words[i]);
    }
    if (telling(part)) out.push_back(std::move(part));
  };
  const auto has = [](const std::string& word, std::initializer_list<const char*> texts) {
    std::string lower;
    for (const char c : word)
      lower += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return std::any_of(texts.begin(), texts.end(),
                       [&](const char* text) { return lower.find(text) != std::string::npos; });
  };
  for (size_t i = 0; i < phrase.words.size(); ++i)
    if (has(phrase.words[i], {"esc", "ctrl"}))
      for (size_t j = i + 1; j < std::min(phrase.words.size(), i + 5); ++j)
        if (has(phrase.words[j], {"interrupt", "cancel", "stop", "abort"})) {
          add(i, j + 1);
          break;
        }
  if (phrase.glyph && phrase.words.size() > 3) add(2, phrase.words.size());
  return out;
}

bool telling(const Phrase& phrase) {
  return phrase.letters >= kTellingLetters;
}

std::string question_pattern(std::string_view row) {
  const std::string text = strip_frame(row);
  std::string out, open;
  for (const auto& c : characters(text)) {
    if (!open.empty()) {
      if (c == open) {
        out += ".{0,120}" + escaped(c);
        open.clear();
      }
      continue;
    }
    if (c == "`" || c == "\"" || c == "'" || c == "[" || c == "(" || c == "“") {
      open = c == "[" ? "]" : c == "(" ? ")" : c == "“" ? "”" : c;
      if (text.find(open, text.find(c) + c.size()) == std::string::npos) open.clear();
      out += escaped(c);
    } else if (c.size() == 1 && std::isdigit(static_cast<unsigned char>(c[0]))) {
      if (!out.ends_with("\\d+")) out += "\\d+";
    } else {
      out += escaped(c);
    }
  }
  return out;
}

}  // namespace pawl::perceive
