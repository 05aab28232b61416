#include "api/screen_at.h"

#include <gtest/gtest.h>

#include "api/client_world.h"
#include "store/agent_files.h"

namespace pawl::api {
namespace {

using std::chrono::milliseconds;
using std::chrono::minutes;
using std::chrono::seconds;

struct PastWorld : ClientWorld {
  // Prints, and gives when that was.
  WallTime prints(const std::string& text) {
    host.prints(session(), text);
    step(seconds{10});
    return now.wall;
  }
  Result<Json> screen_at(const std::string& at, bool ansi = false) {
    send("screen", Json::object({{"name", "a"}, {"at", at}, {"ansi", ansi}}));
    for (int i = 0; i < 1000 && replies.empty(); ++i) publish();
    return reply();
  }
  std::string first_row(const Result<Json>& screen) {
    if (!screen) return text_of(screen.error());
    const std::string text = (*screen)["screen"].as_string();
    return text.substr(0, text.find('\n'));
  }
};

TEST(ScreenAt, IsTheScreenAsItWas) {
  PastWorld world;
  world.running();
  const WallTime one = world.prints("one");
  const WallTime two = world.prints("\r\x1b[31mtwo\x1b[0m");
  world.prints("\rthree");
  const auto then = world.screen_at(rfc3339(one + seconds{3}));
  EXPECT_EQ(world.first_row(then), "one");
  EXPECT_EQ((*then)["at"].as_string(), rfc3339(one)) << "when that was printed";
  EXPECT_EQ((*then)["session"].as_int(), static_cast<int64_t>(world.session().value));
  EXPECT_EQ((*then)["cursor"].dump(), R"({"row":1,"col":4,"visible":true})");
  EXPECT_EQ(world.first_row(world.screen_at(rfc3339(two))), "two") << "that very moment";
  EXPECT_NE(world.first_row(world.screen_at(rfc3339(two), true)).find("\x1b["), std::string::npos);
  EXPECT_EQ(world.first_row(world.screen_at("0s")), "three") << "also what is not in the file yet";
  EXPECT_EQ(world.first_row(world.screen_at("5s")), "two") << "an age";
}

TEST(ScreenAt, TheTimeItTellsShowsTheSameAgain) {
  PastWorld world;
  world.now.wall += Duration{123'456};  // times are told in milliseconds
  world.running();
  world.prints("one");
  const auto told = world.screen_at("0s");
  world.prints("\rtwo");
  EXPECT_EQ(world.first_row(world.screen_at((*told)["at"].as_string())), "one");
}

TEST(ScreenAt, KnowsTheSizeOfThatTime) {
  PastWorld world;
  world.running();
  const WallTime before = world.prints("small");
  world.step(seconds{1});
  ASSERT_TRUE(world.engine->resize(world.now, "a", {60, 10}));
  world.prints(" large");
  EXPECT_EQ((*world.screen_at("0s"))["cols"].as_int(), 60);
  EXPECT_NE((*world.screen_at(rfc3339(before)))["cols"].as_int(), 60);
}

TEST(ScreenAt, FindsTheSession) {
  PastWorld world;
  const SessionId first = world.running();
  const WallTime one = world.prints("first life");
  world.host.ends(first, 0);
  world.step();
  world.step(seconds{30});
  const WallTime between = world.now.wall;
  world.EngineWorld::ask<core::RestartAsked>();
  world.turn();
  world.host.runs(world.session());
  world.prints("second life");
  EXPECT_EQ(world.first_row(world.screen_at("0s")), "second life");
  const auto then = world.screen_at(rfc3339(between));
  EXPECT_EQ(world.first_row(then), "first life");
  EXPECT_EQ((*then)["at"].as_string(), rfc3339(one)) << "nothing was shown since";
  EXPECT_EQ((*then)["session"].as_int(), static_cast<int64_t>(first.value));
}

TEST(ScreenAt, SaysFromWhenOnThereAreRecordings) {
  PastWorld world;
  const WallTime before = world.now.wall - seconds{1};
  world.running();
  const auto begins = store::part_begins(
      world.engine->files().disk(),
      store::parts_in(world.engine->files().disk(), world.engine->files().recordings("a"))
          .front()
          .path);
  ASSERT_TRUE(begins);
  world.prints("x");
  EXPECT_EQ(world.error_of(world.screen_at(rfc3339(before))),
            "there is no recording of 'a' at " + rfc3339(before) + ": its recordings begin at " +
                rfc3339(*begins) + ": name a time after that");
  for (const char* bad : {"then", "-1h", "2999-01-01T00:00:00Z"}) {
    const auto refused = world.ask("screen", Json::object({{"name", "a"}, {"at", bad}}));
    ASSERT_FALSE(refused) << bad;
    EXPECT_EQ(refused.error().exit_code, 2);
  }
}

// Several megabytes, with keyframes between: every instant is as it was, and no look takes long.
TEST(ScreenAt, ALongRecordingIsReadInSlices) {
  PastWorld world;
  world.running();
  std::vector<std::pair<WallTime, std::string>> seen;
  for (int i = 0; i < 40; ++i) {
    std::string much;
    for (int line = 0; line < 3000; ++line)
      much += "\x1b[3" + std::to_string(line % 8) + "mline of " + std::to_string(i) + " and " +
              std::to_string(line * 7919 % 10007) + " and so on until it is long enough\r\n";
    world.host.prints(world.session(), much + "\x1b[H\x1b[2Jstep " + std::to_string(i));
    world.step(seconds{5});
    seen.emplace_back(world.now.wall, "step " + std::to_string(i));
  }
  for (const size_t i : {size_t{0}, size_t{7}, size_t{20}, size_t{38}}) {
    const auto& [at, row] = seen[i];
    EXPECT_EQ(world.first_row(world.screen_at(rfc3339(at))), row);
    EXPECT_EQ(world.first_row(world.screen_at(rfc3339(at + seconds{1}))), row);
  }
  world.send("screen", Json::object({{"name", "a"}, {"at", rfc3339(seen[20].first)}}));
  world.publish();
  EXPECT_TRUE(world.replies.empty());
  ASSERT_TRUE(world.conversation.wake_at());
  EXPECT_LE(*world.conversation.wake_at(), world.now.mono);
}

TEST(ScreenAt, ARecordingThatIsGoneIsAnError) {
  PastWorld world;
  world.running();
  world.prints("x");
  world.send("screen", Json::object({{"name", "a"}, {"at", "1s"}}));
  world.publish();
  EXPECT_TRUE(world.replies.empty()) << "the part is found";
  for (const auto& part :
       store::parts_in(world.engine->files().disk(), world.engine->files().recordings("a")))
    std::filesystem::remove(part.path);
  for (int i = 0; i < 10 && world.replies.empty(); ++i) world.publish();
  const auto reply = world.reply();
  ASSERT_FALSE(reply);
  EXPECT_NE(reply.error().what.find("cannot be read any more"), std::string::npos);
}

}  // namespace
}  // namespace pawl::api
