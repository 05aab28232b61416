#include "serve/guard.h"

#include <gtest/gtest.h>

#include "base/test_dir.h"
#include "os/file.h"

namespace pawl::serve {
namespace {

struct World {
  TestDir dir;
  Clock now{MonoTime{std::chrono::hours{1}}, WallTime{std::chrono::hours{24 * 365 * 56}}};
  Credentials credentials = *Credentials::open(dir.path(), false);
  Doors doors{{"localhost", "127.0.0.1", "[::1]"}, {}, false, 8822, true};
  Guard guard{doors, credentials};

  Request request(std::vector<Header> headers, std::string method = "GET") {
    Request out;
    out.method = std::move(method);
    out.headers = std::move(headers);
    out.peer = {"127.0.0.1", true};
    return out;
  }
  std::string token() {
    std::string text = *os::read_file(dir / "token");
    text.pop_back();
    return text;
  }
  Header cookie(Role role = Role::operator_) {
    const auto value = credentials.use_link(credentials.make_link(role, now.mono), now);
    return {"cookie", "__Host-pawl-8822=" + *value};
  }
  int host(const std::string& name) {
    const auto refused = guard.refuse_host(request({{"host", name}}));
    return refused ? refused->status : 200;
  }
  int origin(const std::string& value, const std::string& host = "localhost:8822") {
    const auto refused = guard.refuse_origin(request({{"host", host}, {"origin", value}}));
    return refused ? refused->status : 200;
  }
  int admit(std::vector<Header> headers, Clock at) {
    Response refused;
    refused.status = 200;
    (void)guard.admit(request(std::move(headers)), at, refused);
    return refused.status;
  }
};

TEST(Guard, OnlyOurNamesAreOurs) {
  World world;
  for (const char* fine : {"localhost:8822", "LOCALHOST:8822", "127.0.0.1:8822", "[::1]:8822"})
    EXPECT_EQ(world.host(fine), 200) << fine;
  for (const char* bad :
       {"evil.example", "evil.example:8822", "localhost.evil.example:8822", "10.0.0.7:8822",
        "127.0.0.1:80", "", "localhost:", "localhost:x", "localhost:99999", "user@localhost:8822",
        "localhost:8822/x", "127.0.0.1.:8822", "[::1", "0.0.0.0:8822"})
    EXPECT_NE(world.host(bad), 200) << bad;
  EXPECT_EQ(world.guard.refuse_host(world.request({}))->status, 400);
  EXPECT_EQ(
      world.guard.refuse_host(world.request({{"host", "localhost:8822"}, {"host", "x"}}))->status,
      400);
}

TEST(Guard, TheUsualPortMayBeLeftOut) {
  World world;
  world.doors.port = 443;
  Guard guard(world.doors, world.credentials);
  EXPECT_FALSE(guard.refuse_host(world.request({{"host", "127.0.0.1"}})));
  EXPECT_TRUE(world.guard.refuse_host(world.request({{"host", "127.0.0.1"}}))) << "ours is 8822";
}

TEST(Guard, ListeningEverywhereAnAddressIsFineAndANameIsNot) {
  World world;
  world.doors.any_address = true;
  Guard guard(world.doors, world.credentials);
  EXPECT_FALSE(guard.refuse_host(world.request({{"host", "10.0.0.7:8822"}})));
  EXPECT_TRUE(guard.refuse_host(world.request({{"host", "evil.example:8822"}})));
}

TEST(Guard, PagesOfOthersAreRefused) {
  World world;
  EXPECT_EQ(world.origin("https://localhost:8822"), 200);
  for (const char* bad :
       {"https://evil.example", "null", "", "http://localhost:8822", "https://localhost:3000",
        "https://localhost", "https://127.0.0.1:8822", "https://localhost:8822.evil.example",
        "file://", "https://evil@localhost:8822"})
    EXPECT_EQ(world.origin(bad), 403) << bad;
  for (const char* site : {"cross-site", "same-site"})
    EXPECT_TRUE(world.guard.refuse_origin(
        world.request({{"host", "localhost:8822"}, {"sec-fetch-site", site}})));
  EXPECT_FALSE(world.guard.refuse_origin(
      world.request({{"host", "localhost:8822"}, {"sec-fetch-site", "same-origin"}})));
}

TEST(Guard, AProxyMaySpeakTlsForUs) {
  World world;
  world.doors.hosts.insert("fleet.example");
  world.doors.named.insert("fleet.example");
  Guard guard(world.doors, world.credentials);
  const auto status = [&](const char* host, const char* origin) {
    Request request = world.request({{"host", host}, {"origin", origin}}, "POST");
    request.peer.secure = false;
    const auto refused = guard.refuse_origin(request);
    return refused ? refused->status : 200;
  };
  EXPECT_EQ(status("fleet.example", "https://fleet.example"), 200);
  EXPECT_EQ(status("fleet.example", "https://evil.example"), 403);
  EXPECT_EQ(status("localhost:8822", "https://localhost:8822"), 403);
}

TEST(Guard, WithoutCredentialNobodyComesIn) {
  World world;
  EXPECT_EQ(world.admit({}, world.now), 401);
  EXPECT_EQ(world.admit({{"authorization", "Bearer " + world.token()}}, world.now), 200);
  EXPECT_EQ(world.admit({{"authorization", "Basic " + world.token()}}, world.now), 401);
  EXPECT_EQ(world.admit({{"authorization", world.token()}}, world.now), 401);
  EXPECT_EQ(world.admit({world.cookie()}, world.now), 200);
  const Header other{"cookie", "__Host-pawl-9999=" + world.cookie().second.substr(17)};
  EXPECT_EQ(world.admit({other}, world.now), 401) << "of another server of this machine";
  EXPECT_EQ(world.admit({{"authorization", "x"}, {"authorization", "Bearer " + world.token()}},
                        world.now),
            400);
}

TEST(Guard, FailuresAreCountedAndTheRightOneIsNeverLockedOut) {
  World world;
  const Header wrong{"authorization", "Bearer wrong"};
  for (int i = 0; i < kFailuresAllowed; ++i) EXPECT_EQ(world.admit({wrong}, world.now), 401);
  EXPECT_EQ(world.admit({wrong}, world.now), 429);
  EXPECT_EQ(world.admit({{"authorization", "Bearer " + world.token()}}, world.now), 200);
  EXPECT_EQ(world.admit({}, world.now), 401) << "showing none is no failure";
  const Clock later{world.now.mono + kFailuresWithin + std::chrono::seconds{1}, world.now.wall};
  EXPECT_EQ(world.admit({wrong}, later), 401);
}

TEST(Guard, RememberedFailuresAreBounded) {
  Failures failures;
  for (size_t i = 0; i < 2 * kFailingAddresses; ++i)
    failures.add(std::to_string(i), MonoTime{std::chrono::seconds{static_cast<int64_t>(i)}});
  EXPECT_EQ(failures.size(), kFailingAddresses);
}

TEST(Guard, AChangeByCookieNeedsOriginAndJson) {
  World world;
  const Who browser{Role::operator_, "browser", true}, token{Role::operator_, "token", false};
  const Header origin{"origin", "https://localhost:8822"}, json{"content-type", "application/json"};
  const auto status = [&](std::vector<Header> headers, const Who& who, std::string body = "{}") {
    Request request = world.request(std::move(headers), "POST");
    request.body = std::move(body);
    const auto refused = world.guard.refuse_act(request, who, api::Access::act);
    return refused ? refused->status : 200;
  };
  EXPECT_EQ(status({origin, json}, browser), 200);
  EXPECT_EQ(status({json}, browser), 403);
  for (const char* type : {"text/plain", "application/x-www-form-urlencoded",
                           "multipart/form-data; boundary=x", "text/json"})
    EXPECT_EQ(status({origin, {"content-type", type}}, browser), 415) << type;
  EXPECT_EQ(status({origin}, browser), 415);
  EXPECT_EQ(status({}, token, ""), 200);
  EXPECT_EQ(status({}, token), 415);
  EXPECT_EQ(status({origin, json}, {Role::reader, "browser", true}), 403);
}

TEST(Guard, WithoutControlNobodyActs) {
  World world;
  world.doors.control = false;
  Guard guard(world.doors, world.credentials);
  const Who who{Role::operator_, "token", false};
  EXPECT_EQ(guard.refuse_act(world.request({}, "POST"), who, api::Access::act)->status, 403);
  EXPECT_FALSE(guard.refuse_act(world.request({}), who, api::Access::look));
}

}  // namespace
}  // namespace pawl::serve
