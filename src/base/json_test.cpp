#include "base/json.h"

#include <gtest/gtest.h>

#include <limits>
#include <nlohmann/json.hpp>

namespace pawl {
namespace {

TEST(Json, KeepsOrderAndRoundTrips) {
  const Json json = Json::object(
      {{"z", 1}, {"a", Json::object({{"list", Json(Json::Array{true, nullptr, 2.5, "x"})}})}});
  EXPECT_EQ(json.dump(), R"({"z":1,"a":{"list":[true,null,2.5,"x"]}})");
  EXPECT_EQ(Json::parse(json.dump()).value(), json);
}

TEST(Json, MissingAndWrongKindsGiveTheDefault) {
  const Json json = Json::parse(R"({"n":"text"})").value();
  EXPECT_EQ(json["n"].as_int(7), 7);
  EXPECT_TRUE(json["nothing"]["deeper"].is_null());
  EXPECT_EQ(json["n"].items().size(), 0u);
}

TEST(Json, BadTextIsAnErrorAndInvalidUtf8IsReplaced) {
  EXPECT_FALSE(Json::parse("{\"a\":").has_value());
  EXPECT_FALSE(Json::parse("").has_value());
  EXPECT_FALSE(Json::parse(std::string_view("{}\0nonsense", 11)).has_value());
  EXPECT_FALSE(Json::parse(std::string(1000, '[')).has_value());
  EXPECT_FALSE(Json::parse(std::string(100, '[') + std::string(100, ']')).has_value());
  EXPECT_EQ(Json("a\xff").dump(), "\"a\xEF\xBF\xBD\"");
}

TEST(Json, SetReplacesAnExistingKey) {
  Json json;
  json.set("a", 1).set("b", 2).set("a", 3);
  EXPECT_EQ(json.dump(), R"({"a":3,"b":2})");
}

// What nlohmann prints of the same text.
std::string theirs(const std::string& text, int indent) {
  return nlohmann::ordered_json::parse(text).dump(indent, ' ', false,
                                                  nlohmann::ordered_json::error_handler_t::replace);
}

TEST(Json, PrintsEveryByteAsTheLibraryDoes) {
  for (const char* text :
       {R"({})", R"([])", R"([[],{},[{}]])", R"({"a":[1,-2,0],"b":{"c":{"d":[null,true,false]}}})",
        R"({"k\"e\\y\n":"","ü":"\u0000\u001f\u007f\t/\\\"","b":"日本 ✳ \ud83d\ude00"})",
        R"([0.1,1.0,-0.0,1e300,5e-324,123456789.125,100000000000000000000])",
        R"([9223372036854775807,-9223372036854775808])", R"("alone")", R"(7)", R"(null)"})
    for (const int indent : {-1, 0, 2})
      EXPECT_EQ(Json::parse(text).value().dump(indent), theirs(text, indent)) << text;
  for (const char* bad : {"\xff", "a\xc3", "\xe2\x82", "\xed\xa0\x80", "x\xf5y", "\xc0\xaf"})
    EXPECT_EQ(Json(bad).dump(), nlohmann::ordered_json(bad).dump(
                                    -1, ' ', false, nlohmann::json::error_handler_t::replace));
  EXPECT_EQ(Json(std::numeric_limits<double>::infinity()).dump(), "null");
}

TEST(Json, AKeyThatComesTwiceHasItsLastValueAtItsFirstPlace) {
  EXPECT_EQ(Json::parse(R"({"a":1,"b":2,"a":3})").value().dump(), R"({"a":3,"b":2})");
}

TEST(Json, NestingHasALimitAndSaysSo) {
  const auto nested = [](int times) { return std::string(times, '[') + std::string(times, ']'); };
  EXPECT_TRUE(Json::parse(nested(kMaxJsonDepth)).has_value());
  const auto deep = Json::parse(nested(kMaxJsonDepth + 1));
  ASSERT_FALSE(deep.has_value());
  EXPECT_EQ(deep.error().what, "the JSON is nested deeper than 64");
}

TEST(Json, AnErrorSaysWhere) {
  const auto bad = Json::parse("{\"a\":\n tru}");
  ASSERT_FALSE(bad.has_value());
  EXPECT_NE(bad.error().what.find("line 2, column 5"), std::string::npos) << bad.error().what;
  EXPECT_FALSE(Json::parse("{} {}").has_value());
  EXPECT_FALSE(Json::parse("1e999").has_value());
}

}  // namespace
}  // namespace pawl
