#include "serve/browsers.h"

#include <gtest/gtest.h>

#include "serve/site_world.h"

namespace pawl::serve {
namespace {

using namespace std::chrono_literals;

struct SessionWorld : SiteWorld {
  // A browser that came by a link; its cookie.
  std::string browser(Role role = Role::operator_, const std::string& agent = "Firefox/1 Linux") {
    const std::string code = credentials.make_link(role, now.mono);
    const std::string reply = Client(*this).say(head("GET /login/" + code));
    const size_t at = reply.find("set-cookie: ") + 12;
    const std::string cookie = reply.substr(at, reply.find(';', at) - at);
    get("/api/v1/me", cookie, agent);
    return cookie;
  }
  std::string get(const std::string& path, const std::string& cookie,
                  const std::string& agent = "Firefox/1 Linux") {
    return Client(*this).say(
        head("GET " + path, "Cookie: " + cookie + "\r\nUser-Agent: " + agent + "\r\n"));
  }
  std::string post(const std::string& path, const std::string& cookie, const std::string& body) {
    return Client(*this).say(head("POST " + path, "Cookie: " + cookie +
                                                      "\r\nOrigin: http://localhost:8822\r\n"
                                                      "Content-Type: application/json\r\n"
                                                      "Content-Length: " +
                                                      std::to_string(body.size()) + "\r\n") +
                             body);
  }
  static bool is(const std::string& reply, int status) {
    return reply.starts_with("HTTP/1.1 " + std::to_string(status) + " ");
  }
  std::vector<Browser> all() { return credentials.browsers(now.wall); }
};

TEST(Browsers, EachIsListedWithItsNameAndLastUse) {
  SessionWorld world;
  const std::string mine = world.browser();
  world.browser(Role::reader, "Safari/1 iPhone");
  world.turn(1h);
  world.get("/api/v1/me", mine);
  const std::string reply = world.get("/api/v1/sessions", mine);
  ASSERT_TRUE(SessionWorld::is(reply, 200)) << reply;
  const auto list = (*Json::parse(body_of(reply)))["sessions"];
  ASSERT_EQ(list.items().size(), 2u);
  EXPECT_EQ(list.items()[0]["name"].as_string(), "Firefox on Linux");
  EXPECT_TRUE(list.items()[0]["this"].as_bool());
  EXPECT_EQ(list.items()[0]["address"].as_string(), "127.0.0.1");
  EXPECT_EQ(list.items()[1]["name"].as_string(), "Safari on iPhone");
  EXPECT_EQ(list.items()[1]["role"].as_string(), "reader");
  EXPECT_LT(list.items()[1]["seen"].as_string(), list.items()[0]["seen"].as_string());
  EXPECT_EQ(reply.find(mine.substr(mine.find('=') + 1)), std::string::npos) << "no cookie in it";
}

TEST(Browsers, OneIsSentAwayAndTheOthersStay) {
  SessionWorld world;
  const std::string mine = world.browser(), other = world.browser();
  const std::string id = world.all()[1].id;
  EXPECT_TRUE(SessionWorld::is(world.post("/api/v1/sessions/" + id + "/revoke", mine, "{}"), 200));
  EXPECT_TRUE(SessionWorld::is(world.get("/api/v1/me", other), 401));
  EXPECT_TRUE(SessionWorld::is(world.get("/api/v1/me", mine), 200));
  EXPECT_EQ(world.all().size(), 1u);
  EXPECT_TRUE(SessionWorld::is(world.post("/api/v1/sessions/" + id + "/revoke", mine, "{}"), 404));
  world.credentials = *Credentials::open(world.home_dir.path(), false);  // another life
  EXPECT_TRUE(SessionWorld::is(world.get("/api/v1/me", other), 401));
  EXPECT_EQ(world.all().size(), 1u);
}

TEST(Browsers, AllOthersAreSentAway) {
  SessionWorld world;
  const std::string mine = world.browser();
  for (int i = 0; i < 5; ++i) world.browser();
  const std::string reply = world.post("/api/v1/sessions/all/revoke", mine, "{}");
  EXPECT_EQ((*Json::parse(body_of(reply)))["revoked"].as_int(), 5);
  EXPECT_EQ(world.all().size(), 1u);
  EXPECT_TRUE(SessionWorld::is(world.get("/api/v1/me", mine), 200));
  EXPECT_EQ(*world.credentials.revoke("all", "", world.now.wall), 1u);
  EXPECT_TRUE(SessionWorld::is(world.get("/api/v1/me", mine), 401));
}

TEST(Browsers, AReaderSeesNobodyAndSendsNobodyAway) {
  SessionWorld world;
  world.browser();
  const std::string reader = world.browser(Role::reader);
  EXPECT_TRUE(SessionWorld::is(world.get("/api/v1/sessions", reader), 403));
  for (const char* path : {"/api/v1/sessions/all/revoke", "/api/v1/sessions/x/name"})
    EXPECT_TRUE(SessionWorld::is(world.post(path, reader, "{\"name\":\"x\"}"), 403)) << path;
  EXPECT_EQ(world.all().size(), 2u);
}

TEST(Browsers, OneThatIsNotUsedForLongEnds) {
  SessionWorld world;
  const std::string mine = world.browser(), other = world.browser();
  world.turn(kIdleEnds - 1h);
  EXPECT_TRUE(SessionWorld::is(world.get("/api/v1/me", mine), 200));
  world.turn(2h);
  EXPECT_TRUE(SessionWorld::is(world.get("/api/v1/me", other), 401));
  EXPECT_TRUE(SessionWorld::is(world.get("/api/v1/me", mine), 200));
  EXPECT_EQ(world.all().size(), 1u);
}

TEST(Browsers, APersonCallsItSomething) {
  SessionWorld world;
  const std::string mine = world.browser();
  const std::string path = "/api/v1/sessions/" + world.all()[0].id + "/name";
  EXPECT_TRUE(SessionWorld::is(world.post(path, mine, R"({"name":"kitchen"})"), 200));
  world.get("/api/v1/me", mine);
  EXPECT_EQ(world.all()[0].name, "kitchen") << "what it says of itself does not replace that";
  for (const char* bad : {R"({"name":""})", R"({"name":"a\nb"})", R"({"name":7})", "{}", "x"})
    EXPECT_FALSE(SessionWorld::is(world.post(path, mine, bad), 200)) << bad;
  EXPECT_TRUE(
      SessionWorld::is(world.post("/api/v1/sessions/nobody/name", mine, R"({"name":"x"})"), 400));
  EXPECT_EQ(world.all()[0].name, "kitchen");
}

TEST(Browsers, ThereIsALimitAndABrokenFileIsNone) {
  TestDir home;
  Browsers browsers = Browsers::open(home.path());
  WallTime now{1000h};
  for (size_t i = 0; i < kMaxBrowsers + 10; ++i) {
    now += 1s;
    const std::string text = std::to_string(i);
    browsers.used({"s" + text, text, "reader", "x", "1", now, now, 1}, now);
  }
  EXPECT_EQ(browsers.all().size(), kMaxBrowsers);
  EXPECT_EQ(browsers.find("0"), nullptr) << "the one longest unused is forgotten";
  EXPECT_EQ(Browsers::open(home.path()).all().size(), kMaxBrowsers);
  ASSERT_TRUE(os::write_atomically(home / "browsers.json", "{\"browsers\":[{},7"));
  EXPECT_TRUE(Browsers::open(home.path()).all().empty());
}

}  // namespace
}  // namespace pawl::serve
