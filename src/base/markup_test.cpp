#include "base/markup.h"

#include <gtest/gtest.h>

namespace pawl {
namespace {

TEST(Markup, OnlyWhatMarksIsSpelled) {
  EXPECT_EQ(escape_markup("a < b && c > \"d\" &lt;"), "a &lt; b &amp;&amp; c &gt; \"d\" &amp;lt;");
  EXPECT_EQ(escape_markup("ü\n"), "ü\n");
}

}  // namespace
}  // namespace pawl
