#pragma once
// For tests of Inject: what it is shown of a terminal, and what it wrote.

#include <gtest/gtest.h>

#include <algorithm>

#include "act/inject.h"

namespace pawl::act {

// What one sees of a terminal, and what was written to it.
class Play {
 public:
  explicit Play(Order order)
      : Play(Inject(std::move(order), MonoTime{std::chrono::seconds{100}})) {}
  explicit Play(Inject its, std::vector<std::string> rows = {}) : inject(std::move(its)) {
    view.now = MonoTime{std::chrono::seconds{100}};
    view.state = model::State::ready;
    view.modes.bracketed_paste = true;
    view.box = true;
    view.draft = !rows.empty();
    view.rows = std::move(rows);
    view.box_moved = view.draft ? view.now : MonoTime{};
    look();
  }
  static Play resumed(Order order) {
    return Play(Inject::resumed(std::move(order), MonoTime{std::chrono::seconds{100}}));
  }

  void look() {
    if (outcome) return;
    const Step step = inject.look(view);
    if (!step.write.empty()) writes.push_back(step.write);
    if (step.keep) kept.push_back(*step.keep);
    outcome = step.outcome;
  }
  // In steps of 20 ms, until it is over.
  Play& pass(Duration time) {
    for (const MonoTime end = view.now + time; view.now < end && !outcome;) {
      view.now += std::chrono::milliseconds{20};
      look();
    }
    return *this;
  }
  Play& box(std::vector<std::string> rows) {
    view.draft = !rows.empty();
    view.rows = std::move(rows);
    view.box = true;
    view.menu = false;
    view.box_moved = view.now;
    look();
    return *this;
  }
  Play& dialog() {
    view.box = view.draft = false;
    view.menu = true;
    view.rows.clear();
    look();
    return *this;
  }
  Play& works() {
    view.state = model::State::busy;
    view.worked = view.now;
    look();
    return *this;
  }
  size_t enters() const {
    return static_cast<size_t>(std::count(writes.begin(), writes.end(), "\r"));
  }
  Verdict verdict() const {
    EXPECT_TRUE(outcome) << "it goes on";
    return outcome ? outcome->verdict : Verdict::withdrawn;
  }

  Inject inject;
  View view;
  std::vector<std::string> writes, kept;
  std::optional<Outcome> outcome;
};

using Writes = std::vector<std::string>;
inline const std::string kPaste = "\x1b[200~hello you\x1b[201~";

inline const std::string kErase = "\x05\x15\x7f\x15\x7f";  // of these two words

inline Order order(bool now = false) {
  Order its;
  its.text = "hello you";
  its.now = now;
  return its;
}

}  // namespace pawl::act
