#include "cli/detach.h"

#include <gtest/gtest.h>

#include <vector>

namespace pawl::cli {
namespace {

using std::chrono::milliseconds;

const std::vector<std::string> kForms{"\x1c", "\x1b[92;5u", "\x1b[27;5;92~"};
const std::string kBegin = "\x1b[200~", kEnd = "\x1b[201~";

// What is passed on when these pieces are typed, one soon after the other, and whether they detach.
std::pair<std::string, bool> typed(const std::vector<std::string>& pieces) {
  DetachWatch watch;
  MonoTime now{};
  std::string all;
  for (const auto& piece : pieces) {
    const auto seen = watch.typed(piece, now += milliseconds{10});
    all += seen.keys;
    if (seen.detach) return {all, true};
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
      DetachWatch watch;
      const auto first = watch.typed("k" + form.substr(0, cut), MonoTime{});
      EXPECT_FALSE(first.detach);
      EXPECT_EQ(first.keys, "k") << cut;
      const auto rest = watch.typed(form.substr(cut), MonoTime{});
      EXPECT_TRUE(rest.detach) << cut;
      EXPECT_EQ(rest.keys, "");
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
                                 "ü", "\x1b[92;2u", "\x1b[200~", "\x1b[201~"})
    EXPECT_EQ(typed({keys}), (std::pair{keys, false}));
}

TEST(Detach, InAPasteItIsText) {
  for (const auto& form : kForms) {
    const std::string paste = kBegin + "a" + form + "b" + kEnd;
    EXPECT_EQ(typed({paste}), (std::pair{paste, false}));
    EXPECT_EQ(typed({paste + "x" + form}), (std::pair{paste + "x", true})) << "and after it";
    for (size_t cut = 1; cut < paste.size(); ++cut)
      EXPECT_EQ(typed({paste.substr(0, cut), paste.substr(cut), form}), (std::pair{paste, true}))
          << cut;
  }
  EXPECT_EQ(typed({"a\x1c" + kBegin}), (std::pair<std::string, bool>{"a", true}));
}

TEST(Detach, APasteWithoutAnEndIsNoTrap) {
  DetachWatch watch;
  EXPECT_EQ(watch.typed(kBegin + "cut off", MonoTime{}).keys, kBegin + "cut off");
  const auto seen = watch.typed("\x1c", MonoTime{} + kPasteRests);
  EXPECT_TRUE(seen.detach);
}

}  // namespace
}  // namespace pawl::cli
