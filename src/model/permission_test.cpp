#include "model/permission.h"

#include <gtest/gtest.h>

namespace pawl::model {
namespace {

TEST(Permission, EveryFormOfTheFileIsRead) {
  for (const char* text :
       {R"({"mode": "plan"})", R"({"permission_mode":"plan","x":1})",
        R"({"permissionMode":"plan"})", R"({"permission":"plan"})", "\"plan\"", "plan\n", "  plan"})
    EXPECT_EQ(permission_in(text).value_or("none"), "plan") << text;
}

TEST(Permission, NonsenseIsRefusedWithWhatToWrite) {
  for (const char* text :
       {"", "{}", "[]", "{\"mode\": 3}", "root", "{\"mode\": \"Plan\"}", "{\"mode"}) {
    const auto read = permission_in(text);
    ASSERT_FALSE(read) << text;
    EXPECT_NE(read.error().fix.find("bypassPermissions"), std::string::npos);
  }
}

TEST(Permission, OnlyAskingLessIsWider) {
  EXPECT_TRUE(widens("default", "bypassPermissions"));
  EXPECT_TRUE(widens("plan", "default"));
  EXPECT_TRUE(widens("default", "acceptEdits"));
  EXPECT_FALSE(widens("bypassPermissions", "default"));
  EXPECT_FALSE(widens("auto", "auto"));
  EXPECT_FALSE(widens("acceptEdits", "plan"));
}

TEST(Permission, OnlyWhatIsCertainlyLessIsWithin) {
  for (const auto& mode : permissions()) {
    EXPECT_TRUE(within(mode, mode)) << mode;
    EXPECT_TRUE(within("plan", mode)) << mode;
    EXPECT_TRUE(within(mode, "bypassPermissions")) << mode;
    EXPECT_EQ(within(mode, "plan"), mode == "plan") << mode;
    EXPECT_EQ(within("bypassPermissions", mode), mode == "bypassPermissions") << mode;
  }
  EXPECT_TRUE(within("default", "acceptEdits"));
  EXPECT_TRUE(within("acceptEdits", "auto"));
  EXPECT_FALSE(within("auto", "default"));
  for (const char* asking : {"default", "acceptEdits", "auto"}) {  // not to be compared
    EXPECT_FALSE(within("dontAsk", asking)) << asking;
    EXPECT_FALSE(within(asking, "dontAsk")) << asking;
  }
}

}  // namespace
}  // namespace pawl::model
