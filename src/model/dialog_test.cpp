#include "model/dialog.h"

#include <gtest/gtest.h>

namespace pawl::model {
namespace {

TEST(DialogModel, ARowSaysWhatStandsBehindFramePointerAndNumber) {
  for (const auto& [row, text] :
       {std::pair{"❯ 1. Yes", "Yes"}, std::pair{"  2) Allow once ", "Allow once"},
        std::pair{"│ ● 1. Keep trying      │", "Keep trying"},
        std::pair{"┃   Allow once   Reject", "Allow once   Reject"}, std::pair{"| > Yes |", "Yes"},
        std::pair{"❯ ✔ Dark mode", "Dark mode"},
        std::pair{"3. 3rd-party platform", "3rd-party platform"},
        std::pair{"❯ 2.5-flash", "2.5-flash"}, std::pair{"12. Twelve", "Twelve"},
        std::pair{"› 1. Überspringen", "Überspringen"}, std::pair{"● 2. 允许一次", "允许一次"},
        std::pair{"a | b", "a | b"}, std::pair{"3.", ""}, std::pair{"│", ""}, std::pair{"", ""}})
    EXPECT_EQ(row_text(row), text) << row;
}

TEST(DialogModel, ACutSymbolIsNotReadBeyond) {
  EXPECT_EQ(row_text("\xe2\x9d"), "");
  EXPECT_EQ(row_text("\xf0"), "");
  EXPECT_EQ(row_text("\xc2"), "");
}

TEST(DialogModel, TheFirstRowOfACost) {
  const Dialog dialog{"?", {{"a", Cost::money}, {"b", Cost::free}, {"c", Cost::free}}, true};
  EXPECT_EQ(dialog.row(Cost::free)->text, "b");
  EXPECT_EQ(dialog.row(Cost::allow), nullptr);
}

TEST(DialogModel, ItsIdIsThatOfEverythingButWhiteSpace) {
  const auto id = [](Dialog dialog, const std::string& about) {
    identify(dialog, about);
    return dialog.id;
  };
  const Dialog dialog{"Go on?", {{"Yes"}, {"No"}}, true, "permission"};
  const std::string first = id(dialog, "rm -rf tmp");
  EXPECT_EQ(first.size(), 16u);
  EXPECT_EQ(first, id(dialog, " rm -rf\n  tmp ")) << "lines wrap anywhere";
  EXPECT_NE(first, id(dialog, "rm -rf /"));
  Dialog other = dialog;
  other.question = "Go on now?";
  EXPECT_NE(first, id(other, "rm -rf tmp"));
  other = dialog;
  other.rows.push_back({"Never"});
  EXPECT_NE(first, id(other, "rm -rf tmp"));
  other = dialog;
  other.kind = "question";
  EXPECT_NE(first, id(other, "rm -rf tmp"));
}

TEST(DialogModel, AKeptAnswerFitsTheSameQuestionSubjectAndRowsOnly) {
  const Dialog dialog{"May I?", {{"Yes"}, {"No"}}, true, "question", "tmp"};
  const Answer answer = answer_to("question", dialog, dialog.rows[0]);
  EXPECT_TRUE(answer.fits(dialog));
  Dialog other = dialog;
  other.subject = "the database";
  EXPECT_FALSE(answer.fits(other));
  other = dialog;
  other.question = "May I drop it?";
  EXPECT_FALSE(answer.fits(other));
  // As it was kept when a row was taken for the question.
  const Dialog row{"Type something.", {{"Yes"}, {"Type something."}}, true, "question"};
  EXPECT_FALSE(answer_to("question", row, row.rows[0]).fits(row));
  const Dialog unseen{"", {{"Yes"}}, true, "question"};
  EXPECT_FALSE(answer_to("question", unseen, unseen.rows[0]).fits(unseen));
}

TEST(DialogModel, AKeptAnswerMayHaveAPatternForWhatItIsAbout) {
  const Dialog dialog{"Which?", {{"A"}, {"B"}}, true, "question", "Database * 12"};
  Answer answer = answer_to("question", dialog, dialog.rows[0]);
  Dialog other = dialog;
  other.subject = "Database x 13";
  EXPECT_FALSE(answer.fits(other)) << "a * in what was asked is a *";
  answer.about = "Database *";
  EXPECT_TRUE(answer.fits(dialog));
  EXPECT_TRUE(answer.fits(other));
  other.subject = "Table 12";
  EXPECT_FALSE(answer.fits(other));
  EXPECT_EQ(answer_from(to_json(answer)), answer);
}

TEST(DialogModel, AnAnswerThatWasKeptWithoutItsSubjectFitsNothing) {
  const Dialog dialog{"Which?", {{"A"}, {"B"}}, true, "question"};
  const Answer old = answer_from(Json::object({{"kind", "question"},
                                               {"question", "Which?"},
                                               {"rows", std::vector<std::string>{"A", "B"}},
                                               {"choose", "A"},
                                               {"cost", "question"}}));
  EXPECT_FALSE(old.fits(dialog));
  EXPECT_EQ(answer_from(to_json(old)), old);
  EXPECT_FALSE(answer_from(to_json(old)).fits(dialog)) << "nor after it was written again";
}

TEST(DialogModel, Patterns) {
  for (const auto& [pattern, text] :
       {std::pair{"a*c", "abc"}, std::pair{"*", ""}, std::pair{"*b*", "abc"},
        std::pair{"a b", "ab"}, std::pair{"a*b*c", "a1b2c"}, std::pair{"a*", "a"}})
    EXPECT_TRUE(fits_pattern(pattern, text)) << pattern << " " << text;
  for (const auto& [pattern, text] :
       {std::pair{"a*c", "abd"}, std::pair{"ab*ba", "aba"}, std::pair{"a", "ab"},
        std::pair{"a*b*c", "acb"}, std::pair{"", "a"}})
    EXPECT_FALSE(fits_pattern(pattern, text)) << pattern << " " << text;
}

TEST(DialogModel, ALongTextLosesItsMiddleAndKeepsAFingerprint) {
  const std::string text = std::string(600, 'a') + "é" + std::string(600, 'b');
  const std::string cut = without_middle(text, 400);
  EXPECT_TRUE(cut.starts_with("aaa"));
  EXPECT_TRUE(cut.ends_with("bbb"));
  EXPECT_NE(cut.find("of 1202 bytes are left out here"), std::string::npos) << cut;
  EXPECT_LT(cut.size(), 500u);
  EXPECT_EQ(without_middle(text, text.size()), text);
  std::string other = text;
  other[590] = 'x';
  EXPECT_NE(without_middle(other, 400), cut);
}

TEST(DialogModel, WhatPermitsIsNeverKept) {
  const auto unfit = [](const std::string& kind, const std::string& row, Cost cost) {
    return !unfit_for_a_rule({kind, "?", {row}, row, cost}).empty();
  };
  EXPECT_TRUE(unfit("question", "Go", Cost::permission));
  EXPECT_TRUE(unfit("other", "Go", Cost::allow));
  EXPECT_TRUE(unfit("other", "Yes, and push", Cost::question)) << "nobody described it";
  EXPECT_TRUE(unfit("other", "Allow once", Cost::question));
  EXPECT_FALSE(unfit("question", "Yes", Cost::question)) << "an answer to that very question";
  EXPECT_FALSE(unfit("other", "Not now", Cost::free));
  EXPECT_FALSE(unfit("other", "Short", Cost::question));
}

TEST(DialogModel, SurvivesJson) {
  const Dialog dialog{"Go on?", {{"Yes", Cost::allow}, {"Dismiss", Cost::free, "0"}},
                      true,     "other",
                      "a\nb",   "0123456789abcdef"};
  EXPECT_EQ(dialog_from(to_json(dialog)), dialog);
  for (const Cost cost : {Cost::free, Cost::allow, Cost::deny, Cost::permission, Cost::money,
                          Cost::destroys, Cost::question})
    EXPECT_EQ(cost_from(word(cost)), cost);
  EXPECT_EQ(cost_from("cheap"), std::nullopt);
}

}  // namespace
}  // namespace pawl::model
