#include "os/home.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <map>
#include <optional>

#include "base/test_dir.h"
#include "os/file.h"

namespace pawl::os {
namespace {

// The environment as it was, afterwards.
class Variables {
 public:
  void set(const std::string& name, const char* value) {
    const char* before = std::getenv(name.c_str());
    before_.try_emplace(name, before ? std::optional<std::string>(before) : std::nullopt);
    value ? ::setenv(name.c_str(), value, 1) : ::unsetenv(name.c_str());
  }
  ~Variables() {
    for (const auto& [name, value] : before_)
      value ? ::setenv(name.c_str(), value->c_str(), 1) : ::unsetenv(name.c_str());
  }

 private:
  std::map<std::string, std::optional<std::string>> before_;
};

TEST(HomeDir, TheNearestVariableWins) {
  Variables variables;
  variables.set("HOME", "/home/me");
  variables.set("XDG_STATE_HOME", nullptr);
  variables.set("PAWL_HOME", nullptr);
  EXPECT_EQ(home_dir(), "/home/me/.local/state/pawl");
  variables.set("XDG_STATE_HOME", "/state");
  EXPECT_EQ(home_dir(), "/state/pawl");
  variables.set("PAWL_HOME", "/fleet/");
  EXPECT_EQ(home_dir(), "/fleet");
  variables.set("PAWL_HOME", "~/fleet");
  EXPECT_EQ(home_dir(), "/home/me/fleet");
  variables.set("PAWL_HOME", "rel");
  EXPECT_EQ(home_dir(), current_dir() + "/rel");
  variables.set("PAWL_HOME", "");
  EXPECT_EQ(home_dir(), "/state/pawl") << "empty is unset";
}

TEST(PrepareHome, MakesItPrivate) {
  TestDir dir;
  const std::string home = dir / "deep/home";
  ASSERT_TRUE(prepare_home(home));
  struct stat info {};
  ASSERT_EQ(::stat(home.c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 07777, 0700u);
  EXPECT_TRUE(prepare_home(home));
}

TEST(PrepareHome, RefusesAFile) {
  TestDir dir;
  ASSERT_TRUE(write_atomically(dir / "f", ""));
  const auto refused = prepare_home(dir / "f");
  ASSERT_FALSE(refused);
  EXPECT_EQ(text_of(refused.error()),
            "PAWL_HOME: " + dir / "f" + " is not a folder: set PAWL_HOME to a folder of your own");
}

TEST(PrepareHome, RefusesAFolderOpenToOthersAndChangesNothing) {
  TestDir dir;
  const std::string home = dir / "h";
  ASSERT_TRUE(make_private_dir(home));
  ASSERT_EQ(::chmod(home.c_str(), 0750), 0);
  const auto refused = prepare_home(home);
  ASSERT_FALSE(refused);
  EXPECT_EQ(text_of(refused.error()), "PAWL_HOME " + home +
                                          " is open to others (mode 750): chmod 700 " + home +
                                          ", or set PAWL_HOME to a folder of your own");
  struct stat info {};
  ASSERT_EQ(::stat(home.c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 07777, 0750u);
}

TEST(PrepareHome, RefusesAnImpossiblePlaceAndALinkToNowhere) {
  EXPECT_FALSE(prepare_home("/proc/pawl"));
  EXPECT_FALSE(prepare_home(""));
  TestDir dir;
  ASSERT_EQ(::symlink("nowhere", (dir / "link").c_str()), 0);
  EXPECT_FALSE(prepare_home(dir / "link"));
}

TEST(PrepareHome, RefusesSomebodyElses) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root can give a folder away";
  TestDir dir;
  const std::string home = dir / "h";
  ASSERT_TRUE(make_private_dir(home));
  ASSERT_EQ(::chown(home.c_str(), 12345, 12345), 0);
  const auto refused = prepare_home(home);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().what, "PAWL_HOME " + home + " belongs to somebody else");
}

}  // namespace
}  // namespace pawl::os
