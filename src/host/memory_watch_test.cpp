#include "host/memory_watch.h"

#include <gtest/gtest.h>

#include "host/test_proc.h"

namespace pawl::host {
namespace {

constexpr SessionId kHeavy{1}, kLight{2};

// Two keepers (10, 20) with their programs; one program has a child, and one has let go of a detached process.
struct Weigh : testing::Test {
  Weigh() {
    tree.add({5, 1, 5, "pawl-holder", 'S', 0, 50});
    tree.add({10, 5, 5, "pawl-keeper", 'S', 0, 100});
    add({11, 10, 11, "sh", 'S', 0, 101}, 10, 5);
    add({12, 11, 11, "make", 'S', 0, 102}, 20, 7);
    add({13, 10, 13, "sleep", 'S', 0, 103}, 40, 0);
    tree.add({20, 5, 5, "pawl-keeper", 'S', 0, 110});
    add({21, 20, 21, "sleep", 'S', 0, 111}, 80, 0);
  }
  void add(const Who& who, int own_kib, int shared_kib) {
    tree.add(who);
    TestProc::write(tree.of(who.pid) + "/status", "Name:\tx\nVmRSS:\t 9999 kB\nRssAnon:\t  " +
                                                      std::to_string(own_kib) +
                                                      " kB\nRssFile:\t 5000 kB\nRssShmem:\t " +
                                                      std::to_string(shared_kib) + " kB\n");
  }
  uint64_t kib(SessionId session) {
    return weigh({session}, roots, tree.proc, tree.dir.path())[session] / 1024;
  }
  TestProc tree;
  std::vector<Root> roots{{{5, 50}, {}},
                          {{10, 100}, kHeavy},
                          {{11, 101}, kHeavy},
                          {{20, 110}, kLight},
                          {{21, 111}, kLight}};
};

TEST_F(Weigh, AllThatDescendsIsCountedOnce) {
  EXPECT_EQ(kib(kHeavy), 77u) << "10 + 20 + 40 of their own, 7 shared";
  EXPECT_EQ(kib(kLight), 80u);
}

TEST_F(Weigh, WhoIsGoneWeighsNothing) {
  os::remove_file(tree.of(12) + "/status");
  EXPECT_EQ(kib(kHeavy), 55u);
  roots[1].process.start_ticks = roots[2].process.start_ticks = 1;
  EXPECT_EQ(kib(kHeavy), 0u) << "its numbers are others' now";
}

}  // namespace
}  // namespace pawl::host
