#include "perceive/records/headless.h"

#include <gtest/gtest.h>

#include "base/text.h"

namespace pawl::perceive {
namespace {

const WallTime kNow{std::chrono::seconds{1'794'000'000}};
const std::string kSaid =
    R"({"type":"assistant","message":{"content":[{"type":"text","text":"after"}]}})"
    "\r\n";

std::string picture(const std::string& shown) {
  return std::string(kPictureBegins) + shown + std::string(kPictureEnds);
}

// A pane that nobody watched for a while is drawn anew in the middle of a line.
TEST(Headless, APictureIsNoWordOfTheProgram) {
  Headless reader("claude");
  EXPECT_EQ(reader.feed(R"({"type":"assistant","mess)", kNow), "");
  EXPECT_EQ(reader.feed(picture("\x1b[2J{\"type\": usage limit reached"), kNow), "");
  EXPECT_EQ(reader.feed(kSaid, kNow), "after\n") << "the line after it is whole";
  EXPECT_EQ(reader.report().trouble, "") << "what is shown again is not said again";
}

TEST(Headless, APictureIsNotInTheOutputOfAPlainProgram) {
  Headless reader("plain");
  EXPECT_EQ(reader.feed("half" + picture("\x1b[Hhalf a line") + "rest\n", kNow), "half\nrest\n");
}

}  // namespace
}  // namespace pawl::perceive
