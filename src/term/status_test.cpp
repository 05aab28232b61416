// What Pawl reports of itself is what a reader of reports understands.
#include "term/status.h"

#include <gtest/gtest.h>

#include "base/text.h"

namespace pawl::term {
namespace {

// What a terminal makes of the sequence: its text between "7501;" and the terminator, read by the decoder.
std::optional<StatusRecord> read(const std::string& sequence) {
  const std::string begin = "\x1b]7501;", end = "\x1b\\";
  if (!sequence.starts_with(begin) || !sequence.ends_with(end)) return std::nullopt;
  StatusRecords records;
  if (!records.report(sequence.substr(begin.size(), sequence.size() - begin.size() - end.size())))
    return std::nullopt;
  if (records.all().size() != 1) return std::nullopt;
  StatusRecord record = records.all().front();
  record.updated = 0;
  return record;
}

TEST(StatusReport, EveryStateAndKindComesBack) {
  for (const auto state : {ProgramState::idle, ProgramState::working, ProgramState::done,
                           ProgramState::blocked, ProgramState::error})
    for (const auto kind :
         {BlockedKind::none, BlockedKind::permission, BlockedKind::question, BlockedKind::auth})
      for (const char* id : {"", "builder", "a/b.c-d_e"}) {
        StatusRecord record;
        record.id = id;
        record.state = state;
        if (state == ProgramState::blocked) record.kind = kind;
        if (state == ProgramState::working) record.progress = 40;
        record.app = "pawl";
        record.title = "Überblick";
        record.message = "3 agents: 1 busy; a=b:c";
        EXPECT_EQ(read(status_report(record)), record) << name_of(state) << name_of(kind) << id;
      }
}

TEST(StatusReport, WhatAReaderWouldRefuseIsNotSaid) {
  StatusRecord record;
  record.app = "pawl demo:x=y\x1b" + std::string(40, 'a');
  record.progress = 200;
  record.state = ProgramState::working;
  record.title = std::string(191, 'x') + "ü" + "\x1b]0;t\a";
  record.message = "\x1b[31mred\x1b[0m\xff\n" + std::string(5000, 'y');
  const auto said = read(status_report(record));
  ASSERT_TRUE(said);
  EXPECT_EQ(said->app, "pawldemoxy" + std::string(22, 'a'));
  EXPECT_EQ(said->progress, 100);
  EXPECT_EQ(said->title, std::string(191, 'x') + "]") << "cut between characters";
  EXPECT_EQ(said->message.substr(0, 17), "[31mred[0m\xef\xbf\xbdyyyy");
  EXPECT_EQ(said->message.size(), kMaxStatusMessageBytes);
  EXPECT_LE(status_report(record).size(), kMaxStatusReportBytes);
}

TEST(StatusReport, InvisibleAndTurningCharactersAreLeftOut) {
  StatusRecord record;
  record.title =
      "a\u202eb\u2066c\u200bd\u200ee\ufefff\u061cg\u00adh\u2028i\U000e0041j\u3164k\u115fl\ufe0f";
  const auto said = read(status_report(record));
  ASSERT_TRUE(said);
  EXPECT_EQ(said->title, "abcdefghijkl");
}

TEST(StatusReport, AnIdThatIsNoneIsNotReported) {
  for (const char* id : {"a b", "a//b", "/", "a\x1b", "ü", "a:state=error", "1/2/3/4/5/6/7/8/9"}) {
    StatusRecord record;
    record.id = id;
    EXPECT_EQ(status_report(record), "") << id;
    EXPECT_EQ(status_clear(id), "") << id;
  }
}

TEST(StatusReport, ClearRemoves) {
  StatusRecords records;
  ASSERT_TRUE(records.report("state=working:id=a"));
  ASSERT_TRUE(records.report("state=working:id=b"));
  EXPECT_EQ(status_clear("a"), "\x1b]7501;state=clear:id=a\x1b\\");
  EXPECT_TRUE(records.report("state=clear:id=a"));
  EXPECT_EQ(records.all().size(), 1u);
  EXPECT_EQ(status_clear(), "\x1b]7501;state=clear\x1b\\");
  EXPECT_TRUE(records.report("state=clear"));
  EXPECT_TRUE(records.all().empty());
}

}  // namespace
}  // namespace pawl::term
