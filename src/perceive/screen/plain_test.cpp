#include "perceive/screen/plain.h"

#include <gtest/gtest.h>

#include "perceive/profile/catalog.h"
#include "term/terminal.h"

namespace pawl::perceive {
namespace {

const Profile& generic() {
  static const Catalog catalog = Catalog::built_in();
  return catalog.generic();
}

PlainSight shown(const std::string& bytes, Size size = {80, 24}) {
  term::Terminal terminal(size);
  terminal.feed(bytes);
  return plain_sight(generic(), terminal.screen());
}

TEST(Plain, AQuestionEndsAtTheCursor) {
  for (const char* text :
       {"Overwrite it? [y/N] ", "Go on (yes/no): ", "Password: ", "[sudo] password for dev: ",
        "Enter passphrase for key '/home/dev/.ssh/id': ", "Username for 'https://x.example':",
        "Continue connecting (yes/no/[fingerprint])? ", "Do you want to continue? [Y/n] ",
        "Press ENTER to continue...", "\x1b[1mReally?\x1b[0m ", "Proceed? (y/n)\r\n",
        "Enter your choice: "})
    EXPECT_NE(shown(std::string("a log line\r\n") + text).question, "") << text;
  EXPECT_EQ(shown("Overwrite it? [y/N] ").question, "Overwrite it? [y/N]");
  EXPECT_EQ(shown("Overwrite this? [y/N] ", {10, 5}).question, "Overwrite this? [y/N]")
      << "over two rows";
}

TEST(Plain, WhatIsNoPromptIsNoQuestion) {
  for (const char* text :
       {"", "compiling x.cpp ", "done: 3 files\r\n", "what? no: y\r\nworking",
        "really?\r\n\r\nstill at it\r\n", "[12/40] ", "Go on? [y/N] \r\n\r\n\x1b[1;1H"})
    EXPECT_EQ(shown(text).question, "") << text;
}

TEST(Plain, WhatBrokeAndWhatNagsIsNoted) {
  const auto kinds = [](const std::string& bytes) {
    std::string out;
    for (const auto& one : shown(bytes).notices) out += one.kind + " ";
    return out;
  };
  EXPECT_EQ(kinds("Traceback (most recent call last):\r\n  File \"x\"\r\nValueError: x\r\n"),
            "crash ");
  EXPECT_EQ(kinds("thread 'main' panicked at src/main.rs:2:5:\r\n"), "crash ");
  EXPECT_EQ(kinds("npm notice New major version of npm available!\r\n"), "update ");
  EXPECT_EQ(kinds("0 errors, no panic\r\n"), "");
  std::string long_ago = "panic: x\r\n";
  for (int i = 0; i < kLastRows; ++i) long_ago += "line\r\n";
  EXPECT_EQ(kinds(long_ago), "") << "it is history";
}

}  // namespace
}  // namespace pawl::perceive
