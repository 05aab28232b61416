#include "serve/credential.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include "base/test_dir.h"
#include "os/file.h"

namespace pawl::serve {
namespace {

using std::chrono::hours;
using std::chrono::minutes;

struct Door {
  TestDir dir;
  Clock now{MonoTime{hours{1}}, WallTime{hours{24 * 365 * 56}}};
  Credentials credentials = *Credentials::open(dir.path(), false);
  std::string token(const char* name = "token") {
    std::string text = *os::read_file(dir / name);
    text.pop_back();
    return text;
  }
  std::string cookie(Role role = Role::operator_) {
    return *credentials.use_link(credentials.make_link(role, now.mono), now);
  }
};

TEST(Credentials, TokensAreFilesOfTheirOwnerAlone) {
  Door door;
  struct stat it {};
  for (const char* name : {"token", "token.read"}) {
    ASSERT_EQ(::stat((door.dir / name).c_str(), &it), 0);
    EXPECT_EQ(it.st_mode & 0777, 0600u);
  }
  EXPECT_EQ(door.credentials.by_token(door.token())->role, Role::operator_);
  EXPECT_EQ(door.credentials.by_token(door.token("token.read"))->role, Role::reader);
  for (const std::string& wrong : {std::string(), std::string("x"), door.token() + "x",
                                   door.token().substr(1), door.token() + std::string(1, '\0')})
    EXPECT_FALSE(door.credentials.by_token(wrong));
}

TEST(Credentials, ATokenHoldsUntilAnotherIsMade) {
  Door door;
  const std::string token = door.token(), cookie = door.cookie();
  const auto again = *Credentials::open(door.dir.path(), false);
  EXPECT_TRUE(again.by_token(token));
  EXPECT_TRUE(again.by_cookie(cookie, door.now.wall)) << "over a restart";
  const auto renewed = *Credentials::open(door.dir.path(), true);
  EXPECT_FALSE(renewed.by_token(token));
  EXPECT_FALSE(renewed.by_cookie(cookie, door.now.wall));
}

TEST(Credentials, WhoIsSignedOutStaysOutAlsoAfterARestart) {
  Door door;
  const std::string mine = door.cookie(), other = door.cookie();
  const auto who = door.credentials.by_cookie(mine, door.now.wall);
  ASSERT_TRUE(who);
  EXPECT_FALSE(door.credentials.signed_out(who->session));
  ASSERT_TRUE(door.credentials.sign_out(*who, door.now.wall));
  EXPECT_TRUE(door.credentials.signed_out(who->session));
  EXPECT_FALSE(door.credentials.by_cookie(mine, door.now.wall));
  EXPECT_TRUE(door.credentials.by_cookie(other, door.now.wall));
  auto again = *Credentials::open(door.dir.path(), false);
  EXPECT_FALSE(again.by_cookie(mine, door.now.wall));
  EXPECT_TRUE(again.by_cookie(other, door.now.wall));
  // What has ended by itself need not be kept.
  const WallTime later = door.now.wall + kCookieLasts;
  ASSERT_TRUE(again.sign_out(*again.by_cookie(other, door.now.wall), later));
  EXPECT_EQ(os::read_file(door.dir / "signed-out")->find(who->session), std::string::npos);
}

TEST(Credentials, ATokenIsNoSessionThatCouldBeSignedOut) {
  Door door;
  const std::string token = door.token();
  ASSERT_TRUE(door.credentials.sign_out(*door.credentials.by_token(token), door.now.wall));
  EXPECT_TRUE(door.credentials.by_token(token));
  EXPECT_FALSE(os::exists(door.dir / "signed-out"));
}

TEST(Credentials, ASignOutThatCannotBeKeptHoldsNevertheless) {
  Door door;
  const std::string mine = door.cookie();
  ASSERT_TRUE(os::make_private_dir(door.dir / "signed-out.new"));  // in the way of writing it
  EXPECT_FALSE(
      door.credentials.sign_out(*door.credentials.by_cookie(mine, door.now.wall), door.now.wall));
  EXPECT_FALSE(door.credentials.by_cookie(mine, door.now.wall));
}

TEST(Credentials, AnEmptyTokenFileIsNoToken) {
  Door door;
  ASSERT_TRUE(os::write_atomically(door.dir / "token", "\n"));
  EXPECT_FALSE(Credentials::open(door.dir.path(), false));
}

TEST(Credentials, ALinkWorksOnceAndNotForever) {
  Door door;
  const std::string code = door.credentials.make_link(Role::reader, door.now.mono);
  EXPECT_FALSE(door.credentials.use_link(code + "x", door.now));
  const auto cookie = door.credentials.use_link(code, door.now);
  ASSERT_TRUE(cookie);
  EXPECT_EQ(door.credentials.by_cookie(*cookie, door.now.wall)->role, Role::reader);
  EXPECT_FALSE(door.credentials.use_link(code, door.now)) << "a second time";
  const std::string late = door.credentials.make_link(Role::reader, door.now.mono);
  EXPECT_FALSE(door.credentials.use_link(late, {door.now.mono + minutes{10}, door.now.wall}));
  for (int i = 0; i < 100; ++i) (void)door.credentials.make_link(Role::reader, door.now.mono);
  EXPECT_EQ(door.credentials.links(), kMaxLinks);
}

TEST(Credentials, ACookieCannotBeMadeUp) {
  Door door;
  const std::string cookie = door.cookie(Role::reader);
  ASSERT_TRUE(door.credentials.by_cookie(cookie, door.now.wall));
  EXPECT_FALSE(door.credentials.by_cookie(cookie, door.now.wall + kCookieLasts)) << "its time";
  std::string raised = cookie;
  raised.replace(0, 6, "operator");
  const size_t dot = cookie.find('.');
  std::string longer = cookie;
  longer.insert(dot + 1, "9");
  for (const std::string& forged :
       {raised, longer, cookie + ".", cookie.substr(0, cookie.rfind('.')), std::string("..."),
        std::string(), std::string(300, '.'), cookie.substr(0, cookie.size() - 1)})
    EXPECT_FALSE(door.credentials.by_cookie(forged, door.now.wall)) << forged;
}

}  // namespace
}  // namespace pawl::serve
