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

TEST(DialogModel, SurvivesJson) {
  const Dialog dialog{"Go on?", {{"Yes", Cost::allow}, {"Dismiss", Cost::free, "0"}}, true};
  EXPECT_EQ(dialog_from(to_json(dialog)), dialog);
  for (const Cost cost : {Cost::free, Cost::allow, Cost::deny, Cost::permission, Cost::money,
                          Cost::destroys, Cost::question})
    EXPECT_EQ(cost_from(word(cost)), cost);
  EXPECT_EQ(cost_from("cheap"), std::nullopt);
}

}  // namespace
}  // namespace pawl::model
