#include "fleet/far_desk.h"

#include <gtest/gtest.h>

#include "api/client_world.h"
#include "api/roles.h"

namespace pawl::fleet {
namespace {

// Another node's questions to the daemon of a made-up world.
struct DeskWorld : api::ClientWorld {
  FarDesk desk{
      *engine, server, [] {
        return Json::object({{"cwd", "/"}, {"environment", Json::Array{"PATH=/usr/bin:/bin"}}});
      }};
  std::map<std::string, std::string> answers;  // by token

  void turn(Duration later = std::chrono::milliseconds{1}) {
    now = {now.mono + later, now.wall + later};
    engine->turn(now);
    desk.publish(now, engine->take_answers());
    for (auto& answer : desk.take_answers()) answers[answer.token] = answer.value;
  }
  Json verb(const std::string& name, const std::string& who, Json args = Json::object()) {
    desk.ask(now, "v", "lap",
             Json::object({{"verb", name}, {"who", who}, {"args", std::move(args)}}).dump());
    turn();
    const auto answer = Json::parse(answers["v"]);
    answers.erase("v");
    return answer ? *answer : Json();
  }
  // The near end's questions, answered until it has none.
  void carry(NearEnd& near) {
    while (const auto question = near.next()) {
      desk.ask(now, "t", "lap", question->value);
      turn();
      if (!answers.contains("t")) turn(kTalkHears);
      near.answered(question->what, answers["t"]);
      answers.erase("t");
      if (question->what == NearEnd::What::hear) return;
    }
  }
};

TEST(FarDesk, OneVerbIsAnsweredAsTheLocalSocketAnswers) {
  DeskWorld world;
  world.run("docs");
  world.turn();
  const Json list = world.verb("ls", "person");
  ASSERT_TRUE(list["ok"].as_bool()) << list.dump();
  EXPECT_EQ(list["result"]["agents"].items().size(), 1u);
}

TEST(FarDesk, AnAgentElsewhereIsAnAgentHere) {
  DeskWorld world;
  world.run("docs");
  const Json refused =
      world.verb("stop", "agent other", Json::object({{"names", Json::Array{"docs"}}}));
  EXPECT_FALSE(refused["ok"].as_bool());
  EXPECT_EQ(refused["error"]["exit_code"].as_int(), api::kNotAllowed) << refused.dump();
  const Json nobody = world.verb("stop", "", Json::object({{"names", Json::Array{"docs"}}}));
  EXPECT_EQ(nobody["error"]["exit_code"].as_int(), api::kNotAllowed) << "nobody in particular";
}

TEST(FarDesk, AConversationIsTheLocalSocket) {
  DeskWorld world;
  world.run("docs");
  world.turn();
  NearEnd near("t1", "person");
  near.say(api::encode(Json::object({{"verb", "ls"}, {"args", Json::object()}})));
  world.carry(near);
  api::FrameReader reader(api::kMaxReply);
  reader.feed(near.hear());
  const auto frame = reader.next();
  ASSERT_TRUE(frame && *frame);
  EXPECT_EQ((*Json::parse((*frame)->payload))["result"]["agents"].items().size(), 1u);
  EXPECT_EQ(world.desk.talks(), 1u);
  world.desk.ask(world.now, "", "lap", near.bye());
  EXPECT_EQ(world.desk.talks(), 0u);
}

TEST(FarDesk, ANodeThatIsNotHeardOfIsLetGo) {
  DeskWorld world;
  NearEnd near("t1", "person");
  near.say(
      api::encode(Json::object({{"verb", "events"}, {"args", Json::object({{"follow", true}})}})));
  const auto question = near.next();
  world.desk.ask(world.now, "t", "lap", question->value);
  world.turn();
  EXPECT_EQ(world.desk.talks(), 1u);
  world.turn(kTalkSilent);
  EXPECT_EQ(world.desk.talks(), 0u);
}

TEST(FarDesk, AnotherNodesConversationIsNobodyElses) {
  DeskWorld world;
  NearEnd near("t1", "person");
  near.say(api::encode(Json::object({{"verb", "ls"}, {"args", Json::object()}})));
  world.desk.ask(world.now, "t", "lap", near.next()->value);
  world.desk.ask(world.now, "x", "thief", Json::object({{"talk", "t1"}, {"hear", 1}}).dump());
  world.turn();
  EXPECT_NE(world.answers["x"].find("over"), std::string::npos) << world.answers["x"];
}

TEST(FarDesk, GarbageIsRefusedWithWords) {
  DeskWorld world;
  int i = 0;
  for (const char* bad :
       {"", "{", "[]", "null", "{}", "{\"talk\": 7}", "{\"talk\": \"\", \"say\": 1}",
        "{\"talk\": \"a\", \"hear\": 1}", "{\"talk\": \"a\", \"say\": -1}"}) {
    const std::string token = std::to_string(++i);
    world.desk.ask(world.now, token, "lap", bad);
    world.turn();
    EXPECT_NE(world.answers[token].find("\"what\""), std::string::npos) << bad;
  }
  EXPECT_EQ(world.desk.talks(), 0u);
}

TEST(FarDesk, ManyConversationsOfOneNodeAreLimited) {
  DeskWorld world;
  for (size_t i = 0; i <= kDeskTalksOfOne; ++i) {
    NearEnd near("t" + std::to_string(i), "person");
    near.say(api::encode(Json::object({{"verb", "status"}, {"args", Json::object()}})));
    world.desk.ask(world.now, std::to_string(i), "lap", near.next()->value);
  }
  world.turn();
  EXPECT_EQ(world.desk.talks(), kDeskTalksOfOne);
  EXPECT_NE(world.answers[std::to_string(kDeskTalksOfOne)].find("too many"), std::string::npos);
}

}  // namespace
}  // namespace pawl::fleet
