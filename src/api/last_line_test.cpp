#include "api/last_line.h"

#include <gtest/gtest.h>

#include "api/client_world.h"
#include "perceive/profile/catalog.h"
#include "perceive/test_screen.h"

namespace pawl::api {
namespace {

std::string said(const std::string& rows, const perceive::Box* box = nullptr) {
  return last_line(perceive::test::screen_of(rows).screen(), box);
}

TEST(LastLine, IsTheLastRowThatSaysSomething) {
  const std::vector<std::pair<std::string, std::string>> rows{
      {"", ""},
      {"hello", "hello"},
      {"one\ntwo\n\n", "two"},
      {"done\n$ ", "done"},
      {"done\n❯", "done"},
      {"done\n›  ", "done"},
      {"done\n╭──────╮\n│ >    │\n╰──────╯", "done"},
      {"done\n──────────\n❯\n──────────", "done"},
      {"│ in a frame │\n╰────────────╯", "in a frame"},
      {"├── src │ x", "src │ x"},
      {"|a|", "a"},
      {"a\xC2\xA0"
       "b",
       "a b"},
      {"日本", "日本"},
  };
  for (const auto& [screen, line] : rows) EXPECT_EQ(said(screen), line) << screen;
}

TEST(LastLine, WhatIsInTheBoxOrUnderItIsNotSaid) {
  perceive::Box box;
  box.there = true;
  box.first = box.last = 3;
  const std::string screen = "answer\n\n────\n❯ a draft\n────\n? for shortcuts";
  EXPECT_EQ(said(screen, &box), "answer");
  box.there = false;
  EXPECT_EQ(said(screen, &box), "? for shortcuts") << "nobody knows where the box is";
  box.there = true;
  box.first = 99;
  EXPECT_EQ(said(screen, &box), "? for shortcuts") << "a box that is not on this screen any more";
}

TEST(LastLine, IsBoundedAndHasNothingInvisible) {
  term::Terminal wide({1000, 3}, {.answers = false, .scrollback_lines = 0});
  std::string text;
  for (int i = 0; i < 150; ++i) text += "ä";
  wide.feed("x" + text);
  const std::string line = last_line(wide.screen());
  EXPECT_EQ(line.size(), 199u) << "no half character";
  EXPECT_EQ(said("a\xE2\x80\xAE"
                 "b"),
            "ab")
      << "nothing that turns text around";
}

// On every recording, at its end: the line is no frame, no prompt, and not what stands in or under the box.
TEST(LastLine, OfRealAgents) {
  const perceive::Catalog catalog = perceive::Catalog::built_in();
  size_t looked = 0;
  for (const std::string& name : perceive::test::tape_names()) {
    if (!name.starts_with("claude/") && !name.starts_with("codex/")) continue;
    const auto* profile = catalog.find(name.substr(0, name.find('/')));
    ASSERT_TRUE(profile);
    const auto tape = perceive::test::load_tape(name);
    term::Terminal terminal(tape.size, {.answers = false, .scrollback_lines = 0});
    perceive::Eye eye(*profile);
    for (const auto& piece : tape.pieces) terminal.feed(piece.bytes);
    eye.look(terminal.screen());
    const auto& box = eye.sight().box;
    if (!box.there) continue;
    ++looked;
    const std::string line = last_line(terminal.screen(), &box);
    EXPECT_FALSE(line.empty()) << name;
    EXPECT_LE(line.size(), kLastLineBytes) << name;
    EXPECT_EQ(line.find("for shortcuts"), std::string::npos) << name << ": " << line;
    EXPECT_EQ(line.find("───"), std::string::npos) << name << ": " << line;
    EXPECT_NE(line.substr(0, 3), "❯") << name << ": " << line;
  }
  EXPECT_GT(looked, 5u);
}

TEST(LastLine, IsInTheListAndNullWithoutATerminal) {
  ClientWorld world;
  const SessionId session = world.running();
  world.host.prints(session, "working on it\r\n> ");
  world.turn();
  const auto list = world.ask("ls");
  ASSERT_TRUE(list);
  EXPECT_EQ((*list)["agents"].items()[0]["last_line"].as_string(), "working on it");
  ASSERT_TRUE(world.ask("register", Json::object({{"name", "b"}, {"command", Json::Array{"x"}}})));
  EXPECT_TRUE((*world.ask("ls"))["agents"].items()[1]["last_line"].is_null());
}

TEST(LastLine, OfOneThatAsksIsItsQuestion) {
  ClientWorld world;
  world.host.prints(world.running(), "enter chooses");
  world.turn_and_flush();
  model::StateChanged asks;
  asks.to = model::State::waiting;
  asks.dialog = model::Dialog{"May I\x1b?", {}};
  ASSERT_TRUE(world.journal.append(
      {{Seq{world.journal.events.size() + 1}, world.now.wall, "a", std::move(asks)}}));
  world.live();
  Conversation conversation(*world.engine, world.server);
  conversation.receive(world.now, {Kind::json, R"({"verb":"ls","args":{}})"});
  FrameReader reader(kMaxReply);
  reader.feed(conversation.take_output());
  const auto list = result_of(*Json::parse((**reader.next()).payload));
  ASSERT_TRUE(list);
  EXPECT_EQ((*list)["agents"].items().at(0)["last_line"].as_string(), "May I?");
}

}  // namespace
}  // namespace pawl::api
