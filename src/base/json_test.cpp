#include "base/json.h"

#include <gtest/gtest.h>

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

}  // namespace
}  // namespace pawl
