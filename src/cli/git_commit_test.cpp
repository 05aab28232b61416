#include "cli/git_commit.h"

#include <gtest/gtest.h>

namespace pawl::cli {
namespace {

const std::string kA(40, 'a'), kB(40, 'b'), kC(40, 'c');

TEST(GitCommit, ABranchATagAndHead) {
  EXPECT_EQ(commit_in(kA + "\tHEAD\n", ""), kA);
  EXPECT_EQ(commit_in(kA + "\trefs/heads/main\n" + kB + "\trefs/heads/x/main\n", "main"), kA);
  EXPECT_EQ(commit_in(kA + "\trefs/tags/v1\n" + kB + "\trefs/tags/v1^{}\n", "v1"), kB)
      << "what the tag is of, not the tag";
  EXPECT_EQ(commit_in(kC + "\trefs/tags/light\n", "light"), kC);
  EXPECT_EQ(commit_in("Warning: something\n" + kA + "\trefs/heads/main\n", "main"), kA);
}

TEST(GitCommit, WhatIsNotThereOrIsTwoThingsIsNotGuessed) {
  EXPECT_FALSE(commit_in("", ""));
  EXPECT_FALSE(commit_in(kB + "\trefs/heads/x/main\n", "main"));
  EXPECT_FALSE(commit_in(kA + "\trefs/heads/v1\n" + kB + "\trefs/tags/v1\n", "v1"));
  EXPECT_FALSE(commit_in("main\trefs/heads/main\n", "main"));
}

TEST(GitCommit, AWholeCommitIsNotAskedFor) {
  EXPECT_EQ(with_whole_commit("/no/such/place#" + kA), "/no/such/place#" + kA);
  const auto said = with_whole_commit("/no/such/place#main");
  ASSERT_FALSE(said);
  EXPECT_NE(said.error().what.find("git cannot read /no/such/place"), std::string::npos);
  EXPECT_FALSE(with_whole_commit("ext::sh -c id#main"));
}

}  // namespace
}  // namespace pawl::cli
