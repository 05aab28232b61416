// What `pawl ui` asks beyond the command line's words: a screen that goes on, and some agents of a list.

#include <gtest/gtest.h>

#include "api/client_world.h"

namespace pawl::api {
namespace {

using std::chrono::milliseconds;

Json followed() {
  return Json::object({{"name", "a"}, {"follow", true}, {"ansi", true}});
}

TEST(FollowedScreen, GoesOnInFramesWithTheAgentsSize) {
  ClientWorld world;
  const SessionId session = world.running();
  const Size size = world.host.sessions.at(session).size;
  world.send("screen", followed());
  world.step(milliseconds{50});
  ASSERT_EQ(world.replies.size(), 1u);
  EXPECT_EQ(world.replies[0]["size"]["cols"].as_int(), size.cols);
  world.host.prints(session, "later");
  world.step(milliseconds{50});
  EXPECT_NE(world.output.find("later"), std::string::npos);
  EXPECT_EQ(world.host.sessions.at(session).size, size);
}

TEST(FollowedScreen, NobodyTakesControlOrTypes) {
  ClientWorld world;
  const SessionId session = world.running();
  world.send("screen", followed());
  world.step(milliseconds{50});
  world.replies.clear();
  world.send_raw(R"({"control": true})");
  world.conversation.receive(world.now, {Kind::input, "x"});
  world.send_raw(R"({"resize": {"cols": 70, "rows": 20}})");
  world.step(milliseconds{50});
  EXPECT_EQ(world.host.sessions.at(session).written, "");
  EXPECT_FALSE(world.agent()->human_last_seen);
}

std::vector<std::string> names_in(const Result<Json>& list) {
  std::vector<std::string> names;
  for (const auto& agent : (*list)["agents"].items()) names.push_back(agent["name"].as_string());
  return names;
}

TEST(SomeOfTheList, ByNamesAndByTheTextOnScreens) {
  ClientWorld world;
  world.running("b");
  const SessionId session = world.running();
  world.host.prints(session, "Needle in the hay");
  world.step();
  using Names = std::vector<std::string>;
  const Json::Array fields{"name"};
  EXPECT_EQ(names_in(world.ask(
                "ls", Json::object({{"fields", fields}, {"names", Json::Array{"b", "x"}}}))),
            Names{"b"});
  EXPECT_EQ(names_in(world.ask("ls", Json::object({{"fields", fields}, {"names", Json::array()}}))),
            Names{});
  EXPECT_EQ(
      names_in(world.ask("ls", Json::object({{"fields", fields}, {"on_screen", "nEEDLE IN"}}))),
      Names{"a"});
  EXPECT_EQ(names_in(world.ask("ls", Json::object({{"fields", fields}, {"on_screen", "pin"}}))),
            Names{});
}

}  // namespace
}  // namespace pawl::api
