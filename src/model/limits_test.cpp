#include "model/limits.h"

#include <gtest/gtest.h>

namespace pawl::model {
namespace {

TEST(Limits, SizesAsPeopleWriteThem) {
  EXPECT_EQ(memory_limit("").value(), 0u);
  EXPECT_EQ(memory_limit("4G").value(), 4ull << 30);
  EXPECT_EQ(memory_limit("512M").value(), 512u << 20);
  EXPECT_EQ(memory_limit("512m").value(), 512u << 20);
  EXPECT_EQ(memory_limit("1.5GiB").value(), 3ull << 29);
  EXPECT_EQ(memory_limit("8192K").value(), 8u << 20);
  EXPECT_EQ(memory_limit("1TB").value(), 1ull << 40);
}

TEST(Limits, WhatIsNoSizeIsRefusedWithWords) {
  for (const char* text : {"4X", "G", "4", "-4G", "4 G", "4GG", "4Gi", "nan", "inf", "1e3G",
                           "99999999T", "0x4G", "4,5G"}) {
    const auto size = memory_limit(text);
    ASSERT_FALSE(size) << text;
    EXPECT_EQ(size.error().what, std::string("'") + text + "' is not a size");
    EXPECT_EQ(size.error().fix, "say it as 512M or 4G");
    EXPECT_EQ(size.error().exit_code, 2);
  }
  EXPECT_FALSE(memory_limit("0G"));
  EXPECT_EQ(memory_limit("1M").error().fix, "give 4 MiB or more");
}

TEST(Limits, SharesOfCpu) {
  EXPECT_EQ(cpu_limit("").value(), 0);
  EXPECT_EQ(cpu_limit("200%").value(), 200);
  EXPECT_EQ(cpu_limit("50%").value(), 50);
  for (const char* text : {"2", "0%", "-50%", "%", "50 %", "half", "1000000%"})
    EXPECT_FALSE(cpu_limit(text)) << text;
}

TEST(Limits, InWords) {
  EXPECT_EQ(memory_text(100u << 20), "100 MiB");
  EXPECT_EQ(memory_text(4ull << 30), "4 GiB");
  EXPECT_EQ(memory_text(3328599655), "3.1 GiB");
  EXPECT_EQ(memory_text(1536), "1.5 KiB");
  EXPECT_EQ(memory_text(3ull << 50), "3072 TiB");
}

}  // namespace
}  // namespace pawl::model
