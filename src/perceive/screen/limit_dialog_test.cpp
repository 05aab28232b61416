// Menus at a usage limit: what pays is never taken for free, wherever it stands and however it is worded.

#include <gtest/gtest.h>

#include <algorithm>

#include "perceive/test_dialog.h"

namespace pawl::perceive {
namespace {

using test::all_profiles;
using test::dialog_on;
using test::framed;
using test::menu_of;
using Words = std::vector<std::string>;

struct Case {
  const char* runtime;
  std::string asks;
  Words free, money, question;
};

std::vector<Case> menus() {
  return {
      {"claude",
       " What do you want to do?\n",
       {"Stop and wait for limit to reset"},
       {"Add funds to continue with usage credits", "Upgrade your plan"},
       {"Wait here, then continue automatically at 3pm"}},
      {"claude",
       " What do you want to do?\n",
       {"Stop"},
       {"Switch to usage credits · 20% off", "Ask your admin for more usage"},
       {"Don’t continue automatically", "Reset your 5-hour limit now"}},
      {"claude",
       " Adjust your limit\n",
       {"Wait for limit to reset            Resets 3pm"},
       {"Adjust monthly spend limit: $50", "Upgrade to Max or Ultra for higher limits"},
       {}},
      {"claude",
       " Fable now runs on usage credits. Switch models?\n",
       {"Not now"},
       {"Continue with usage credits"},
       {"Switch to Opus"}},
      {"gemini",
       " Usage limit reached for gemini-3.8-flash.\n",
       {"Stop"},
       {"Upgrade for higher limits"},
       {"Switch to gemini-3.5-flash", "Keep trying"}},
      {"gemini",
       " Usage limit reached for gemini-3.8-flash.\n",
       {"Stop - Abort request"},
       {"Use AI Credits - Continue this request (Overage)",
        "Manage - View balance and purchase more credits"},
       {"Switch to gemini-3.5-flash"}},
      {"codex",
       "  Approaching rate limits\n",
       {"Keep current model"},
       {"Switch to gpt-6-luna  Uses fewer credits"},
       {"Keep current model (never show again)"}},
      {"qwen", " Pro quota limit reached for qwen.\n", {"Stop"}, {"Upgrade"}, {"Continue with x"}},
  };
}

void expect_costs(const Case& c, const Words& rows) {
  const std::string text = c.asks + menu_of(rows);
  const auto seen =
      dialog_on(c.runtime, (std::string(c.runtime) == "gemini" ? framed(text) : text) +
                               "\n Enter to confirm · Esc to cancel");
  const auto in = [](const Words& list, const std::string& row) {
    return std::find(list.begin(), list.end(), row) != list.end();
  };
  EXPECT_EQ(seen.kind, "limit") << text;
  EXPECT_TRUE(seen.dialog.known) << text;
  ASSERT_EQ(seen.dialog.rows.size(), rows.size()) << text;
  for (const auto& row : seen.dialog.rows) {
    EXPECT_EQ(row.cost == model::Cost::free, in(c.free, row.text)) << row.text << "\n" << text;
    EXPECT_EQ(row.cost == model::Cost::money, in(c.money, row.text)) << row.text << "\n" << text;
    EXPECT_EQ(row.cost == model::Cost::question, in(c.question, row.text)) << row.text << "\n"
                                                                           << text;
  }
}

TEST(LimitDialog, WhatPaysIsNeverFreeWhereverItStands) {
  for (const Case& c : menus()) {
    Words rows = c.free;
    rows.insert(rows.end(), c.money.begin(), c.money.end());
    rows.insert(rows.end(), c.question.begin(), c.question.end());
    std::sort(rows.begin(), rows.end());
    do {
      expect_costs(c, rows);
      if (HasFailure()) return;
    } while (std::next_permutation(rows.begin(), rows.end()));
  }
}

TEST(LimitDialog, FreeWordsInARowThatPaysDoNotHelp) {
  for (const auto& name : all_profiles().names()) {
    const Profile& profile = *all_profiles().find(name);
    for (const DialogRule& rule : profile.dialogs)
      for (const char* text :
           {"Stop and upgrade your plan", "Stop · buy credits", "Not now, add funds later",
            "Upgrade your plan", "Keep current model, pay $5", "No (default), buy more",
            "Wait for limit to reset, then pay", "Skip and upgrade", "Buy usage credits"}) {
        const auto* row = table_row(profile, rule, text);
        EXPECT_FALSE(row && row->cost == Cost::free) << name << " " << rule.kind << ": " << text;
      }
  }
}

}  // namespace
}  // namespace pawl::perceive
