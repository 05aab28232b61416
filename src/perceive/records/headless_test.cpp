#include "perceive/records/headless.h"

#include <gtest/gtest.h>

#include "base/text.h"

namespace pawl::perceive {
namespace {

const WallTime kNow{std::chrono::seconds{1'794'000'000}};
const std::string kSaid =
    R"({"type":"assistant","message":{"content":[{"type":"text","text":"after"}]}})"
    "\r\n";

std::string picture(const std::string& shown) {
  return std::string(kPictureBegins) + shown + std::string(kPictureEnds);
}

// A pane that nobody watched for a while is drawn anew in the middle of a line.
TEST(Headless, APictureIsNoWordOfTheProgram) {
  Headless reader("claude");
  EXPECT_EQ(reader.feed(R"({"type":"assistant","mess)", kNow), "");
  EXPECT_EQ(reader.feed(picture("\x1b[2J{\"type\": usage limit reached"), kNow), "");
  EXPECT_EQ(reader.feed(kSaid, kNow), "after\n") << "the line after it is whole";
  EXPECT_EQ(reader.report().trouble, "") << "what is shown again is not said again";
}

TEST(Headless, APictureIsNotInTheOutputOfAPlainProgram) {
  Headless reader("plain");
  EXPECT_EQ(reader.feed("half" + picture("\x1b[Hhalf a line") + "rest\n", kNow), "half\nrest\n");
}

TEST(Headless, TheLastMessageIsThatAlone) {
  const std::pair<const char*, std::vector<const char*>> rows[] = {
      {"claude",
       {R"({"type":"assistant","message":{"content":[{"type":"text","text":"first"}]}})",
        R"({"type":"assistant","message":{"content":[{"type":"text","text":"a"},{"type":"text","text":"b"}]}})",
        R"({"type":"assistant","message":{"content":[{"type":"tool_use","name":"Bash","input":{}}]}})"}},
      {"codex",
       {R"({"type":"item.completed","item":{"type":"agent_message","text":"first"}})",
        R"({"type":"item.completed","item":{"type":"agent_message","text":"a\nb"}})",
        R"({"type":"item.completed","item":{"type":"command_execution","command":"ls"}})"}},
      {"gemini",
       {R"({"type":"message","role":"assistant","content":"first","delta":true})",
        R"({"type":"tool_use","tool_name":"x","parameters":{}})",
        R"({"type":"message","role":"assistant","content":"a\n","delta":true})",
        R"({"type":"message","role":"assistant","content":"b\n","delta":true})",
        R"({"type":"message","role":"user","content":"not mine"})"}},
      {"pi",
       {R"({"type":"message_end","message":{"role":"assistant","content":[{"type":"text","text":"first"}]}})",
        R"({"type":"message_end","message":{"role":"assistant","content":[{"type":"text","text":"a\nb"}]}})",
        R"({"type":"message_end","message":{"role":"user","content":[{"type":"text","text":"not mine"}]}})"}},
  };
  for (const auto& [format, records] : rows) {
    Headless reader(format);
    EXPECT_EQ(reader.last_message(), "") << format;
    for (const char* record : records) reader.feed(std::string(record) + "\r\n", kNow);
    EXPECT_EQ(reader.last_message(), "a\nb\n") << format;
  }
  Headless claude("claude");
  claude.feed(kSaid, kNow);
  claude.feed("{\"type\":\"result\",\"subtype\":\"success\",\"result\":\"all of it\"}\n", kNow);
  EXPECT_EQ(claude.last_message(), "all of it\n");
  Headless plain("plain");
  plain.feed("words\n", kNow);
  EXPECT_EQ(plain.last_message(), "");
}

std::string delta(const char* text) {
  return R"({"type":"stream_event","event":{"type":"content_block_delta","delta":{"type":"text_delta","text":")" +
         std::string(text) + "\"}},\"parent_tool_use_id\":null}\n";
}

// K19: a killed run has said what it had streamed.
TEST(Headless, WhatAKilledRunHadSaidIsThere) {
  Headless reader("claude");
  EXPECT_EQ(reader.feed(delta("It pri") + delta("nts"), kNow), "") << "it will come as one";
  EXPECT_GT(reader.held(), 0u) << "the next daemon hears it again";
  EXPECT_EQ(reader.end(kNow), "It prints\n");
  EXPECT_EQ(reader.held(), 0u);
  EXPECT_EQ(reader.end(kNow), "");
  EXPECT_EQ(reader.last_message(), "") << "it is no whole message";
}

TEST(Headless, WhatWasStreamedComesOnce) {
  Headless reader("claude");
  reader.feed(delta("aft") + delta("er"), kNow);
  EXPECT_EQ(reader.feed(kSaid, kNow), "after\n");
  EXPECT_EQ(reader.held(), 0u);
  EXPECT_EQ(reader.end(kNow), "");
  reader.feed(delta("broken"), kNow);
  EXPECT_EQ(
      reader.feed("{\"type\":\"stream_event\",\"event\":{\"type\":\"message_start\"}}\n", kNow),
      "broken\n")
      << "it was cut, and another one begins";
  Headless pi("pi");
  pi.feed(
      R"({"type":"message_update","assistantMessageEvent":{"type":"text_delta","delta":"half"}})"
      "\n",
      kNow);
  EXPECT_EQ(pi.end(kNow), "half\n");
}

// What a record quotes reaches terminals, too: of who reads the log.
TEST(Headless, EscapeSequencesInRecordsAreNoWords) {
  const char* records[] = {
      R"({"type":"message","role":"assistant","content":"\u001b[31mred\u001b","delta":true})",
      R"({"type":"message","role":"assistant","content":"[0m \u001b]0;a title\nafter\r\n","delta":true})"};
  Headless gemini("gemini");
  std::string log;
  for (const char* record : records) log += gemini.feed(std::string(record) + "\n", kNow);
  EXPECT_EQ(log, "red \nafter\n") << "cut anywhere, and one that is never ended hides its line";
  EXPECT_EQ(gemini.last_message(), log);
  Headless claude("claude");
  EXPECT_EQ(claude.feed(delta("\\u001b[1mbold\\u001b[0m"), kNow), "");
  EXPECT_EQ(claude.end(kNow), "bold\n");
}

TEST(Headless, ACommandOfCodexIsToldWhenItBegins) {
  Headless reader("codex");
  const char* records[] = {
      R"({"type":"item.started","item":{"type":"command_execution","command":"make","status":"in_progress"}})",
      R"({"type":"item.completed","item":{"type":"command_execution","command":"make","status":"completed"}})"};
  EXPECT_EQ(reader.feed(records[0] + std::string("\n"), kNow), "▸ make\n");
  EXPECT_EQ(reader.feed(records[1] + std::string("\n"), kNow), "") << "once";
}

// Gemini's pieces are given as they come.
TEST(Headless, AMessageInPiecesEndsWithItsLine) {
  const std::string half =
      R"({"type":"message","role":"assistant","content":"It pri","delta":true})"
      "\n";
  Headless killed("gemini");
  EXPECT_EQ(killed.feed(half, kNow), "It pri");
  EXPECT_EQ(killed.end(kNow), "\n") << "another run speaks on a line of its own";
  EXPECT_EQ(killed.end(kNow), "");
  Headless whole("gemini");
  whole.feed(half, kNow);
  EXPECT_EQ(whole.feed("{\"type\":\"result\",\"status\":\"success\"}\n", kNow), "\n");
  EXPECT_EQ(whole.last_message(), "It pri\n");
  EXPECT_EQ(whole.end(kNow), "");
}

TEST(Headless, BytesThatAreNoTextAreMarked) {
  Headless reader("plain");
  EXPECT_EQ(reader.feed("a\xff\xfe\xfd\xfc z\r\n", kNow), "a[4 bytes that are not text] z\n");
}

}  // namespace
}  // namespace pawl::perceive
