#include "os/openers.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/test_dir.h"
#include "os/file.h"

namespace pawl::os {
namespace {

// A child that has the file open until it is ended.
class Opener {
 public:
  explicit Opener(const std::string& path) {
    int ends[2];
    EXPECT_EQ(::pipe(ends), 0);
    pid_ = ::fork();
    if (pid_ == 0) {
      const auto lock = lock_file(path);
      (void)!::write(ends[1], "x", 1);
      ::pause();
      ::_exit(0);
    }
    char byte = 0;
    EXPECT_EQ(::read(ends[0], &byte, 1), 1);
    ::close(ends[0]);
    ::close(ends[1]);
  }
  ~Opener() {
    ::kill(pid_, SIGKILL);
    ::waitpid(pid_, nullptr, 0);
  }
  pid_t pid() const { return pid_; }

 private:
  pid_t pid_;
};

TEST(Openers, AreFoundWhenTheFileAndItsFolderAreGone) {
  TestDir dir;
  const std::string home = dir.path() + "/home", path = home + "/lock";
  ASSERT_TRUE(make_private_dir(home));
  const Opener opener(path);
  EXPECT_TRUE(openers_of_removed(path, "").empty()) << "it is there: its lock can be tried";
  ASSERT_TRUE(remove_tree(home));
  EXPECT_EQ(openers_of_removed(path, ""), std::vector<pid_t>{opener.pid()});
  EXPECT_TRUE(openers_of_removed(path, "no-such-program").empty());
  EXPECT_TRUE(openers_of_removed(home + "/other", "").empty());
  ASSERT_TRUE(make_private_dir(home));
  EXPECT_EQ(openers_of_removed(path, ""), std::vector<pid_t>{opener.pid()}) << "made anew";
}

TEST(Openers, ALinkToTheFolderNamesTheSameFile) {
  TestDir dir;
  ASSERT_TRUE(make_private_dir(dir.path() + "/real/home"));
  ASSERT_EQ(::symlink((dir.path() + "/real").c_str(), (dir.path() + "/link").c_str()), 0);
  const Opener opener(dir.path() + "/link/home/lock");
  ASSERT_TRUE(remove_tree(dir.path() + "/real/home"));
  EXPECT_EQ(openers_of_removed(dir.path() + "/link/home/lock", ""),
            std::vector<pid_t>{opener.pid()});
}

}  // namespace
}  // namespace pawl::os
