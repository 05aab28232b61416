#include "perceive/profile/wrapper.h"

#include <gtest/gtest.h>

#include "base/text.h"

namespace pawl::perceive {
namespace {

// What is left of a line when its wrappers are taken away.
std::string program(const std::string& line) {
  const auto argv = split(line, ' ');
  std::vector<std::string> rest;
  for (size_t i = program_at(argv); i < argv.size(); ++i) rest.push_back(argv[i]);
  return join(rest, " ");
}

TEST(Wrapper, TheProgramIsFoundBehindIt) {
  const std::vector<std::pair<const char*, const char*>> lines{
      {"claude --model x", "claude --model x"},
      {"bwrap --ro-bind / / claude --model x", "claude --model x"},
      {"/usr/bin/bwrap --bind /home/claude /home/claude --dev /dev --proc /proc --unshare-all "
       "--share-net --die-with-parent claude -c",
       "claude -c"},
      {"bwrap --ro-bind / / --setenv A claude -- codex resume", "codex resume"},
      {"bwrap --overlay a b c --chdir claude pi", "pi"},
      {"env -i A=1 B=claude claude", "claude"},
      {"env -u claude - gemini", "gemini"},
      {"timeout -k 5 8h codex", "codex"},
      {"nice -n 5 ionice -c 3 env A=1 claude -p", "claude -p"},
      {"nice -10 claude", "claude"},
      {"firejail --net=none --private=/x claude", "claude"},
      {"stdbuf -oL claude", "claude"},
      {"stdbuf -o L claude", "claude"},
      {"nohup claude", "claude"},
      {"prlimit --as=1 claude", "claude"},
      {"sh -c claude", "sh -c claude"},
      {"docker run claude", "docker run claude"},
  };
  for (const auto& [line, rest] : lines) EXPECT_EQ(program(line), rest) << line;
}

TEST(Wrapper, WhatIsNotClearIsNoProgram) {
  for (const char* line : {"bwrap --args 9 claude", "env -S claude", "env", "timeout 5",
                           "bwrap --bind a", "ionice -p 12 claude", "prlimit --pid 12"})
    EXPECT_EQ(program(line), "") << line;
  EXPECT_EQ(program_at({}), 0u);
}

}  // namespace
}  // namespace pawl::perceive
