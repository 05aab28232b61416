#include "os/watch.h"

#include <gtest/gtest.h>

#include "base/test_dir.h"
#include "os/file.h"

namespace pawl::os {
namespace {

using Seen = std::vector<std::pair<std::string, std::string>>;

class Watched {
 public:
  // Runs the loop until so much was seen, or for five seconds.
  void run_until(size_t count) {
    wanted_ = count;
    if (seen.size() >= count) return;
    limit_.start(std::chrono::seconds{5});
    loop_.run();
    limit_.cancel();
  }

  TestDir home;
  Seen seen;

 private:
  Loop loop_;
  size_t wanted_ = 0;
  Timer limit_{loop_, [this] { loop_.stop(); }};

 public:
  FolderWatch watch{loop_, [this](const std::string& folder, const std::string& file) {
                      seen.emplace_back(folder, file);
                      if (seen.size() >= wanted_) loop_.stop();
                    }};
};

TEST(FolderWatch, TellsOfFilesThatAreWholeOrMovedOrGone) {
  Watched world;
  const std::string one = world.home.path() + "/one", two = world.home.path() + "/two";
  ASSERT_TRUE(make_private_dir(one) && make_private_dir(two));
  ASSERT_TRUE(world.watch.add(one) && world.watch.add(two) && world.watch.add(two));
  {
    const auto file = open_append(one + "/a");
    ASSERT_TRUE(file && write_all(file->get(), "half", "a"));
    ASSERT_TRUE(open_append(two + "/b"));
    world.run_until(1);
    EXPECT_EQ(world.seen, (Seen{{two, "b"}})) << "the other is still being written";
  }
  world.run_until(2);
  ASSERT_TRUE(move_file(one + "/a", two + "/c"));
  world.run_until(4);
  remove_file(two + "/c");
  world.run_until(5);
  EXPECT_EQ(world.seen, (Seen{{two, "b"}, {one, "a"}, {one, "a"}, {two, "c"}, {two, "c"}}))
      << "also that it went away";
}

TEST(FolderWatch, NothingIsToldOfOneThatIsNotWatchedAnyMore) {
  Watched world;
  const std::string one = world.home.path() + "/one", two = world.home.path() + "/two";
  ASSERT_TRUE(make_private_dir(one) && make_private_dir(two));
  ASSERT_TRUE(world.watch.add(one) && world.watch.add(two));
  world.watch.remove(one);
  world.watch.remove(one);
  EXPECT_EQ(world.watch.size(), 1u);
  ASSERT_TRUE(open_append(one + "/a") && open_append(two + "/b"));
  world.run_until(1);
  EXPECT_EQ(world.seen, (Seen{{two, "b"}}));
  ASSERT_TRUE(world.watch.add(one) && open_append(one + "/c"));
  world.run_until(2);
  EXPECT_EQ(world.seen.back(), (std::pair<std::string, std::string>{one, "c"}));
}

TEST(FolderWatch, AFolderMadeAnewIsAddedAnew) {
  Watched world;
  const std::string one = world.home.path() + "/one";
  EXPECT_FALSE(world.watch.add(one)) << "it is not there";
  ASSERT_TRUE(make_private_dir(one) && world.watch.add(one));
  ASSERT_TRUE(remove_tree(one) && make_private_dir(one) && world.watch.add(one));
  ASSERT_TRUE(open_append(one + "/a"));
  world.run_until(1);
  EXPECT_EQ(world.seen, (Seen{{one, "a"}}));
}

}  // namespace
}  // namespace pawl::os
