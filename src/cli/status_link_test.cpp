#include "cli/status_link.h"

#include <gtest/gtest.h>

namespace pawl::cli {
namespace {

using namespace std::chrono_literals;
using term::BlockedKind;
using term::ProgramState;

const std::string kYes = "\x1b]7501;?\x1b\\", kAttributes = "\x1b[?62;22c";
constexpr MonoTime kStart{1h};

StatusLink asked() {
  StatusLink link;
  EXPECT_EQ(link.ask(kStart, "xterm-256color"), kYes + "\x1b[c");
  return link;
}

term::StatusRecord working(const std::string& id = "") {
  term::StatusRecord record;
  record.id = id;
  record.state = ProgramState::working;
  return record;
}

// Typed in these pieces, a millisecond apart: what is passed on.
std::string typed(StatusLink& link, const std::vector<std::string>& pieces) {
  std::string out;
  MonoTime now = kStart;
  for (const auto& piece : pieces) out += link.keys(piece, now += 1ms);
  return out + link.held_keys(now + 1s);
}

TEST(StatusLink, AnswersAreNoKeysHoweverTheyAreCut) {
  const std::string all = "ab\x1b[A" + kYes + "c\x1b" + kAttributes + "\x1b[Bd\x1b";
  for (size_t cut = 0; cut <= all.size(); ++cut) {
    StatusLink link = asked();
    EXPECT_EQ(typed(link, {all.substr(0, cut), all.substr(cut)}), "ab\x1b[Ac\x1b\x1b[Bd\x1b")
        << cut;
    EXPECT_TRUE(link.speaks()) << cut;
  }
  StatusLink link = asked();
  std::vector<std::string> bytes;
  for (char c : all) bytes.emplace_back(1, c);
  EXPECT_EQ(typed(link, bytes), "ab\x1b[Ac\x1b\x1b[Bd\x1b");
  EXPECT_TRUE(link.speaks());
}

TEST(StatusLink, ATerminalThatDoesNotAnswerIsToldNothing) {
  StatusLink link = asked();
  EXPECT_EQ(link.keys("x" + kAttributes + "y", kStart + 10ms), "xy");
  EXPECT_FALSE(link.speaks());
  link.want({working()});
  EXPECT_EQ(link.due(kStart + 1h), "");
  EXPECT_FALSE(link.wake_at());
  EXPECT_EQ(link.keys(kYes, kStart + 20ms), kYes) << "after the last answer everything is a key";
}

TEST(StatusLink, AnAnswerThatComesTooLateIsStillNoKey) {
  StatusLink link = asked();
  EXPECT_EQ(link.keys(kYes + kAttributes + "z", kStart + kStatusAnswer + 1ms), "z");
  EXPECT_FALSE(link.speaks());
}

TEST(StatusLink, AnEscapeIsHeldForAMomentOnly) {
  StatusLink link = asked();
  EXPECT_EQ(link.keys("\x1b", kStart), "");
  ASSERT_TRUE(link.wake_at());
  EXPECT_EQ(*link.wake_at(), kStart + kKeyHeld);
  EXPECT_EQ(link.held_keys(kStart + kKeyHeld - 1ms), "");
  EXPECT_EQ(link.held_keys(kStart + kKeyHeld), "\x1b");
  EXPECT_FALSE(link.wake_at());
  EXPECT_EQ(link.keys("\x1b", kStart + kStatusLate + 1ms), "\x1b") << "and then not at all";
}

TEST(StatusLink, SomeTerminalsAreNotAsked) {
  for (const char* term : {"", "dumb", "linux"}) {
    StatusLink link;
    EXPECT_EQ(link.ask(kStart, term), "");
    EXPECT_EQ(link.keys("\x1b", kStart), "\x1b");
  }
}

TEST(StatusLink, SaysWhatChangedAndNotTooOften) {
  StatusLink link = asked();
  EXPECT_EQ(link.keys(kYes, kStart), "");
  link.want({working("a"), working("b"), working()});
  const std::string all = link.due(kStart);
  for (const char* id : {"a", "b", ""})
    EXPECT_NE(all.find(term::status_report(working(id))), std::string::npos) << id;
  EXPECT_EQ(link.due(kStart + 1h), "") << "nothing changed";
  auto done = working("a");
  done.state = ProgramState::done;
  link.want({done, working()});
  MonoTime now = kStart + 1h;
  EXPECT_EQ(link.due(now), term::status_clear("b") + term::status_report(done));
  link.want({working("a"), working()});
  EXPECT_EQ(link.due(now + kStatusEvery - 1ms), "");
  EXPECT_EQ(link.wake_at(), now + kStatusEvery);
  EXPECT_EQ(link.due(now + kStatusEvery), term::status_report(working("a")));
  link.want({});
  EXPECT_EQ(link.due(now + 1h), term::status_report({}) + term::status_clear("a"));
}

TEST(StatusPicture, EveryStateHasItsWord) {
  StatusPicture picture;
  const auto said = [&](const char* state, const char* kind = "") {
    const auto record = picture.agent("one", state, kind);
    return record ? std::string(name_of(record->state)) + "/" + name_of(record->kind) : "";
  };
  EXPECT_EQ(said("starting"), "working/none");
  EXPECT_EQ(said("ready"), "idle/none");
  EXPECT_EQ(said("busy"), "working/none");
  EXPECT_EQ(said("waiting", "permission"), "blocked/permission");
  EXPECT_EQ(said("waiting", "login"), "blocked/auth");
  EXPECT_EQ(said("waiting", "resume-picker"), "blocked/question");
  EXPECT_EQ(said("ready"), "done/none");
  EXPECT_EQ(said("typing"), "idle/none");
  EXPECT_EQ(said("ready"), "idle/none") << "somebody has seen it";
  for (const char* state : {"crashed", "stuck", "limited"}) EXPECT_EQ(said(state), "error/none");
  EXPECT_EQ(said("exited"), "done/none");
  EXPECT_EQ(said("unknown"), "");
  EXPECT_EQ(picture.agent("one", "busy", "")->title, "one");
  EXPECT_EQ(picture.agent("one", "busy", "")->app, "pawl");
}

Json agents(const std::vector<std::pair<std::string, std::string>>& states) {
  Json list = Json::array();
  for (const auto& [name, state] : states)
    list.push(Json::object({{"name", name}, {"state", state}, {"kind", "permission"}}));
  return Json::object({{"agents", list}});
}

TEST(StatusPicture, TheSumIsTheMostUrgent) {
  StatusPicture picture;
  const auto sum = [&](const std::vector<std::pair<std::string, std::string>>& states) {
    return picture.list(agents(states)).back();
  };
  EXPECT_EQ(sum({}).state, ProgramState::idle);
  EXPECT_EQ(sum({{"a", "ready"}, {"b", "busy"}}).state, ProgramState::working);
  EXPECT_EQ(sum({{"a", "crashed"}, {"b", "busy"}}).state, ProgramState::error);
  EXPECT_EQ(sum({{"a", "waiting"}, {"b", "crashed"}}).state, ProgramState::blocked);
  EXPECT_EQ(sum({{"a", "waiting"}}).kind, BlockedKind::permission);
  EXPECT_EQ(sum({{"a", "waiting"}}).id, "");
}

TEST(StatusPicture, ALongListFitsIntoTheRecordsOfATerminal) {
  std::vector<std::pair<std::string, std::string>> many;
  for (int i = 0; i < 200; ++i) many.emplace_back("agent-" + std::to_string(i), "busy");
  many.emplace_back("last", "waiting");
  StatusPicture picture;
  const auto records = picture.list(agents(many));
  EXPECT_EQ(records.size(), kMaxStatusAgents + 1);
  EXPECT_LE(records.size(), term::kMaxStatusRecords);
  EXPECT_EQ(records.back().state, ProgramState::blocked) << "the sum counts everybody";
}

}  // namespace
}  // namespace pawl::cli
