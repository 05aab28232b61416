#include "cli/attach.h"

#include <gtest/gtest.h>

namespace pawl::cli {
namespace {

const std::vector<std::string> kForms{"\x1c", "\x1b[92;5u", "\x1b[27;5;92~"};

// What is passed on when these pieces are typed, and whether they detach.
std::pair<std::string, bool> typed(const std::vector<std::string>& pieces) {
  std::string held, all;
  for (const auto& piece : pieces) {
    held += piece;
    std::string keys;
    const bool detach = cut_at_detach(held, keys);
    all += keys;
    if (detach) return {all, true};
  }
  return {all, false};
}

TEST(Detach, EveryFormInAnySurroundings) {
  for (const auto& form : kForms) {
    EXPECT_EQ(typed({form}), (std::pair<std::string, bool>{"", true}));
    EXPECT_EQ(typed({"abc" + form + "def"}), (std::pair<std::string, bool>{"abc", true}));
    EXPECT_EQ(typed({"ab\x1b[", "A" + form}), (std::pair<std::string, bool>{"ab\x1b[A", true}));
  }
  EXPECT_EQ(typed({"x\x1b[27;5;92~\x1c"}).first, "x") << "the first of two";
}

// From the third byte on; one or two bytes are a person's own Escape or Alt-[ and must not wait.
TEST(Detach, ASequenceCutInTwoIsHeldAndFound) {
  for (const auto& form : kForms)
    for (size_t cut = 3; cut < form.size(); ++cut) {
      std::string held = "k" + form.substr(0, cut), keys;
      EXPECT_FALSE(cut_at_detach(held, keys));
      EXPECT_EQ(keys, "k") << cut;
      EXPECT_EQ(held, form.substr(0, cut));
      held += form.substr(cut);
      EXPECT_TRUE(cut_at_detach(held, keys)) << cut;
      EXPECT_EQ(keys, "");
      EXPECT_EQ(held, "");
    }
}

TEST(Detach, WhatOnlyLookedLikeItIsPassedOnWhole) {
  for (const auto& form : kForms)
    for (size_t cut = 1; cut < form.size(); ++cut)
      EXPECT_EQ(typed({form.substr(0, cut), "z"}),
                (std::pair<std::string, bool>{form.substr(0, cut) + "z", false}))
          << cut;
}

TEST(Detach, NothingElseWaits) {
  for (const std::string keys : {"\x1b", "\x1b[", "\x1b[A", "\x1b[2~", "\x1b[27u", "\x1b\x1b", "a",
                                 "ü", "\x1b[92;2u", "\x1b[200~"}) {
    std::string held = keys, out;
    EXPECT_FALSE(cut_at_detach(held, out));
    EXPECT_EQ(out, keys);
    EXPECT_EQ(held, "");
  }
}

}  // namespace
}  // namespace pawl::cli
