#include "model/git_place.h"

#include <gtest/gtest.h>

namespace pawl::model {
namespace {

const std::string kCommit(40, 'a');

TEST(GitPlace, ARemoteAndWhatOfIt) {
  const std::pair<const char*, GitPlace> cases[] = {
      {"https://host/a.git", {"https://host/a.git", ""}},
      {"https://host:8443/a.git#main", {"https://host:8443/a.git", "main"}},
      {"ssh://git@host:22/a#v1.2", {"ssh://git@host:22/a", "v1.2"}},
      {"git@host:team/a.git#topic/x", {"git@host:team/a.git", "topic/x"}},
      {"host:a", {"host:a", ""}},
      {"/srv/git/a.git#main", {"/srv/git/a.git", "main"}},
      {"file:///srv/a", {"file:///srv/a", ""}},
  };
  for (const auto& [text, wanted] : cases) {
    const auto place = git_place_from(text);
    ASSERT_TRUE(place) << text << ": " << place.error().what;
    EXPECT_EQ(*place, wanted) << text;
    EXPECT_EQ(word(*place), text);
  }
}

TEST(GitPlace, NothingThatRunsAProgramOrTellsASecret) {
  for (const char* text : {"",
                           "#main",
                           "--upload-pack=sh",
                           "-oProxyCommand=sh",
                           "ext::sh -c id",
                           "ext::sh",
                           "fd::17",
                           "ssh://-oProxyCommand=sh/a",
                           "ssh://x@-oProxyCommand=sh/a",
                           "-oProxyCommand=sh:a",
                           "me@-oProxyCommand:a",
                           "https://me:secret@host/a",
                           "https://token@host/a",
                           "ssh://me:secret@host/a",
                           "https:///a",
                           "a",
                           "./a",
                           "../a",
                           "~/a",
                           "ftp://host/a",
                           "https://host/a b",
                           "https://host/a\n",
                           "/a#-x",
                           "/a#a b",
                           "/a#a..b",
                           "/a#x~1",
                           "/a#x:y",
                           "/a#HEAD@{1}",
                           "/a#/x"})
    EXPECT_FALSE(git_place_from(text)) << text;
  EXPECT_FALSE(git_place_from("/" + std::string(kMostRemote, 'a')));
  EXPECT_FALSE(git_place_from("/a#" + std::string(kMostRef + 1, 'a')));
}

TEST(GitPlace, ACommitIsWholeOrIsNot) {
  EXPECT_TRUE(whole_commit(kCommit));
  EXPECT_TRUE(whole_commit(std::string(64, '0')));
  for (const auto& ref : {std::string("main"), std::string(39, 'a'), std::string(40, 'g'),
                          std::string(40, 'A'), std::string()})
    EXPECT_FALSE(whole_commit(ref)) << ref;
}

}  // namespace
}  // namespace pawl::model
