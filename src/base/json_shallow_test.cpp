#include <gtest/gtest.h>

#include "base/json.h"

namespace pawl {
namespace {

std::string shallow(std::string_view text, Json::Limits limits = {2, 3, 4}) {
  const auto json = Json::parse_shallow(text, limits);
  return json ? json->dump() : "error";
}

TEST(JsonShallow, KeepsTheTop) {
  EXPECT_EQ(shallow(R"({"a":1,"b":[true,null,-2.5],"c":{"d":"x"}})"),
            R"({"a":1,"b":[true,null,-2.5],"c":{"d":"x"}})");
  EXPECT_EQ(shallow("3"), "3");
  EXPECT_EQ(shallow("[]"), "[]");
}

TEST(JsonShallow, WhatIsDeeperComesOutEmptyButIsThere) {
  EXPECT_EQ(shallow(R"({"a":[{"x":[1]},[2],3]})"), R"({"a":[{},[],3]})");
  EXPECT_EQ(shallow(R"({"a":{"b":{"c":1}},"z":2})"), R"({"a":{"b":{}},"z":2})");
  EXPECT_EQ(shallow(R"([[1]])", {0, 3, 4}), "null");
}

TEST(JsonShallow, TheFirstMembersAreKept) {
  EXPECT_EQ(shallow("[1,2,3,4,5]"), "[1,2,3]");
  EXPECT_EQ(shallow(R"({"a":1,"b":2,"c":3,"d":[4],"e":{"f":5}})"), R"({"a":1,"b":2,"c":3})");
  EXPECT_EQ(shallow(R"({"a":[1,2,3,4],"b":2})"), R"({"a":[1,2,3],"b":2})");
  EXPECT_EQ(shallow(R"({"a":1,"a":2})"), R"({"a":2})");
}

TEST(JsonShallow, LongTextsAreCutBetweenCharacters) {
  EXPECT_EQ(shallow(R"("abcdef")"), R"("abcd")");
  EXPECT_EQ(shallow(R"("abcé")"), R"("abc")");
  EXPECT_EQ(shallow(R"("äö€")"), R"("äö")");
}

TEST(JsonShallow, WhatIsNoJsonIsAnError) {
  for (const char* text : {"", "{", "{\"a\"", "{\"a\":1,}", "nonsense", "[1", "[1]]", "\"\xff\"",
                           "{\"a\":1}{", "{\"a\":[}"})
    EXPECT_EQ(shallow(text), "error") << text;
}

// The recursive reader refuses such nesting, and a list of members that is searched for every one of them takes minutes.
TEST(JsonShallow, HostileTextCostsNoMoreThanItsLength) {
  const size_t many = 500'000;
  EXPECT_EQ(shallow("{\"a\":" + std::string(many, '[') + std::string(many, ']') + ",\"b\":1}"),
            R"({"a":[[]],"b":1})");
  EXPECT_EQ(shallow(std::string(many, '[')), "error");
  std::string wide = "{";
  for (size_t i = 0; i < many / 5; ++i) wide += "\"k" + std::to_string(i) + "\":0,";
  EXPECT_EQ(shallow(wide + "\"z\":{" + wide.substr(1) + "\"y\":1}}"), R"({"k0":0,"k1":0,"k2":0})");
}

}  // namespace
}  // namespace pawl
