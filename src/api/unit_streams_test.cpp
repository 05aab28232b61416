#include <gtest/gtest.h>

#include "api/client_world.h"

namespace pawl::api {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

// A daemon in a fleet that has these units of work.
struct UnitsWorld : ClientWorld {
  std::map<std::string, Json> units;

  UnitsWorld() {
    server.fleet = [this](const std::string& verb, const Json& request) -> Result<Json> {
      if (verb == "units") return Json::object({{"waiting", Json::array()}});
      const auto it = units.find(request["args"]["name"].as_string());
      return it == units.end() ? Json() : it->second;
    };
  }
  void unit(const std::string& name, const std::string& state, Json result = Json()) {
    units[name] = Json::object({{"unit", name},
                                {"state", state},
                                {"node", state == "waiting" ? Json() : Json("gpu")},
                                {"here", false},
                                {"token", 7},
                                {"tries", 1},
                                {"why", "it waits for a node with room"},
                                {"result", std::move(result)}});
  }
  static Json names(const std::vector<std::string>& all) {
    Json out = Json::array();
    for (const auto& name : all) out.push(name);
    return Json::object({{"names", out}});
  }
};

Json ending(const std::string& status) {
  return Json::object({{"status", status}, {"result", "all is well\n"}, {"result_cut", false}});
}

TEST(UnitWait, IsOverWithTheLastOfThem) {
  UnitsWorld world;
  world.unit("a", "waiting");
  world.unit("b", "claimed");
  world.send("task wait", UnitsWorld::names({"a", "b"}));
  world.step();
  EXPECT_TRUE(world.replies.empty());
  world.unit("b", "ended", ending("failed"));
  world.step();
  EXPECT_TRUE(world.replies.empty());
  world.unit("a", "ended", ending("completed"));
  world.step();
  const auto over = world.reply();
  ASSERT_TRUE(over) << text_of(over.error());
  EXPECT_EQ((*over)["code"].as_int(), 1);
  EXPECT_EQ((*over)["tasks"].items().size(), 2u);
  EXPECT_EQ((*over)["tasks"].items()[1]["machine"].as_string(), "gpu");
}

TEST(UnitWait, OneIsEnoughWhenAnyIsMeant) {
  UnitsWorld world;
  world.unit("a", "waiting");
  world.unit("b", "cancelled");
  const auto over = world.ask("task wait", UnitsWorld::names({"a", "b"}).set("any", true));
  ASSERT_TRUE(over) << text_of(over.error());
  EXPECT_EQ((*over)["code"].as_int(), 5);
  EXPECT_EQ((*over)["tasks"].items().size(), 1u);
}

TEST(UnitWait, EndsWhenItsTimeIsUpOrTheUnitIsGone) {
  UnitsWorld world;
  world.unit("a", "waiting");
  world.send("task wait", UnitsWorld::names({"a"}).set("timeout", "2s"));
  world.step();
  EXPECT_TRUE(world.replies.empty());
  world.step(seconds{3});
  EXPECT_EQ(world.reply().error().exit_code, 124);
  world.send("task wait", UnitsWorld::names({"a"}));
  world.step();
  world.units.clear();
  world.step();
  EXPECT_FALSE(world.reply()) << "this machine left the fleet, or somebody removed it";
}

TEST(UnitWait, ANameThatNobodyKnowsIsRefused) {
  UnitsWorld world;
  EXPECT_EQ(world.ask("task wait", UnitsWorld::names({"a"})).error().what, "no task named 'a'");
}

TEST(UnitResult, IsKeptByTheFleet) {
  UnitsWorld world;
  world.unit("a", "ended", ending("completed"));
  const auto over = world.ask("task output", named("a").set("result", true));
  ASSERT_TRUE(over) << text_of(over.error());
  EXPECT_EQ(world.output, "all is well\n");
}

TEST(UnitOutput, IsAskedWhereItRan) {
  UnitsWorld world;
  world.unit("a", "waiting");
  EXPECT_NE(world.error_of(world.ask("task output", named("a"))).find("has not begun"),
            std::string::npos);
  world.unit("a", "claimed");
  const auto away = world.ask("task output", named("a"));
  ASSERT_FALSE(away);
  EXPECT_NE(text_of(away.error()).find("gpu"), std::string::npos) << text_of(away.error());
}

TEST(UnitResume, OneThatWaitsHasNotBegunAndOneThatIsOverIsForTheFleetToBegin) {
  UnitsWorld world;
  world.unit("a", "waiting");
  EXPECT_NE(world.error_of(world.ask("task resume", named("a"))).find("has not begun"),
            std::string::npos);
  world.unit("a", "ended", ending("failed"));
  world.send("task resume", named("a"));
  world.step();
  EXPECT_TRUE(world.replies.empty()) << "the bus is asked";
}

}  // namespace
}  // namespace pawl::api
