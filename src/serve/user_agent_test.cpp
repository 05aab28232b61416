#include "serve/user_agent.h"

#include <gtest/gtest.h>

namespace pawl::serve {
namespace {

TEST(UserAgent, IsNamedInKnownWords) {
  EXPECT_EQ(browser_name("Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"),
            "Firefox on Linux");
  EXPECT_EQ(browser_name("Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, "
                         "like Gecko) Chrome/140.0.0.0 Safari/537.36 Edg/140.0.0.0"),
            "Edge on Windows");
  EXPECT_EQ(browser_name("Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) "
                         "AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Safari/604.1"),
            "Safari on iPhone");
  EXPECT_EQ(browser_name("Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 (KHTML, like Gecko) "
                         "Chrome/140.0.0.0 Mobile Safari/537.36"),
            "Chrome on Android");
  EXPECT_EQ(browser_name("curl/8.5"), "a browser");
  EXPECT_EQ(browser_name("\x1b[31m Linux"), "a browser on Linux");
  EXPECT_EQ(browser_name(""), "a browser");
}

}  // namespace
}  // namespace pawl::serve
