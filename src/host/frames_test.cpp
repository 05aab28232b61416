#include "host/frames.h"

#include <gtest/gtest.h>

#include <cerrno>

namespace pawl::host {
namespace {

TEST(Frames, AHeaderIsSixteenLittleEndianBytes) {
  const std::string frame = encode(wire::kResize, SessionId{0x0102}, wire::Resize{80, 24});
  EXPECT_EQ(frame, std::string("\x04\0\0\0\x05\0\0\0\x02\x01\0\0\0\0\0\0\x50\0\x18\0", 20));
}

TEST(Frames, AnyChunkingGivesTheSameFrames) {
  const std::string stream = encode(wire::kWrite, SessionId{1}, "hello") +
                             encode(wire::kClose, SessionId{2}) +
                             encode(wire::kWrite, SessionId{3}, std::string(1000, 'x'));
  for (size_t step = 1; step < 50; ++step) {
    FrameReader reader;
    std::vector<std::string> seen;
    for (size_t at = 0; at < stream.size(); at += step) {
      reader.add(std::string_view(stream).substr(at, step));
      while (const auto frame = reader.next())
        seen.push_back(std::to_string(frame->session().value) + std::string(frame->payload));
    }
    EXPECT_EQ(seen, (std::vector<std::string>{"1hello", "2", "3" + std::string(1000, 'x')}));
    EXPECT_EQ(reader.waiting(), 0u);
  }
}

TEST(Frames, ALengthBeyondTheLimitBreaksTheStream) {
  FrameReader reader;
  reader.add(std::string(16, '\xff'));
  EXPECT_FALSE(reader.next());
  EXPECT_TRUE(reader.broken());
  reader.add(encode(wire::kClose, SessionId{2}));
  EXPECT_FALSE(reader.next());
}

TEST(Frames, AShortPayloadIsNoStruct) {
  FrameReader reader;
  reader.add(encode(wire::kEnded, SessionId{2}, "abc"));
  const auto frame = reader.next();
  ASSERT_TRUE(frame);
  EXPECT_FALSE(frame->as<wire::Ended>());
}

TEST(Frames, OpenCarriesStringsInOrder) {
  const auto frame = encode_open(SessionId{9}, {{"a", "b"}, {"X=1"}, "/d", {90, 30}});
  ASSERT_TRUE(frame);
  EXPECT_EQ(frame->substr(sizeof(wire::Header) + sizeof(wire::Open)),
            std::string("/d\0a\0b\0X=1\0", 11));
}

TEST(Frames, OpenRefusesWhatCannotBeSaid) {
  EXPECT_FALSE(encode_open(SessionId{9}, {{}, {}, "/", {}}));
  EXPECT_FALSE(encode_open(SessionId{9}, {{""}, {}, "/", {}}));
  EXPECT_FALSE(encode_open(SessionId{9}, {{"a"}, {std::string("X=\0", 3)}, "/", {}}));
  EXPECT_FALSE(encode_open(SessionId{9}, {{"a", std::string(1u << 20, 'x')}, {}, "/", {}}));
}

TEST(Frames, ATimeToBeOverIsNanosecondsAndMayBeIgnored) {
  const BootTime until{std::chrono::microseconds{0x0102}};
  const std::string frame = encode_until(SessionId{7}, until);
  EXPECT_EQ(frame,
            std::string("\x08\0\0\0\x0b\0\x01\0\x07\0\0\0\0\0\0\0\xd0\xef\x03\0\0\0\0\0", 24));
  FrameReader reader;
  reader.add(frame);
  EXPECT_EQ(time_of(*reader.next()->as<wire::Until>()), until);
  EXPECT_EQ(time_of(wire::Until{0}), BootTime{});
  EXPECT_GT(time_of(wire::Until{UINT64_MAX}), until);
}

// Payloads grow at the end, and an older holder's ends before.
TEST(Frames, WhatIsBehindAStructIsReadWhereThereIsSomething) {
  FrameReader reader;
  const wire::Ended ended{3, 0, 9};
  const wire::Cause cause{wire::kWhyUntil, 0};
  std::string both(reinterpret_cast<const char*>(&ended), sizeof ended);
  both.append(reinterpret_cast<const char*>(&cause), sizeof cause);
  reader.add(encode(wire::kEnded, SessionId{2}, both) + encode(wire::kEnded, SessionId{2}, ended));
  const auto longer = reader.next();
  EXPECT_EQ(longer->as<wire::Cause>(sizeof ended)->why, wire::kWhyUntil);
  EXPECT_FALSE(reader.next()->as<wire::Cause>(sizeof ended));
}

TEST(Frames, EveryFailureSaysWhatToDo) {
  EXPECT_EQ(text_of(explain({ENOENT, wire::kStepExec}, "claude", "/")),
            "command not found: claude: install it or put its folder into PATH");
  EXPECT_EQ(text_of(explain({ENOENT, wire::kStepDir}, "claude", "/x")),
            "no such directory: /x: create it or pass another one");
  EXPECT_EQ(explain({ENOSPC, wire::kStepTerminal}, "claude", "/").fix,
            "raise kernel.pty.max or stop some agents");
  EXPECT_EQ(explain({EINVAL, 77}, "", "/").what, "cannot start the program: Invalid argument");
}

}  // namespace
}  // namespace pawl::host
