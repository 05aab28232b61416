#include "perceive/records/begun.h"

#include <gtest/gtest.h>

namespace pawl::perceive {
namespace {

// As Codex 0.166 writes it, without its instructions.
constexpr const char* kLine =
    R"({"timestamp":"2026-11-18T09:05:04.158Z","ordinal":0,"type":"session_meta","payload":{"session_id":"01a1","id":"01a1",)"
    R"("timestamp":"2026-11-18T09:05:03.471Z","cwd":"/src/shop","originator":"codex-tui","cli_version":"0.166.0",)"
    R"("source":"vscode","thread_source":"user","base_instructions":{"text":"…"}}})";

std::string with(std::string what, const std::string& by) {
  std::string line = kLine;
  line.replace(line.find(what), what.size(), by);
  return line + "\n{}";
}

TEST(Begun, TheFirstLineSaysWhereAndWhen) {
  const auto begun = read_begun(std::string(kLine) + "\n{\"type\":\"event_msg\"}\n");
  ASSERT_TRUE(begun);
  EXPECT_EQ(begun->id, "01a1");
  EXPECT_EQ(begun->dir, "/src/shop");
  EXPECT_EQ(rfc3339(begun->at), "2026-11-18T09:05:03.471Z");
}

TEST(Begun, WhatNoWindowBeganOrIsNotWholeIsNone) {
  EXPECT_FALSE(read_begun(kLine)) << "the line may go on";
  EXPECT_FALSE(read_begun(""));
  EXPECT_FALSE(read_begun("\n"));
  EXPECT_FALSE(read_begun(with("session_meta", "event_msg")));
  EXPECT_FALSE(read_begun(with("codex-tui", "codex_exec")));
  EXPECT_FALSE(read_begun(with("\"user\"", "\"subagent\"")));
  EXPECT_FALSE(read_begun(with("2026-11-18T09:05:03.471Z", "yesterday")));
  EXPECT_FALSE(read_begun(with("\"/src/shop\"", "7")));
  EXPECT_TRUE(read_begun(with("\"thread_source\":\"user\",", "")));
}

}  // namespace
}  // namespace pawl::perceive
