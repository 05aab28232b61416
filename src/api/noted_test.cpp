#include "api/noted.h"

#include <gtest/gtest.h>

namespace pawl::api {
namespace {

TEST(Noted, ChoicesAreKeptAndTextsAreNot) {
  const Json args = Json::object({{"name", "docs"},
                                  {"text", "the password is 4711"},
                                  {"now", true},
                                  {"force", false},
                                  {"row", 2},
                                  {"dialog", "3fa9"},
                                  {"mode", Json()}});
  EXPECT_EQ(
      noted_arguments(args),
      R"({"text":{"bytes":20,"sha256":"44af0404479236d0"},"now":true,"row":2,"dialog":"3fa9"})");
}

TEST(Noted, LongAndDeepValuesAreDigests) {
  const Json args = Json::object({{"command", std::vector<std::string>{"sh", "-c", "ls"}},
                                  {"why", std::string(500, 'x')},
                                  {"keys", std::vector<std::string>{"s", "e", "c"}},
                                  {"deep", Json::object({{"a", 1}})}});
  const auto noted = *Json::parse(noted_arguments(args));
  EXPECT_EQ(noted["command"].items().size(), 3u);
  EXPECT_EQ(noted["why"]["bytes"].as_int(), 500);
  EXPECT_TRUE(noted["keys"].is_object()) << "what was typed may be a password";
  EXPECT_TRUE(noted["deep"].is_object());
  EXPECT_FALSE(noted["deep"]["sha256"].as_string().empty());
}

TEST(Noted, ThereIsALimit) {
  EXPECT_EQ(noted_arguments(Json::object({{"names", std::vector<std::string>{"a"}}})), "");
  Json many = Json::object();
  for (int i = 0; i < 60; ++i) many.set("key" + std::to_string(i), std::string(100, 'x'));
  EXPECT_LE(noted_arguments(many).size(), kNotedBytes);
  EXPECT_NE(noted_arguments(many).find("key59"), std::string::npos);
  for (int i = 0; i < 2000; ++i) many.set("more" + std::to_string(i), 1);
  EXPECT_LE(noted_arguments(many).size(), kNotedBytes);
}

}  // namespace
}  // namespace pawl::api
