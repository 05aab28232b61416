#pragma once
// The steps of learn(): the box, the signs of work, the dialogs, the title. Each takes the samples and gives values that
// learn.cpp writes down. Private to learn*.cpp.

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "perceive/learn/still.h"
#include "perceive/screen/sight.h"

namespace pawl::perceive {

// A sample as the Eye sees it.
struct View {
  explicit View(const Still& still);
  const Still* still;
  term::Terminal terminal;
  std::vector<std::string> rows;
  Box box;  // by the box that was learnt

  Shown shown() const { return still->shown; }
  const std::string& row(int number) const;  // empty outside
};
using Views = std::vector<View>;

struct LearntBox {
  std::string prompt, above, below, cursor;
  int footer_rows = 20;
  std::vector<std::string> placeholders;
};
std::optional<LearntBox> learn_box(const Views& views);
// With the box found in every view: how many rows follow it, and the texts it holds when it is empty.
void learn_rest_of_box(const Views& views, LearntBox& box);

struct LearntSign {
  std::string pattern, where, means;
  size_t samples = 0;  // that showed it
};
std::vector<LearntSign> learn_work(const Views& views);

struct LearntDialog {
  std::string pattern, where, kind;
};
std::vector<LearntDialog> learn_dialogs(const Views& views);

struct LearntTitle {
  std::string idle, busy, waiting;
};
LearntTitle learn_title(const Views& views);

// True when a row of the view matches, among those the function says yes to.
bool any_row(const View& view, const std::string& pattern,
             const std::function<bool(int row)>& counts);

}  // namespace pawl::perceive
