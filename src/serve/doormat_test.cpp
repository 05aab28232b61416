#include "serve/doormat.h"

#include <gtest/gtest.h>

#include "serve/site_world.h"

namespace pawl::serve {
namespace {

struct DoorWorld : SiteWorld {
  std::vector<std::string> notes() const {
    std::vector<std::string> all;
    for (const auto& one : journal.notes)
      all.push_back((one.refused ? "refused: " : "") + one.verb + ", " + one.by.name);
    return all;
  }
  std::string get(const std::string& path, const std::string& more = "") {
    return Client(*this).say(head("GET " + path, more));
  }
};

TEST(Doormat, ALinkThatIsUsedIsWrittenDownAndOneThatIsNotValid) {
  DoorWorld world;
  const std::string code = world.credentials.make_link(Role::operator_, world.now.mono);
  EXPECT_NE(world.get("/login/" + code).find(" 303 "), std::string::npos);
  EXPECT_NE(world.get("/login/" + code).find(" 403 "), std::string::npos);
  const auto notes = world.notes();
  ASSERT_EQ(notes.size(), 2u);
  EXPECT_TRUE(notes[0].starts_with("link used, operator (browser ")) << notes[0];
  EXPECT_TRUE(notes[0].ends_with(") from 127.0.0.1")) << notes[0];
  EXPECT_EQ(notes[1], "refused: link that is not valid, stranger from 127.0.0.1");
}

TEST(Doormat, WrongCredentialsAreWrittenDownUntilTheAddressIsLockedOut) {
  DoorWorld world;
  for (int i = 0; i < kFailuresAllowed + 5; ++i)
    world.get("/api/v1/agents", "Authorization: Bearer guessed\r\n");
  world.get("/api/v1/agents");  // shows none
  const auto notes = world.notes();
  ASSERT_EQ(notes.size(), static_cast<size_t>(kFailuresAllowed) + 1);
  EXPECT_EQ(notes[0], "refused: credential that is not valid, stranger from 127.0.0.1");
  EXPECT_EQ(notes.back(), "refused: locked out for a minute, stranger from 127.0.0.1");
}

TEST(Doormat, StrangersDoNotFillTheJournal) {
  DoorWorld world;
  Doormat mat(*world.engine);
  Request request;
  for (int i = 0; i < 3 * kDoorNotes; ++i) {
    request.peer.address = "10.0.0." + std::to_string(i);
    mat.refused(world.now, request, "x");
  }
  world.turn();
  EXPECT_EQ(world.notes().size(), static_cast<size_t>(kDoorNotes) + 1);
  EXPECT_TRUE(world.notes().back().ends_with("strangers"));
  world.turn(std::chrono::hours{1});
  mat.refused(world.now, request, "x");
  world.turn();
  EXPECT_EQ(world.notes().size(), static_cast<size_t>(kDoorNotes) + 2);
}

TEST(Doormat, SigningOutIsWrittenDown) {
  DoorWorld world;
  const std::string code = world.credentials.make_link(Role::operator_, world.now.mono);
  const std::string reply = world.get("/login/" + code);
  const size_t at = reply.find("set-cookie: ") + 12;
  const std::string cookie = reply.substr(at, reply.find(';', at) - at);
  const std::string done = Client(world).say(
      world.head("POST /api/v1/logout", "Cookie: " + cookie +
                                            "\r\nOrigin: http://localhost:8822\r\nContent-Length: "
                                            "2\r\nContent-Type: application/json\r\n") +
      "{}");
  EXPECT_NE(done.find(" 200 "), std::string::npos) << done;
  EXPECT_TRUE(world.notes().back().starts_with("sign out, operator (browser "))
      << world.notes().back();
}

}  // namespace
}  // namespace pawl::serve
