#include "fleet/ssh.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace pawl::fleet {
namespace {

using Words = std::vector<std::string>;

TEST(Ssh, APlaceIsSaidInThreeWays) {
  EXPECT_EQ(*place_of("ssh://me@gpu.example:2222"), (SshPlace{"me", "gpu.example", 2222}));
  EXPECT_EQ(*place_of("ssh://gpu/"), (SshPlace{"", "gpu", 0}));
  EXPECT_EQ(*place_of("ssh://me@[fe80::1%eth0]:22"), (SshPlace{"me", "fe80::1%eth0", 22}));
  EXPECT_EQ(*place_of("me@gpu"), (SshPlace{"me", "gpu", 0})) << "as ssh itself takes it";
}

TEST(Ssh, WhatSshOrAShellWouldTakeForSomethingElseIsRefused) {
  for (const char* bad :
       {"", "ssh://", "-oProxyCommand=id", "ssh://-oProxyCommand=id", "ssh://a b", "ssh://a;id",
        "ssh://$(id)", "ssh://-l@gpu", "ssh://gpu:0", "ssh://gpu:65536", "ssh://gpu:22x",
        "ssh://gpu:", "ssh://gpu/etc", "http://gpu/", "ssh://@gpu", "gpu\n"})
    EXPECT_FALSE(place_of(bad)) << bad;
}

TEST(Ssh, ItIsCalledWithoutQuestionsAndTheHostLast) {
  const Machine machine{"gpu", "", {"me", "gpu", 2222}, ""};
  const Words first = ssh_line(machine, {Which::first, "ssh.1", "laptop/agent it's"});
  const auto has = [](const Words& line, const std::string& word) {
    return std::find(line.begin(), line.end(), word) != line.end();
  };
  EXPECT_TRUE(has(first, "-oBatchMode=yes"));
  EXPECT_TRUE(has(first, "-oControlMaster=yes"));
  EXPECT_TRUE(has(first, "-oControlPath=./ssh.1"));
  EXPECT_TRUE(has(first, "-p2222"));
  EXPECT_TRUE(has(first, "-lme"));
  ASSERT_GE(first.size(), 3u);
  EXPECT_EQ(first[first.size() - 3], "--");
  EXPECT_EQ(first[first.size() - 2], "gpu");
  EXPECT_TRUE(first.back().ends_with("exec pawl __relay --from 'laptop/agent it'\\''s'"))
      << first.back();
  EXPECT_TRUE(has(ssh_line(machine, {Which::other, "ssh.1", "x/person"}), "-oControlMaster=no"));
}

TEST(Ssh, WhatItSaidIsAReasonAndWhatToDo) {
  const Machine machine{"gpu", "ssh://gpu", {"", "gpu", 0}, ""};
  EXPECT_EQ(ssh_trouble(machine, 127, "sh: 1: exec: pawl: not found").fix,
            "pawl machine add gpu ssh://gpu --install");
  EXPECT_NE(ssh_trouble(machine, 255, "me@gpu: Permission denied (publickey).").what.find("let in"),
            std::string::npos);
  EXPECT_EQ(ssh_trouble(machine, 255, "").what, "ssh ended with exit code 255");
}

TEST(Ssh, AMachineIsKept) {
  const Machine machine{"gpu", "ssh://me@gpu:22", {"me", "gpu", 22}, "/tmp/agent"};
  EXPECT_EQ(*machine_from(to_json(machine)), machine);
  EXPECT_FALSE(machine_from(Json::object({{"name", "../x"}, {"url", "ssh://gpu"}})));
  EXPECT_FALSE(machine_from(Json()));
}

}  // namespace
}  // namespace pawl::fleet
