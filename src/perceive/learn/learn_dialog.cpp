// What a program shows when it asks: the row with the question, or a row to choose.

#include <algorithm>
#include <array>
#include <cctype>

#include "base/text.h"
#include "perceive/learn/learn_parts.h"
#include "perceive/learn/learn_row.h"

namespace pawl::perceive {
namespace {

constexpr size_t kRowsOfOneDialog = 2;
constexpr int kLeastScore = 2;
constexpr int kLeastLetters = 4;

struct KindWord {
  const char* text;
  const char* kind;
};
// The first that is there names the kind.
constexpr std::array kKindWords{KindWord{"trust", "trust"},
                                KindWord{"permission", "permission"},
                                KindWord{"allow", "permission"},
                                KindWord{"approve", "permission"},
                                KindWord{"do you want", "permission"},
                                KindWord{"proceed", "permission"},
                                KindWord{"run this", "permission"},
                                KindWord{"sign in", "login"},
                                KindWord{"log in", "login"},
                                KindWord{"login", "login"},
                                KindWord{"api key", "login"},
                                KindWord{"limit", "limit"},
                                KindWord{"would you", "question"},
                                KindWord{"(y/n)", "question"},
                                KindWord{"[y/n]", "question"},
                                KindWord{"select", "question"},
                                KindWord{"choose", "question"},
                                KindWord{"confirm", "question"}};

std::string lower(std::string_view text) {
  std::string out;
  for (const char c : text) out += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return out;
}

const char* kind_of(const std::string& text) {
  const std::string low = lower(text);
  for (const KindWord& word : kKindWords)
    if (low.find(word.text) != std::string::npos) return word.kind;
  return nullptr;
}

int letters(const std::string& text) {
  return static_cast<int>(std::count_if(text.begin(), text.end(),
                                        [](unsigned char c) { return std::isalpha(c) != 0; }));
}

int score_of(const std::string& text) {
  int score = 0;
  if (text.ends_with("?") || text.ends_with("?:") || text.ends_with("? ")) score += 5;
  if (kind_of(text)) score += 2;
  return score;
}

struct Choice {
  int row = 0, score = 0;
  std::string text, pattern;
};

// "● 1. Allow once" -> "Allow once": the pointer moves.
std::string without_pointer(const std::string& text) {
  auto chars = characters(text);
  size_t at = 0;
  if (!chars.empty() && chars[0].size() > 1 && chars.size() > 1 && chars[1] == " ") at = 2;
  size_t end = at;
  while (end < chars.size() && chars[end].size() == 1 &&
         std::isdigit(static_cast<unsigned char>(chars[end][0])))
    ++end;
  const bool numbered =
      end > at && end + 1 < chars.size() && (chars[end] == "." || chars[end] == ")");
  if (!numbered) return text;
  std::string out;
  for (size_t i = end + 1; i < chars.size(); ++i) out += chars[i];
  return std::string(trim(out));
}

// Up to the second gap: what follows at the right edge are hints.
std::string main_part(const std::string& text) {
  const size_t gap = text.find("  ");
  if (gap == std::string::npos) return text;
  return std::string(trim(text.substr(0, gap)));
}

bool elsewhere(const Views& views, const std::string& pattern) {
  return std::any_of(views.begin(), views.end(), [&](const View& view) {
    return view.shown() != Shown::dialog && any_row(view, pattern, [](int) { return true; });
  });
}

std::vector<Choice> choices(const Views& views, const View& view) {
  std::vector<Choice> out;
  int with_text = 0;
  for (int row = static_cast<int>(view.rows.size()) - 1; row >= 0 && with_text < kBottomRows;
       --row) {
    if (view.row(row).empty()) continue;
    ++with_text;
    if (border_row(view.row(row))) continue;
    const std::string text = without_pointer(main_part(strip_frame(view.row(row))));
    if (letters(text) < kLeastLetters) continue;
    Choice one{row, score_of(text), text, question_pattern(text)};
    if (!elsewhere(views, one.pattern)) out.push_back(std::move(one));
  }
  std::stable_sort(out.begin(), out.end(),
                   [](const Choice& a, const Choice& b) { return a.score > b.score; });
  const bool any = !out.empty() && out[0].score >= kLeastScore;
  std::erase_if(out, [&](const Choice& one) { return any && one.score < kLeastScore; });
  if (out.size() > (any ? kRowsOfOneDialog : 1)) out.resize(any ? kRowsOfOneDialog : 1);
  return out;
}

}  // namespace

std::vector<LearntDialog> learn_dialogs(const Views& views) {
  std::vector<LearntDialog> out;
  for (const View& view : views) {
    if (view.shown() != Shown::dialog) continue;
    const auto found = choices(views, view);
    std::string kind = "question";
    for (const Choice& one : found)
      if (const char* named = kind_of(one.text)) {
        kind = named;
        break;
      }
    for (const Choice& one : found) {
      const bool above = view.box.there && one.row < view.box.first;
      LearntDialog dialog{one.pattern, above ? "above" : "bottom", kind};
      const bool known = std::any_of(out.begin(), out.end(), [&](const auto& old) {
        return old.pattern == dialog.pattern && old.where == dialog.where;
      });
      if (!known) out.push_back(std::move(dialog));
    }
  }
  return out;
}

}  // namespace pawl::perceive
