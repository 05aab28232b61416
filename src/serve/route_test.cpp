#include "serve/route.h"

#include <gtest/gtest.h>

#include <set>

#include "api/handlers.h"
#include "serve/openapi.h"

namespace pawl::serve {
namespace {

const Route& route(const std::string& method, const std::vector<std::string>& parts) {
  const Found found = find_route(method, parts);
  EXPECT_TRUE(found.route);
  return *found.route;
}

TEST(Routes, TheContractIsThere) {
  using Parts = std::vector<std::string>;
  for (const Parts& path : {Parts{"agents"},
                            {"agents", "x"},
                            {"agents", "x", "screen"},
                            {"agents", "x", "why"},
                            {"agents", "x", "log"},
                            {"agents", "x", "terminal"},
                            {"events"},
                            {"tasks", "x"}})
    EXPECT_TRUE(find_route("GET", path).route) << path.back();
  for (const Parts& path : {Parts{"agents"},
                            {"tasks"},
                            {"agents", "x", "send"},
                            {"agents", "x", "restart"},
                            {"agents", "x", "answer"}})
    EXPECT_TRUE(find_route("POST", path).route) << path.back();
  EXPECT_EQ(find_route("GET", {"agents", "x", "why"}).name, "x");
  EXPECT_TRUE(find_route("GET", {"agents", "x", "send"}).other_method);
  EXPECT_FALSE(find_route("GET", {"nothing"}).route);
  const Found there = find_route("POST", {"machines", "gpu", "agents", "docs", "stop"});
  ASSERT_TRUE(there.route);
  EXPECT_EQ(there.route->verb, "stop");
  EXPECT_EQ(there.name, "gpu/docs");
  for (const std::vector<std::string>& path :
       {std::vector<std::string>{"machines", "gpu", "machines", "cpu", "agents", "docs"},
        {"machines", "gpu", "sessions", "1", "revoke"},
        {"machines", "gpu", "me"},
        {"machines", "gpu"}})
    EXPECT_FALSE(find_route("POST", path).route) << path.back();
}

TEST(Routes, EveryVerbBehindOneHasAHandler) {
  const auto handled = api::handled_verbs();
  const std::set<std::string> names(handled.begin(), handled.end());
  for (const auto& it : routes())
    EXPECT_TRUE(it.verb.empty() || names.contains(it.verb)) << it.verb;
}

TEST(Routes, WhatIsForProgramsAndTerminalsIsNotOnTheNetwork) {
  for (const auto& it : routes())
    for (const char* never :
         {"hook", "shutdown", "abandon", "attach", "serve", "up", "trust", "preview"})
      EXPECT_NE(it.verb, never);
}

TEST(Routes, WhatActsIsMarked) {
  for (const auto& it : routes()) {
    const auto* row = api::find_verb(it.verb);
    EXPECT_TRUE(!row || row->use.access == it.access) << it.verb;
    EXPECT_TRUE(it.access != api::Access::act || it.method == "POST") << it.verb;
  }
}

TEST(Arguments, ComeInTheFormTheVerbWants) {
  const auto& keys = route("POST", {"agents", "x", "keys"});
  const auto args = arguments_of(keys, "x", {}, *Json::parse(R"({"keys":["Enter","C-c"]})"));
  ASSERT_TRUE(args);
  EXPECT_EQ((*args)["name"].as_string(), "x");
  EXPECT_EQ((*args)["keys"].as_strings().size(), 2u);
  const auto& stop = route("POST", {"agents", "x", "stop"});
  EXPECT_EQ((*arguments_of(stop, "x", {}, Json::object()))["names"].as_strings(),
            std::vector<std::string>{"x"});
  const auto& why = route("GET", {"agents", "x", "why"});
  EXPECT_EQ((*arguments_of(why, "x", {{"seq", "7"}}, Json()))["seq"].as_string(), "7");
}

TEST(Arguments, WhatTheVerbDoesNotTakeIsNamed) {
  const auto& send = route("POST", {"agents", "x", "send"});
  const auto refused = [&](const char* body) {
    const auto args = arguments_of(send, "x", {}, *Json::parse(body));
    return args ? std::string("none") : text_of(args.error());
  };
  EXPECT_EQ(refused(R"({"txt":"hi"})"), "'send' has no 'txt': did you mean 'text'?");
  EXPECT_EQ(refused(R"({"name":"y"})").substr(0, 20), "'send' has no 'name'");
  EXPECT_EQ(refused(R"({"file":"/etc/passwd"})").substr(0, 20), "'send' has no 'file'");
  EXPECT_EQ(refused(R"({"text":["a"]})"), "'text' is a text: give \"…\"");
  EXPECT_EQ(refused(R"({"now":"maybe"})"), "'now' is true or false: give one of them");
  const auto& mode = route("POST", {"agents", "x", "mode"});
  EXPECT_FALSE(arguments_of(mode, "x", {}, Json::object())) << "it needs one";
}

TEST(OpenApi, SaysWhatIsThereAndNothingElse) {
  const Json whole = openapi("1", true), quiet = openapi("1", false);
  size_t operations = 0, acting = 0;
  for (const auto& [path, item] : whole["paths"].members()) operations += item.members().size();
  for (const auto& it : routes()) acting += it.access == api::Access::act ? 1 : 0;
  EXPECT_EQ(operations, routes().size());
  size_t without = 0;
  for (const auto& [path, item] : quiet["paths"].members()) without += item.members().size();
  EXPECT_EQ(without, operations - acting);
  const Json& send = whole["paths"]["/api/v1/agents/{name}/send"]["post"];
  EXPECT_EQ(
      send["requestBody"]["content"]["application/json"]["schema"]["properties"]["now"]["type"]
          .as_string(),
      "boolean");
}

}  // namespace
}  // namespace pawl::serve
