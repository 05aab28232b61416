// Real git, on folders of the test's own.

#include "daemon/checkout.h"

#include <gtest/gtest.h>

#include <cstdlib>

#include "base/test_dir.h"
#include "base/text.h"
#include "os/file.h"

namespace pawl::daemon {
namespace {

class CheckoutWorld : public testing::Test {
 protected:
  void SetUp() override {
    if (!run("git --version >/dev/null")) GTEST_SKIP() << "no git here";
    ASSERT_TRUE(run("git init -q -b main " + remote() + " && cd " + remote() +
                    " && echo one >file && " + commit("one") + " && echo two >file && " +
                    commit("two") +
                    " && git rev-parse HEAD~1 >../first && git rev-parse HEAD >../second"));
  }
  static bool run(const std::string& script) {
    return std::system(("( " + script + " ) >/dev/null 2>&1").c_str()) ==
           0;  // NOLINT(cert-env33-c)
  }
  static std::string commit(const std::string& text) {
    return "git add -A && git -c user.name=n -c user.email=e commit -q -m " + text;
  }
  std::string remote() const { return folder.path() + "/remote"; }
  std::string named(const char* file) const {
    return std::string(trim(os::read_file(folder.path() + "/" + file).value_or("")));
  }
  Result<std::string> clone(const std::string& from, const std::string& ref) {
    auto checkout = Checkout::begin(loop, home(), "fix", {from, ref}, [this] { loop.stop(); });
    if (!checkout) return tl::unexpected(checkout.error());
    loop.run();
    return *(*checkout)->folder();
  }
  std::string home() const { return folder.path() + "/home"; }
  std::vector<std::string> clones() const { return os::list_dir(home() + "/checkouts"); }
  // The tidying of that folder is over.
  void tidied(const std::string& dir) {
    Tidying tidying(loop, home());
    tidying.look(dir);
    os::Soon look(loop, [&] {
      if (tidying.idle()) return loop.stop();
      look.ask();
    });
    look.ask();
    loop.run();
  }

  TestDir folder;
  os::Loop loop;
};

TEST_F(CheckoutWorld, IsThatCommitAndNoOther) {
  ASSERT_TRUE(os::make_private_dir(home()));
  const auto dir = clone(remote(), named("first"));
  ASSERT_TRUE(dir) << text_of(dir.error());
  EXPECT_EQ(os::read_file(*dir + "/file").value_or(""), "one\n");
  EXPECT_TRUE(run("cd " + *dir + " && test \"$(git rev-parse HEAD)\" = " + named("first") +
                  " && test \"$(git remote get-url origin)\" = " + remote() +
                  " && git branch -r | grep -q origin/main"));
}

TEST_F(CheckoutWorld, ACommitOnNoBranchAnyMoreIsAskedForByItsName) {
  ASSERT_TRUE(
      run("cd " + remote() +
          " && git config uploadpack.allowAnySHA1InWant true && git reset -q --hard HEAD~1"));
  const auto dir = clone(remote(), named("second"));
  ASSERT_TRUE(dir) << text_of(dir.error());
  EXPECT_EQ(os::read_file(*dir + "/file").value_or(""), "two\n");
}

TEST_F(CheckoutWorld, WhatIsNotThereIsSaidAndNothingStays) {
  const auto none = clone(remote(), std::string(40, '1'));
  ASSERT_FALSE(none);
  EXPECT_NE(none.error().what.find("has no commit 111"), std::string::npos) << none.error().what;
  const auto nowhere = clone(folder.path() + "/nowhere", named("first"));
  ASSERT_FALSE(nowhere);
  EXPECT_NE(nowhere.error().what.find("git cannot fetch"), std::string::npos);
  EXPECT_NE(nowhere.error().what.find("nowhere"), std::string::npos) << nowhere.error().what;
  EXPECT_TRUE(clones().empty());
}

// A remote has no say in what is run here.
TEST_F(CheckoutWorld, NothingOfTheRemoteIsRun) {
  ASSERT_TRUE(run("cd " + remote() + " && printf '#!/bin/sh\\ntouch " + folder.path() +
                  "/ran\\n' >.git/hooks/post-checkout && chmod +x .git/hooks/post-checkout && "
                  "git config uploadpack.packObjectsHook 'touch " +
                  folder.path() + "/ran;'"));
  ASSERT_TRUE(clone(remote(), named("second")));
  EXPECT_FALSE(os::exists(folder.path() + "/ran"));
}

TEST_F(CheckoutWorld, OneInWhichNothingIsGoesAndOneWithWorkStays) {
  const auto clean = clone(remote(), named("first"));
  tidied(*clean);
  EXPECT_FALSE(os::exists(*clean));
  const std::pair<const char*, const char*> works[] = {
      {"a changed file", "echo three >file"},
      {"a new file", "echo x >new"},
      {"a commit",
       "echo three >file && git add -A && git -c user.name=n -c user.email=e commit -qm three"},
      {"a branch",
       "git checkout -q -b mine && echo three >file && git add -A && git -c user.name=n "
       "-c user.email=e commit -qm three && git checkout -q refs/pawl/given"},
      {"a stash", "echo three >file && git -c user.name=n -c user.email=e stash -q"},
      {"a repository in it",
       "git init -q inner && mkdir -p .git/info && echo /inner >.git/info/exclude"}};
  for (const auto& [what, work] : works) {
    const auto dir = clone(remote(), named("first"));
    ASSERT_TRUE(dir) << what;
    ASSERT_TRUE(run("cd " + *dir + " && " + work)) << what;
    tidied(*dir);
    EXPECT_TRUE(os::exists(*dir)) << what;
  }
  const auto pushed = clone(remote(), named("first"));
  ASSERT_TRUE(run("cd " + *pushed + " && git checkout -q -b mine && echo three >file && " +
                  commit("three") + " && git push -q origin mine"));
  tidied(*pushed);
  EXPECT_FALSE(os::exists(*pushed)) << "it is nowhere else than there, too";
  for (const auto& name : clones()) EXPECT_FALSE(name.ends_with(".look")) << name;
}

// Whoever worked in a clone may have written its configuration.
TEST_F(CheckoutWorld, NothingOfACloneIsRunWhenItIsLookedAt) {
  const auto dir = clone(remote(), named("first"));
  const std::string ran = folder.path() + "/ran";
  ASSERT_TRUE(run(
      "cd " + *dir + " && git config core.fsmonitor 'touch " + ran +
      "' && git config filter.x.clean 'touch " + ran +
      "; cat' && mkdir -p .git/info && echo 'file filter=x' >.git/info/attributes && touch file"));
  os::remove_file(ran);
  tidied(*dir);
  EXPECT_FALSE(os::exists(ran));
}

TEST_F(CheckoutWorld, SoManyAndNoMore) {
  for (size_t i = 0; i < kMostClones; ++i)
    ASSERT_TRUE(os::make_private_dir(home() + "/checkouts/x" + std::to_string(i)));
  const auto more = clone(remote(), named("first"));
  ASSERT_FALSE(more);
  EXPECT_NE(more.error().what.find("64 clones"), std::string::npos);
}

}  // namespace
}  // namespace pawl::daemon
