#include "serve/message.h"

#include <gtest/gtest.h>

namespace pawl::serve {
namespace {

TEST(Target, IsTakenApart) {
  const auto target = parse_target("/api/v1/agents/docs/screen?ansi=1&at=2026-11-16T02%3A00%3A00Z");
  ASSERT_TRUE(target);
  EXPECT_EQ(target->parts, (std::vector<std::string>{"api", "v1", "agents", "docs", "screen"}));
  EXPECT_EQ(target->query.at("ansi"), "1");
  EXPECT_EQ(target->query.at("at"), "2026-11-16T02:00:00Z");
  EXPECT_TRUE(parse_target("/")->parts.empty());
}

TEST(Target, WhatHasNoPlaceInAPathIsRefused) {
  for (const char* bad : {"",       "agents", "http://x/", "*",           "//",     "/a//b",
                          "/a/",    "/..",    "/a/../b",   "/a/%2e%2e/b", "/a/.",   "/a%2fb",
                          "/a%5cb", "/a\\b",  "/a%00",     "/a%0d%0ab",   "/a%",    "/a%2",
                          "/a%zz",  "/a#b",   "/?a=1&a=2", "/?a=%",       "/?a=%0a"})
    EXPECT_FALSE(parse_target(bad)) << bad;
}

TEST(Target, AnEscapeIsOpenedOnce) {
  const auto target = parse_target("/%252e%252e");
  ASSERT_TRUE(target);
  EXPECT_EQ(target->parts[0], "%2e%2e");
}

TEST(Cookie, IsFoundByItsWholeName) {
  EXPECT_EQ(cookie("a=1; pawl-8822=x.y; b=2", "pawl-8822"), "x.y");
  EXPECT_EQ(cookie("xpawl-8822=1", "pawl-8822"), std::nullopt);
  EXPECT_EQ(cookie("pawl-8822", "pawl-8822"), std::nullopt);
  EXPECT_EQ(cookie("pawl-8822=a; pawl-8822=b", "pawl-8822"), std::nullopt) << "which is meant?";
}

TEST(Headers, TypesAndLists) {
  EXPECT_EQ(media_type("Application/JSON ; charset=utf-8"), "application/json");
  EXPECT_TRUE(lists("br, gzip;q=0.5", "gzip"));
  EXPECT_FALSE(lists("gzipped", "gzip"));
  EXPECT_TRUE(token_text("x-a"));
  EXPECT_FALSE(token_text("x a"));
  EXPECT_FALSE(token_text(""));
}

}  // namespace
}  // namespace pawl::serve
